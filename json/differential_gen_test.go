package json_test

import (
	stdjson "encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// gen makes random types, values and texts. The same seed makes the same.
type gen struct {
	*rand.Rand
	acyclic bool // no value contains itself
}

func newGen(a, b uint64) *gen { return &gen{Rand: rand.New(rand.NewPCG(a, b))} }

// one reports true once in n.
func (g *gen) one(n int) bool { return g.IntN(n) == 0 }

// pick returns a random element.
func pick[T any](g *gen, list []T) T { return list[g.IntN(len(list))] }

// typ returns a random type.
func (g *gen) typ(depth int) reflect.Type {
	n := 20
	if depth <= 0 {
		n = 9
	}
	switch g.IntN(n) {
	case 0, 1, 2, 3:
		return pick(g, plainTypes)
	case 4, 5, 6, 7:
		return pick(g, leafTypes)
	case 8:
		if g.one(4) {
			return pick(g, oddTypes)
		}
		return pick(g, plainTypes)
	case 9, 10:
		return reflect.PointerTo(g.typ(depth - 1))
	case 11, 12, 13:
		return reflect.SliceOf(g.typ(depth - 1))
	case 14:
		return reflect.ArrayOf(g.IntN(4), g.typ(depth-1))
	case 15, 16:
		return reflect.MapOf(pick(g, keyTypes), g.typ(depth-1))
	default:
		return g.structType(depth)
	}
}

// jsonNames are the member names of random structs and texts. Some differ in
// case only, some need an escape, some are not valid tag.
var jsonNames = []string{
	"a", "A", "ab", "aB", "AB", "k", "K", "\u212a", "s", "\u017f", "name", "Name", "id", "x_y", "x-y", "ü", "Ü",
	"日本", "a.b", "<a>", "a&b", "F0", "F1", "f2",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "bad\\name", "with space", "", "-", "_", "0", "é",
}

// structType returns a random struct. reflect.StructOf refuses some; then
// another one is tried.
func (g *gen) structType(depth int) reflect.Type {
	for {
		t, ok := g.tryStruct(depth)
		if ok {
			return t
		}
	}
}

func (g *gen) tryStruct(depth int) (t reflect.Type, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	n := g.IntN(6)
	if g.one(20) {
		n = 10 + g.IntN(60)
	}
	var fields []reflect.StructField
	for i := range n {
		f := reflect.StructField{Name: "F" + strconv.Itoa(i)}
		if g.one(10) {
			f.Type, f.Anonymous = pick(g, embedTypes), true
			f.Name = f.Type.Name()
			if f.Type.Kind() == reflect.Pointer {
				f.Name = f.Type.Elem().Name()
			}
		} else {
			f.Type = g.typ(depth - 1)
			if g.one(25) {
				f.Name, f.PkgPath = "f"+strconv.Itoa(i), "github.com/weftcodec/weft/json_test"
			}
		}
		f.Tag = g.tag()
		if n > 8 && g.one(2) { // names that are alike
			f.Tag = reflect.StructTag(fmt.Sprintf(`json:"%s"`,
				pick(g, []string{
					"name%02d", "n%d", "%07d_", "common_prefix_%d", "%d_common_suffix", "VeryLongCommonPrefixOfNames%dX", "k%02dk",
				})))
			f.Tag = reflect.StructTag(fmt.Sprintf(string(f.Tag), i))
		}
		fields = append(fields, f)
	}
	return reflect.StructOf(fields), true
}

// tag returns a random struct tag.
func (g *gen) tag() reflect.StructTag {
	if g.one(3) {
		return ""
	}
	var b strings.Builder
	if !g.one(4) {
		b.WriteString(pick(g, jsonNames))
	}
	for _, opt := range []string{"omitempty", "string", "omitzero", "foo"} {
		if g.one(4) {
			b.WriteString("," + opt)
		}
	}
	if g.one(30) {
		b.WriteString(",")
	}
	return reflect.StructTag(`json:` + strconv.Quote(b.String()))
}

// randomInts are edges of integer types.
var randomInts = []int64{
	0, 1, -1, 7, 9, 10, 42, 99, 100, 127, 128, -128, -129, 255, 256, 32767, 32768, -32769, 65535, 65536,
	999999, 99999999, 100000000, 1 << 31, 1<<31 - 1, -1 << 31, 1<<32 - 1, 1 << 32, 1<<53 + 1, math.MaxInt64, math.MinInt64,
}

// randomFloats are edges of floating point.
var randomFloats = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.1, 1.5, 3.14159, 1e20, 1e21, 999999999999999999999, 1e-6, 1e-7, 9.99999e-7, 1e300,
	5e-324, math.MaxFloat64, math.SmallestNonzeroFloat64, math.MaxFloat32, 1e39, 16777216, 16777217, 0.3,
	2.2250738585072014e-308, 123456789.125,
}

