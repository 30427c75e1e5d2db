package json

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/internal/mem"
)

// newSyntaxError returns encoding/json's error with that text.
func newSyntaxError(msg string, offset int64) error {
	e := &SyntaxError{Offset: offset}
	if mem.SetUnexportedString(e, "msg", msg) { // its text is in an unexported field
		return e
	}
	if mem.Safe { // else programs need not hold encoding/json's decoder
		if e = borrowedError(msg); e != nil {
			e.Offset = offset
			return e
		}
	}
	return &textSyntaxError{&SyntaxError{Offset: offset}, msg}
}

// textSyntaxError is a SyntaxError whose text could not be set.
type textSyntaxError struct {
	*SyntaxError
	msg string
}

func (e *textSyntaxError) Error() string { return e.msg }
func (e *textSyntaxError) Unwrap() error { return e.SyntaxError }

// faults are texts that are right up to their end, by what encoding/json says
// of a byte that may not follow.
var faults = map[string]string{
	"looking for beginning of value":             `[0,`,
	"looking for beginning of object key string": `{"":0,`,
	"after object key":                           `{""`,
	"after object key:value pair":                `{"":""`,
	"after array element":                        `[""`,
	"after top-level value":                      `""`,
	"in string literal":                          `"`,
	"in string escape code":                      `"\`,
	`in \u hexadecimal character escape`:         `"\u`,
	"in numeric literal":                         `-`,
	"after decimal point in numeric literal":     `0.`,
	"in exponent of numeric literal":             `0e+`,
	"in literal true (expecting 'r')":            `t`,
	"in literal true (expecting 'u')":            `tr`,
	"in literal true (expecting 'e')":            `tru`,
	"in literal false (expecting 'a')":           `f`,
	"in literal false (expecting 'l')":           `fa`,
	"in literal false (expecting 's')":           `fal`,
	"in literal false (expecting 'e')":           `fals`,
	"in literal null (expecting 'u')":            `n`,
	"in literal null (expecting 'l')":            `nu`,
	"exceeded max depth":                         ``, // of as many arrays
}

// borrowedError makes encoding/json return an error with that text: the way to
// have one where no field can be set that is not exported. It returns nil if
// encoding/json has another text for it.
func borrowedError(msg string) *SyntaxError {
	var err error
	rest, ok := strings.CutPrefix(msg, "invalid character '")
	c, _, rest, bad := strconv.UnquoteChar(rest, '\'')
	switch {
	case ok && bad == nil && rest == "'":
		err = tokens("{"+string([]byte{byte(c)}), 2)
	case ok && bad == nil && strings.HasPrefix(rest, "' "):
		text, known := faults[rest[2:]]
		if !known {
			return nil
		}
		if text == "" {
			text = strings.Repeat("[", maxDepth)
		}
		err = json.Unmarshal(append([]byte(text), byte(c)), new(any))
	case msg == unexpectedEnd:
		err = json.Unmarshal(nil, new(any))
	case msg == notAtBeginning:
		err = tokens("{", 1)
	case msg == noComma:
		err = tokens("[0 0", 2)
	case msg == noColon:
		err = tokens(`{"" 0`, 2)
	}
	var e *SyntaxError
	if errors.As(err, &e) && e.Error() == msg {
		return e
	}
	return nil
}

// tokens returns the error of reading n tokens of text and then a value.
func tokens(text string, n int) error {
	d := json.NewDecoder(strings.NewReader(text))
	for range n {
		if _, err := d.Token(); err != nil {
			return err
		}
	}
	return d.Decode(new(any))
}

// Texts of errors about streams.
const (
	notAtBeginning = "not at beginning of value"
	noComma        = "expected comma after array element"
	noColon        = "expected colon after object key"
)
