package json

import (
	"reflect"
	"testing"
)

type (
	leads struct {
		N     int
		Far   *far[int]
		Fars  []far[int8]
		Named map[string]far[int16]
	}
	far[T any] struct {
		V    T
		More *further[T]
	}
	further[T any] struct{ V T }
)

// A type is not looked into before one of its values comes.
func TestCompleteLate(t *testing.T) {
	known := func(of any) bool {
		id := plans.Of(reflect.TypeOf(of)).ID
		if id >= len(nodes.built) {
			return false
		}
		for n := nodes.built[id]; n != nil; n = n.next {
			if n.fields != nil {
				return true
			}
		}
		return false
	}
	for _, step := range []struct {
		text             string
		far, fars, named bool
	}{
		{`{"N":1,"Far":null,"Fars":[],"Named":{}}`, false, false, false},
		{`{"Far":{"V":1}}`, true, false, false},
		{`{"Fars":[{"V":1}]}`, true, true, false},
		{`{"Named":{"a":{"V":1}}}`, true, true, true},
	} {
		t.Run(step.text, func(t *testing.T) {
			var v leads
			if err := Unmarshal([]byte(step.text), &v); err != nil {
				t.Fatal(err)
			}
			compiling.Lock()
			got := []bool{known(far[int]{}), known(far[int8]{}), known(far[int16]{}), known(further[int]{})}
			compiling.Unlock()
			if want := []bool{step.far, step.fars, step.named, false}; !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, want %v", step.text, got, want)
			}
		})
	}
}
