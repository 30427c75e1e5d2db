package wire_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
	names := []string{
		"id", "ID", "name", "Name", "", "K", "straße", "a long name that has more than sixteen bytes",
		"a long name which has more than sixteen bytes",
	}
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
		t.Run(row.name, func(t *testing.T) {
			if got := tab.Find(row.name); got != row.exact {
				t.Errorf("Find(%q) = %d, want %d", row.name, got, row.exact)
			}
			if got := tab.FindFold(row.name); got != row.fold {
				t.Errorf("FindFold(%q) = %d, want %d", row.name, got, row.fold)
			}
		})
	}
}

func TestNameTableAt(t *testing.T) {
	names := []string{
		"id", "ID", "name", "Name", "", "K", "_id", "a long name that has more than sixteen bytes",
		"a long name which has more than sixteen bytes",
	}
	for i := range 300 {
		names = append(names, fmt.Sprintf("field_%d_suffix", i))
	}
	ascii, mixed := wire.NewNameTable(names), wire.NewNameTable(append(slices.Clip(names), "straße"))
	at := func(tab *wire.NameTable, name string) int {
		text := append([]byte("xy"+name+`":`), make([]byte, wire.KeyPad)...)
		return tab.At(mem.BytesOf(text), 2, len(name))
	}
	steps := 0
	for i, n := range names {
		if got := at(ascii, n); got != i {
			t.Errorf("At(%q) = %d, want %d", n, got, i)
		}
		steps += ascii.Steps(n)
	}
	if steps > len(names)/2 {
		t.Errorf("%d names are found in %d steps more than one each", len(names), steps)
	}
	for _, row := range []struct {
		name         string
		ascii, mixed int
	}{
		{"nope", -1, wire.NotSure}, {"id\x00", -1, wire.NotSure}, {"ida", -1, wire.NotSure}, {"field_7_suffi", -1, wire.NotSure},
		{"a long name that hat more than sixteen bytes", wire.NotSure, wire.NotSure}, {"\u212a", wire.NotSure, wire.NotSure},
		{"a long name that has more than s\u0131xteen bytes", wire.NotSure, wire.NotSure}, {"straße", wire.NotSure, len(names)},
		{"iD", wire.NotSure, wire.NotSure}, {"k", wire.NotSure, wire.NotSure}, {"\x7fid", wire.NotSure, wire.NotSure},
		{"FIELD_7_suffix", wire.NotSure, wire.NotSure},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := at(ascii, row.name); got != row.ascii {
				t.Errorf("ascii: At(%q) = %d, want %d", row.name, got, row.ascii)
			}
			if got := at(mixed, row.name); got != row.mixed {
				t.Errorf("mixed: At(%q) = %d, want %d", row.name, got, row.mixed)
			}
		})
	}
	// Whatever FindFold finds, At finds or does not know.
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		name := []byte(names[rnd.IntN(len(names))])
		for k := range name {
			if rnd.IntN(8) == 0 {
				name[k] ^= 0x20
			}
		}
		want := ascii.Find(string(name))
		if want < 0 && ascii.FindFold(string(name)) >= 0 {
			want = wire.NotSure
		}
		if got := at(ascii, string(name)); got != want && !(want == -1 && got == wire.NotSure) {
			t.Errorf("At(%q) = %d, want %d", name, got, want)
		}
	}
}