// str returns a random string, rarely a long or an ill-formed one.
func (g *gen) str() string {
	switch g.IntN(12) {
	case 0:
		return ""
	case 1, 2, 3:
		return pick(g, jsonNames)
	case 4:
		return pick(g, []string{
			"bad", "null", "true", "1", "-1", "1.5", "1e3", "\"q\"", "\"\"", "12345678901234567890", "2006-01-02T15:04:05Z",
			"aGVsbG8=", "k5", "127.0.0.1", "[]", "{}", " 1", "NaN", "0x10", "01",
		})
	case 5:
		return strings.Repeat(pick(g, []string{"x", "é", "日", "<", "\"", "\\", "\u2028", "😀", "\n", "\x7f", "\xff"}), g.IntN(90))
	}
	n := g.IntN(24)
	if g.one(40) {
		n = g.IntN(20000)
	}
	b := make([]byte, 0, n)
	for len(b) < n {
		switch g.IntN(24) {
		case 0:
			b = append(b, pick(g, []string{
				"\u2028", "\u2029", "<", ">", "&", "\"", "\\", "/", "\n", "\r", "\t", "\b", "\f", "\x00", "\x1f", "\x7f", "é",
				"ß", "日", "😀", "\U0010ffff", "\ufffd",
			})...)
		case 1:
			if g.one(6) {
				b = append(b, pick(g, []string{"\xff", "\xc3", "\xe2\x80", "\xed\xa0\x80", "\xf0\x9f\x98", "\xc0\x80", "\xf4\x90\x80\x80"})...)
			}
		default:
			b = append(b, byte(' '+g.IntN(95)))
		}
	}
	return string(b)
}

