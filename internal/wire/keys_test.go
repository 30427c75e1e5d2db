package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

func TestKeyMatch(t *testing.T) {
	for n := 1; n <= 70; n++ {
		enc := strings.Repeat("abcdefghijk", 7)[:n]
		k := wire.NewKey(enc)
		text := append([]byte("xy"+enc), make([]byte, wire.KeyPad)...)
		want := n
		if n > 64 {
			want = 0
		}
		if got := k.Match(mem.BytesOf(text), 2); got != want {
			t.Errorf("%d bytes: Match = %d", n, got)
		}
		if got := k.Match(mem.BytesOf(text), 1); got != 0 {
			t.Errorf("%d bytes, one off: Match = %d", n, got)
		}
		for i := range n {
			text[2+i] ^= 1
			if got := k.Match(mem.BytesOf(text), 2); got != 0 {
				t.Errorf("%d bytes, byte %d differs: Match = %d", n, i, got)
			}
			text[2+i] ^= 1
		}
		cut := append([]byte("xy"+enc[:n-1]), make([]byte, wire.KeyPad+1)...)
		if got := k.Match(mem.BytesOf(cut), 2); got != 0 {
			t.Errorf("%d bytes, cut: Match = %d", n, got)
		}
	}
}

func TestNameTable(t *testing.T) {
	names := []string{"id", "ID", "name", "Name", "", "K", "straße", "a long name that has more than sixteen bytes", "a long name which has more than sixteen bytes"}
	for i := range 300 {
		names = append(names, fmt.Sprintf("field_%d_suffix", i))
	}
	tab := wire.NewNameTable(names)
	for i, n := range names {
		if got := tab.Find(n); got != i {
			t.Errorf("Find(%q) = %d, want %d", n, got, i)
		}
	}
	for _, row := range []struct {
		name  string
		exact int
		fold  int
	}{
		{"iD", -1, 0}, {"NAME", -1, 2}, {"nope", -1, -1}, {"\u212a", -1, 5}, {"k", -1, 5}, {"STRASSE", -1, -1}, {"STRA\u1e9eE", -1, 6},
		{"FIELD_7_suffix", -1, 16}, {"field_7_suffi", -1, -1}, {"\xff", -1, -1}, {"A LONG NAME WHICH HAS MORE THAN SIXTEEN BYTES", -1, 8},
	} {
		if got := tab.Find(row.name); got != row.exact {
			t.Errorf("Find(%q) = %d, want %d", row.name, got, row.exact)
		}
		if got := tab.FindFold(row.name); got != row.fold {
			t.Errorf("FindFold(%q) = %d, want %d", row.name, got, row.fold)
		}
	}
}
