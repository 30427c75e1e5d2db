package trail

import (
	"fmt"
	"testing"
)

// toy is a format of text: [2 and {1 begin lists and maps of so many, ( and < those that ) ends, # is a tag, and any other
// byte is a scalar.
var toy = &Grammar{
	Head:  toyHead,
	Skip:  toySkip,
	Key:   func(p, b []byte, i int) []byte { return append(p, '/', b[i]) },
	IsKey: func(b []byte, i int) bool { return toyHead(b, i).Kind == Scalar },
	Most:  5,
}

func toyHead(b []byte, i int) Head {
	if i >= len(b) {
		return Head{}
	}
	h := Head{Kind: map[byte]Kind{'[': List, '{': Map, '(': List, '<': Map, '#': Tag, ')': End}[b[i]], N: -1, Next: i + 1}
	switch b[i] {
	case '[', '{':
		if i+1 == len(b) {
			return Head{}
		}
		h.N, h.Next = int(b[i+1]-'0'), i+2
	case '#':
		h.N = 1
	case '(', '<', ')':
	default:
		h.Kind = Scalar
	}
	return h
}

func toySkip(b []byte, i int) int {
	h := toyHead(b, i)
	n := h.N
	switch i = h.Next; h.Kind {
	case Invalid, End:
		return -1
	case Scalar:
		return i
	case Map:
		n *= 2
	}
	for ; n != 0 && i >= 0; n-- {
		if n < 0 && toyHead(b, i).Kind == End {
			return i + 1
		}
		i = toySkip(b, i)
	}
	return i
}

func TestPath(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string // for each offset, and for that after the last
	}{
		{"1", []string{"", ""}},
		{"[212", []string{"", "/0", "/0", "/1", ""}},
		{"[3[11#2", []string{"", "/0", "/0", "/0/0", "/0/0", "/1", "/1", "/2"}},
		{"{2a1b[1c", []string{"", "", "/a", "/a", "/b", "/b", "/b/0", "/b/0", ""}},
		{"(1<a2))", []string{"", "/0", "/1", "/1/a", "/1/a", "/1/a", "/1", ""}},
		{"[1[1[1[1[1[1[11", []string{"", "/0", "/0", "/0/0", "/0/0", "/0/0/0", "/0/0/0", "/0/0/0/0", "/0/0/0/0", "/0/0/0/0/…",
			"/0/0/0/0/…", "/0/0/0/0/…", "/0/0/0/0/…", "/0/0/0/0/…", "/0/0/0/0/…", ""}},
		{")", []string{"", ""}},
	} {
		t.Run(tt.text, func(t *testing.T) {
			w := toy.Walk([]byte(tt.text))
			for off, want := range tt.want {
				if got := toy.Path([]byte(tt.text), off); got != want {
					t.Errorf("at %d: %q, want %q", off, got, want)
				}
				if got := w.To(off); got != want {
					t.Errorf("on to %d: %q, want %q", off, got, want)
				}
			}
		})
	}
}

func TestParts(t *testing.T) {
	b := []byte("#{3a1b(56)a[234")
	if got := fmt.Sprint(toy.Parts(b, 0)); got != "map[a:11 b:6]" {
		t.Error(got)
	}
	if got := fmt.Sprint(toy.Parts(b, 4)); got != "map[]" {
		t.Error(got)
	}
	for _, tt := range []struct {
		pointer string
		want    int
	}{{"", 0}, {"/a", 11}, {"/a/1", 14}, {"/b/1", 8}, {"/b/2", 6}, {"/c", 0}} {
		if got := toy.Below(b, 0, tt.pointer); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.pointer, got, tt.want)
		}
	}
	for _, tt := range []struct {
		name            string
		i, index, found int
	}{{"a", 0, 0, 11}, {"b", 0, 0, 6}, {"c", 0, 1, 0}, {"x", 11, 1, 14}, {"x", 11, 2, 11}} {
		if got := toy.Member(b, tt.i, len(b), tt.name, tt.index); got != tt.found {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.found)
		}
	}
	if got := toy.Last(b, len(b), 2); got != 11 {
		t.Error(got)
	}
}
