//go:build goexperiment.jsonv2 && go1.27

package json_test

import (
	"bytes"
	stdtext "encoding/json/jsontext"
	stdv2 "encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
)

// v2Run is one run of a random program, by this package or by encoding/json/v2. The methods and functions of its types
// do what its random numbers say, which are the same for both as long as both call the same.
type v2Run struct {
	*rand.Rand
	std    bool
	log    []string // what coders told, and what was called
	level  int      // of methods within methods
	sane   bool     // nothing fails on purpose
	failed bool
	reads  bool
	stream bool // of a decoder
	whole  bool // of Unmarshal, whose coders tell the last token when there is no other
	spaced bool // places are not compared
	loose  bool // nor errors: this package looks at whole values first
	breaks bool // the reader or the writer fails and goes on: no functions, which have coders of their own here
	single bool // what was called last takes one token or all of a value, or fails and takes nothing
}

// v2Now is the run that methods belong to.
var v2Now *v2Run

var errBoom = errors.New("boom")

func (r *v2Run) one(n int) bool { return r.IntN(n) == 0 }

// some reports whether something that fails is to be done, one time in n.
func (r *v2Run) some(n int) bool { return !r.sane && r.one(n) }

func (r *v2Run) note(format string, args ...any) {
	if len(r.log) < 2000 {
		r.log = append(r.log, fmt.Sprintf(format, args...))
	}
}

// v2Coder is an encoder or a decoder of one of the packages.
type v2Coder interface {
	state() string
	token(c byte) (byte, error) // writes or reads a token
	whole(text string) (string, error)
	skip() error
	peek() byte
	options() string
	value(v any, o []v2Option) error // by MarshalEncode or UnmarshalDecode
}

type v2Option struct {
	ours json.Options
	std  stdv2.Options
}

type (
	v2OurEncoder struct{ *jsontext.Encoder }
	v2StdEncoder struct{ *stdtext.Encoder }
	v2OurDecoder struct{ *jsontext.Decoder }
	v2StdDecoder struct{ *stdtext.Decoder }
)

func v2State[K ~byte](depth int, index func(int) (K, int64), offset int64, pointer string) string {
	around := ""
	for i := range depth {
		k, n := index(i)
		around += fmt.Sprintf("%d %d ", k, n)
	}
	k, n := index(depth)
	return fmt.Sprintf("depth %d, %s%d %d, offset %d, %q", depth, around, k, n, offset, pointer)
}

func (e v2OurEncoder) state() string {
	return v2State(e.StackDepth(), e.StackIndex, e.OutputOffset(), string(e.StackPointer()))
}
func (e v2StdEncoder) state() string {
	return v2State(e.StackDepth(), e.StackIndex, e.OutputOffset(), string(e.StackPointer()))
}
func (d v2OurDecoder) state() string {
	return v2State(d.StackDepth(), d.StackIndex, d.InputOffset(), string(d.StackPointer()))
}
func (d v2StdDecoder) state() string {
	return v2State(d.StackDepth(), d.StackIndex, d.InputOffset(), string(d.StackPointer()))
}

var (
	v2OurTokens = map[byte]jsontext.Token{'{': jsontext.BeginObject, '}': jsontext.EndObject, '[': jsontext.BeginArray,
		']': jsontext.EndArray,
		'n': jsontext.Null, 't': jsontext.True, '0': jsontext.Int(17), '"': jsontext.String("x"),
		'a': jsontext.String("a"), 'b': jsontext.String("b"),
		'u': jsontext.String("\xff")}
	v2StdTokens = map[byte]stdtext.Token{'{': stdtext.BeginObject, '}': stdtext.EndObject, '[': stdtext.BeginArray,
		']': stdtext.EndArray,
		'n': stdtext.Null, 't': stdtext.True, '0': stdtext.Int(17), '"': stdtext.String("x"),
		'a': stdtext.String("a"), 'b': stdtext.String("b"),
		'u': stdtext.String("\xff")}
)

func (e v2OurEncoder) token(c byte) (byte, error) { return c, e.WriteToken(v2OurTokens[c]) }
func (e v2StdEncoder) token(c byte) (byte, error) { return c, e.WriteToken(v2StdTokens[c]) }
func (d v2OurDecoder) token(byte) (byte, error)   { t, err := d.ReadToken(); return byte(t.Kind()), err }
func (d v2StdDecoder) token(byte) (byte, error)   { t, err := d.ReadToken(); return byte(t.Kind()), err }

func (e v2OurEncoder) whole(s string) (string, error) { return s, e.WriteValue(jsontext.Value(s)) }
func (e v2StdEncoder) whole(s string) (string, error) { return s, e.WriteValue(stdtext.Value(s)) }
func (d v2OurDecoder) whole(string) (string, error)   { v, err := d.ReadValue(); return string(v), err }
func (d v2StdDecoder) whole(string) (string, error)   { v, err := d.ReadValue(); return string(v), err }

