package json

import (
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
)

// Unmarshal parses the JSON text data and stores the result in the value that
// v points to, as encoding/json's Unmarshal does: with the same result, the
// same error, and a target that is left alone where the text is not JSON.
//
// Beyond encoding/json's hooks it honours ReadJSON, which generated models
// have, and [weft.Unmarshaler].
func Unmarshal(data []byte, v any) error { return unmarshal(data, v, decodeOptions{}) }

// UnmarshalWith is [Unmarshal] with options. An error about a value is a
// [weft.Error] around encoding/json's, with the offset and the path of the
// value.
func UnmarshalWith(data []byte, v any, opts ...Options) error {
	return located(data, unmarshal(data, v, decoding(opts)))
}

// UnmarshalRead reads r up to its end, which must be one JSON text, and stores
// it as [UnmarshalWith] does.
func UnmarshalRead(r io.Reader, v any, opts ...Options) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return UnmarshalWith(data, v, opts...)
}

// Valid tells whether data is one JSON value (RFC 8259), as encoding/json's
// Valid does: strings may hold bytes that are not UTF-8.
func Valid(data []byte) bool {
	if wire.HasValidJSON() {
		return wire.ValidJSON(data, maxDepth)
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
	in    *dialect // nil for the usual one
	depth int      // 0 for encoding/json's, negative for none
}

// decodeFlags are the settings that are on or off.
type decodeFlags uint32

const (
	decodeNumber           decodeFlags = 1 << iota // numbers decode into any as Number
	decodeRejectUnknown                            // a member without a field is an error
	decodeRejectDuplicates                         // two members of one name are an error
	decodeAllowUnknown                             // and even where a generated type forbids it, it is not
	decodeUnchecked                                // generated types check nothing
)

// deepest bounds what [weft.MaxDepth] allows: each level takes some of the
// stack, and a Go program cannot survive one that overflows.
const deepest = 200_000

func decoding(opts []Options) (o decodeOptions) {
	if len(opts) == 0 {
		return o
	}
	all := weft.Join(opts...)
	o.in = dialectOf(opts)
	f := all.Flags(0)
	if n := all.Depth(); n != weft.DefaultMaxDepth {
		o.depth = min(max(n, -1), deepest)
		if n == 0 {
			o.depth = -1 // the same: no array or object at all
		}
	}
	if f&weft.FlagRejectUnknown != 0 {
		o.flags |= decodeRejectUnknown
	}
	if f&weft.FlagRejectDuplicates != 0 {
		o.flags |= decodeRejectDuplicates
	}
	if f&weft.FlagAllowUnknown != 0 {
		o.flags |= decodeAllowUnknown
	}
	if f&weft.FlagUnchecked != 0 {
		o.flags |= decodeUnchecked
	}
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
