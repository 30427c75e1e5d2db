// Package echo makes the framework echo write and read JSON with weft.
//
//	e := echo.New()
//	e.JSONSerializer = weftecho.Codec()
package echo

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/weftcodec/weft/json"
)

// Codec returns the serializer for echo. Without options everything is as with echo's own, only faster. With
// options the body of a request must be one value.
func Codec(opts ...json.Options) echo.JSONSerializer { return codec{opts} }

type codec struct{ opts []json.Options }

// Serialize writes v, and a line break, to the response.
func (c codec) Serialize(ctx echo.Context, v any, indent string) error {
	w := ctx.Response()
	if len(c.opts) == 0 {
		e := json.NewEncoder(w)
		e.SetIndent("", indent)
		return e.Encode(v)
	}
	b, err := json.MarshalWith(v, c.opts...)
	if err == nil && indent != "" {
		b, err = indented(b, indent)
	}
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// Deserialize reads the body of the request into v.
func (c codec) Deserialize(ctx echo.Context, v any) error {
	body := ctx.Request().Body
	var err error
	if len(c.opts) == 0 {
		err = json.NewDecoder(body).Decode(v)
	} else {
		err = json.UnmarshalRead(body, v, c.opts...)
	}
	var typed *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return err
	case errors.As(err, &typed):
		err = echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("Unmarshal type error: expected=%v, got=%v, field=%v, offset=%v",
			typed.Type, typed.Value, typed.Field, typed.Offset)).SetInternal(err)
	case errors.As(err, &syntax):
		err = echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("Syntax error: offset=%v, error=%v", syntax.Offset, syntax.Error())).SetInternal(err)
	case len(c.opts) > 0:
		err = echo.NewHTTPError(http.StatusBadRequest, err.Error()).SetInternal(err)
	}
	return err
}