func (v2OurEncoder) skip() error   { return nil }
func (v2StdEncoder) skip() error   { return nil }
func (d v2OurDecoder) skip() error { return d.SkipValue() }
func (d v2StdDecoder) skip() error { return d.SkipValue() }
func (v2OurEncoder) peek() byte    { return 0 }
func (v2StdEncoder) peek() byte    { return 0 }
func (d v2OurDecoder) peek() byte  { return byte(d.PeekKind()) }
func (d v2StdDecoder) peek() byte  { return byte(d.PeekKind()) }

func (e v2OurEncoder) options() string {
	return v2Told(e.Options(), jsontext.GetOption[bool], v2Toggles)
}
func (e v2StdEncoder) options() string {
	return v2Told(e.Options(), stdv2.GetOption[bool], v2StdToggles)
}
func (d v2OurDecoder) options() string {
	return v2Told(d.Options(), jsontext.GetOption[bool], v2Toggles)
}
func (d v2StdDecoder) options() string {
	return v2Told(d.Options(), stdv2.GetOption[bool], v2StdToggles)
}

// v2Told returns the numbers of the toggles that are on.
func v2Told[O any](o O, get func(O, func(bool) O) (bool, bool), toggles []func(bool) O) (s string) {
	for i, toggle := range toggles {
		if on, _ := get(o, toggle); on {
			s += fmt.Sprint(" ", i)
		}
	}
	return s
}

var (
	v2Toggles = []func(bool) json.Options{json.StringifyNumbers, json.OmitZeroStructFields, json.MatchCaseInsensitiveNames,
		json.RejectUnknownMembers, json.FormatNilMapAsNull, json.FormatNilSliceAsNull, jsontext.AllowDuplicateNames,
		jsontext.AllowInvalidUTF8, jsontext.EscapeForHTML, jsontext.EscapeForJS, jsontext.PreserveRawStrings,
		jsontext.CanonicalizeRawInts, jsontext.CanonicalizeRawFloats, jsontext.ReorderRawObjects, json.Deterministic}
	v2StdToggles = []func(bool) stdv2.Options{stdv2.StringifyNumbers, stdv2.OmitZeroStructFields, stdv2.MatchCaseInsensitiveNames,
		stdv2.RejectUnknownMembers, stdv2.FormatNilMapAsNull, stdv2.FormatNilSliceAsNull, stdtext.AllowDuplicateNames,
		stdtext.AllowInvalidUTF8, stdtext.EscapeForHTML, stdtext.EscapeForJS, stdtext.PreserveRawStrings,
		stdtext.CanonicalizeRawInts, stdtext.CanonicalizeRawFloats, stdtext.ReorderRawObjects, stdv2.Deterministic}
)

func (e v2OurEncoder) value(v any, o []v2Option) error {
	return json.MarshalEncode(e.Encoder, v, v2Ours(o)...)
}
func (e v2StdEncoder) value(v any, o []v2Option) error {
	return stdv2.MarshalEncode(e.Encoder, v, v2Std(o)...)
}
func (d v2OurDecoder) value(v any, o []v2Option) error {
	return json.UnmarshalDecode(d.Decoder, v, v2Ours(o)...)
}
func (d v2StdDecoder) value(v any, o []v2Option) error {
	return stdv2.UnmarshalDecode(d.Decoder, v, v2Std(o)...)
}

func v2Ours(opts []v2Option) (out []json.Options) {
	for _, o := range opts {
		out = append(out, o.ours)
	}
	return out
}

func v2Std(opts []v2Option) (out []stdv2.Options) {
	for _, o := range opts {
		out = append(out, o.std)
	}
	return out
}

// options returns some options, in the streams of methods without those of whitespace.
func (r *v2Run) options(inside bool) (out []v2Option) {
	if r.one(2) {
		return nil
	}
	for range 1 + r.IntN(2) {
		on := r.one(2)
		all := []v2Option{
			{json.StringifyNumbers(on), stdv2.StringifyNumbers(on)},
			{json.OmitZeroStructFields(on), stdv2.OmitZeroStructFields(on)},
			{json.MatchCaseInsensitiveNames(on), stdv2.MatchCaseInsensitiveNames(on)},
			{json.RejectUnknownMembers(on), stdv2.RejectUnknownMembers(on)},
			{json.FormatNilMapAsNull(on), stdv2.FormatNilMapAsNull(on)},
			{json.FormatNilSliceAsNull(on), stdv2.FormatNilSliceAsNull(on)},
			{jsontext.AllowDuplicateNames(on), stdtext.AllowDuplicateNames(on)},
			{jsontext.AllowInvalidUTF8(on), stdtext.AllowInvalidUTF8(on)},
			{jsontext.EscapeForHTML(on), stdtext.EscapeForHTML(on)},
			{jsontext.EscapeForJS(on), stdtext.EscapeForJS(on)},
			{jsontext.PreserveRawStrings(on), stdtext.PreserveRawStrings(on)},
			{jsontext.CanonicalizeRawInts(on), stdtext.CanonicalizeRawInts(on)},
			{jsontext.CanonicalizeRawFloats(on), stdtext.CanonicalizeRawFloats(on)},
			{jsontext.ReorderRawObjects(on), stdtext.ReorderRawObjects(on)},
			r.functions(),
			r.functions(),
			{jsontext.SpaceAfterColon(on), stdtext.SpaceAfterColon(on)},
			{jsontext.SpaceAfterComma(on), stdtext.SpaceAfterComma(on)},
			{jsontext.Multiline(on), stdtext.Multiline(on)},
			{jsontext.WithIndent("  "), stdtext.WithIndent("  ")},
			{jsontext.WithIndentPrefix(" "), stdtext.WithIndentPrefix(" ")},
		}
		if inside {
			all = all[:16]
		}
		k := r.IntN(len(all))
		r.note("option %d %v", k, on)
		r.spaced = r.spaced || k > 15
		out = append(out, all[k])
	}
	return out
}

