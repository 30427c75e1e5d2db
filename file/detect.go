package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// Detect returns the format of content that nothing else tells, and that is not
// compressed: JSON, MessagePack, CBOR, the framed layout or hashed tags. Some hundred
// bytes of its beginning are enough. It returns nil for none.
//
// MessagePack is recognised by a map, an array or an extension at the beginning,
// and never by a number, text or true, which other content begins with by accident.
// CBOR is recognised by the tag 55799, which says so (RFC 8949 §3.4.6), a map or an array.
// What could be both is MessagePack.
func Detect(content []byte) weft.Format {
	switch {
	case bytes.HasPrefix(content, []byte(framedMagic)):
		return tagged.Framed
	case isJSON(content):
		return json.Format
	case isText(content) || signature(content) != "":
		return nil
	case len(content) > 4 && tagged.Begins(content):
		return tagged.Format
	}
	return binary(content)
}

const framedMagic = "\xf7wft"

// isJSON reports whether content begins with JSON: with two tokens of an array or
// an object, or a scalar that only other JSON follows.
func isJSON(b []byte) bool {
	b = trimSpace(b)
	if len(b) == 0 {
		return false
	}
	next := trimSpace(b[1:])
	switch {
	case b[0] == '{':
		return len(next) == 0 || next[0] == '"' || next[0] == '}'
	case b[0] == '[':
		return len(next) == 0 || next[0] == ']' || mayBeJSON(next)
	case !mayBeJSON(b):
		return false
	}
	dec := json.Format.NewDecoder(bytes.NewReader(b))
	defer dec.Close()
	for {
		var v json.RawMessage
		switch err := dec.Decode(&v); {
		case err == io.EOF, errors.Is(err, weft.ErrUnexpectedEnd):
			return true
		case err != nil:
			return false
		}
	}
}

// mayBeJSON reports whether b, which begins with no whitespace, begins as a JSON
// value does.
func mayBeJSON(b []byte) bool {
	switch b[0] {
	case '{', '[', '"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return true
	}
	for _, word := range []string{"true", "false", "null"} {
		if n := min(len(b), len(word)); string(b[:n]) == word[:n] {
			return true
		}
	}
	return false
}

// binary returns MessagePack or CBOR for content that is either, or nil. A value of the one may be several of the
// other, small numbers and short text: what is nothing but arrays, maps, extensions and tags, to the end, is it.
func binary(b []byte) weft.Format {
	if bytes.HasPrefix(b, []byte(cborMagic)) {
		return cbor.Format
	}
	pack, packWhole := isSequence(b, msgpack.Skip, beginsPack)
	item, itemWhole := isSequence(b, skipCBOR, beginsCBOR)
	switch {
	case packWhole:
		return msgpack.Format
	case itemWhole:
		return cbor.Format
	case pack:
		return msgpack.Format
	case item && len(b) >= fewBytes:
		return cbor.Format
	}
	_, err := msgpack.Skip(b)
	if beginsPack(b[0]) && (err == nil || errors.Is(err, weft.ErrUnexpectedEnd)) {
		return msgpack.Format
	}
	return nil
}

const (
	cborMagic = "\xd9\xd9\xf7"
	fewBytes  = 64 // are the beginning of some item of CBOR, whatever they are
)

// isSequence reports whether b is values that begin as records do, the last of which may be cut off, and whether
// it is not.
func isSequence(b []byte, skip func(b []byte) ([]byte, error), begins func(c byte) bool) (ok, whole bool) {
	for len(b) > 0 {
		rest, err := skip(b)
		if !begins(b[0]) || err != nil {
			return begins(b[0]) && errors.Is(err, weft.ErrUnexpectedEnd), false
		}
		b = rest
	}
	return true, true
}

// beginsPack reports whether an array, a map or an extension of MessagePack begins with c.
func beginsPack(c byte) bool {
	return c&0xe0 == 0x80 || c >= 0xd4 && c <= 0xd8 || c >= 0xdc && c <= 0xdf || c >= 0xc7 && c <= 0xc9
}

