package json_test

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
)

// deepItem is a struct in which a run descends further than it has frames for.
type deepItem struct {
	ID   int
	Name string
	F    *float64 `json:",omitempty"`
	Any  any
	In   *deepItem   `json:",omitempty"`
	List []deepItem  `json:",omitempty"`
	Ptrs []*deepItem `json:",omitempty"`
}

// TestListsOfStructs: lists at the top are written as encoding/json writes them, with elements of any depth, nil ones,
// and those of which the last value fails, whose place is told.
func TestListsOfStructs(t *testing.T) {
	build := func(depth int, bad bool) deepItem {
		v := deepItem{ID: depth, Name: "<é>"}
		if bad {
			v.F = new(float64)
			*v.F = math.NaN()
		}
		for i := range depth {
			switch up := v; i % 3 {
			case 0:
				v = deepItem{ID: i, In: &up, Any: []int{1}}
			case 1:
				v = deepItem{ID: i, List: []deepItem{{}, up, {ID: 9}}}
			default:
				v = deepItem{ID: i, Ptrs: []*deepItem{nil, &up}}
			}
		}
		return v
	}
	for depth := range 14 {
		for n := range 4 {
			for bad := -1; bad < n; bad++ {
				var values []deepItem
				var pointers, holes []*deepItem
				for i := range n {
					v := build(depth, i == bad)
					values = append(values, v)
					pointers = append(pointers, &v)
					holes = append(holes, &v, nil)
				}
				for _, v := range []any{values, pointers, holes, map[string]any{"k": values}, [][]deepItem{values, values}} {
					want, wantErr := stdjson.Marshal(v)
					got, err := json.Marshal(v)
					if string(got) != string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
						t.Fatalf("%d of %d: %s %v, want %s %v", bad, depth, got, err, want, wantErr)
					}
					if bad < 0 {
						continue
					}
					_, err = json.MarshalWith(v, json.V2())
					e, ok := errors.AsType[*weft.Error](err)
					if !ok {
						t.Fatal(err)
					}
					if at := follow(reflect.ValueOf(v), e.Path); !at.IsValid() || at.Kind() != reflect.Float64 {
						t.Fatalf("path %s of %T, depth %d", e.Path, v, depth)
					}
				}
			}
		}
	}
}

// follow returns the value at a JSON Pointer in v.
func follow(v reflect.Value, path string) reflect.Value {
	for _, name := range splitPointer(path) {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		switch v.Kind() {
		case reflect.Struct:
			v = v.FieldByName(name)
		case reflect.Map:
			v = v.MapIndex(reflect.ValueOf(name))
		default:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil || i >= v.Len() {
				return reflect.Value{}
			}
			v = v.Index(i)
		}
		if !v.IsValid() {
			return v
		}
	}
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

func splitPointer(path string) (names []string) {
	for _, c := range path {
		if c == '/' {
			names = append(names, "")
		} else {
			names[len(names)-1] += string(c)
		}
	}
	return names
}
