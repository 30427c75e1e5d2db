package weft

import (
	"encoding/base64"
	"errors"
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// FlagJSONEscapeHTML writes <, >, & and the line separators U+2028 and U+2029
// of JSON strings as escapes. It is the first of the flags of JSON.
const FlagJSONEscapeHTML = FlagJSON

func (e *Encoder) jsonKeys(f *Fields) []string {
	if e.cfg.Flags&FlagJSONEscapeHTML != 0 {
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

func appendJSONInt(b []byte, v int64) []byte   { return strconv.AppendInt(b, v, 10) }
func appendJSONUint(b []byte, v uint64) []byte { return strconv.AppendUint(b, v, 10) }

var errNotFinite = errors.New("number is not finite")

func appendJSONFloat64(b []byte, v float64) ([]byte, error) { return appendJSONFloat(b, v, 64) }

func appendJSONFloat32(b []byte, v float32) ([]byte, error) {
	return appendJSONFloat(b, float64(v), 32)
}

// appendJSONFloat writes v as ECMAScript does, which is how encoding/json does.
func appendJSONFloat(b []byte, v float64, bits int) ([]byte, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return b, errNotFinite
	}
	abs, form := math.Abs(v), byte('f')
	if abs != 0 && (bits == 64 && (abs < 1e-6 || abs >= 1e21) || bits == 32 && (float32(abs) < 1e-6 || float32(abs) >= 1e21)) {
		form = 'e'
	}
	b = strconv.AppendFloat(b, v, form, -1, bits)
	if n := len(b); form == 'e' && n >= 4 && b[n-4] == 'e' && (b[n-3] == '-' || b[n-3] == '+') && b[n-2] == '0' {
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b, nil
}

func appendJSONBytes(b, v []byte) []byte {
	b = append(b, '"')
	return append(base64.StdEncoding.AppendEncode(b, v), '"')
}

func appendJSONTime(b []byte, v time.Time) ([]byte, error) {
	n := len(b)
	b = append(b, '"')
	b, err := v.AppendText(b)
	if err != nil {
		return b[:n], err
	}
	return append(b, '"'), nil
}

func appendJSONString(b []byte, s string, f Flag) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && (f&FlagJSONEscapeHTML == 0 || c != '<' && c != '>' && c != '&') {
				i++
				continue
			}
			b = append(b, s[from:i]...)
			switch c {
			case '"', '\\':
				b = append(b, '\\', c)
			case '\b':
				b = append(b, `\b`...)
			case '\f':
				b = append(b, `\f`...)
			case '\n':
				b = append(b, `\n`...)
			case '\r':
				b = append(b, `\r`...)
			case '\t':
				b = append(b, `\t`...)
			default:
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			from = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			b = append(append(b, s[from:i]...), `\ufffd`...)
			i++
			from = i
			continue
		}
		if r&^1 == 0x2028 && f&FlagJSONEscapeHTML != 0 {
			b = append(append(b, s[from:i]...), `\u202`...)
			b = append(b, hex[r&15])
			from = i + n
		}
		i += n
	}
	return append(append(b, s[from:]...), '"')
}
