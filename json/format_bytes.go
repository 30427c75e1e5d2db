package json

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"github.com/weftcodec/weft/internal/wire"
)

// bytesFormat is how bytes are written as a string.
type bytesFormat struct {
	appendTo func(dst, src []byte) []byte
	decode   func(dst, src []byte) ([]byte, error)
	length   func(n int) int // of the text of n bytes
}

// base64Format returns the usual format.
func base64Format() *bytesFormat {
	return &bytesFormat{wire.AppendBase64, wire.AppendFromBase64, wire.Base64Len}
}

// bytesFormatOf returns the format of the name. That of array is nil: an array of numbers.
func bytesFormatOf(name string) (*bytesFormat, bool) {
	switch name {
	case "array":
		return nil, true
	case "base64":
		return base64Format(), true
	case "base64url":
		e := base64.URLEncoding
		return &bytesFormat{e.AppendEncode, e.AppendDecode, e.EncodedLen}, true
	case "base32":
		e := base32.StdEncoding
		return &bytesFormat{e.AppendEncode, e.AppendDecode, e.EncodedLen}, true
	case "base32hex":
		e := base32.HexEncoding
		return &bytesFormat{e.AppendEncode, e.AppendDecode, e.EncodedLen}, true
	case "base16", "hex":
		return &bytesFormat{hex.AppendEncode, hex.AppendDecode, hex.EncodedLen}, true
	}
	return nil, false
}

// parse appends the bytes of the text s to dst. Unless breaks, line breaks within s are refused (RFC 4648 §3.3).
func (f *bytesFormat) parse(dst, s []byte, breaks bool) ([]byte, error) {
	n := len(dst)
	out, err := f.decode(dst, s)
	if err != nil {
		return dst, err
	}
	if !breaks && len(s) != f.length(len(out)-n) {
		return dst, fmt.Errorf("json: line break at offset %d of encoded bytes", bytes.IndexAny(s, "\r\n"))
	}
	return out, nil
}
