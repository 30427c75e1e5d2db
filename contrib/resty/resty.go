// Package resty makes the client resty write and read JSON with weft.
//
//	client := weftresty.Use(resty.New())
package resty

import (
	"github.com/go-resty/resty/v2"

	"github.com/weftcodec/weft/json"
)

// Codec returns the functions for resty's SetJSONMarshaler and SetJSONUnmarshaler. Without options everything
// is as with encoding/json, only faster.
func Codec(opts ...json.Options) (marshal func(v any) ([]byte, error), unmarshal func(data []byte, v any) error) {
	if len(opts) == 0 {
		return json.Marshal, json.Unmarshal
	}
	marshal = func(v any) ([]byte, error) { return json.MarshalWith(v, opts...) }
	unmarshal = func(data []byte, v any) error { return json.UnmarshalWith(data, v, opts...) }
	return marshal, unmarshal
}

// Use sets [Codec]'s functions in c, and returns c.
func Use(c *resty.Client, opts ...json.Options) *resty.Client {
	marshal, unmarshal := Codec(opts...)
	return c.SetJSONMarshaler(marshal).SetJSONUnmarshaler(unmarshal)
}
