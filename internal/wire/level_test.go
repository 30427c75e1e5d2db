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

// scaled is how many cases of n are tried: an eighth of them with -short, which the builds that are tested
// beside the plain one (race, purego and others) run with.
func scaled(n int) int {
	if testing.Short() {
		return n / 8
	}
	return n
}

// sparse is the step through cases that are next to each other: n with -short, else 1.
func sparse(n int) int {
	if testing.Short() {
		return n
	}
	return 1
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
