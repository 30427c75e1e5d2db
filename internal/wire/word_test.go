package wire

import "testing"

func TestWord(t *testing.T) {
	for i, want := range []string{"one", "two", "three"} {
		if got := Word("one two three", i); got != want {
			t.Errorf("word %d: %q, want %q", i, got, want)
		}
	}
}