// beginsCBOR reports whether an array or a map of CBOR begins with c.
func beginsCBOR(c byte) bool { return c&0xc0 == 0x80 }

// isText reports whether b, which may end within a character, is text.
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

// isWords reports whether b is text that no stream of small numbers is likely to be,
// each byte of which is a MessagePack value: words with spaces between them, or lines.
func isWords(b []byte) bool {
	if len(b) < 8 || b[0] >= utf8.RuneSelf || !isText(b) {
		return false
	}
	letters, spaces := 0, 0
	for _, c := range b {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf:
			letters++
		case c == ' ' || c == '\n':
			spaces++
		}
	}
	return spaces > 0 && (2*letters > len(b) || len(b) >= 16 && bytes.IndexByte(b, '\n') > 0)
}

func trimSpace(b []byte) []byte { return bytes.TrimLeft(b, " \t\r\n") }

// signatures are what other content than that of the formats begins with.
var signatures = []struct{ head, what string }{
	{"\xef\xbb\xbf", "text with a byte order mark, which has to be removed"},
	{framedMagic, "framed"},
	{"%PDF-", "PDF"},
	{"PK\x03\x04", "a ZIP archive"},
	{"\xfd7zXZ\x00", "xz"},
	{"\x89PNG\r\n\x1a\n", "an image"},
}

// signature returns what b is for sure, unless it is JSON, or "".
func signature(b []byte) string {
	for _, s := range signatures {
		if bytes.HasPrefix(b, []byte(s.head)) {
			return s.what
		}
	}
	if name := compress.Detect(b); name != "" {
		return name
	}
	if len(b) >= 6 && (b[0] == 0xff && b[1] == 0xfe && b[3]|b[5] == 0 || b[0] == 0xfe && b[1] == 0xff && b[2]|b[4] == 0) {
		return "text in UTF-16"
	}
	text := bytes.ToLower(trimSpace(b[:min(len(b), 256)]))
	switch {
	case bytes.HasPrefix(text, []byte("<html")), bytes.HasPrefix(text, []byte("<!doctype html")):
		return "HTML"
	case bytes.HasPrefix(text, []byte("<?xml")),
		bytes.HasPrefix(text, []byte("<")) && bytes.Contains(text, []byte("</")) && isText(b):
		return "XML"
	}
	return ""
}

// looksLike says what content that begins with b is.
func looksLike(b []byte) string {
	if what := signature(b); what != "" {
		return what
	}
	f := Detect(b)
	switch {
	case f == msgpack.Format:
		return "MessagePack"
	case f == cbor.Format:
		return "CBOR"
	case f == json.Format:
		return "JSON"
	case f == tagged.Format:
		return "a message of hashed tags"
	case isText(b):
		return fmt.Sprintf("text, %.24q", trimSpace(b))
	}
	return fmt.Sprintf("binary data, %.16q", b)
}

// contradicts says what content that begins with head looks like, if it cannot be of
// the format f, and "" otherwise: the format's reader says what else is wrong.
func contradicts(f weft.Format, head []byte) string {
	sound := true
	switch f {
	case json.Format:
		text := trimSpace(head)
		sound = len(text) == 0 || mayBeJSON(text)
	case tagged.Format:
		sound = len(head) == 0 || tagged.Begins(head)
	case tagged.Framed:
		n := min(len(head), len(framedMagic))
		sound = string(head[:n]) == framedMagic[:n]
	case msgpack.Format:
		// A byte below 0x80 is a value, so that short text may be numbers.
		sound = signature(head) == "" && !isDocument(head) && !isWords(head) && !bytes.HasPrefix(head, []byte(cborMagic))
	case cbor.Format:
		sound = signature(head) == "" && !isDocument(head) && !isWords(head)
	}
	if sound {
		return ""
	}
	return looksLike(head)
}

// isDocument reports whether b is an array or object of JSON, or begins as one.
func isDocument(b []byte) bool {
	text := trimSpace(b)
	if len(text) < 3 || text[0] != '{' && text[0] != '[' {
		return false
	}
	return json.Valid(text) || len(text) >= 8 && isText(text) && isJSON(text)
}
