// Package model holds rows.
package model

import "github.com/kak-tus/nan"

// Embedded has a value without a name.
type Embedded struct {
	nan.NullInt32
}

// Row is a row.
type Row struct {
	Embedded
	Title nan.NullString
}

// New returns a row.
func New(title string) *Row { return &Row{Title: nan.String(title)} }
