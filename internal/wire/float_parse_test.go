package wire

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// parseCounts tells how many numbers were tried and how many ParseFloat64 left to strconv.
type parseCounts struct{ all, left int }

func (n *parseCounts) check(t *testing.T, mant uint64, exp int) {
	t.Helper()
	text := strconv.FormatUint(mant, 10) + "e" + strconv.Itoa(exp)
	for _, neg := range []bool{false, true} {
		if neg {
			text = "-" + text
		}
		n.all++
		want, err := strconv.ParseFloat(text, 64)
		got, ok := ParseFloat64(mant, exp, neg)
		switch {
		case ok && (err != nil || math.Float64bits(got) != math.Float64bits(want)):
			t.Fatalf("ParseFloat64(%s) = %v, want %v, %v", text, got, want, err)
		case !ok && err == nil:
			n.left++
		}
		want, err = strconv.ParseFloat(text, 32)
		got32, ok := ParseFloat32(mant, exp, neg)
		switch {
		case ok && (err != nil || math.Float32bits(got32) != math.Float32bits(float32(want))):
			t.Fatalf("ParseFloat32(%s) = %v, want %v, %v", text, got32, want, err)
		case !ok && err == nil:
			n.left++
		}
	}
}

func TestParseFloat(t *testing.T) {
	rnd := rand.New(rand.NewPCG(19, 20))
	n := scaled(*rounds * 100_000)
	var count parseCounts
	for range n {
		count.check(t, rnd.Uint64()>>rnd.IntN(64), rnd.IntN(60)-40)
	}
	for range n / 4 {
		count.check(t, rnd.Uint64()>>rnd.IntN(64), rnd.IntN(700)-360)
	}
	if count.left != 0 {
		t.Errorf("%d of %d numbers left to strconv", count.left, count.all)
	}
}

// Every exponent with the ends of the range, and the ends of the range with every mantissa length.
func TestParseFloatEdges(t *testing.T) {
	var count parseCounts
	for exp := -400; exp <= 330; exp++ {
		for _, m := range []uint64{0, 1, 2, 3, 5, 9, 1<<24 - 1, 1<<24 + 1, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<63 - 1, 1 << 63, 1<<64 - 1,
			9007199254740993, 17976931348623157, 17976931348623158, 17976931348623159, 22250738585072011, 22250738585072014, 34028234663852886,
			34028235677973366, 24703282292062327, 24703282292062328, 49406564584124654, 7006492321624085, 7006492321624086, 14012984643248170,
			11754943508222875, 11754942807573643} {
			count.check(t, m, exp)
		}
	}
	for exp := -30; exp <= 30; exp++ {
		for bit := range 64 {
			for d := range uint64(5) {
				count.check(t, 1<<bit+d, exp)
				count.check(t, 1<<bit-d, exp)
			}
		}
	}
}

// Decimals of up to 19 digits as near as may be to halfway between two neighbours.
func TestParseFloatHalfway(t *testing.T) {
	var count parseCounts
	rnd := rand.New(rand.NewPCG(21, 22))
	n := scaled(*rounds * 5_000)
	for i := range n {
		var half *big.Float
		if i%2 == 0 {
			f := math.Float64frombits(rnd.Uint64() >> 1 % (0x7fe << 52))
			if i%4 == 0 {
				f = math.Float64frombits(rnd.Uint64() >> (12 + rnd.IntN(50))) // subnormal
			}
			up := math.Nextafter(f, math.Inf(1))
			half = new(big.Float).SetPrec(2000).SetFloat64(f)
			half.Add(half, new(big.Float).SetFloat64(up))
		} else {
			f := math.Float32frombits(rnd.Uint32() >> 1 % (0xfe << 23))
			up := math.Nextafter32(f, float32(math.Inf(1)))
			half = new(big.Float).SetPrec(2000).SetFloat64(float64(f))
			half.Add(half, new(big.Float).SetFloat64(float64(up)))
		}
		half.Quo(half, big.NewFloat(2))
		text := half.Text('e', 18)
		digits, e, _ := strings.Cut(text, "e")
		mant, err := strconv.ParseUint(strings.Replace(digits, ".", "", 1), 10, 64)
		exp, err2 := strconv.Atoi(e)
		if err != nil || err2 != nil {
			t.Fatal(text, err, err2)
		}
		for d := range uint64(3) {
			count.check(t, mant+d, exp-18)
			count.check(t, mant-d, exp-18)
		}
	}
	// Exact halves.
	for range n {
		m := rnd.Uint64()>>10 | 1 | 1<<53 // 54 bits, odd
		count.check(t, m, 0)
		count.check(t, m<<rnd.IntN(10), 0)
		count.check(t, m*10, -1)
		m = rnd.Uint64()>>39 | 1 | 1<<24
		count.check(t, m, 0)
		count.check(t, m*5, 0)
		count.check(t, m*625, -3)
		count.check(t, m*100000, -5)
	}
	if count.left != 0 {
		t.Errorf("%d of %d numbers left to strconv", count.left, count.all)
	}
}

// The tables' logarithms, and that no power cut off ends in a zero word, on which roundDecimal relies.
func TestPow10Logs(t *testing.T) {
	for e := pow10Min; e <= pow10Max; e++ {
		num, den := big.NewInt(1), big.NewInt(1)
		if e >= 0 {
			num.Exp(big.NewInt(10), big.NewInt(int64(e)), nil)
		} else {
			den.Exp(big.NewInt(10), big.NewInt(int64(-e)), nil)
		}
		x := new(big.Float).SetPrec(3000).SetInt(num)
		x.Quo(x, new(big.Float).SetInt(den))
		if got, want := log2Pow10(e), x.MantExp(nil)-1; got != want {
			t.Errorf("log2Pow10(%d) = %d, want %d", e, got, want)
		}
		if zero, exact := pow10Table[e-pow10Min][1] == 0, 0 <= e && e <= 27; zero != exact {
			t.Errorf("low word of 10^%d: %#x", e, pow10Table[e-pow10Min][1])
		}
	}
	for q := -1080; q <= 1000; q++ {
		x := new(big.Float).SetMantExp(big.NewFloat(1), q)
		k := log10Pow2(q)
		ten := func(k int) *big.Float {
			f, _, err := big.ParseFloat(fmt.Sprintf("1e%d", k), 10, 3000, big.ToZero)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		if ten(k).Cmp(x) > 0 || ten(k+1).Cmp(x) <= 0 {
			t.Errorf("log10Pow2(%d) = %d", q, k)
		}
	}
}

func BenchmarkParseFloat64(b *testing.B) {
	for name, set := range benchFloats() {
		type number struct {
			text string
			mant uint64
			exp  int
		}
		var numbers []number
		for _, f := range set {
			n := number{text: strconv.FormatFloat(math.Abs(f), 'f', -1, 64)}
			whole, frac, _ := strings.Cut(n.text, ".")
			n.mant, _ = strconv.ParseUint(whole+frac, 10, 64)
			n.exp = -len(frac)
			numbers = append(numbers, n)
		}
		b.Run(name+"/wire", func(b *testing.B) {
			for b.Loop() {
				for i := range numbers {
					if _, ok := ParseFloat64(numbers[i].mant, numbers[i].exp, false); !ok {
						b.Fatal(numbers[i])
					}
				}
			}
		})
		b.Run(name+"/strconv", func(b *testing.B) {
			for b.Loop() {
				for i := range numbers {
					if _, err := strconv.ParseFloat(numbers[i].text, 64); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
