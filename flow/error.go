package flow

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/file"
)

// Error is an error about a message, and the node in which it occurred.
type Error struct {
	Node   string // name of the node
	Status int    // HTTP status that tells it
	Path   string // JSON pointer to the value in the body, "" for the body
	Offset int64  // of the value in the body, -1 when that is not known
	Err    error  // what is wrong
}

// Error returns the text of the error: node, path, offset and what is wrong.
func (e *Error) Error() string {
	b := append(make([]byte, 0, 96), "flow: node "...)
	b = append(b, e.Node...)
	if e.Path != "" {
		b = append(append(b, ": at "...), e.Path...)
	}
	if e.Offset >= 0 {
		b = strconv.AppendInt(append(b, ", offset "...), e.Offset, 10)
	}
	return string(append(append(b, ": "...), e.Err.Error()...))
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// refusal is an error with the status that tells it.
type refusal struct {
	status int
	err    error
}

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

func refuse(status int, err error) error { return &refusal{status, err} }

// errorOf returns err as an Error of the node, located as far as err is.
func errorOf(node string, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	e = &Error{Node: node, Offset: -1, Err: err, Status: statusOf(err)}
	var at *weft.Error
	if inFile := (*file.Error)(nil); errors.As(err, &inFile) {
		return e // the file and the line in it are part of the text
	} else if errors.As(err, &at) {
		e.Path, e.Offset = at.Path, at.Offset
		e.Err = at.Err
		if at.Format != "" && at.Err != nil {
			e.Err = &formatError{at.Format, at.Err}
		}
	}
	return e
}

// formatError is an error of a format without its place.
type formatError struct {
	format string
	err    error
}

func (e *formatError) Error() string { return e.format + ": " + e.err.Error() }
func (e *formatError) Unwrap() error { return e.err }

// statusOf returns the HTTP status that tells err.
func statusOf(err error) int {
	var r *refusal
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &r):
		return r.status
	case errors.As(err, &large), errors.Is(err, compress.ErrTooLarge), errors.Is(err, errTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout
	case errors.Is(err, context.Canceled):
		return statusClientClosed
	}
	return http.StatusInternalServerError
}

// statusClientClosed tells that the client went away. No client sees it.
const statusClientClosed = 499

var errTooLarge = errors.New("the body is larger than allowed")
