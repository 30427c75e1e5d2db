package wire

import (
	"testing"

	"github.com/weftcodec/weft/internal/mem"
)

// TestNumbers: the three ways to read a number end where it ends.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int // length of the number that it begins with
	}{
		{"0", 1}, {"-0", 2}, {"01", 1}, {"7", 1}, {"-120", 4}, {"1234567890123456789012345", 25}, {"12x", 2}, {"1+", 1},
		{"0.5", 3}, {"10.25,", 5}, {"1.0.0", 3}, {"1e5", 3}, {"1E+05", 5}, {"0e-0]", 4}, {"-1.50e10e", 8}, {"12345678.87654321e12345678", 26},
		{"", 0}, {"-", 0}, {"-x", 0}, {"+1", 0}, {".5", 0}, {"1.", 0}, {"1.e5", 0}, {"1e", 0}, {"1e+", 0}, {"1e+x", 0}, {"e5", 0}, {"x", 0},
	} {
		t.Run(c.text, func(t *testing.T) {
			if n := NumberLen(c.text); n != c.n {
				t.Errorf("NumberLen is %d, want %d", n, c.n)
			}
			padded := append([]byte(c.text), make([]byte, 8)...)
			want := c.n
			if want == 0 {
				want = -1
			}
			if n := SkipNumber(mem.BytesOf(padded), 0); n != want {
				t.Errorf("SkipNumber is %d, want %d", n, want)
			}
		})
	}
}
