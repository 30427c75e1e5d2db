package json

import "github.com/weftcodec/weft"

// What a reader answers about the format: see [backend.Reader].

// Single implements [backend.Reader]: numbers are texts.
func (r *reader) Single() bool { return false }

// IntBools implements [backend.Reader].
func (r *reader) IntBools() bool { return false }

// Exact implements [backend.Reader].
func (r *reader) Exact() bool { return false }

// Later implements [backend.Reader]: no value is bytes.
func (r *reader) Later() (text string, ok bool) { return "", false }

// Decimal reads a number as its text.
func (r *reader) Decimal() string {
	if i := r.next(); r.kind(i) != weft.KindNumber {
		r.wrong(i, "number")
		return ""
	}
	return string(r.Raw())
}

// FailLast makes the reader fail with err about the value that was read last, whose place it knows.
func (r *reader) FailLast(err error) {
	if err != nil {
		r.Fail(err)
	}
}