// functions returns functions for some types.
func (r *v2Run) functions() v2Option {
	var o v2Option
	switch k := r.IntN(5); {
	case r.breaks:
		o = v2Option{json.Deterministic(true), stdv2.Deterministic(true)}
	case k == 0:
		o = v2Functions[float64]()
	case k == 1:
		o = v2Functions[bool]()
	case k == 2:
		o = v2Functions[[]byte]()
	case k == 3:
		o = v2Functions[[]string]()
	default:
		o = v2Functions[map[string]int]()
	}
	return o
}

func v2Functions[T any]() v2Option {
	r := v2Now
	ourTo := func(e *jsontext.Encoder, _ *T) error { return r.code(v2OurEncoder{e}, "func", false) }
	stdTo := func(e *stdtext.Encoder, _ *T) error { return r.code(v2StdEncoder{e}, "func", false) }
	ourFrom := func(d *jsontext.Decoder, _ *T) error { return r.code(v2OurDecoder{d}, "func", true) }
	stdFrom := func(d *stdtext.Decoder, _ *T) error { return r.code(v2StdDecoder{d}, "func", true) }
	pass := func() error { r.note("pass"); return errors.ErrUnsupported }
	text := func(T) ([]byte, error) { return r.text("func") }
	take := func(b []byte, _ *T) error { return r.take("func", b) }
	ours := func(m *json.Marshalers, u *json.Unmarshalers) json.Options {
		return weft.Join(json.WithMarshalers(m), json.WithUnmarshalers(u))
	}
	std := func(m *stdv2.Marshalers, u *stdv2.Unmarshalers) stdv2.Options {
		return stdv2.JoinOptions(stdv2.WithMarshalers(m), stdv2.WithUnmarshalers(u))
	}
	switch r.IntN(3) {
	case 0:
		return v2Option{ours(json.MarshalToFunc(ourTo), json.UnmarshalFromFunc(ourFrom)),
			std(stdv2.MarshalToFunc(stdTo), stdv2.UnmarshalFromFunc(stdFrom))}
	case 1:
		return v2Option{ours(json.MarshalFunc(text), json.UnmarshalFunc(take)), std(stdv2.MarshalFunc(text), stdv2.UnmarshalFunc(take))}
	}
	return v2Option{ // the first one passes
		ours(json.JoinMarshalers(json.MarshalToFunc(func(*jsontext.Encoder, T) error { return pass() }), json.MarshalToFunc(ourTo)),
			json.JoinUnmarshalers(json.UnmarshalFromFunc(func(*jsontext.Decoder, *T) error { return pass() }), json.UnmarshalFromFunc(ourFrom))),
		std(stdv2.JoinMarshalers(stdv2.MarshalToFunc(func(*stdtext.Encoder, T) error { return pass() }), stdv2.MarshalToFunc(stdTo)),
			stdv2.JoinUnmarshalers(stdv2.UnmarshalFromFunc(func(*stdtext.Decoder, *T) error { return pass() }), stdv2.UnmarshalFromFunc(stdFrom))),
	}
}

// The types with methods.
type (
	v2ProgOurs struct{ N int }
	v2ProgStd  struct{ N int }
	v2ProgJSON struct{ N int }
	v2ProgText struct{ N int }
)

