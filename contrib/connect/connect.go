// Package connect lets services and clients of connectrpc.com/connect exchange plain Go types in any format of weft,
// without protobuf.
//
//	handler := connect.NewUnaryHandler("/pets/Grow", grow, connect.WithCodec(weftconnect.Codec(json.Format)))
//	client := connect.NewClient[Pet, Pet](http.DefaultClient, url, connect.WithCodec(weftconnect.Codec(json.Format)))
//
// A handler may have several codecs; Content-Type selects one: application/json, application/msgpack. With the codec
// for JSON any HTTP client can call the handler.
package connect

import (
	"connectrpc.com/connect"

	"github.com/weftcodec/weft"
)

// Codec returns the codec of a format, for connect.WithCodec. Its name is that of the format. The options are those of the
// format.
func Codec(f weft.Format, opts ...weft.Options) connect.Codec { return &codec{f, weft.Join(opts...)} }

type codec struct {
	f    weft.Format
	opts weft.Options
}

func (c *codec) Name() string { return c.f.Name() }

func (c *codec) Marshal(v any) ([]byte, error) { return c.f.MarshalAppend(nil, v, c.opts) }

// MarshalAppend saves connect a copy.
func (c *codec) MarshalAppend(b []byte, v any) ([]byte, error) {
	return c.f.MarshalAppend(b, v, c.opts)
}

// MarshalStable is for requests by GET, whose answers caches keep.
func (c *codec) MarshalStable(v any) ([]byte, error) {
	return c.f.MarshalAppend(nil, v, c.opts, weft.Deterministic(true))
}

// IsBinary reports whether a GET needs base64.
func (c *codec) IsBinary() bool { return c.f.Name() != "json" }

func (c *codec) Unmarshal(b []byte, v any) error {
	return c.f.Unmarshal(b, v, c.opts, weft.AliasInput(false)) // the memory is used again
}
