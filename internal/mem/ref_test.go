package mem

import (
	"runtime"
	"strings"
	"testing"
)

func TestRef(t *testing.T) {
	s := strings.Repeat("ab", 3)
	if got := RefString(s).Text(6); got != s {
		t.Errorf("string %q", got)
	}
	if got := RefString(s).Text(2); got != "ab" {
		t.Errorf("start of the string %q", got)
	}
	if RefString("").Text(0) != "" || (Ref{}).Text(0) != "" || len(Elems[int](RefSlice[int](nil), 0)) != 0 || len(Elems[int](Ref{}, 0)) != 0 {
		t.Error("what is empty is not empty any more")
	}
	e := []string{"x", "y", "z"}
	r := RefSlice(e)
	if got := Elems[string](r, 3); len(got) != 3 || cap(got) != 3 || &got[2] != &e[2] || First[string](r) != &e[0] {
		t.Errorf("elements %v", got)
	}
	if got := Elems[string](r, 2); len(got) != 2 || cap(got) != 2 {
		t.Errorf("first elements %v, capacity %d", got, cap(got))
	}
	n := new(int)
	if Target[int](RefTo(n)) != n || Target[int](RefTo[int](nil)) != nil || !RefIs(RefTo(n), RefTo(n)) || RefIs(RefTo(n), RefTo(new(int))) {
		t.Error("a variable is not what was referred to")
	}
	refs := make([]Ref, 100)
	for i := range refs {
		refs[i] = RefString(strings.Repeat(string(rune('a'+i%26)), i+1))
	}
	runtime.GC()
	for i := range refs {
		if refs[i].Text(i+1) != strings.Repeat(string(rune('a'+i%26)), i+1) {
			t.Fatalf("string %d has been collected", i)
		}
	}
}