func (p v2ProgOurs) MarshalJSONTo(e *jsontext.Encoder) error {
	return v2Now.code(v2OurEncoder{e}, "method", false)
}
func (p v2ProgStd) MarshalJSONTo(e *stdtext.Encoder) error {
	return v2Now.code(v2StdEncoder{e}, "method", false)
}
func (p *v2ProgOurs) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return v2Now.code(v2OurDecoder{d}, "method", true)
}
func (p *v2ProgStd) UnmarshalJSONFrom(d *stdtext.Decoder) error {
	return v2Now.code(v2StdDecoder{d}, "method", true)
}
func (p v2ProgJSON) MarshalJSON() ([]byte, error)  { return v2Now.text("JSON") }
func (p *v2ProgJSON) UnmarshalJSON(b []byte) error { return v2Now.take("JSON", b) }
func (p v2ProgText) MarshalText() ([]byte, error) {
	v2Now.note("text")
	if v2Now.some(12) {
		return nil, errBoom
	}
	return []byte{'k', byte('0' + v2Now.IntN(10))}, nil
}
func (p *v2ProgText) UnmarshalText(b []byte) error {
	v2Now.note("text %s", b)
	if v2Now.some(12) {
		return errBoom
	}
	return nil
}

// failure returns an error.
func (r *v2Run) failure() error {
	var at int64
	var p string
	if r.one(2) {
		at, p = int64(r.IntN(3)), []string{"", "/x", "/0"}[r.IntN(3)]
	}
	err := []error{errBoom, nil, io.EOF, fmt.Errorf("wrapped: %w", errBoom)}[r.IntN(4)]
	switch r.IntN(6) {
	case 0:
		if r.std {
			return &stdv2.SemanticError{ByteOffset: at, JSONPointer: stdtext.Pointer(p), Err: err}
		}
		return &json.SemanticError{ByteOffset: at, JSONPointer: jsontext.Pointer(p), Err: err}
	case 1:
		return io.EOF
	}
	return errBoom
}

// text is a method that returns a text.
func (r *v2Run) text(name string) ([]byte, error) {
	r.note("%s", name)
	if r.some(8) {
		return nil, r.failure()
	}
	return []byte(r.json(2)), nil
}

// take is a method that is given a text.
func (r *v2Run) take(name string, b []byte) error {
	r.note("%s %s", name, b)
	if r.some(8) {
		return r.failure()
	}
	return nil
}

// code is a method or function with a coder.
func (r *v2Run) code(c v2Coder, name string, reads bool) (err error) {
	if at := r.state(c); reads {
		r.note("%s in %s", name, at[:strings.Index(at+"offset", "offset")])
	} else {
		r.note("%s in %s", name, at)
	}
	if r.one(4) {
		r.note("options%s", c.options())
	}
	r.level++
	defer func() { r.level-- }()
	if r.some(16) {
		return r.failure()
	}
	if r.one(10) {
		r.note("declines")
		return errors.ErrUnsupported
	}
	if at := c.state(); !reads && strings.Contains(at, ", 123 ") && (at[strings.Index(at, ", offset")-1]-'0')%2 == 0 {
		return r.name(c, false, "k")
	}
	err = r.item(c, reads, 3)
	for i := 0; i < 2 && err == nil && !reads && r.some(8); i++ { // what it has no right to
		k, more := c.token("nt0\"ab[{"[r.IntN(8)])
		if r.note("more %q, %s", k, r.told(more)); more == nil {
			r.note("more in %s", r.state(c))
		} else if r.one(2) {
			err = more
		}
	}
	for i := 0; i < 2 && err == nil && r.whole && r.some(8); i++ {
		peek, k := c.peek(), byte(0)
		var more error
		if n := 0; r.one(2) {
			more = c.value(&n, nil)
		} else {
			k, more = c.token(0)
		}
		r.note("more %q %q, %s", peek, k, r.told(more))
		if k == '}' || k == ']' || more != nil { // the encoders of this package refuse that, and its decoders know no more
			return more
		}
		r.note("more in %s", r.state(c))
	}
	if err == nil && r.one(3) {
		r.note("after in %s", r.state(c))
	}
	switch {
	case err != nil && r.one(4):
		return fmt.Errorf("wrapped: %w", err)
	case err == nil && r.some(16):
		return r.failure()
	}
	return err
}

// item writes or reads a value in some way.
func (r *v2Run) item(c v2Coder, reads bool, depth int) error {
	if r.one(4) {
		r.note("state %s", r.state(c))
	}
	if r.some(40) {
		return errBoom
	}
	if reads && r.one(4) {
		r.note("peek %q", c.peek())
	}
	r.single = true
	switch k := r.IntN(8); {
	case k == 0 || r.level > 4 || r.breaks && reads && k != 1 && k < 5: // what PeekKind has met is lost in some types there
		s, err := c.whole(r.json(2))
		r.note("value %s", s)
		return err
	case k == 1 && reads:
		r.single = false
		return c.skip()
	case k <= 4 || depth == 0:
		t := r.typ(2)
		if reads && c.peek() == 0 { // at the end, where encoding/json/v2 looks at some types first
			t = reflect.TypeFor[int]()
		}
		v := reflect.New(t)
		if reads {
			err := c.value(v.Interface(), r.options(true))
			if err == nil {
				r.note("got %s", r.show(v.Elem()))
			} else {
				r.note("error %s", r.told(err))
			}
			return err
		}
		r.fill(v.Elem(), 3)
		r.note("write %s", v2Names(t))
		err := c.value(v.Elem().Interface(), r.options(true))
		if err != nil {
			r.note("error %s", r.told(err))
		}
		return err
	}
	if reads {
		k, err := c.token(0)
		r.note("token %q", k)
		for err == nil && (k == '{' || k == '[') && c.peek() != k+2 {
			if k == '{' {
				if err = r.name(c, true, ""); err != nil {
					break
				}
			}
			if err = r.item(c, true, depth-1); err != nil {
				break
			}
		}
		if err == nil && (k == '{' || k == '[') {
			_, err = c.token(0)
		}
		return err
	}
	k := "nt0\"u{[{["[r.IntN(9)]
	_, err := c.token(k)
	if k == '{' || k == '[' {
		for i := range r.IntN(3) {
			if err == nil && k == '{' {
				err = r.name(c, false, []string{"a", "b"}[i])
			}
			if err == nil {
				err = r.item(c, false, depth-1)
			}
		}
		if err == nil && !r.some(40) {
			_, err = c.token(k + 2)
		}
	}
	return err
}

