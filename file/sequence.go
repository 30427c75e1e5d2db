package file

import (
	"bytes"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/cbor/cboritem"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// skipOf returns the function that skips the first value of some bytes, for a format of which a file may
// hold values one after another, and nil for others. A line of JSON is no such value.
func skipOf(f weft.Format) func(b []byte) (rest []byte, err error) {
	switch f {
	case msgpack.Format:
		return msgpack.Skip
	case cbor.Format:
		return skipCBOR
	}
	return nil
}

func skipCBOR(b []byte) (rest []byte, err error) { return cboritem.Skip(b) }

// rawValues returns how to read the values of r one by one as bytes, which are valid until the next call, and the
// offset of the next; nil for a format that has none.
func rawValues(f weft.Format, r io.Reader, opts []Options) (next func() ([]byte, error), offset func() int64) {
	switch f {
	case msgpack.Format:
		d := msgpack.NewDecoder(r, opts...)
		return func() ([]byte, error) { return d.DecodeRaw() }, d.InputOffset
	case cbor.Format:
		d := cbor.NewDecoder(r, opts...)
		return func() ([]byte, error) { return d.DecodeRaw() }, d.InputOffset
	}
	return nil, nil
}

// beginsWithArray reports whether the first value is an array or null, which may
// be a whole slice.
func beginsWithArray(f weft.Format, head []byte) bool {
	switch f {
	case json.Format:
		head = trimSpace(head)
		return len(head) > 0 && (head[0] == '[' || head[0] == 'n')
	case msgpack.Format:
		if len(head) == 0 {
			return false
		}
		c := head[0]
		return c&0xf0 == 0x90 || c == 0xdc || c == 0xdd || c == 0xc0
	case cbor.Format:
		t := firstTokens(head)[0]
		return t.Kind == cboritem.KindArray || t.Kind == cboritem.KindSimple && t.Arg == cboritem.Null.Arg
	}
	return true
}

// beginsWithList reports whether a file begins with an array of records.
func beginsWithList(f weft.Format, head []byte) bool {
	switch f {
	case json.Format:
		return bytes.HasPrefix(trimSpace(head), []byte{'['})
	case msgpack.Format:
		t, rest, err := msgpack.ReadToken(head)
		if err != nil || t.Kind != weft.KindArray || t.Len == 0 {
			return false
		}
		t, _, err = msgpack.ReadToken(rest)
		return err == nil && (t.Kind == weft.KindArray || t.Kind == weft.KindObject)
	case cbor.Format:
		if len(head) == 0 || head[0]>>5 != 4 { // with a tag it is one value
			return false
		}
		t := firstTokens(head)
		return t[0].Kind == cboritem.KindArray && (t[1].Kind == cboritem.KindArray || t[1].Kind == cboritem.KindMap)
	}
	return false
}

// firstTokens returns the first two tokens of CBOR that are not tags; those that are not there are of KindInvalid.
func firstTokens(head []byte) (list [2]cboritem.Token) {
	d := cboritem.NewDecoder(bytes.NewReader(head))
	for i := 0; i < len(list); {
		t, err := d.ReadToken()
		if err != nil {
			break
		}
		if t.Kind != cboritem.KindTag {
			list[i] = t
			i++
		}
	}
	return list
}
