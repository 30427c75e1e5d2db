package json

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
)

// bytesFormat is how bytes are written as a string.
type bytesFormat struct {
	appendTo func(dst, src []byte) []byte
	decode   func(dst, src []byte) ([]byte, error)
	length   func(n int) int // of the text of n bytes
}

var (
	formatBase64 = &bytesFormat{base64.StdEncoding.AppendEncode, base64.StdEncoding.AppendDecode, base64.StdEncoding.EncodedLen}
	formatHex    = &bytesFormat{hex.AppendEncode, hex.AppendDecode, hex.EncodedLen}
)

// bytesFormats are the formats by name. That of array is nil: an array of numbers.
var bytesFormats = map[string]*bytesFormat{
	"array":     nil,
	"base64":    formatBase64,
	"base64url": {base64.URLEncoding.AppendEncode, base64.URLEncoding.AppendDecode, base64.URLEncoding.EncodedLen},
	"base32":    {base32.StdEncoding.AppendEncode, base32.StdEncoding.AppendDecode, base32.StdEncoding.EncodedLen},
	"base32hex": {base32.HexEncoding.AppendEncode, base32.HexEncoding.AppendDecode, base32.HexEncoding.EncodedLen},
	"base16":    formatHex,
	"hex":       formatHex,
}

// parse appends the bytes of the text s to dst. Line breaks within s are refused (RFC 4648 §3.3).
func (f *bytesFormat) parse(dst, s []byte) ([]byte, error) {
	n := len(dst)
	out, err := f.decode(dst, s)
	if err != nil {
		return dst, err
	}
	if len(s) != f.length(len(out)-n) {
		return dst, fmt.Errorf("json: line break at offset %d of encoded bytes", bytes.IndexAny(s, "\r\n"))
	}
	return out, nil
}
