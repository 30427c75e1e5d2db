package value

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"strconv"
)

// number is a number that can be compared with any other exactly: the integer
// mant where digits is nil, else 0.digits * 10**exp.
type number struct {
	neg    bool
	nan    bool
	inf    bool
	mant   uint64
	digits []byte // no zero first or last
	exp    int64
}

// number returns the number that v is.
func (v Value) number() number {
	switch v.Kind() {
	case KindInt:
		if i := int64(v.num); i < 0 {
			return number{neg: true, mant: -uint64(i)}
		}
		return number{mant: v.num}
	case KindUint:
		return number{mant: v.num}
	case KindFloat:
		return floatNumber(math.Float64frombits(v.num))
	}
	return textNumber(v.text())
}

func floatNumber(f float64) number {
	n := number{neg: math.Signbit(f)}
	switch {
	case f != f:
		return number{nan: true}
	case math.IsInf(f, 0):
		n.inf = true
		return n
	}
	if a := math.Abs(f); a < 1<<64 && a == math.Trunc(a) {
		if n.mant = uint64(a); n.mant == 0 {
			n.neg = false
		}
		return n
	}
	// 767 digits are enough to write any float64 exactly.
	b := strconv.AppendFloat(make([]byte, 0, 800), math.Abs(f), 'e', 766, 64)
	m := textNumber(string(b))
	m.neg = n.neg
	return m
}

// textNumber returns the number of valid text.
func textNumber(s string) number {
	var n number
	if s[0] == '-' {
		n.neg, s = true, s[1:]
	}
	digits := make([]byte, 0, len(s))
	point, i := int64(-1), 0
	for ; i < len(s) && s[i]|0x20 != 'e'; i++ {
		if s[i] == '.' {
			point = int64(len(digits))
			continue
		}
		digits = append(digits, s[i])
	}
	if point < 0 {
		point = int64(len(digits))
	}
	if i < len(s) {
		e, err := strconv.ParseInt(s[i+1:], 10, 64)
		const most = math.MaxInt64 / 4
		if err != nil || e > most || e < -most { // the order among such exponents is lost
			e = pick(s[i+1] == '-', int64(-most), most)
		}
		n.exp = e
	}
	n.exp += point
	trimmed := bytes.TrimLeft(digits, "0")
	n.exp -= int64(len(digits) - len(trimmed))
	digits = bytes.TrimRight(trimmed, "0")
	if len(digits) == 0 {
		return number{}
	}
	if int64(len(digits)) <= n.exp && n.exp <= 20 {
		u, over := uint64(0), false
		for j := range n.exp {
			d := byte('0')
			if j < int64(len(digits)) {
				d = digits[j]
			}
			hi, lo := bits.Mul64(u, 10)
			sum, carry := bits.Add64(lo, uint64(d-'0'), 0)
			over = over || hi != 0 || carry != 0
			u = sum
		}
		if !over {
			return number{neg: n.neg, mant: u}
		}
	}
	n.digits = digits
	return n
}

func pick[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

func (n *number) int() (int64, bool) {
	switch {
	case n.digits != nil || n.nan || n.inf:
		return 0, false
	case n.neg:
		return -int64(n.mant), n.mant <= 1<<63
	}
	return int64(n.mant), n.mant <= math.MaxInt64
}

func (n *number) uint() (uint64, bool) {
	return n.mant, n.digits == nil && !n.nan && !n.inf && (!n.neg || n.mant == 0)
}

// decimal makes the digits of an integer explicit.
func (n *number) decimal() {
	if n.digits == nil && n.mant != 0 {
		n.digits = strconv.AppendUint(nil, n.mant, 10)
		n.exp = int64(len(n.digits))
		n.digits = bytes.TrimRight(n.digits, "0")
	}
}

// compare orders numbers: first what is not a number, then by size.
func (n *number) compare(m *number) int {
	if n.nan || m.nan {
		return -boolCompare(n.nan, m.nan)
	}
	if c := cmp.Compare(n.sign(), m.sign()); c != 0 {
		return c
	}
	c := n.compareSize(m)
	if n.neg {
		return -c
	}
	return c
}

func (n *number) sign() int {
	switch {
	case n.neg:
		return -1
	case n.mant == 0 && n.digits == nil && !n.inf:
		return 0
	}
	return 1
}

func (n *number) compareSize(m *number) int {
	if n.inf || m.inf {
		return boolCompare(n.inf, m.inf)
	}
	if n.digits == nil && m.digits == nil {
		return cmp.Compare(n.mant, m.mant)
	}
	n.decimal()
	m.decimal()
	if c := cmp.Compare(n.exp, m.exp); c != 0 {
		return c
	}
	return bytes.Compare(n.digits, m.digits)
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// validNumber reports whether s is a number in JSON's grammar.
func validNumber(s string) bool {
	i := 0
	digits := func() bool {
		from := i
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return false
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s)
}

func parseFloat(s string) (float64, bool) {
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}
