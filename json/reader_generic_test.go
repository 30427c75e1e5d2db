package json_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
)

// leafNode reads itself and, in itself, slices of its own type.
type leafNode struct {
	Name string
	Kids []leafNode
	Tags []string
}

var leafFields = weft.NewFields("name", "kids", "tags")

func (n *leafNode) ReadJSON(r *json.Reader) error {
	for i := r.BeginObject(leafFields); i != weft.End; i = r.Member(leafFields, i+1) {
		switch i {
		case 0:
			n.Name = r.String()
		case 1:
			n.Kids = json.ReadSlice(r, n.Kids, (*leafNode).ReadJSON)
		case 2:
			n.Tags = json.ReadScalars(r, n.Tags, (*json.Reader).String)
		default:
			r.Skip()
		}
	}
	return r.Err()
}

// TestReadSliceNests reads slices within slices of the same type, many of them
// and of all lengths, and compares with encoding/json.
func TestReadSliceNests(t *testing.T) {
	var build func(depth, n int) leafNode
	build = func(depth, n int) leafNode {
		x := leafNode{Name: fmt.Sprint(depth, ".", n), Kids: []leafNode{}, Tags: []string{}}
		for i := range n {
			x.Tags = append(x.Tags, strings.Repeat("t", i))
			if depth > 0 {
				x.Kids = append(x.Kids, build(depth-1, (n*7+i)%9))
			}
		}
		return x
	}
	for n := range 12 {
		want := build(3, n)
		text, err := oracle.Marshal(plainNode(want))
		if err != nil {
			t.Fatal(err)
		}
		var got leafNode
		if err := json.Read(text, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%d: read %v, want %v", n, got, want)
		}
		// What is there is used again.
		if err := json.Read(text, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%d again: read %v, %v", n, got, err)
		}
		var via struct{ A, B leafNode }
		doc := fmt.Appendf(nil, `{"a":%s,"b":%s}`, text, text)
		if err := json.Unmarshal(doc, &via); err != nil || !reflect.DeepEqual(via.A, want) || !reflect.DeepEqual(via.B, want) {
			t.Fatalf("%d: unmarshaled %v, %v", n, via, err)
		}
	}
	var broken leafNode
	if err := json.Read([]byte(`{"kids":[{"name":"a"},{"kids":[{"name":1}]}]}`), &broken); err == nil || !strings.Contains(err.Error(), "/kids/1/kids/0/name") {
		t.Fatalf("error %v", err)
	}
	if len(broken.Kids) != 2 || broken.Kids[0].Name != "a" {
		t.Fatalf("after an error: %v", broken)
	}
	var after leafNode
	if err := json.Read([]byte(`{"kids":[{"name":"a"}]}`), &after); err != nil || len(after.Kids) != 1 || after.Kids[0].Tags != nil {
		t.Fatalf("read %v, %v", after, err)
	}
}

// plain is a leafNode without methods.
type plain struct {
	Name string   `json:"name"`
	Kids []plain  `json:"kids"`
	Tags []string `json:"tags"`
}

func plainNode(n leafNode) plain {
	p := plain{Name: n.Name, Kids: []plain{}, Tags: n.Tags}
	for _, k := range n.Kids {
		p.Kids = append(p.Kids, plainNode(k))
	}
	return p
}
