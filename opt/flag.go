package opt

import "encoding"

// Flag is a [flag.Value] that sets an optional value. Unlike [flag.TextVar], which accepts an optional value
// directly, it lets a flag without a value mean true.
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

// IsBoolFlag reports to package flag whether the flag may be given without a value.
func (f Flag) IsBoolFlag() bool {
	switch f.to.(type) {
	case *Null[bool], *Val[bool], *Field[bool]:
		return true
	}
	return false
}
