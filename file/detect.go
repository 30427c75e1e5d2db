package file

import (
	"bytes"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// Detect returns the format that content, which is not compressed, begins with:
// JSON, MessagePack, the framed layout or hashed tags. Some hundred bytes are
// enough. It returns nil for none.
//
// JSON begins with few bytes, and MessagePack of any use with none of these: they
// are small numbers. So are the bytes that a message of hashed tags begins with.
func Detect(content []byte) weft.Format {
	switch {
	case bytes.HasPrefix(content, []byte("\xf7wft")):
		return tagged.Framed
	case beginsWithTag(content):
		return tagged.Format
	}
	for _, c := range content {
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		case '{', '[', '"', '-', 't', 'f', 'n', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			return json.Format
		case 0xc1: // never used
			return nil
		}
		return msgpack.Format
	}
	return nil
}

// beginsWithTag tells whether content may be a message of hashed tags: the first
// byte is a wire type, 0 to 11, and three bytes of hash follow it. Two of these
// types are whitespace in JSON.
func beginsWithTag(b []byte) bool {
	switch {
	case len(b) < 5 || b[0] > 0x0b:
		return false
	case b[0] == '\t' || b[0] == '\n':
		return !isText(b)
	}
	return true
}

// isText tells whether b, which may end within a character, is text.
func isText(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && n == 1:
			return !utf8.FullRune(b)
		case r < ' ' && r != '\t' && r != '\n' && r != '\r':
			return false
		}
		b = b[n:]
	}
	return true
}

// detect is Detect with the name to decide where small numbers of MessagePack
// look like tags.
func (s *source) detect(head []byte) weft.Format {
	f := Detect(head)
	small := len(head) > 0 && head[0] <= 0x0b
	switch {
	case small && f != json.Format && s.byName == msgpack.Format:
		return msgpack.Format
	case small && s.byName == tagged.Format:
		return tagged.Format
	}
	return f
}