// value fills v with a random value.
func (g *gen) value(v reflect.Value, depth int) {
	if !v.CanSet() || g.one(6) {
		return // keep the zero value
	}
	if g.special(v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(g.one(2))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(pick(g, randomInts) + int64(g.IntN(3)-1)*int64(g.IntN(2)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(uint64(pick(g, randomInts)))
	case reflect.Float32, reflect.Float64:
		f := pick(g, randomFloats)
		switch g.IntN(8) {
		case 0:
			f = g.NormFloat64()
		case 1:
			f = math.Float64frombits(g.Uint64())
		case 2:
			f = float64(math.Float32frombits(g.Uint32()))
		case 3:
			f = float64(g.IntN(1e6)) / 1000
		}
		if (math.IsNaN(f) || math.IsInf(f, 0)) && !g.one(20) {
			f = 1
		}
		v.SetFloat(f)
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(1, 2))
	case reflect.String:
		v.SetString(g.str())
	case reflect.Pointer:
		if depth <= 0 {
			return
		}
		p := reflect.New(v.Type().Elem())
		v.Set(p)
		g.value(p.Elem(), depth-1)
	case reflect.Interface:
		g.iface(v, depth)
	case reflect.Array:
		for i := range v.Len() {
			g.value(v.Index(i), depth-1)
		}
	case reflect.Slice:
		if depth <= 0 {
			return
		}
		n := g.IntN(4)
		if g.one(30) {
			n = g.IntN(70)
		}
		s := reflect.MakeSlice(v.Type(), n, n+g.IntN(3))
		for i := range n {
			g.value(s.Index(i), depth-1)
		}
		if g.one(4) {
			s = s.Slice(0, g.IntN(n+1)) // leaves stale elements behind
		}
		v.Set(s)
	case reflect.Map:
		if depth <= 0 {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		n := g.IntN(4)
		if g.one(30) {
			n = g.IntN(70)
		}
		for range n {
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			g.value(k, 2)
			if k.Kind() == reflect.Float64 && k.Float() != k.Float() {
				continue
			}
			g.value(e, depth-1)
			v.SetMapIndex(k, e)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			g.value(v.Field(i), depth-1)
		}
	}
	if g.one(200) {
		g.cycle(v)
	}
}

// cycle makes a value of a recursive type contain itself.
func (g *gen) cycle(v reflect.Value) {
	if g.acyclic {
		return
	}
	switch p := v.Addr().Interface().(type) {
	case *dNode:
		switch g.IntN(4) {
		case 0:
			p.Next = p
		case 1:
			p.Next = &dNode{Any: p}
		case 2:
			p.Map = map[string]*dNode{"self": p}
		case 3:
			p.Any = []any{p}
		}
	case *dMutB:
		p.A = &dMutA{B: p}
	case *dRecSlice:
		if len(*p) > 0 {
			(*p)[0] = *p
		}
	case *dRecMap:
		if *p != nil {
			(*p)["self"] = *p
		}
	case *map[string]any:
		if *p != nil {
			(*p)["self"] = *p
		}
	case *any:
		*p = p
	}
}

// special fills types whose kind does not say what a sensible value is.
func (g *gen) special(v reflect.Value) bool {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = time.Date(2000+g.IntN(40), time.Month(1+g.IntN(12)), 1+g.IntN(28), g.IntN(24), 0, g.IntN(60), g.IntN(2)*g.IntN(1e9), time.UTC)
		switch g.IntN(10) {
		case 0:
			*p = p.In(time.FixedZone("", 3600*g.IntN(12)))
		case 1:
			*p = time.Date(10000+g.IntN(2), 1, 1, 0, 0, 0, 0, time.UTC)
		}
	case *big.Int:
		p.SetInt64(pick(g, randomInts))
		p.Mul(p, p)
	case *netip.Addr:
		*p = netip.AddrFrom4([4]byte{10, 0, 0, byte(g.IntN(256))})
	case *stdjson.Number:
		*p = stdjson.Number(g.number())
		if g.one(20) {
			*p = stdjson.Number(g.str())
		}
	case *stdjson.RawMessage:
		*p = g.any(nil, 2)
		if g.one(10) {
			*p = g.mutate(*p)
		}
	case *dString:
		*p = dString(g.str())
	case *dKeyText:
		p.N = int(pick(g, randomInts))
		if g.one(50) {
			p.N = 666
		}
	default:
		return false
	}
	return true
}

// iface puts something into an interface.
func (g *gen) iface(v reflect.Value, depth int) {
	if v.NumMethod() > 0 {
		candidates := []any{
			dStringer{1}, &dStringer{2}, time.Second, dValJSON{"v"}, &dPtrJSON{"p"}, (*dPtrJSON)(nil), dValText("t"),
			&dPtrText{"t"}, dBoth{}, &dBoth{}, dHookMap(nil), dHookMap{"a": 1}, errBad, &dOnlyUnmarshal{}, (*dValJSON)(nil),
			big.NewInt(9), &dHookSlice{1},
		}
		for range 20 {
			c := reflect.ValueOf(pick(g, candidates))
			if c.Type().Implements(v.Type()) {
				// A pointer is copied: both sides of a comparison get their own.
				if c.Kind() == reflect.Pointer && !c.IsNil() && c.Type().Elem().Kind() != reflect.Struct {
					continue
				}
				if c.Kind() == reflect.Pointer && !c.IsNil() {
					p := reflect.New(c.Type().Elem())
					p.Elem().Set(c.Elem())
					c = p
				}
				v.Set(c)
				return
			}
		}
		return
	}
	set := func(x any) { v.Set(reflect.ValueOf(x)) }
	switch g.IntN(16) {
	case 0:
		set(g.one(2))
	case 1:
		set(pick(g, randomFloats))
	case 2, 3:
		set(g.str())
	case 4:
		set(stdjson.Number(g.number()))
	case 5:
		set(int(pick(g, randomInts)))
	case 6, 7:
		if depth > 0 {
			m := map[string]any{}
			for range g.IntN(4) {
				var e any
				g.value(reflect.ValueOf(&e).Elem(), depth-1)
				m[pick(g, jsonNames)] = e
			}
			set(m)
		}
	case 8, 9:
		if depth > 0 {
			s := make([]any, g.IntN(4))
			for i := range s {
				g.value(reflect.ValueOf(&s[i]).Elem(), depth-1)
			}
			set(s)
		}
	case 10, 11:
		if depth > 0 {
			t := g.typ(1)
			if t.Kind() == reflect.Interface {
				return
			}
			p := reflect.New(t)
			g.value(p.Elem(), depth-1)
			v.Set(p)
		}
	case 12:
		if depth > 0 {
			t := g.typ(1)
			if t.Kind() == reflect.Interface {
				return
			}
			p := reflect.New(t)
			g.value(p.Elem(), depth-1)
			v.Set(p.Elem())
		}
	case 13:
		set(pick(g, []any{(*int)(nil), (*dNode)(nil), (map[string]any)(nil), ([]any)(nil), (*any)(nil), (*dPtrJSON)(nil)}))
	case 14:
		var x any = g.str()
		set(&x)
	}
}

// freshTarget returns a pointer to a new value of type t; when filled, with a random
// value made from the seed.
func freshTarget(t reflect.Type, seed uint64, filled bool) reflect.Value {
	p := reflect.New(t)
	if filled {
		g := newGen(seed, 1)
		if t.Kind() == reflect.Pointer || t.Kind() == reflect.Map || t.Kind() == reflect.Slice || !g.one(8) {
			g.value(p.Elem(), 4)
		}
	}
	return p
}

// jsonFields returns the member names of a struct type, by encoding/json's
// rules but for dominance, and the types of the members.
func jsonFields(t reflect.Type) (names []string, types []reflect.Type) {
	for _, f := range reflect.VisibleFields(t) {
		tag, _ := f.Tag.Lookup("json")
		name, _, _ := strings.Cut(tag, ",")
		if name == "" {
			name = f.Name
		}
		names, types = append(names, name), append(types, f.Type)
	}
	return names, types
}

// text appends JSON that more or less fits t.
func (g *gen) text(b []byte, t reflect.Type, depth int) []byte {
	if g.one(14) || depth <= 0 {
		if g.one(2) {
			return append(b, "null"...)
		}
		return g.any(b, 2)
	}
	if t.Kind() == reflect.Pointer {
		return g.text(b, t.Elem(), depth)
	}
	switch t {
	case reflect.TypeFor[time.Time]():
		return append(b,
			pick(g, []string{
				`"2006-01-02T15:04:05Z"`, `"2006-01-02T15:04:05.123+02:00"`, `"x"`, `1`, `"2006-01-02T15:04:05\u005a"`,
			})...)
	case reflect.TypeFor[netip.Addr]():
		return append(b, pick(g, []string{`"10.0.0.1"`, `"::1"`, `""`, `"x"`})...)
	case reflect.TypeFor[stdjson.RawMessage]():
		return g.any(b, 2)
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && !g.one(4) {
		return append(b,
			pick(g, []string{
				`"aGVsbG8="`, `""`, `"aGVs\nbG8="`, `"aGVsbG8"`, `"a\u0047VsbG8="`, `"!"`, `"AAECAwQFBgcICQoLDA0ODw=="`,
			})...)
	}
	switch t.Kind() {
	case reflect.Bool:
		return append(b, pick(g, []string{"true", "false", `"true"`})...)
	case reflect.String:
		if g.one(8) {
			return g.quoted(b, strconv.Quote(g.str()))
		}
		return g.quoted(b, g.str())
	case reflect.Slice, reflect.Array:
		b = append(b, '[')
		n := g.IntN(4)
		if g.one(30) {
			n = g.IntN(50)
			depth = min(depth, 2)
		}
		if g.one(800) {
			n = 1000 + g.IntN(2000)
			depth = 1
		}
		for i := range n {
			if i > 0 {
				b = append(b, ',')
			}
			b = g.text(g.space(b), t.Elem(), depth-1)
			b = g.space(b)
		}
		return append(g.space(b), ']')
	case reflect.Map:
		return g.object(b, func(b []byte) []byte {
			k := reflect.New(t.Key()).Elem()
			g.value(k, 1)
			key := fmt.Sprint(k)
			switch {
			case g.one(8):
				key = g.str()
			case k.Kind() == reflect.Struct:
				key = "k" + strconv.Itoa(g.IntN(9))
			}
			b = g.space(append(g.space(g.quoted(b, key)), ':'))
			return g.text(b, t.Elem(), depth-1)
		})
	case reflect.Struct:
		names, types := jsonFields(t)
		at := g.IntN(len(names) + 1)
		return g.object(b, func(b []byte) []byte {
			if len(names) == 0 || g.one(8) {
				b = g.space(append(g.space(g.quoted(b, pick(g, jsonNames))), ':'))
				return g.any(b, 3)
			}
			i := at % len(names)
			at++
			if g.one(4) {
				i = g.IntN(len(names))
			}
			name := names[i]
			switch g.IntN(14) {
			case 0:
				name = strings.ToUpper(name)
			case 1:
				name = strings.ToLower(name)
			case 2:
				name = strings.NewReplacer("k", "\u212a", "s", "\u017f").Replace(name)
			}
			b = g.space(append(g.space(g.quoted(b, name)), ':'))
			if g.one(10) { // for the option string
				return g.quoted(b, string(g.text(nil, types[i], 1)))
			}
			return g.text(b, types[i], depth-1)
		})
	case reflect.Interface:
		return g.any(b, depth)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if g.one(12) {
			return append(b, g.number()...)
		}
		return strconv.AppendInt(b, pick(g, randomInts), 10)
	default:
		return append(b, g.number()...)
	}
}

// object appends an object of a few members.
func (g *gen) object(b []byte, member func(b []byte) []byte) []byte {
	b = append(b, '{')
	n := g.IntN(6)
	if g.one(40) {
		n = g.IntN(60)
	}
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = g.space(member(g.space(b)))
	}
	return append(g.space(b), '}')
}

// any appends a random well-formed value.
func (g *gen) any(b []byte, depth int) []byte {
	n := 10
	if depth <= 0 {
		n = 7
	}
	switch g.IntN(n) {
	case 0:
		return append(b, "null"...)
	case 1:
		return append(b, pick(g, []string{"true", "false"})...)
	case 2, 3:
		return append(b, g.number()...)
	case 4, 5, 6:
		return g.quoted(b, g.str())
	case 7:
		b = append(b, '[')
		for i := range g.IntN(4) {
			if i > 0 {
				b = append(b, ',')
			}
			b = g.space(g.any(g.space(b), depth-1))
		}
		return append(g.space(b), ']')
	default:
		return g.object(b, func(b []byte) []byte {
			b = g.space(append(g.space(g.quoted(b, pick(g, jsonNames))), ':'))
			return g.any(b, depth-1)
		})
	}
}

// number returns the text of a number, now and then beyond any Go type.
func (g *gen) number() string {
	switch g.IntN(12) {
	case 0, 1, 2, 3:
		return strconv.FormatInt(pick(g, randomInts), 10)
	case 4, 5:
		return strconv.FormatFloat(pick(g, randomFloats), byte("eEfg"[g.IntN(4)]), -1, 64)
	case 6:
		return pick(g, []string{
			"-0", "0.0", "1.0", "1e0", "1E+2", "1e-2", "12e1", "0e0", "0.00000000000000000000001", "1e400", "-1e400", "1e-400",
			"18446744073709551615", "18446744073709551616", "9223372036854775808", "-9223372036854775809",
			"123456789012345678901234567890", "0.1e1", "1.7976931348623159e308", "3.5e38", "4.9e-324", "2e-324", "1e999999999",
			"1e-999999999",
		})
	case 7:
		return strconv.FormatFloat(math.Abs(g.NormFloat64()*math.Pow(10, float64(g.IntN(40)-20))), 'f', -1, 64)
	case 8:
		f := math.Float64frombits(g.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			f = 2
		}
		return strconv.FormatFloat(f, 'g', g.IntN(25), 64)
	case 9:
		b := []byte{byte('1' + g.IntN(9))}
		for range g.IntN(40) {
			b = append(b, byte('0'+g.IntN(10)))
		}
		if g.one(2) {
			b = append(b, '.')
			for range 1 + g.IntN(30) {
				b = append(b, byte('0'+g.IntN(10)))
			}
		}
		if g.one(3) {
			b = append(b, 'e', "+-"[g.IntN(2)], byte('0'+g.IntN(4)), byte('0'+g.IntN(10)), byte('0'+g.IntN(10)))
		}
		return string(b)
	}
	return strconv.Itoa(g.IntN(1000))
}

// quoted appends s as a JSON string, with escapes where none are needed.
func (g *gen) quoted(b []byte, s string) []byte {
	b = append(b, '"')
	much := g.one(10)
	for i, r := range s {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ' && !g.one(60):
			if k := strings.IndexByte("\b\f\n\r\t", c); k >= 0 && g.one(2) {
				b = append(b, '\\', "bfnrt"[k])
			} else {
				b = fmt.Appendf(b, `\u%04x`, c)
			}
		case c == '/' && g.one(2):
			b = append(b, `\/`...)
		case r == 0xfffd:
			b = append(b, c) // keep ill-formed bytes as they are
		case much && g.one(2) && r > 0xffff:
			r -= 0x10000
			b = fmt.Appendf(b, `\u%04x\u%04X`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		case much && g.one(2):
			b = fmt.Appendf(b, pick(g, []string{`\u%04x`, `\u%04X`}), r)
		default:
			b = append(b, string(r)...)
		}
	}
	if g.one(25) {
		b = append(b, pick(g, []string{
			`\ud800`, `\udc00`, `\ud83d\ude00`, `\ud83d\u0041`, `\ud83dx`, `\uD83D\n`, `\u0000`, `\u2028`, `\ud800\ud800\udc00`,
		})...)
	}
	return append(b, '"')
}

// space appends white space, mostly none.
func (g *gen) space(b []byte) []byte {
	if !g.one(8) {
		return b
	}
	if g.one(20) {
		return append(b, strings.Repeat(" ", g.IntN(100))...)
	}
	return append(b, pick(g, []string{" ", "\n", "\t", "\r\n", "  ", "\n\t\t", "    "})...)
}

// mutations are pieces of text that a mutation puts in.
var mutations = []string{
	"{", "}", "[", "]", ",", ":", "\"", "\\", "null", "true", "false", "nul", "truex", "0", "1", "-", ".", "e", "E+", "01",
	"1.", ".5", "+1", " ", "\n", "\x00", "\x01", "\x1f", "\x7f", "\xff", "\xc3", "\xe2\x80\xa8", "\u00a0", "\ufeff", "\\u",
	"\\u12", "\\ud800", "\\x", "\\\"", "//", "/**/", "'", "NaN", "Infinity", "{}", "[]", "\"\"", "\"a\":", ",,", "::",
	"[[", "]]", "}}", "\"a\":1,", "99999999999999999999", "\v", "\f",
}

// mutate returns a changed copy of b.
func (g *gen) mutate(b []byte) []byte {
	b = append([]byte(nil), b...)
	for range 1 + g.IntN(2) {
		if len(b) == 0 {
			return []byte(pick(g, mutations))
		}
		i := g.IntN(len(b))
		switch g.IntN(7) {
		case 0:
			b[i] ^= 1 << g.IntN(8)
		case 1:
			b = append(b[:i:i], b[i+1:]...)
		case 2, 3:
			b = append(append(b[:i:i], pick(g, mutations)...), b[i:]...)
		case 4:
			b = b[:i]
		case 5:
			j := min(len(b), i+1+g.IntN(8))
			b = append(b[:i:i], b[j:]...)
		case 6:
			j := min(len(b), i+1+g.IntN(16))
			b = append(append(b[:j:j], b[i:j]...), b[j:]...)
		}
	}
	return b
}
