package wire

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// floatReference is the form of encoding/json, made with strconv. TestFloatReference holds it to the package.
func floatReference(f float64, bits int) string {
	abs, format := math.Abs(f), byte('f')
	if abs != 0 {
		if bits == 64 && (abs < 1e-6 || abs >= 1e21) || bits == 32 && (float32(abs) < 1e-6 || float32(abs) >= 1e21) {
			format = 'e'
		}
	}
	b := strconv.AppendFloat(nil, f, format, -1, bits)
	if n := len(b); format == 'e' && n >= 4 && b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' {
		b = append(b[:n-2], b[n-1])
	}
	return string(b)
}

// hardFloats are the bits of float64s at the edges of the algorithms.
func hardFloats(f func(u uint64)) {
	near := func(u uint64) {
		for d := range uint64(4) {
			f(u + d)
			f(u - d)
		}
	}
	for e := range uint64(0x7ff) { // powers of two, half the mantissa, its ends
		near(e << 52)
		near(e<<52 | 1<<51)
		near(e<<52 | 0x5555555555555)
	}
	for e := -345; e <= 309; e++ { // short decimals and their neighbours
		for _, m := range []string{"1", "2", "5", "9", "1.5", "9.5", "1.25", "123456789", "9007199254740993", "4503599627370496.5"} {
			v, _ := strconv.ParseFloat(m+"e"+strconv.Itoa(e), 64)
			near(math.Float64bits(v))
		}
	}
	for shift := range uint(53) { // integers and halves, where products are exact
		near(math.Float64bits(math.Ldexp(float64(uint64(1)<<52|uint64(shift)*0x9e3779b97f4a7), -int(shift))))
	}
	for _, s := range []string{"5e-324", "2.2250738585072014e-308", "2.2250738585072011e-308", "1.7976931348623157e308", "9.5367431640625e-7",
		"1e21", "999999999999999900000", "1e-6", "9.999999999999999e-7", "1e23", "8.41e21", "9.0608011534336e15", "4.708356024711512e18",
		"9409340012568248e2", "1.8531501765868567e21", "5.764607523034235e39", "1.152921504606847e40", "2.305843009213694e40",
		"2.9802322387695312e-8", "0.30000000000000004", "0.1", "0.5", "0.25", "0.75", "0.001", "1.005", "123456.789", "-65.613616999999977"} {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			panic(err)
		}
		near(math.Float64bits(v))
	}
}

func checkFloat64(t *testing.T, u uint64) {
	t.Helper()
	f := math.Float64frombits(u)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return
	}
	var buf [64]byte
	if got, want := AppendFloat64(buf[:0], f), floatReference(f, 64); string(got) != want {
		t.Fatalf("AppendFloat64(%#x) = %s, want %s", u, got, want)
	}
}

func checkFloat32(t *testing.T, u uint32) {
	t.Helper()
	f := math.Float32frombits(u)
	if f != f || math.IsInf(float64(f), 0) {
		return
	}
	var buf [64]byte
	if got, want := AppendFloat32(buf[:0], f), floatReference(float64(f), 32); string(got) != want {
		t.Fatalf("AppendFloat32(%#x) = %s, want %s", u, got, want)
	}
}

func TestFloatReference(t *testing.T) {
	hardFloats(func(u uint64) {
		f := math.Float64frombits(u)
		if want, err := json.Marshal(f); err == nil && string(want) != floatReference(f, 64) {
			t.Fatalf("%#x: %s, want %s", u, floatReference(f, 64), want)
		}
		if want, err := json.Marshal(float32(f)); err == nil && string(want) != floatReference(float64(float32(f)), 32) {
			t.Fatalf("float32 of %#x: %s, want %s", u, floatReference(float64(float32(f)), 32), want)
		}
	})
}

func TestAppendFloat64(t *testing.T) {
	hardFloats(func(u uint64) {
		checkFloat64(t, u)
		checkFloat64(t, u|1<<63)
	})
	rnd := rand.New(rand.NewPCG(11, 12))
	n := scaled(*rounds * 50_000)
	for range n {
		checkFloat64(t, rnd.Uint64())
		checkFloat64(t, math.Float64bits(float64(rnd.IntN(1e9))/1e4))
		checkFloat64(t, math.Float64bits(rnd.Float64()*360-180))
		checkFloat64(t, rnd.Uint64()&^(0x7ff<<52)|uint64(1023-24+rnd.IntN(100))<<52)
		checkFloat64(t, rnd.Uint64()&^(0x7ff<<52)>>rnd.IntN(52))
		checkFloat64(t, math.Float64bits(float64(rnd.Uint64()>>rnd.IntN(64))*math.Pow10(rnd.IntN(20)-10)))
	}
}

