package tagged

import "github.com/weftcodec/weft/internal/wire/tagwire"

// Begins reports whether b may be the beginning of a message. It checks that the members present are well-formed, but
// does not decode them. An empty object has no bytes; for that Begins returns false.
func Begins(b []byte) bool {
	for i := 0; i < len(b); {
		if b[i] > tagwire.Number {
			return false
		}
		if len(b)-i <= tagwire.TagSize {
			break
		}
		tag := tagwire.Tag(b, i)
		lone := i == 0 && tag < 16
		var next int
		if tag == tagwire.Names {
			_, next = tagwire.Span(b, i+tagwire.TagSize, len(b))
			return next == len(b) || next == tagwire.Short
		}
		if next = tagwire.Pass(b, i+tagwire.TagSize, len(b), tag&15); next < 0 {
			return next == tagwire.Short
		}
		if lone && next < len(b) && b[next] != tagwire.Names {
			return false
		}
		i = next
	}
	return len(b) > 0
}
