package opt

import "encoding"

// Flag is a [flag.Value] that sets an optional value. Beside [flag.TextVar],
// which takes an optional value as it is, it lets a flag without a value be
// true.
type Flag struct {
	to encoding.TextUnmarshaler
}

// NewFlag returns a flag that sets o, which is a pointer to a [Null], [Val] or
// [Field].
func NewFlag(o encoding.TextUnmarshaler) Flag { return Flag{o} }

// Set implements [flag.Value].
func (f Flag) Set(s string) error { return f.to.UnmarshalText([]byte(s)) }

// String implements [flag.Value].
func (f Flag) String() string {
	if m, ok := f.to.(encoding.TextMarshaler); ok {
		if text, err := m.MarshalText(); err == nil {
			return string(text)
		}
	}
	return ""
}

// IsBoolFlag tells package flag whether the flag may stand without a value.
func (f Flag) IsBoolFlag() bool {
	switch f.to.(type) {
	case *Null[bool], *Val[bool], *Field[bool]:
		return true
	}
	return false
}
