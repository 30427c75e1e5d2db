// Package odd holds what needs an eye.
package odd

import (
	"database/sql"
	"fmt"

	"github.com/kak-tus/nan"
)

// Valid tells whether there is a value.
func Valid(v nan.Validator) bool { return v.IsValid() }

// Convert takes the fields as they are.
func Convert(s sql.NullString) nan.NullString { return nan.NullString(s) }

// Show prints.
func Show(n nan.NullInt) string { return fmt.Sprint(n, n.Int) }

// Text is the text of a value.
func Text(n nan.NullInt) ([]byte, error) { return n.MarshalText() }
