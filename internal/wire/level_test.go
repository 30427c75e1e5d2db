package wire

import "testing"

// eachLevel runs f as a subtest under every instruction set of this machine.
func eachLevel(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	for _, name := range Levels() {
		t.Run(name, func(t *testing.T) {
			defer SetLevel(name)()
			if Level() != name {
				t.Fatalf("Level() = %s after SetLevel(%s)", Level(), name)
			}
			f(t)
		})
	}
}

func TestSetLevel(t *testing.T) {
	start := Level()
	if start != Levels()[0] {
		t.Errorf("starts with %s, not the fastest of %v", start, Levels())
	}
	restore := SetLevel("generic")
	if Level() != "generic" {
		t.Errorf("Level() = %s after SetLevel(generic)", Level())
	}
	restore()
	if Level() != start {
		t.Errorf("Level() = %s after restore, not %s", Level(), start)
	}
	defer func() {
		if recover() == nil {
			t.Error("SetLevel of an unknown name did not panic")
		}
	}()
	SetLevel("mmx")
}
