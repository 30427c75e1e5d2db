package json_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/weftcodec/weft/json"
)

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