// name writes or reads the name of a member.
func (r *v2Run) name(c v2Coder, reads bool, s string) error {
	if r.some(30) {
		s = "a"
	}
	switch k := r.IntN(4); {
	case k == 0 && !(r.breaks && reads):
		if reads {
			var s string
			return c.value(&s, nil)
		}
		return c.value(s, nil)
	case k == 1:
		_, err := c.whole(`"` + s + `"`)
		return err
	}
	_, err := c.token(append([]byte(s), 0)[0])
	return err
}

// json returns a text.
func (r *v2Run) json(depth int) string {
	if r.some(60) {
		r.loose = true
		return []string{"", "nul", "[1", `{"a":1,"a":2}`, "\"\xff\"", `{"a"}`, "1 2", `{1:2}`, "-", `"\ud800"`}[r.IntN(10)]
	}
	space := func() string { return []string{"", "", "", " ", "\n "}[r.IntN(5)] }
	k := r.IntN(8)
	if depth == 0 {
		k %= 6
	}
	switch k {
	case 0:
		return "null"
	case 1:
		return "true"
	case 2:
		return []string{"0", "1", "-7", "300", "1.5", "1e3", "1e400", "123456789012345678"}[r.IntN(8)]
	case 3:
		return `"` + []string{"", "x", "a", "12", "1.5", "\\u0041", "<&>", "AQID", "é", "2020-01-01T00:00:00Z", "k1"}[r.IntN(11)] + `"`
	case 4:
		return "[]"
	case 5:
		return "{}"
	case 6:
		var b []string
		for range r.IntN(4) {
			b = append(b, space()+r.json(depth-1)+space())
		}
		return "[" + strings.Join(b, ",") + "]"
	}
	var b []string
	names := []string{"a", "b", "c", "d", "e", "A", "x/y", "1", "k1"}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for i := range r.IntN(5) {
		b = append(b, space()+`"`+names[i]+`"`+space()+":"+space()+r.json(depth-1)+space())
	}
	return "{" + strings.Join(b, ",") + "}"
}

// typ returns a type.
func (r *v2Run) typ(depth int) reflect.Type {
	prog, text := reflect.TypeFor[v2ProgOurs](), reflect.TypeFor[jsontext.Value]()
	if r.std {
		prog, text = reflect.TypeFor[v2ProgStd](), reflect.TypeFor[stdtext.Value]()
	}
	leaves := []reflect.Type{prog, prog, prog, reflect.TypeFor[v2ProgJSON](), reflect.TypeFor[v2ProgText](), text,
		reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[string](), reflect.TypeFor[bool](), reflect.TypeFor[float64](),
		reflect.TypeFor[any](), reflect.TypeFor[[]byte](), reflect.TypeFor[time.Time](), reflect.TypeFor[map[string]int](),
		reflect.TypeFor[float32](), reflect.TypeFor[uint8](), reflect.TypeFor[[2]byte](), reflect.TypeFor[[]any](),
		reflect.TypeFor[chan int](), reflect.TypeFor[error](), reflect.TypeFor[time.Duration]()}
	if !r.some(12) {
		leaves = leaves[:len(leaves)-3]
	}
	k := r.IntN(9)
	if depth == 0 {
		k = 0
	}
	switch k {
	case 0, 1:
		return leaves[r.IntN(len(leaves))]
	case 2:
		return reflect.SliceOf(r.typ(depth - 1))
	case 3:
		keys := []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[v2ProgText](), prog}
		return reflect.MapOf(keys[r.IntN(len(keys))], r.typ(depth-1))
	case 4:
		if r.breaks { // pointers to pointers are written by an encoder of their own here
			return r.typ(depth - 1)
		}
		return reflect.PointerTo(r.typ(depth - 1))
	case 5:
		return reflect.ArrayOf(r.IntN(3), r.typ(depth-1))
	}
	var fields []reflect.StructField
	for i := range r.IntN(4) {
		name := string(rune('A' + i))
		tag := strings.ToLower(name) + []string{"", "", "", ",omitempty", ",omitzero", ",string", ",case:ignore"}[r.IntN(7)]
		t := r.typ(depth - 1)
		if k := t.Kind(); k != reflect.Int && k != reflect.Float64 {
			tag = strings.TrimSuffix(tag, ",string")
		}
		fields = append(fields, reflect.StructField{Name: name, Type: t, Tag: reflect.StructTag(`json:"` + tag + `"`)})
	}
	if r.one(5) {
		t := text
		if r.one(2) {
			t = reflect.MapOf(reflect.TypeFor[string](), r.typ(depth-1))
		}
		fields = append(fields, reflect.StructField{Name: "X", Type: t, Tag: `json:",embed"`})
	}
	return reflect.StructOf(fields)
}

