// Package gin lets the framework gin write and read JSON by weft: set gin's codec once, before the first
// request.
//
//	import ginjson "github.com/gin-gonic/gin/codec/json"
//
//	ginjson.API = weftgin.Codec()
package gin

import (
	"io"

	ginjson "github.com/gin-gonic/gin/codec/json"

	"github.com/weftcodec/weft/json"
)

// Codec returns the codec for gin. Without options everything is as with encoding/json, only faster; the
// options apply to values that are written, but not through an encoder of gin's, and to request bodies that
// are read whole.
func Codec(opts ...json.Options) ginjson.Core { return codec{opts} }

type codec struct{ opts []json.Options }

func (c codec) Marshal(v any) ([]byte, error) { return json.MarshalWith(v, c.opts...) }

func (c codec) Unmarshal(data []byte, v any) error {
	if len(c.opts) == 0 {
		return json.Unmarshal(data, v)
	}
	return json.UnmarshalWith(data, v, c.opts...)
}

func (c codec) MarshalIndent(v any, prefix, indent string) ([]byte, error) {
	return json.MarshalIndent(v, prefix, indent)
}

func (c codec) NewEncoder(w io.Writer) ginjson.Encoder { return json.NewEncoder(w) }

func (c codec) NewDecoder(r io.Reader) ginjson.Decoder { return json.NewDecoder(r) }
