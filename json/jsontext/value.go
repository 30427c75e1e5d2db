package jsontext

import "bytes"

// Value is the text of one JSON value: a literal, a string, a number, or a whole array or object.
// It may be surrounded by whitespace.
type Value []byte

// Clone returns a copy of v.
func (v Value) Clone() Value { return bytes.Clone(v) }

// String returns the text; that of nil is null.
func (v Value) String() string {
	if v == nil {
		return "null"
	}
	return string(v)
}

// Kind returns the kind of the first token.
func (v Value) Kind() Kind {
	for _, c := range v {
		if !isSpace(c) {
			return kinds[c]
		}
	}
	return KindInvalid
}

// IsValid reports whether v is one well-formed value. By default it must conform to RFC 7493, with valid UTF-8 and
// unique names; [AllowInvalidUTF8] and [AllowDuplicateNames] relax this.
func (v Value) IsValid(opts ...Options) bool {
	d := takeDecoder(v, opts...)
	ok := d.check(v)
	giveDecoder(d)
	return ok
}

// Format rewrites v in place as an [Encoder] with the options does; by default without whitespace and with strings in
// their shortest form. A value that already has this form is not modified. If there is an error, v is left unchanged.
func (v *Value) Format(opts ...Options) error {
	e := takeEncoder(opts)
	err := e.WriteValue(*v)
	if err == nil && !bytes.Equal(*v, e.buf) {
		*v = append((*v)[:0], e.buf...)
	}
	giveEncoder(e)
	return err
}

// Compact removes the whitespace of v. It is Format with [AllowDuplicateNames], [AllowInvalidUTF8] and
// [PreserveRawStrings], followed by the options.
func (v *Value) Compact(opts ...Options) error { return v.Format(append(asIs, opts...)...) }

// Indent puts every member and every element of v on a separate line. It is Format with [AllowDuplicateNames],
// [AllowInvalidUTF8], [PreserveRawStrings] and [Multiline], followed by the options.
func (v *Value) Indent(opts ...Options) error {
	return v.Format(append(asIsLines, opts...)...)
}

// Canonicalize formats v according to RFC 8785, the JSON Canonicalization Scheme: no whitespace,
// members in the order of their names in UTF-16, strings in their shortest form, numbers as ECMAScript
// writes a float64. It is Format with [CanonicalizeRawInts], [CanonicalizeRawFloats] and [ReorderRawObjects],
// followed by the options. To keep integers beyond ±2⁵³, which a float64 cannot represent, use
// CanonicalizeRawInts(false).
func (v *Value) Canonicalize(opts ...Options) error {
	return v.Format(append(canonical, opts...)...)
}

// The options of Compact, Indent and Canonicalize, without room for others.
var (
	asIs      = []Options{AllowInvalidUTF8(true).Decide(flagPreserveStrings, true).Decide(flagRejectDuplicates, false)}
	asIsLines = []Options{asIs[0].Decide(flagMultiline, true)}
	canonical = []Options{Options{}.Decide(flagCanonicalInts|flagCanonicalFloats|flagReorder, true)}
)

// AppendFormat appends src, formatted as [Value.Format] does. If there is an error, it appends src unchanged.
func AppendFormat[Bytes ~[]byte | ~string](dst []byte, src Bytes, opts ...Options) ([]byte, error) {
	e := takeEncoder(opts)
	err := e.WriteValue(Value(src))
	if err != nil {
		dst = append(dst, src...)
	} else {
		dst = append(dst, e.buf...)
	}
	giveEncoder(e)
	return dst, err
}

// takeEncoder returns an encoder that keeps its text, to be given back.
func takeEncoder(opts []Options) *Encoder {
	e := encoders.Get().(*Encoder)
	e.reset(nil, opts)
	e.lean = true
	e.flags &^= flagSequence
	return e
}

func giveEncoder(e *Encoder) {
	if !e.reader.forget() || e.idle.Drop(cap(e.buf), len(e.buf)) {
		return
	}
	e.opts = Options{}
	encoders.Put(e)
}

// MarshalJSON returns v, and null for nil. It does not check v.
func (v Value) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	return v, nil
}

// UnmarshalJSON makes v a copy of b. It does not check b.
func (v *Value) UnmarshalJSON(b []byte) error {
	if v == nil {
		return errNilUnmarshal
	}
	*v = append((*v)[:0], b...)
	return nil
}
