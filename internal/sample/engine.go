package sample

import (
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
)

// Engine is a format, or a way to use one.
type Engine struct {
	Name      string
	Marshal   func(v any) ([]byte, error)
	Unmarshal func(b []byte, v any) error
}

// EngineOf is f with options.
func EngineOf(name string, f weft.Format, opts ...weft.Options) Engine {
	return Engine{name, func(v any) ([]byte, error) { return f.MarshalAppend(nil, v, opts...) },
		func(b []byte, v any) error { return f.Unmarshal(b, v, opts...) }}
}

// EngineVia is f for what marshal makes of a value, and unmarshal reads.
func EngineVia[V any](
	name string, f weft.Format, marshal func(v any) (V, error), unmarshal func(x V, v any) error,
) Engine {
	return Engine{name, func(v any) ([]byte, error) {
		x, err := marshal(v)
		if err != nil {
			return nil, err
		}
		return f.MarshalAppend(nil, x)
	}, func(b []byte, v any) error {
		var x V
		if err := f.Unmarshal(b, &x); err != nil {
			return err
		}
		return unmarshal(x, v)
	}}
}

// NoAllocation wants the formats to write and read the value into points to
// without an allocation, which a call of a method would need.
func NoAllocation(t *testing.T, into any, formats ...weft.Format) {
	t.Helper()
	buf := make([]byte, 0, 512)
	for _, f := range formats {
		text, err := f.MarshalAppend(nil, into)
		if err != nil {
			t.Fatal(f.Name(), err)
		}
		for way, do := range map[string]func() error{
			"append": func() error { _, err := f.MarshalAppend(buf, into); return err },
			"read":   func() error { return f.Unmarshal(text, into) },
		} {
			if err := do(); err != nil {
				t.Fatal(f.Name(), way, err)
			}
			// Strings are carved from memory for many.
			if n := testing.AllocsPerRun(200, func() { _ = do() }); n >= 1 && !Race && !mem.Safe {
				t.Errorf("%s %s: %v allocations", f.Name(), way, n)
			}
		}
	}
}
