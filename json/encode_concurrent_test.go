package json

import (
	stdjson "encoding/json"
	"reflect"
	"sync"
	"testing"
)

// TestEncodeConcurrent lets many goroutines meet types that no one has encoded before, recursive
// ones among them.
func TestEncodeConcurrent(t *testing.T) {
	type node struct {
		V    int               `json:"v"`
		Next *node             `json:"next,omitempty"`
		Kids map[string][]node `json:"kids,omitempty"`
		Any  any               `json:"any,omitempty"`
	}
	var values []any
	for i := range 20 {
		fields := []reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[*node]()},
			{Name: "B", Type: reflect.ArrayOf(i, reflect.TypeFor[node]()), Tag: `json:"b,omitempty"`},
			{Name: "C", Type: reflect.MapOf(reflect.TypeFor[int](), reflect.ArrayOf(i, reflect.TypeFor[string]()))},
		}
		v := reflect.New(reflect.StructOf(fields))
		v.Elem().Field(0).Set(reflect.ValueOf(&node{
			V:    i,
			Next: &node{},
			Kids: map[string][]node{"x": {{V: 1}}},
			Any:  map[string]any{"k": []any{i}},
		}))
		m := reflect.MakeMap(fields[2].Type)
		m.SetMapIndex(reflect.ValueOf(1), reflect.Zero(fields[2].Type.Elem()))
		v.Elem().Field(2).Set(m)
		values = append(values, v.Interface(), v.Elem().Interface())
	}
	want := make([]string, len(values))
	for i, v := range values {
		b, err := stdjson.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		want[i] = string(b)
	}
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range values {
				i = (i*7 + g) % len(values)
				got, err := Marshal(values[i])
				if err != nil || string(got) != want[i] {
					t.Errorf("value %d: got %s, %v, want %s", i, got, err, want[i])
				}
			}
		})
	}
	wg.Wait()
}
