package steps

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/weftcodec/weft/internal/wire/packwire"
)

// TestPackLists compares lists of MessagePack with their elements one by one, as written and with bytes changed.
func TestPackLists(t *testing.T) {
	packInts[int8](t)
	packInts[int16](t)
	packInts[int32](t)
	packInts[int64](t)
	packInts[uint16](t)
	packInts[uint32](t)
	packInts[uint64](t)
	packList(t, func(r *rand.Rand) float32 { return float32(r.NormFloat64()) }, WriteFloats[Pack, float32],
		packwire.AppendFloat32, readPackFloats[float32], packwire.ReadFloat32)
	packList(t, func(r *rand.Rand) float64 { return r.NormFloat64() }, WriteFloats[Pack, float64],
		packwire.AppendFloat64, readPackFloats[float64], packwire.ReadFloat64)
	packList(t, func(r *rand.Rand) bool { return r.IntN(2) == 0 }, WriteBools[Pack], packwire.AppendBool,
		ReadBools[Pack], func(b []byte, i int) (bool, int) {
			if i < len(b) && (b[i] == packwire.True || b[i] == packwire.False) {
				return b[i] == packwire.True, i + 1
			}
			return false, packwire.Mismatch
		})
}

func readPackFloats[T float32 | float64](doc []byte, i int, list []T) (n, next int) {
	return ReadFloats[Pack](doc, i, list, false)
}

func packInts[T Integer](t *testing.T) {
	packList(t, func(r *rand.Rand) T { return T(r.Uint64() >> r.IntN(64)) }, WriteInts[Pack, T],
		func(b []byte, v T) []byte {
			if IsUnsigned[T]() {
				return packwire.AppendUint(b, uint64(v))
			}
			return packwire.AppendInt(b, int64(v))
		}, ReadInts[Pack, T],
		func(b []byte, i int) (T, int) {
			if IsUnsigned[T]() {
				u, end := packwire.ReadUint(b, i)
				if uint64(T(u)) != u {
					end = packwire.Range
				}
				return T(u), end
			}
			v, end := packwire.ReadInt(b, i)
			if int64(T(v)) != v {
				end = packwire.Range
			}
			return T(v), end
		})
}

func packList[T comparable](t *testing.T, value func(r *rand.Rand) T, write func(b []byte, list []T) []byte,
	appendOne func(b []byte, v T) []byte, read func(doc []byte, i int, list []T) (n, next int),
	readOne func(b []byte, i int) (T, int),
) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		list := make([]T, r.IntN(200))
		alike := r.IntN(2) == 0
		for i := range list {
			if list[i] = value(r); alike && i > 0 {
				list[i] = list[0]
			}
		}
		want := packwire.AppendArrayHeader(nil, len(list))
		start := len(want)
		for _, v := range list {
			want = appendOne(want, v)
		}
		if got := write(make([]byte, 0, r.IntN(300)), list); !bytes.Equal(got, want) {
			t.Fatalf("%v: %x, want %x", list, got, want)
		}
		for round := range 4 {
			doc := append([]byte(nil), want...)
			for k := 0; k < round && len(doc) > start; k++ {
				b := [...]byte{byte(r.Uint32()), 0xca + byte(r.IntN(10)), 0xc0 + byte(r.IntN(4))}[r.IntN(3)]
				doc[start+r.IntN(len(doc)-start)] = b
			}
			doc = doc[:len(doc)-min(round/2*r.IntN(10), len(doc)-start)]
			into := make([]T, len(list))
			n, next := read(doc, start, into)
			i := start
			for j := range n {
				v, end := readOne(doc, i)
				if end < 0 || v != into[j] && v == v {
					t.Fatalf("%x: element %d at %d: %v, want %v, %d", doc, j, i, into[j], v, end)
				}
				i = end
			}
			if i != next {
				t.Fatalf("%x: ends at %d, want %d", doc, next, i)
			}
			if round == 0 && len(doc)-next > ValueRoom {
				t.Fatalf("%x: only %d of %d", doc, n, len(list))
			}
		}
	}
}
