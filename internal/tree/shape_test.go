package tree

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestNameIndex finds names that hash alike.
func TestNameIndex(t *testing.T) {
	var names []string
	for i := range 500 {
		names = append(names, fmt.Sprintf("prefix__%06d__suffix", i))
	}
	x := newNameIndex(names)
	if x == nil || !x.seeded {
		t.Fatal("no seed for names that hash alike")
	}
	s := NewShape(names)
	for i, name := range names {
		if s.Find(name, -1) != i {
			t.Errorf("%s is at %d", name, s.Find(name, -1))
		}
	}
	if s.Find("prefix__xxxxxx__suffix", -1) >= 0 || s.Find("", -1) >= 0 || newNameIndex(append(names, names[7])) != nil {
		t.Error("a name too many")
	}
	names = nil
	for i := range 1000 {
		names = append(names, strconv.Itoa(i*7919), strings.Repeat("x", i%12)+strconv.Itoa(i))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if x := newNameIndex(names); x == nil || x.seeded {
		t.Error("plain names hash alike")
	}
}
