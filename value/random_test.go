package value

import (
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/weftcodec/weft/internal/tree"
)

// random makes values in which equal ones are likely.
type random struct{ *rand.Rand }

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 5))} }

var zone = time.FixedZone("X", -3*3600)

func (r random) scalar() Value {
	switch r.IntN(15) {
	case 0:
		return Null()
	case 1:
		return Bool(r.IntN(2) == 0)
	case 2:
		return Int(int64(r.IntN(7) - 3))
	case 3:
		return Int([]int64{math.MinInt64, math.MaxInt64, 1 << 53, 1<<53 + 1}[r.IntN(4)])
	case 4:
		return Uint([]uint64{0, 1, 2, math.MaxUint64, 1 << 63, math.MaxInt64}[r.IntN(6)])
	case 5:
		return Float([]float64{
			0, -1, 1, 2, 0.5, 1 << 53, 1 << 63, 1 << 64, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -0.1,
			math.Copysign(0, -1),
		}[r.IntN(14)])
	case 6:
		v, err := Number([]string{"0", "-0", "1", "1.0", "2e0", "0.5", "0.1", "-0.1", "1e300", "18446744073709551615", "18446744073709551616",
			"9223372036854775808", "1e400", "-1e400", "123456789012345678901234567890",
			"0.1000000000000000055511151231257827021181583404541015625"}[r.IntN(16)])
		if err != nil {
			panic(err)
		}
		return v
	case 7:
		return Float(float64(r.IntN(100)) / 8)
	case 8, 9:
		return String([]string{"", "a", "b", "a\x00", "é", "long enough to be compared word by word"}[r.IntN(6)])
	case 10:
		return Bytes([]byte([]string{"", "a", "b", "\xff"}[r.IntN(4)]))
	case 11:
		t := time.Unix(int64(r.IntN(3)-1), int64(r.IntN(2)))
		return Time(pick(r.IntN(2) == 0, t.UTC(), t.In(zone)))
	case 12:
		return Float32([]float32{0, 1, 0.5, -0.1, 1 << 24, float32(math.NaN()), float32(math.Inf(1))}[r.IntN(7)])
	case 13:
		return Ext(int64(r.IntN(3)-1), []byte(strconv.Itoa(r.IntN(2))))
	}
	return Int(r.Int64())
}

// value returns a value at most depth deep.
func (r random) value(depth int) Value {
	if depth == 0 || r.IntN(3) == 0 {
		return r.scalar()
	}
	n := r.IntN(4)
	if r.IntN(10) == 0 {
		n = r.IntN(40)
	}
	if r.IntN(3) == 0 {
		return inDoc(r.value(depth - 1))
	}
	if r.IntN(2) == 0 {
		elems := make([]Value, n)
		for i := range elems {
			elems[i] = r.value(depth - 1)
		}
		return List(elems...)
	}
	members := make([]Member, n)
	for i := range members {
		members[i] = Member{r.name(), r.value(depth - 1)}
	}
	return Map(members...)
}

func (r random) name() string {
	if r.IntN(8) == 0 {
		return []string{"", "a.b", "~/", "\"q\"", "[0]"}[r.IntN(5)]
	}
	return string(rune('a' + r.IntN(12)))
}

// inDoc returns v as a part of a document.
func inDoc(v Value) Value {
	b := tree.NewBuilder()
	b.Begin()
	root := addTo(b, v)
	return inTree(b.End(root), root)
}

func addTo(b *tree.Builder, v Value) tree.Cell {
	switch v.Kind() {
	case KindNull:
		return tree.Null
	case KindBool:
		return pick(v.num != 0, tree.True, tree.False)
	case KindInt:
		return b.Int(int64(v.num))
	case KindUint:
		return b.Uint(v.num)
	case KindFloat:
		if v.is32() {
			return tree.SingleCell(float32(math.Float64frombits(v.num)))
		}
		return b.Float(math.Float64frombits(v.num))
	case KindNumber:
		if c := b.Number([]byte(v.text())); c.Tag() == tree.TagNumber {
			return c
		}
		return b.NumberText([]byte(v.text())) // kept as it was written
	case KindString:
		return b.String([]byte(v.text()))
	case KindBytes:
		return b.Bytes(b.AppendText(v.bytes()), v.Len())
	case KindTime:
		return b.Time(v.time().Unix(), v.time().Nanosecond())
	case KindExt:
		return b.Ext(int64(v.num), b.AppendText(v.extData()), len(v.extData()))
	}
	from, loose := b.Stack.N, len(b.Loose)
	at := b.Root()
	for i := range v.Len() {
		if v.Kind() == KindMap {
			at = b.Name(at, v.Name(i))
		}
		b.Push(addTo(b, v.At(i)))
	}
	to := b.Stack.N
	b.Stack.N = from
	switch {
	case v.Kind() == KindList:
		return b.List(from, to)
	case from == to:
		return tree.EmptyMap
	}
	return b.Map(at, loose, from, to)
}
