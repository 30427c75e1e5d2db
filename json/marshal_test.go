package json_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/weftcodec/weft/json"
)

// Results of foretold sizes are right, and not much larger than they need be, whatever the next size is.
func TestMarshalSizes(t *testing.T) {
	type list []string
	rnd := rand.New(rand.NewPCG(23, 24))
	n := 0
	for i := range 400 {
		if i%20 < 2 || n == 0 { // now and then another size
			n = 1 + rnd.IntN(4000)
		}
		v := make(list, n+rnd.IntN(1+n/100))
		for j := range v {
			v[j] = "0123456789abcdef"[:12+rnd.IntN(4)]
		}
		want, err := json.MarshalAppend(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(v)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("Marshal of %d strings: %d bytes, %v, want %d", len(v), len(got), err, len(want))
		}
		if cap(got) > len(got)+len(got)/3+64 {
			t.Errorf("Marshal of %d strings: %d bytes in %d", len(v), len(got), cap(got))
		}
	}
}

// TestMarshalOwnership holds on to results of many sizes, writes over each and behind it, and finds
// the others as they were.
func TestMarshalOwnership(t *testing.T) {
	type doc struct {
		ID   int
		Text string
	}
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			var results, want [][]byte
			for i := range 3000 {
				v := &doc{i, strings.Repeat(string(rune('a'+g)), i*7%400)}
				if i%500 == 0 {
					v.Text = strings.Repeat("x", 1<<16)
				}
				b, err := json.Marshal(v)
				if err != nil {
					t.Error(err)
					return
				}
				if cap(b) > len(b)+len(b)/4+128 {
					t.Errorf("%d bytes in %d", len(b), cap(b))
				}
				results, want = append(results, b), append(want, bytes.Clone(b))
			}
			for i, b := range results {
				if !bytes.Equal(b, want[i]) {
					t.Errorf("result %d was %s and is %s", i, want[i], b)
				}
				_ = append(b, "behind it"...)
				clear(b)
			}
		})
	}
	group.Wait()
}

// TestMarshalPanic leaves a call by a panic: what the next ones return is theirs alone.
func TestMarshalPanic(t *testing.T) {
	first, err := json.Marshal([]string{"first"})
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = json.Marshal([]any{"before", panicsMarshal{}})
	}()
	second, err := json.Marshal([]string{"second"})
	if err != nil || string(first) != `["first"]` || string(second) != `["second"]` {
		t.Errorf("%s, %s, %v", first, second, err)
	}
}

type panicsMarshal struct{}

func (panicsMarshal) MarshalJSON() ([]byte, error) { panic("on purpose") }
