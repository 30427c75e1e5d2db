package wire

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/weftcodec/weft/internal/mem"
)

// TestReadDecimal compares what numbers are read as with strconv, and where they end with SkipNumber.
func TestReadDecimal(t *testing.T) {
	texts := []string{"0", "-0", "-0.0", "1", "01", "1.", "1.e5", "1e", "1e+", "-", ".5", "0.5", "1e5", "1E-5", "18446744073709551615",
		"18446744073709551616", "9007199254740993", "1e0001", "0e99999", "1e400", "-1e400", "1e-400", "5e-324", "0.00000000000001234567",
		"123456789012345678901234567890", "1.7976931348623157e308", "1.7976931348623159e308", "0.1e-3", "100000000000000000000.0"}
	r := rand.New(rand.NewPCG(26, 18))
	for range 20000 {
		texts = append(texts, randomNumber(r))
	}
	for _, text := range texts {
		b := mem.BytesOf([]byte(text + ",\x00\x00\x00\x00\x00\x00\x00"))
		n, end := ReadDecimal(b, 0)
		if want := SkipNumber(b, 0); end != want && !(end < 0 && want < len(text)) {
			t.Fatalf("%s ends at %d, want %d", text, end, want)
		}
		if end < 0 {
			continue
		}
		if n.Whole() != !strings.ContainsAny(text, ".eE") || n.Neg() != (text[0] == '-') {
			t.Errorf("%s: whole %v, negative %v", text, n.Whole(), n.Neg())
		}
		f, _, ok := ReadFloat64(b, 0)
		if want, err := strconv.ParseFloat(text, 64); math.Float64bits(f) != math.Float64bits(want) || ok != (err == nil) {
			t.Errorf("%s is %v, %v, want %v, %v", text, f, ok, want, err)
		}
		f32, _, ok := ReadFloat32(b, 0)
		if want, err := strconv.ParseFloat(text, 32); math.Float32bits(f32) != math.Float32bits(float32(want)) || ok != (err == nil) {
			t.Errorf("%s is %v, %v, want %v, %v", text, f32, ok, float32(want), err)
		}
	}
}

// randomNumber returns a number of few or of many digits, with and without a fraction and an exponent.
func randomNumber(r *rand.Rand) string {
	digits := func(n int) string {
		b := make([]byte, 1+r.IntN(n))
		for i := range b {
			b[i] = '0' + byte(r.IntN(10))
		}
		return string(b)
	}
	s := strings.TrimLeft(digits(22), "0")
	if s == "" {
		s = "0"
	}
	if r.IntN(2) == 0 {
		s = "-" + s
	}
	if r.IntN(3) > 0 {
		s += "." + strings.Repeat("0", r.IntN(4)*r.IntN(4)) + digits(20)
	}
	if r.IntN(3) == 0 {
		s += []string{"e", "E", "e+", "e-"}[r.IntN(4)] + digits(3)
	}
	return s
}
