// Package fiber makes the framework fiber write and read JSON with weft.
//
//	app := fiber.New(weftfiber.Config(fiber.Config{}))
package fiber

import (
	"github.com/gofiber/fiber/v3"

	"github.com/weftcodec/weft/json"
)

// Codec returns the functions for fiber's Config.JSONEncoder and Config.JSONDecoder. Without options
// everything is as with encoding/json, only faster.
//
// Values share no memory with the request, whose buffer fiber uses again, unless an option says so.
func Codec(opts ...json.Options) (encode func(v any) ([]byte, error), decode func(data []byte, v any) error) {
	if len(opts) == 0 {
		return json.Marshal, json.Unmarshal
	}
	encode = func(v any) ([]byte, error) { return json.MarshalWith(v, opts...) }
	decode = func(data []byte, v any) error { return json.UnmarshalWith(data, v, opts...) }
	return encode, decode
}

// Config returns c with [Codec]'s functions.
func Config(c fiber.Config, opts ...json.Options) fiber.Config {
	c.JSONEncoder, c.JSONDecoder = Codec(opts...)
	return c
}