// fill sets v to a value.
func (r *v2Run) fill(v reflect.Value, depth int) {
	if depth == 0 || r.one(6) {
		return
	}
	switch v.Kind() {
	case reflect.Uint8:
		v.SetUint(uint64(r.IntN(100)))
	case reflect.Int, reflect.Int8, reflect.Int64:
		v.SetInt(int64(r.IntN(100)))
	case reflect.Float64, reflect.Float32:
		v.SetFloat([]float64{1.5, 1e30, 0}[r.IntN(3)])
	case reflect.String:
		v.SetString([]string{"x", "<a>", "é", ""}[r.IntN(4)])
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.fill(v.Elem(), depth)
	case reflect.Interface:
		if v.NumMethod() == 0 {
			x := reflect.New(r.typ(1)).Elem()
			r.fill(x, depth-1)
			v.Set(x)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(r.json(2)))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 3))
		for i := range v.Len() {
			r.fill(v.Index(i), depth-1)
		}
	case reflect.Array:
		for i := range v.Len() {
			r.fill(v.Index(i), depth-1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(2) {
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			r.fill(k, 1)
			r.fill(e, depth-1)
			v.SetMapIndex(k, e)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(int64(r.IntN(100)), 0).UTC()))
			return
		}
		for i := range v.NumField() {
			r.fill(v.Field(i), depth-1)
		}
	}
}

// show returns what is in v.
func (r *v2Run) show(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return "&" + r.show(v.Elem())
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 || v.Kind() == reflect.Slice && v.IsNil() {
			return fmt.Sprintf("%q", v)
		}
		s := ""
		for i := range v.Len() {
			s += r.show(v.Index(i)) + ","
		}
		return "[" + s + "]"
	case reflect.Map:
		var all []string
		for it := v.MapRange(); it.Next(); {
			all = append(all, r.show(it.Key())+":"+r.show(it.Value()))
		}
		slices.Sort(all)
		return fmt.Sprint(v.IsNil(), all)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			break
		}
		s := ""
		for i := range v.NumField() {
			s += r.show(v.Field(i)) + ","
		}
		return "{" + s + "}"
	}
	return fmt.Sprint(v)
}

func (r *v2Run) state(c v2Coder) string {
	s := c.state()
	if r.spaced || r.stream || strings.HasPrefix(s, "depth 0") {
		s = s[:strings.Index(s, "offset")]
	}
	return s
}

// told returns what an error tells.
func (r *v2Run) told(err error) string {
	if err == nil {
		return "none"
	}
	if r.loose {
		return "some"
	}
	s := r.tells(err)
	if i := strings.Index(s, "read error: boom"); r.breaks && i >= 0 { // of ReadValue, which encoding/json/v2 gives a place
		return s[i:]
	}
	if kind, rest, _ := strings.Cut(s, " "); r.spaced && kind != "other" {
		_, rest, _ = strings.Cut(rest, " ")
		s = kind + " " + rest
	}
	return s
}

