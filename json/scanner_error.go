package json

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// setMessage sets the text of a SyntaxError, which is in an unexported field.
var setMessage = mem.StringField[SyntaxError]("msg")

// newSyntaxError returns encoding/json's error with that text.
func newSyntaxError(msg string, offset int64) error {
	e := &SyntaxError{Offset: offset}
	if setMessage != nil {
		setMessage(e, msg)
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

// allFaults are what encoding/json says of a byte that may not stand where it does.
func allFaults() []syntaxFault {
	list := append(slices.Concat(scanFaults[:], numberFaults[wire.NumberMinus:]),
		syntaxFault{tooManyOpen, strings.Repeat("[", maxDepth)})
	for _, lit := range []string{"true", "false", "null"} {
		for k := 1; k < len(lit); k++ {
			list = append(list, literalFault(lit, lit[k:]))
		}
	}
	return list
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
		for _, f := range allFaults() {
			if f.words != rest[2:] {
				continue
			}
			if err = json.Unmarshal(append([]byte(f.after), byte(c)), new(any)); err != nil && err.Error() == msg {
				break
			}
		}
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
