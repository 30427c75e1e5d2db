//go:build !race

package pattern

import (
	"strings"
	"testing"
)

func TestMatchAllocates(t *testing.T) {
	text := strings.Repeat("abc-é", 20)
	for _, src := range []string{"^[a-z][a-zé0-9-]*$", `^[\p{L}-]+$`, "é$", `\bx\b`, "(a|b)*a[^x]{14}$"} {
		p, err := Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { p.Match(text) }); n >= 1 {
			t.Errorf("%s: %v allocations", src, n)
		}
	}
}
