package weft

import (
	"encoding/base64"
	"errors"
	"math"
	"time"

	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
)

func (e *Encoder) jsonKeys(f *Fields) []string {
	if e.cfg.Flags&setting.JSONEscapeHTML != 0 {
		return f.JSONNames().HTML
	}
	return f.JSONNames().Plain
}

func appendJSONBool(b []byte, v bool) []byte {
	if v {
		return append(b, "true"...)
	}
	return append(b, "false"...)
}

var errNotFinite = errors.New("number is not finite")

func appendJSONFloat64(b []byte, v float64) ([]byte, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return b, errNotFinite
	}
	return wire.AppendFloat64(b, v), nil
}

func appendJSONFloat32(b []byte, v float32) ([]byte, error) {
	if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
		return b, errNotFinite
	}
	return wire.AppendFloat32(b, v), nil
}

func appendJSONBytes(b, v []byte) []byte {
	b = append(b, '"')
	return append(base64.StdEncoding.AppendEncode(b, v), '"')
}

func appendJSONTime(b []byte, v time.Time) ([]byte, error) {
	n := len(b)
	b, err := wire.AppendTimeRFC3339(append(b, '"'), v)
	if err != nil {
		return b[:n], err
	}
	return append(b, '"'), nil
}

func appendJSONString(b []byte, s string, f Flag) []byte {
	return wire.AppendJSONString(b, s, wire.HTML(f&setting.JSONEscapeHTML != 0))
}