func (r *v2Run) tells(err error) string {
	is := ""
	for _, e := range []error{errBoom, io.EOF, io.ErrUnexpectedEOF, errors.ErrUnsupported} {
		if errors.Is(err, e) {
			is += ", " + e.Error()
		}
	}
	typ := func(t reflect.Type) string {
		return strings.NewReplacer("v2ProgOurs", "P", "v2ProgStd", "P").Replace(fmt.Sprint(t))
	}
	var kind string
	if r.std {
		switch e := err.(type) {
		case *stdv2.SemanticError:
			kind = fmt.Sprintf("semantic %d %q %q%s %s", e.ByteOffset, e.JSONPointer, byte(e.JSONKind), e.JSONValue, typ(e.GoType))
		case *stdtext.SyntacticError:
			kind = fmt.Sprintf("syntactic %d %q %v", e.ByteOffset, e.JSONPointer, e.Err)
		default:
			kind = "other " + strings.TrimPrefix(err.Error(), "jsontext: ")
		}
		if errors.Is(err, stdtext.ErrDuplicateName) {
			is += ", duplicate"
		}
		if errors.Is(err, stdv2.ErrUnknownName) {
			is += ", unknown"
		}
		return kind + is
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		is += ", duplicate"
	}
	if errors.Is(err, json.ErrUnknownName) {
		is += ", unknown"
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		var sem *json.SemanticError
		var text *jsontext.SyntacticError
		as, ok := e.(interface{ As(any) bool })
		if s, is := e.(*json.SemanticError); is {
			sem = s
		} else if s, is := e.(*jsontext.SyntacticError); is {
			text = s
		} else if ok && !as.As(&sem) {
			sem = nil
			as.As(&text)
		}
		if sem != nil {
			return fmt.Sprintf("semantic %d %q %q%s %s", sem.ByteOffset, sem.JSONPointer, byte(sem.JSONKind), sem.JSONValue,
				typ(sem.GoType)) + is
		}
		if text != nil {
			return fmt.Sprintf("syntactic %d %q %v", text.ByteOffset, text.JSONPointer, text.Err) + is
		}
	}
	return "other " + strings.TrimPrefix(err.Error(), "jsontext: ") + is
}

// reader returns one of the readers that a stream may have.
func (r *v2Run) reader(text string) io.Reader {
	if r.breaks && r.stream {
		return &v2Reader{text: text, stops: r.Perm(len(text) + 1)[:r.IntN(3)%(len(text)+1)]}
	}
	in := io.Reader(strings.NewReader(text))
	switch r.IntN(5) {
	case 0:
		in = iotest.OneByteReader(in)
	case 1:
		if r.some(2) || r.breaks {
			r.loose = true
			in = io.MultiReader(strings.NewReader(text[:r.IntN(len(text)+1)]), iotest.ErrReader(errBoom))
		}
	case 2:
		return bytes.NewBufferString(text)
	case 3:
		in = iotest.DataErrReader(in)
	case 4:
		in = iotest.HalfReader(in)
	}
	return in
}

// v2Reader is a reader that fails once at each of its stops.
type v2Reader struct {
	text  string
	at    int
	stops []int
}

