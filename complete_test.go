package weft_test

import (
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/weftcodec/weft/tagged"
)

// ring is ten types, each of which leads to the next one and to itself in all ways.
type (
	ring[A any] struct {
		Name string
		Next *A            `json:",omitempty"`
		List []A           `json:",omitempty"`
		Map  map[string]*A `json:",omitempty"`
		Held [1][]A        `json:",omitempty"`
	}
	ring0 ring[ring1]
	ring1 ring[ring2]
	ring2 ring[ring3]
	ring3 ring[ring4]
	ring4 ring[ring5]
	ring5 ring[ring6]
	ring6 ring[ring7]
	ring7 ring[ring8]
	ring8 ring[ring9]
	ring9 ring[ring0]
)

// ringOf returns a value of n structs, one within the other by way of pointers, slices, maps and arrays of slices.
func ringOf(v reflect.Value, n int) {
	v.FieldByName("Name").SetString(string(rune('a' + n)))
	if n == 0 {
		return
	}
	next := v.FieldByName("Next")
	to := reflect.New(next.Type().Elem())
	ringOf(to.Elem(), n-1)
	switch n % 4 {
	case 0:
		next.Set(to)
	case 1:
		f := v.FieldByName("List")
		f.Set(reflect.Append(f, to.Elem()))
	case 2:
		f := v.FieldByName("Map")
		f.Set(reflect.MakeMap(f.Type()))
		f.SetMapIndex(reflect.ValueOf("k"), to)
	case 3:
		f := v.FieldByName("Held").Index(0)
		f.Set(reflect.Append(f, to.Elem()))
	}
}

// Types in a circle are compiled when their values come, by many goroutines at once.
func TestCompleteConcurrent(t *testing.T) {
	starts := []any{ring0{}, ring3{}, []ring5{}, map[string]ring7{}, &ring9{}}
	values := make([]any, len(starts))
	for i := range starts {
		v := reflect.New(reflect.TypeOf(starts[i])).Elem()
		switch v.Kind() {
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			ringOf(v.Index(0), 13)
		case reflect.Map:
			elem := reflect.New(v.Type().Elem()).Elem()
			ringOf(elem, 13)
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(reflect.ValueOf("x"), elem)
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			ringOf(v.Elem(), 13)
		default:
			ringOf(v, 13)
		}
		values[i] = v.Interface()
	}
	for _, f := range strictFormats {
		t.Run(f.Name(), func(t *testing.T) {
			var wait sync.WaitGroup
			for i := range 32 {
				wait.Go(func() {
					for k := range values {
						want := values[(k+i)%len(values)]
						b, err := f.MarshalAppend(nil, want)
						if err != nil {
							t.Error(err)
							return
						}
						got := reflect.New(reflect.TypeOf(want))
						if err := f.Unmarshal(b, got.Interface()); err != nil {
							t.Error(err)
						} else if again, err := f.MarshalAppend(nil, got.Elem().Interface()); err != nil || string(again) != string(b) {
							t.Errorf("%T: %q, %v, want %q", want, again, err, b)
						}
					}
				})
			}
			wait.Wait()
		})
	}
}

// What is wrong with a type that others lead to is told when a value of it comes.
func TestCompleteFault(t *testing.T) {
	type wrong struct {
		A int `json:"a"`
		C chan int
	}
	type leads struct {
		P *wrong           `json:",omitempty"`
		L []wrong          `json:",omitempty"`
		M map[string]wrong `json:",omitempty"`
	}
	for _, f := range strictFormats {
		b, err := f.MarshalAppend(nil, leads{})
		if strings.HasPrefix(f.Name(), "tagged") || f.Name() == tagged.Framed.Name() {
			if err == nil {
				t.Error(f.Name() + ": what a type leads to is one name space, which is known as a whole")
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", f.Name(), err)
		}
		if err := f.Unmarshal(b, new(leads)); err != nil {
			t.Errorf("%s: %v", f.Name(), err)
		}
		for _, v := range []leads{{P: &wrong{}}, {L: []wrong{{}}}, {M: map[string]wrong{"k": {}}}} {
			if b, err := f.MarshalAppend(nil, v); err == nil {
				t.Errorf("%s: %+v: %q", f.Name(), v, b)
			}
		}
	}
}
