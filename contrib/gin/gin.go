// Package gin makes the framework gin write and read JSON with weft. Set gin's codec once, before the first request.
//
//	import ginjson "github.com/gin-gonic/gin/codec/json"
//
//	ginjson.API = weftgin.Codec()
package gin

import (
	"bytes"
	"io"

	ginjson "github.com/gin-gonic/gin/codec/json"

	"github.com/weftcodec/weft/json"
)

// Codec returns the codec for gin. Without options everything is as with encoding/json, only faster. What
// gin sets for bodies, EnableDecoderUseNumber and EnableDecoderDisallowUnknownFields, holds beside them.
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
	if len(c.opts) == 0 {
		return json.MarshalIndent(v, prefix, indent)
	}
	text, err := json.MarshalWith(v, c.opts...)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, prefix, indent); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (c codec) NewEncoder(w io.Writer) ginjson.Encoder {
	if len(c.opts) == 0 {
		return json.NewEncoder(w)
	}
	return json.NewEncoderWith(w, c.opts...)
}

func (c codec) NewDecoder(r io.Reader) ginjson.Decoder {
	if len(c.opts) == 0 {
		return json.NewDecoder(r)
	}
	return json.NewDecoderWith(r, c.opts...)
}