func TestAppendFloat32(t *testing.T) {
	hardFloats(func(u uint64) {
		checkFloat32(t, math.Float32bits(float32(math.Float64frombits(u))))
		checkFloat32(t, uint32(u>>29))
	})
	for e := range uint32(0x100) {
		for d := range uint32(4) {
			checkFloat32(t, e<<23+d)
			checkFloat32(t, e<<23-d)
		}
	}
	rnd := rand.New(rand.NewPCG(13, 14))
	n := scaled(*rounds * 100_000)
	for range n {
		checkFloat32(t, rnd.Uint32())
	}
}

// The fast and the exact way must agree wherever the fast one does not ask the exact one.
func TestShortestExact(t *testing.T) {
	rnd := rand.New(rand.NewPCG(15, 16))
	for range scaled(*rounds * 100_000) {
		c, q := rnd.Uint64()>>11|1<<52, rnd.IntN(2046)-1074
		tens, last, k := shortest(c, q)
		d := 10*tens + last
		de, ke := shortestExact(c, q, false)
		if d != de || k != ke {
			t.Fatalf("%d·2^%d: %d·10^%d, exactly %d·10^%d", c, q, d, k, de, ke)
		}
	}
}

// What stands before a number is kept, whatever room is behind it.
func TestAppendFloatRoom(t *testing.T) {
	for _, f := range []float64{0, -7, -0.25, 1234.5678901234567, -1234567890.1234567, -0.0000012345678901234567, -1.2345678901234567e-300} {
		for room := range 48 {
			dst := append(make([]byte, 0, 3+room), "[1,"...)
			if got, want := string(AppendFloat64(dst, f)), "[1,"+floatReference(f, 64); got != want {
				t.Errorf("AppendFloat64 with room for %d bytes: %s, want %s", room, got, want)
			}
			if got, want := string(AppendFloat32(dst, float32(f))), "[1,"+floatReference(float64(float32(f)), 32); got != want {
				t.Errorf("AppendFloat32 with room for %d bytes: %s, want %s", room, got, want)
			}
		}
	}
}

func TestAppendFloatSpecial(t *testing.T) {
	for want, f := range map[string]float64{"-0": math.Copysign(0, -1), "0": 0, "NaN": math.NaN(), "+Inf": math.Inf(1), "-Inf": math.Inf(-1)} {
		t.Run(want, func(t *testing.T) {
			got := string(AppendFloat64(nil, f))
			if f < 0 && math.IsInf(f, -1) {
				got = got[:1] + got[2:] // "-+Inf"
			}
			if got != want {
				t.Errorf("AppendFloat64(%v) = %s", f, got)
			}
		})
	}
}

// benchFloats are numbers as they come: coordinates of 15 to 17 digits, weights of 15 to 19, prices, integers.
func benchFloats() map[string][]float64 {
	rnd := rand.New(rand.NewPCG(17, 18))
	sets := map[string][]float64{}
	for range 1024 {
		sets["coordinates"] = append(sets["coordinates"], rnd.Float64()*360-180)
		sets["prices"] = append(sets["prices"], float64(rnd.IntN(1_000_000))/100)
		sets["weights"] = append(sets["weights"], rnd.Float64()*rnd.Float64()/1000)
		sets["integers"] = append(sets["integers"], float64(rnd.IntN(1_000_000)))
	}
	return sets
}

func BenchmarkAppendFloat64(b *testing.B) {
	dst := make([]byte, 0, 64)
	for name, set := range benchFloats() {
		b.Run(name+"/wire", func(b *testing.B) {
			for b.Loop() {
				for _, f := range set {
					dst = AppendFloat64(dst[:0], f)
				}
			}
		})
		b.Run(name+"/strconv", func(b *testing.B) {
			for b.Loop() {
				for _, f := range set {
					dst = strconv.AppendFloat(dst[:0], f, 'f', -1, 64)
				}
			}
		})
	}
}
