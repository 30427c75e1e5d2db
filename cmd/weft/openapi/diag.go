package openapi

import (
	"errors"
	"strings"
)

// Severity says how bad a [Diagnostic] is.
type Severity uint8

// The severities.
const (
	Warning Severity = iota + 1 // read all the same
	Error                       // the document cannot be used
)

// Diagnostic is something wrong at a place of a document.
type Diagnostic struct {
	Pos      Pos
	Severity Severity
	Message  string // what is wrong, and what to do
}

// String returns "file:line:col: message", with "warning: " before the message
// of a warning.
func (d Diagnostic) String() string {
	msg := d.Message
	if d.Severity == Warning {
		msg = "warning: " + msg
	}
	if p := d.Pos.String(); p != "" {
		return p + ": " + msg
	}
	return msg
}

// Diagnostics are the findings about a document, in the order of their places.
type Diagnostics []Diagnostic

// Errors returns the diagnostics that are errors.
func (d Diagnostics) Errors() Diagnostics { return d.only(Error) }

// Warnings returns the diagnostics that are warnings.
func (d Diagnostics) Warnings() Diagnostics { return d.only(Warning) }

func (d Diagnostics) only(s Severity) Diagnostics {
	var out Diagnostics
	for _, x := range d {
		if x.Severity == s {
			out = append(out, x)
		}
	}
	return out
}

// Err returns an error with every error of d, a line each, or nil when d has
// none.
func (d Diagnostics) Err() error {
	if e := d.Errors(); len(e) > 0 {
		return errors.New(e.String())
	}
	return nil
}

// String returns the diagnostics, a line each.
func (d Diagnostics) String() string {
	lines := make([]string, len(d))
	for i, x := range d {
		lines[i] = x.String()
	}
	return strings.Join(lines, "\n")
}
