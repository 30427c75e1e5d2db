package opt

import (
	"database/sql/driver"
	"encoding/hex"
	"fmt"
)

// RawUUID is a UUID (RFC 9562), most significant byte first. Its text has the
// form of section 4: xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx. It converts into any
// other type of 16 bytes.
type RawUUID [16]byte

// String returns the text.
func (u RawUUID) String() string {
	var b [36]byte
	from := 0
	at := 0
	for i, n := range [...]int{4, 2, 2, 2, 6} {
		if i > 0 {
			b[at] = '-'
			at++
		}
		hex.Encode(b[at:], u[from:from+n])
		from, at = from+n, at+2*n
	}
	return string(b[:])
}

// MarshalText implements [encoding.TextMarshaler].
func (u RawUUID) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. Digits may be of either
// case, and the hyphens may be missing, all of them. If there is an error, u keeps its
// value.
func (u *RawUUID) UnmarshalText(b []byte) error {
	digits := b
	if len(b) == 36 && b[8] == '-' && b[13] == '-' && b[18] == '-' && b[23] == '-' {
		digits = append(append(make([]byte, 0, 32), b[:8]...), b[9:13]...)
		digits = append(append(append(digits, b[14:18]...), b[19:23]...), b[24:]...)
	}
	var v RawUUID
	if len(digits) != 32 {
		return fmt.Errorf("opt: a UUID has 32 hexadecimal digits, with hyphens or without: %.40q", b)
	}
	if _, err := hex.Decode(v[:], digits); err != nil {
		return fmt.Errorf("opt: no UUID: %w", err)
	}
	*u = v
	return nil
}

// Value implements [driver.Valuer] by the text.
func (u RawUUID) Value() (driver.Value, error) { return u.String(), nil }

// Scan implements [database/sql.Scanner] for the text and for 16 bytes.
func (u *RawUUID) Scan(src any) error {
	switch src := src.(type) {
	case string:
		return u.UnmarshalText([]byte(src))
	case []byte:
		if len(src) == 16 {
			copy(u[:], src)
			return nil
		}
		return u.UnmarshalText(src)
	case [16]byte:
		*u = src
		return nil
	}
	return fmt.Errorf("opt: %T is not a UUID", src)
}
