package weft

import "strconv"

// ContentError is what is wrong with the text that a string holds, such as JSON
// which contentSchema of JSON Schema describes.
type ContentError struct {
	Offset int64  // bytes from the start of the text
	Path   string // JSON pointer (RFC 6901) to the value in the text, "" for all of it
	Err    error  // what is wrong
}

// Error tells where in the text, and what is wrong.
func (e *ContentError) Error() string {
	b := append(make([]byte, 0, 96), "in its text, "...)
	if e.Path != "" {
		b = append(append(append(b, "at "...), e.Path...), ", "...)
	}
	b = strconv.AppendInt(append(b, "offset "...), e.Offset, 10)
	return string(append(append(b, ": "...), e.Err.Error()...))
}

// Unwrap returns what is wrong.
func (e *ContentError) Unwrap() error { return e.Err }