func (r *v2Reader) Read(b []byte) (int, error) {
	to := len(r.text)
	for i, stop := range r.stops {
		if stop == r.at {
			r.stops = slices.Delete(slices.Clone(r.stops), i, i+1)
			return 0, errBoom
		} else if stop > r.at {
			to = min(to, stop)
		}
	}
	n := copy(b, r.text[r.at:to])
	if r.at += n; r.at == len(r.text) && n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// v2Writer is a writer that may fail at the end of a value of the stream, of which it takes a part then.
type v2Writer struct {
	bytes.Buffer
	parts []int
}

func (w *v2Writer) Write(b []byte) (int, error) {
	if len(w.parts) > 0 && bytes.HasSuffix(b, []byte("\n")) {
		n := w.parts[0]
		if w.parts = w.parts[1:]; n >= 0 {
			n, _ := w.Buffer.Write(b[:n%(len(b)+1)])
			return n, errBoom
		}
	}
	return w.Buffer.Write(b)
}

// program does something, and notes what comes of it.
func (r *v2Run) program() {
	defer func() {
		if p := recover(); p != nil {
			r.note("panic %v", p)
		}
	}()
	r.sane = r.one(3)
	how := r.IntN(6)
	r.breaks = how > 1 && r.some(3)
	opts := r.options(false)
	base := v2Option{weft.Join(json.V2(), json.Deterministic(true)), stdv2.Deterministic(true)}
	all := append([]v2Option{base}, opts...)
	r.reads, r.stream, r.whole = how%2 != 0, how == 3, how == 1
	switch how {
	case 0:
		v := reflect.New(r.typ(3))
		r.fill(v.Elem(), 4)
		r.note("marshal %s", v2Names(v.Elem().Type()))
		var b []byte
		var err error
		if r.std {
			b, err = stdv2.Marshal(v.Interface(), v2Std(all)...)
		} else {
			b, err = json.MarshalWith(v.Interface(), v2Ours(all)...)
		}
		if r.note("marshaled: %s", r.told(err)); err == nil {
			r.note("text %s", b)
		}
	case 1:
		v, text := reflect.New(r.typ(3)), r.json(4)
		r.note("unmarshal %s of %s", v2Names(v.Elem().Type()), text)
		var err error
		if r.std {
			err = stdv2.Unmarshal([]byte(text), v.Interface(), v2Std(all)...)
		} else {
			err = json.UnmarshalWith([]byte(text), v.Interface(), v2Ours(all)...)
		}
		if r.note("unmarshaled: %s", r.told(err)); err == nil {
			r.note("value %s", r.show(v.Elem()))
		}
	case 2:
		w := new(v2Writer)
		if r.breaks {
			w.parts = []int{r.IntN(20) - 9, r.IntN(20) - 9, r.IntN(20) - 9}
		}
		var c v2Coder
		if r.std {
			c = v2StdEncoder{stdtext.NewEncoder(w, v2Std(all)...)}
		} else {
			c = v2OurEncoder{jsontext.NewEncoder(w, v2Ours(all)...)}
		}
		for range 2 {
			r.items(c, false)
			if w.parts = nil; r.breaks && !r.failed && strings.HasPrefix(c.state(), "depth 0") {
				_, err := c.token('n')
				r.note("text %s, %s", w.String(), r.told(err))
			}
			if !r.failed && strings.HasPrefix(c.state(), "depth 0") {
				r.note("text %s", w.String())
			}
			w.Reset()
			switch c := c.(type) {
			case v2StdEncoder:
				c.Reset(w, v2Std(all)...)
			case v2OurEncoder:
				c.Reset(w, v2Ours(all)...)
			}
		}
	case 3:
		var text string
		for range 1 + r.IntN(3) {
			text += r.json(4) + " "
		}
		r.note("stream %s", text)
		in := r.reader(text)
		var c v2Coder
		if r.std {
			c = v2StdDecoder{stdtext.NewDecoder(in, v2Std(all)...)}
		} else {
			c = v2OurDecoder{jsontext.NewDecoder(in, v2Ours(all)...)}
		}
		r.items(c, true)
		if in = r.reader(text); r.std {
			c.(v2StdDecoder).Reset(in, v2Std(all)...)
		} else {
			c.(v2OurDecoder).Reset(in, v2Ours(all)...)
		}
		r.items(c, true)
	case 4:
		v, w, err := reflect.New(r.typ(3)), io.Writer(new(bytes.Buffer)), error(nil)
		r.fill(v.Elem(), 4)
		if r.breaks {
			w, r.loose, r.reads = v2Broken{}, true, true
		}
		r.note("marshal %s", v2Names(v.Elem().Type()))
		if r.std {
			err = stdv2.MarshalWrite(w, v.Interface(), v2Std(all)...)
		} else {
			err = json.MarshalWrite(w, v.Interface(), v2Ours(all)...)
		}
		if r.note("marshaled: %s", r.told(err)); err == nil {
			r.note("text %s", w)
		}
	case 5:
		v, text, err := reflect.New(r.typ(3)), r.json(4), error(nil)
		in := r.reader(text)
		r.note("unmarshal %s of %s", v2Names(v.Elem().Type()), text)
		if r.std {
			err = stdv2.UnmarshalRead(in, v.Interface(), v2Std(all)...)
		} else {
			err = json.UnmarshalRead(in, v.Interface(), v2Ours(all)...)
		}
		if r.note("unmarshaled: %s", r.told(err)); err == nil {
			r.note("value %s", r.show(v.Elem()))
		}
	}
}

// v2Broken is a writer that takes a part and fails.
type v2Broken struct{}

func (v2Broken) Write(b []byte) (int, error) { return len(b) / 2, errBoom }

func v2Names(t reflect.Type) string {
	return strings.NewReplacer("v2ProgOurs", "P", "v2ProgStd", "P").Replace(t.String())
}

// items writes or reads values until something fails: then the two packages go on elsewhere.
func (r *v2Run) items(c v2Coder, reads bool) {
	for range 4 {
		err := r.item(c, reads, 3)
		goes := err == nil || r.breaks && r.single && strings.HasPrefix(err.Error(), "jsontext: ") && errors.Is(err, errBoom)
		r.note("then %s, %s", r.told(err), map[bool]string{false: "", true: r.state(c)}[goes])
		if r.failed = !goes; !goes {
			return
		}
	}
}

// TestV2Programs compares what random programs of methods, functions and streams do with this package and with
// encoding/json/v2.
//
//	GOTOOLCHAIN=go1.27.0 go test ./json -run TestV2Programs -difftime 60s -diffseed 7
func TestV2Programs(t *testing.T) {
	n, bad, end := 0, map[string]bool{}, time.Now().Add(*diffTime)
	for ; (n < 2000 || time.Now().Before(end)) && len(bad) < 8; n++ {
		loose := false
		run := func(std bool) []string {
			v2Now = &v2Run{Rand: rand.New(rand.NewPCG(uint64(*diffSeed), uint64(n))), std: std}
			v2Now.program()
			loose = loose || v2Now.loose && v2Now.reads
			return v2Now.log
		}
		want, got := run(true), run(false)
		all := want
		if loose {
			want, got = want[len(want)-1:], got[len(got)-1:]
		}
		for i := range max(len(want), len(got)) {
			g, w := "nothing", "nothing"
			if i < len(got) {
				g = got[i]
			}
			if i < len(want) {
				w = want[i]
			}
			if g != w {
				key := signature(g + w)
				if !bad[key] {
					bad[key] = true
					t.Errorf("program %d:\n%s\n got %s\nwant %s", n, strings.Join(all[:i], "\n"), g, w)
				}
				break
			}
		}
	}
	t.Logf("%d programs", n)
}
