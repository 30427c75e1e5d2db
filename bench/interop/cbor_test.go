package interop

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	fxamacker "github.com/fxamacker/cbor/v2"
	"github.com/weftcodec/weft/cbor"

	"github.com/weftcodec/weft/bench/records"
)

// cborModes are the modes that both libraries have.
var cborModes = []struct {
	name string
	own  cbor.Mode
	peer fxamacker.EncMode
}{
	{"core", cbor.Core, peerMode(fxamacker.CoreDetEncOptions())},
	{"length first", cbor.LengthFirst, peerMode(fxamacker.CanonicalEncOptions())},
	{"CTAP2", cbor.CTAP2, peerMode(fxamacker.CTAP2EncOptions())},
}

// peerMode returns a mode of fxamacker/cbor, in which omitempty means what it means to encoding/json.
func peerMode(o fxamacker.EncOptions) fxamacker.EncMode {
	o.OmitEmpty = fxamacker.OmitEmptyGoValue
	m, err := o.EncMode()
	if err != nil {
		panic(err)
	}
	return m
}

// TestCBORModes: each mode writes random values as fxamacker/cbor does, byte for byte, and each library reads what
// the other writes as the same value. WEFT_CBOR_SEEDS names the first seed and the one after the last, as 0-1000.
func TestCBORModes(t *testing.T) {
	first, end := uint64(0), uint64(5000)
	if testing.Short() {
		end = 300
	}
	if s := os.Getenv("WEFT_CBOR_SEEDS"); s != "" {
		if _, err := fmt.Sscanf(s, "%d-%d", &first, &end); err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Now()
	for seed := first; seed < end; seed++ {
		compareModes(t, seed)
		compareTypes(t, seed)
	}
	t.Logf("seeds %d to %d in %v", first, end-1, time.Since(begun))
}

// FuzzCBORModes is TestCBORModes for any seed.
func FuzzCBORModes(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		compareModes(t, seed)
		compareTypes(t, seed)
	})
}

func compareModes(t *testing.T, seed uint64) {
	t.Helper()
	v := randomItem(rand.New(rand.NewPCG(seed, 20)), 3)
	for _, m := range cborModes {
		want, err := m.peer.Marshal(v)
		if err != nil {
			t.Fatalf("%s, seed %d: fxamacker/cbor: %v", m.name, seed, err)
		}
		got, err := cbor.Marshal(v, m.own.Strict())
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s, seed %d: %#v is %x, to fxamacker/cbor %x: %v", m.name, seed, v, got, want, err)
		}
		var own, others any
		if err := cbor.Unmarshal(want, &own, m.own.Strict()); err != nil {
			t.Fatalf("%s, seed %d: %x: %v", m.name, seed, want, err)
		}
		if err := fxamacker.Unmarshal(got, &others); err != nil {
			t.Fatalf("%s, seed %d: fxamacker/cbor: %x: %v", m.name, seed, got, err)
		}
		back, err := cbor.Marshal(own, m.own.Strict())
		other, failed := cbor.Marshal(others, m.own.Strict())
		if err != nil || failed != nil || !bytes.Equal(back, want) || !bytes.Equal(other, want) {
			t.Fatalf("%s, seed %d: %x came back as %x and, by fxamacker/cbor, as %x: %v %v",
				m.name, seed, want, back, other, err, failed)
		}
	}
}

// randomItem returns a value of at most so many levels.
func randomItem(r *rand.Rand, levels int) any {
	kinds := 9
	if levels == 0 {
		kinds = 7
	}
	switch r.IntN(kinds) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return int64(r.Uint64()) >> r.IntN(64)
	case 3:
		return r.Uint64() >> r.IntN(64)
	case 4:
		return randomFloat(r)
	case 5:
		return randomText(r)
	case 6:
		b := make([]byte, r.IntN(300))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	case 7:
		list := make([]any, r.IntN(30))
		for i := range list {
			list[i] = randomItem(r, levels-1)
		}
		return list
	}
	m := make(map[any]any)
	for range r.IntN(30) {
		var key any = int64(r.Uint64()) >> r.IntN(64)
		if r.IntN(2) == 0 {
			key = string(make([]byte, r.IntN(30))) + string(rune('a'+r.IntN(26)))
		}
		m[key] = randomItem(r, levels-1)
	}
	return m
}

// randomFloat returns a number that a half or a single has, now and then, or that is not valid.
func randomFloat(r *rand.Rand) float64 {
	switch r.IntN(6) {
	case 0:
		return math.Float64frombits(r.Uint64() &^ (1<<51 - 1))
	case 1:
		return float64(r.IntN(1 << 20))
	case 2:
		return float64(float32(r.NormFloat64()))
	case 3:
		return math.Float64frombits(r.Uint64())
	case 4:
		return [...]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 65504, 65520, 1 << 24,
			1 << 53, 1 << 63, 5.960464477539063e-08, 1e-45, math.MaxFloat32, math.MaxFloat64, 5e-324}[r.IntN(15)]
	}
	return r.NormFloat64()
}

func randomText(r *rand.Rand) string {
	text := []rune("aß€😀\x00")
	s := ""
	for range r.IntN(40) {
		s += string(text[r.IntN(len(text))])
	}
	return s
}

// TestCBORRecord: structs are written as fxamacker/cbor writes them, and read from what that writes.
func TestCBORRecord(t *testing.T) {
	for _, v := range []any{records.New(), records.NewUser(), records.NewBlob()} {
		for _, m := range cborModes[:2] {
			want, err := m.peer.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			got, err := cbor.Marshal(v, m.own.Strict())
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %T is %x, to fxamacker/cbor %x: %v", m.name, v, got, want, err)
			}
			back := fresh(v)
			if err := cbor.Unmarshal(want, back, m.own.Strict()); err != nil {
				t.Errorf("%s: %T: %v", m.name, v, err)
			}
			if again, err := m.peer.Marshal(back); err != nil || !bytes.Equal(again, want) {
				t.Errorf("%s: %T came back as %x, not %x: %v", m.name, v, again, want, err)
			}
		}
	}
}
