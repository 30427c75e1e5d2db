//go:build never

package odd

import "github.com/kak-tus/nan"

var _ nan.NullString
