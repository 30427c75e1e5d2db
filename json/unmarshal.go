package json

import (
	"io"
	"math"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json/jsontext"
)

// Unmarshal parses the JSON text data and stores the result in the value that v points to, as encoding/json's
// Unmarshal does: with the same result and the same error. If the text is not JSON, the target is left unchanged.
//
// In addition to the methods that encoding/json calls, it calls those of [weft.Unmarshaler].
func Unmarshal(data []byte, v any) error { return unmarshal(data, v, decodeOptions{}) }

// UnmarshalWith is like [Unmarshal] with options. An error about a value is a [weft.Error] that wraps encoding/json's
// error and has the offset and the path of the value.
func UnmarshalWith(data []byte, v any, opts ...Options) error {
	return unmarshal(data, v, decoding(opts))
}

// UnmarshalRead reads r up to its end, which must contain one JSON text, and stores the value as [UnmarshalWith]
// does.
func UnmarshalRead(r io.Reader, v any, opts ...Options) error {
	o := decoding(opts)
	if o.size > 0 {
		r = io.LimitReader(r, min(int64(o.size), math.MaxInt64-1)+1)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		if o.flags&decodeV2 != 0 {
			err = &wire.IOError{What: "read", Err: err}
		}
		return err
	}
	return unmarshal(data, v, o)
}

// Valid reports whether data is one JSON value (RFC 8259). As in encoding/json's Valid, strings may contain bytes
// that are not UTF-8.
func Valid(data []byte) bool {
	if wire.HasValidJSON() {
		return wire.Verbatim(data, 0) || isWord(data) || wire.ValidJSON(data, maxDepth)
	}
	d := newDecoder(data, decodeOptions{})
	ok := d.check()
	d.release(true)
	return ok
}

// decodeOptions are the settings of a decoder. The zero value is
// encoding/json's.
type decodeOptions struct {
	flags decodeFlags
	call  encodeFlags // all settings that are on or off, but that those of flagsDefault are inverted
	depth int         // 0 for encoding/json's, negative for none
	size  int         // bytes of a text, 0 for any
	nodes *nodeSet    // nil for those of no dialect and no mode
	code  *strictCode
}

// decodeFlags are the settings that are on or off. The bits below 16 are those of the root.
type decodeFlags uint32

const (
	decodeRejectUnknown    = setting.RejectUnknown    // a member without a field is an error
	decodeRejectDuplicates = setting.RejectDuplicates // two members of one name are an error
	decodeAlias            = setting.AliasInput       // strings are parts of the text
	decodeAllowUnknown     = setting.AllowUnknown     // and even where a type forbids it, it is not
	decodeUnchecked        = setting.Unchecked        // rules are not checked
	decodeRequest          = setting.Request          // values are read as parts of a request
	decodeResponse         = setting.Response         // or of a response
	decodeAllViolations    = setting.AllViolations    // all broken rules are told, not the first
	decodeScratch          = setting.Scratch          // nobody looks at the target after an error

	decodeRoot = setting.OfTypes | decodeAlias | decodeAllViolations | decodeScratch
)

const (
	decodeNumber     decodeFlags = 1 << (iota + 16) // numbers decode into any as Number
	decodeRefuseUTF8                                // what is not UTF-8 is an error
	decodeLocated                                   // errors give the location

	// Those of an encoder stand 16 bits higher.
	decodeExactNames = decodeFlags(flagExactNames) << 16 // names are compared as they are
	decodeV2         = decodeFlags(flagV2) << 16         // errors are encoding/json/v2's: the first ends the walk
	decodeLazy       = decodeFlags(flagLazyValues) << 16 // values of package value keep the text of what is in them

	decodeStrict = decodeRejectDuplicates | decodeRefuseUTF8
)

// deepest bounds what [weft.MaxDepth] allows: each level takes some of the
// stack, and a Go program cannot survive one that overflows.
const deepest = 200_000

// streaming is decoding for a text that stands in a buffer which is used again.
func streaming(opts []Options) decodeOptions {
	o := decoding(opts)
	o.flags &^= decodeAlias
	return o
}

// decoding returns the options of a call that unmarshals.
func decoding(opts []Options) (o decodeOptions) {
	o.flags = decodeLocated
	if len(opts) == 0 {
		return o
	}
	const defaults = setting.JSON*(uint64(flagsInverted)|uint64(flagsDefault)) | setting.Deterministic
	w := defaults
	for i := range opts {
		w = opts[i].Flags(w)
	}
	var in *dialect
	if _, ok := plan.OnlyFlags(opts); !ok {
		if n := depthIn(opts); n != 0 && n != setting.DefaultMaxDepth {
			o.depth = min(n, deepest)
		}
		for i := range opts {
			if n, ok := jsontext.LimitOf(opts[i]); ok {
				o.size = max(n, 1)
			}
		}
		in = dialectOf(opts)
	}
	o.flags |= decodeFlags(w) & decodeRoot
	o.code = &strictly
	f := flagsOf(w)
	o.call = f ^ flagsDefault
	o.flags |= decodeFlags(f)<<16&(decodeExactNames|decodeLazy) | pick(f&flagRefuseUTF8 != 0, decodeRefuseUTF8, 0)
	if in != nil {
		o.nodes = &in.nodes
	}
	key := f & (flagV2 | flagStringNumbers)
	if f&flagV2 != 0 {
		key |= f&(flagExtendedTags|flagExactNames) | pick(o.flags&decodeRejectDuplicates != 0, flagRefuseDuplicates, 0)
	}
	var legacy setting.Legacy
	if f&flagExtras != 0 || key != 0 && in != nil {
		k := modeKey{flags: key, in: in}
		k.extras(opts)
		k.unmarshalers, _ = lastOf(opts, unmarshalersKey{}).(*Unmarshalers)
		legacy = k.legacy
		if k != (modeKey{in: in}) {
			o.nodes = &modeOf(k).dec
		}
	} else if key != 0 {
		o.nodes = &modeOfFlags(key).dec
	}
	o.flags |= pick(f&flagV2 != 0 && legacy&setting.LegacyErrors == 0, decodeV2, 0)
	return o
}

// Format is JSON as a value, for programs that choose a format at run time.
var Format weft.StreamFormat = format{}

type format struct{}

func (format) Name() string { return "json" }

func (format) MarshalAppend(b []byte, v any, opts ...Options) ([]byte, error) {
	return MarshalAppend(b, v, opts...)
}

func (format) MarshalWrite(w io.Writer, v any, opts ...Options) error {
	return MarshalWrite(w, v, opts...)
}

func (format) Unmarshal(b []byte, v any, opts ...Options) error { return UnmarshalWith(b, v, opts...) }

func (format) UnmarshalRead(r io.Reader, v any, opts ...Options) error {
	return UnmarshalRead(r, v, opts...)
}
