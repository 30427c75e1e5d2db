package json

import (
	"reflect"
	"sync"
	"testing"
)

// circle is ten types, each of which leads to the next one and to itself in all ways.
type (
	circle[A any] struct {
		Name string
		Next *A            `json:",omitempty"`
		List []A           `json:",omitempty"`
		Map  map[string]*A `json:",omitempty"`
		Held [1][]A        `json:",omitempty"`
	}
	circle0 circle[circle1]
	circle1 circle[circle2]
	circle2 circle[circle3]
	circle3 circle[circle4]
	circle4 circle[circle5]
	circle5 circle[circle6]
	circle6 circle[circle7]
	circle7 circle[circle8]
	circle8 circle[circle9]
	circle9 circle[circle0]
)

const circleText = `{"Name":"a","Next":{"Name":"b","List":[{"Name":"c","Map":{"k":{"Name":"d","Held":[[{"Name":"e","Next":{` +
	`"Name":"f","Next":{"Name":"g","Next":{"Name":"h","Next":{"Name":"i","Next":{"Name":"j","List":[{"Name":"k","Next":{"Name":"l",` +
	`"Held":[null]},"Held":[null]}],"Held":[null]},"Held":[null]},"Held":[null]},"Held":[null]},"Held":[null]},"Held":[null]}]]}},` +
	`"Held":[null]}],"Held":[null]},"Held":[null]}`

// Types in a circle are found out one by one by many goroutines at once.
func TestCompleteConcurrent(t *testing.T) {
	starts := []func() any{
		func() any { return new(circle0) }, func() any { return new(circle3) }, func() any { return new([]circle5) },
		func() any { return new(map[string]circle7) }, func() any { return new(circle9) },
	}
	texts := []string{circleText, circleText, "[" + circleText + "]", `{"x":` + circleText + "}", circleText}
	var wait sync.WaitGroup
	for i := range 32 {
		wait.Go(func() {
			for k := range starts {
				k = (k + i) % len(starts)
				v := starts[k]()
				if err := Unmarshal([]byte(texts[k]), v); err != nil {
					t.Error(err)
				} else if b, err := Marshal(v); err != nil || string(b) != texts[k] {
					t.Errorf("%s, %v", b, err)
				}
			}
		})
	}
	wait.Wait()
}

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
	}
}
