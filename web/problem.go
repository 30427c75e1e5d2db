package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
)

const problemType = "application/problem+json"

// Problem is an error in the form of RFC 9457. A handler may return its own.
type Problem struct {
	Type     string  `json:"type,omitempty"`
	Title    string  `json:"title"`
	Status   int     `json:"status"`
	Detail   string  `json:"detail,omitempty"`
	Instance string  `json:"instance,omitempty"`
	Errors   []Fault `json:"errors,omitempty"`

	err    error
	header http.Header
}

// Fault is an error at one location in a body.
type Fault struct {
	Detail  string `json:"detail"`
	Pointer string `json:"pointer"`          // JSON pointer (RFC 6901 §6) in the body, such as "#/pets/1/name"
	Offset  *int64 `json:"offset,omitempty"` // bytes from the start of the body without its compression, if it is known
}

// Error returns the status, its text and the detail.
func (p *Problem) Error() string {
	b := append(strconv.AppendInt([]byte("web: "), int64(p.Status), 10), ' ')
	b = append(b, p.Title...)
	if p.Detail != "" {
		b = append(append(b, ": "...), p.Detail...)
	}
	return string(b)
}

// Unwrap returns the underlying error, or nil if there is none.
func (p *Problem) Unwrap() error { return p.err }

// problem returns err as a problem that tells all of it.
func problem(status int, err error) *Problem {
	p := &Problem{Title: http.StatusText(status), Status: status, Detail: err.Error(), err: err}
	var all *weft.ValidationError
	var one *weft.Error
	if errors.As(err, &all) {
		for _, v := range all.Violations {
			p.Errors = append(p.Errors, fault(v.Path, v.Offset, v.Err))
		}
	} else if errors.As(err, &one) {
		p.Errors = []Fault{fault(one.Path, one.Offset, one.Err)}
	}
	if n := len(p.Errors); n > 1 {
		p.Detail = fmt.Sprintf("%d values are not allowed", n)
	}
	return p
}

func fault(path string, offset int64, err error) Fault {
	f := Fault{Pointer: "#" + (&url.URL{Fragment: path}).EscapedFragment()}
	if err != nil {
		f.Detail = err.Error()
	}
	if offset >= 0 {
		f.Offset = &offset
	}
	return f
}

// Fail writes err as application/problem+json. A *Problem is written unchanged, and a *weft.ValidationError as 422
// with the location of each violation. Any other error becomes 500 without its text, which may be confidential.
func Fail(w http.ResponseWriter, err error) {
	var p *Problem
	var invalid *weft.ValidationError
	switch {
	case errors.As(err, &p):
	case errors.As(err, &invalid):
		p = problem(http.StatusUnprocessableEntity, invalid)
	default:
		p = &Problem{Title: http.StatusText(http.StatusInternalServerError), Status: http.StatusInternalServerError}
	}
	if p.Status < 200 || p.Status > 999 { // not one of an answer
		filled := *p
		filled.Status = http.StatusInternalServerError
		p = &filled
	}
	text, err := json.Marshal(p)
	if err != nil {
		http.Error(w, http.StatusText(p.Status), p.Status)
		return
	}
	h := w.Header()
	for name, values := range p.header {
		h[name] = values
	}
	h.Del("Content-Encoding")
	h.Set("Content-Type", problemType)
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(p.Status)
	_, _ = w.Write(text) // a client that is gone
}
