package schema

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/value"
)

// kindSet is a set of the types of JSON Schema.
type kindSet uint8

const (
	setNull kindSet = 1 << iota
	setBool
	setInteger
	setNumber
	setString
	setArray
	setObject
)

var setNames = []struct {
	name string
	set  kindSet
}{
	{"null", setNull}, {"boolean", setBool}, {"integer", setInteger}, {"number", setNumber | setInteger},
	{"string", setString}, {"array", setArray}, {"object", setObject},
}

func (s kindSet) String() string {
	var out []string
	for _, n := range setNames {
		if s&n.set == n.set && !(n.set == setInteger && s&setNumber != 0) {
			out = append(out, n.name)
		}
	}
	return strings.Join(out, " or ")
}

// numeral is a number, exact where it is an integer of 64 bits.
type numeral struct {
	f     float64
	i     int64  // when exact and negative or below 1<<63
	u     uint64 // when big
	exact bool
	big   bool   // an integer from 1<<63 on
	wide  string // the number itself, when f is another; see [wire.ReadNumber]
}

func intNumeral(i int64) numeral { return numeral{f: float64(i), i: i, exact: true} }

func uintNumeral(u uint64) numeral {
	if u <= math.MaxInt64 {
		return intNumeral(int64(u))
	}
	return numeral{f: float64(u), u: u, exact: true, big: true}
}

func floatNumeral(f float64) numeral {
	if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		return numeral{f: f, i: int64(f), exact: true}
	}
	return numeral{f: f}
}

func parseNumeral(text string) (numeral, bool) {
	if !strings.ContainsAny(text, ".eE") { // it spares the errors, which are costly
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return intNumeral(i), true
		}
		if u, err := strconv.ParseUint(text, 10, 64); err == nil {
			return uintNumeral(u), true
		}
	}
	f, wide, ok := wire.ReadNumber(text)
	if wide != "" {
		return numeral{f: f, wide: wide}, true
	}
	return floatNumeral(f), ok
}

func (x numeral) integer() bool {
	if x.wide != "" {
		digits, exp := wire.NumberDigits(x.wide)
		return len(digits) <= exp
	}
	return x.exact || x.f == math.Trunc(x.f) && !math.IsInf(x.f, 0)
}

// value returns x as a value that can be compared exactly.
func (x numeral) value() value.Value {
	switch {
	case x.wide != "":
		v, _ := value.Number(x.wide)
		return v
	case x.big:
		return value.Uint(x.u)
	case x.exact:
		return value.Int(x.i)
	}
	return value.Float(x.f)
}

// compare returns -1, 0 or 1.
func (x numeral) compare(y numeral) int {
	switch {
	case x.f < y.f: // which are the nearest to the numbers
		return -1
	case x.f > y.f:
		return 1
	case x.f != y.f: // not-a-number, which no limit is about
		return 0
	}
	return x.value().Compare(y.value())
}

func (x numeral) multipleOf(m numeral) bool {
	if x.exact && !x.big && m.exact && !m.big {
		return x.i%m.i == 0
	}
	return (x.wide != "" || math.Abs(x.f) <= math.MaxFloat64) && wire.IsMultiple(x.String(), m.String())
}

func (x numeral) append(b []byte) []byte {
	switch {
	case x.wide != "":
		return append(b, x.wide...)
	case x.big:
		return strconv.AppendUint(b, x.u, 10)
	case x.exact:
		return strconv.AppendInt(b, x.i, 10)
	}
	return strconv.AppendFloat(b, x.f, 'g', -1, 64)
}

// String returns x as its canonical text.
func (x numeral) String() string { return string(x.append(nil)) }

// short returns x for an error, cut when it is long.
func (x numeral) short() string { return wire.Short(x.String()) }

// inFormat reports whether x fits the numeric format.
func (x numeral) inFormat(format string) bool {
	bits := 0
	switch format {
	case "int8", "uint8":
		bits = 8
	case "int16", "uint16":
		bits = 16
	case "int32", "uint32":
		bits = 32
	case "int64", "uint64":
		bits = 64
	default:
		return true
	}
	switch {
	case !x.exact:
		return false
	case format[0] == 'u':
		return x.big && bits == 64 || !x.big && x.i >= 0 && (bits == 64 || x.i < 1<<bits)
	}
	return !x.big && (bits == 64 || x.i >= -1<<(bits-1) && x.i < 1<<(bits-1))
}

// readNumeral reads a number of any kind.
func readNumeral(r backend.Reader, k weft.Kind) numeral {
	switch k {
	case weft.KindInt:
		return intNumeral(r.Signed(64))
	case weft.KindUint:
		return uintNumeral(r.Unsigned(64))
	case weft.KindFloat:
		return floatNumeral(r.Float64())
	}
	m := r.Mark()
	x, ok := parseNumeral(mem.String(bytes.TrimSpace(r.Raw())))
	if !ok { // not text on the wire
		r.Reset(m)
		x, _ = parseNumeral(r.Decimal())
	}
	return x
}

// readText reads a string, or what formats have beside strings for the values of
// a document's strings.
func readText(r backend.Reader, k weft.Kind) string {
	switch k {
	case weft.KindBytes:
		return string(r.Bytes())
	case weft.KindTime:
		return r.Time().Format(time.RFC3339Nano)
	}
	return r.String()
}

// appendValue appends the next value as a text that is the same for equal values. It stops when it has read left
// values, which it counts.
func appendValue(b []byte, r backend.Reader, left *int) []byte {
	if *left--; *left < 0 {
		return b
	}
	switch k := r.Kind(); {
	case k == weft.KindNull && r.Null():
		return append(b, "null"...)
	case k == weft.KindBool:
		return strconv.AppendBool(b, r.Bool())
	case k.IsNumber():
		return readNumeral(r, k).append(b)
	case k == weft.KindString || k == weft.KindBytes || k == weft.KindTime:
		return strconv.AppendQuote(b, readText(r, k))
	case k == weft.KindArray:
		b = append(b, '[')
		for ok := r.BeginArray(); ok && *left >= 0; ok = r.More() {
			b = append(appendValue(b, r, left), ',')
		}
		return append(b, ']')
	case k == weft.KindObject:
		var list []string
		for ok := r.BeginMap(); ok && *left >= 0; {
			var name string
			if name, ok = r.NextKey(); ok {
				list = append(list, string(appendValue(append(strconv.AppendQuote(nil, name), ':'), r, left)))
			}
		}
		return appendMembers(b, list)
	}
	r.Skip()
	return b
}

func appendMembers(b []byte, list []string) []byte {
	slices.Sort(list)
	b = append(b, '{')
	for _, m := range list {
		b = append(append(b, m...), ',')
	}
	return append(b, '}')
}

// appendCanonical appends a value of a schema as appendValue would.
func appendCanonical(b []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(b, v)
	case numeral:
		return v.append(b)
	case string:
		return strconv.AppendQuote(b, v)
	case jsonList:
		b = append(b, '[')
		for _, x := range v {
			b = append(appendCanonical(b, x), ',')
		}
		return append(b, ']')
	case jsonObject:
		var list []string
		for _, m := range v {
			list = append(list, string(appendCanonical(append(strconv.AppendQuote(nil, m.name), ':'), m.value)))
		}
		return appendMembers(b, list)
	}
	return append(b, "null"...)
}
