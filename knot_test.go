package weft_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/schema"
)

// Types that hold each other, with rules: which of them is met first is of no matter. T makes new ones.
type (
	knotA[T any] struct {
		B knotB[T] `json:"b"`
		L knotL[T] `json:"l"`
	}
	knotB[T any] struct {
		N int        `json:"n"`
		A []knotA[T] `json:"a,omitempty"`
	}
	knotL[T any] []knotA[T]
)

func (knotB[T]) WeftRules() weft.Rules {
	return weft.Rules{Strict: true, Func: weft.CheckFunc(func(b *knotB[T]) error {
		if b.N < 0 {
			return errors.New("must not be negative")
		}
		return nil
	})}
}

func (knotA[T]) WeftRules() weft.Rules { return weft.Rules{Strict: true} }
func (knotL[T]) WeftRules() weft.Rules { return weft.Rules{Strict: true, Check: "maxItems=1"} }

func TestKnots(t *testing.T) {
	knot[[0]int](t, func() (a any) { return new(knotA[[0]int]) })
	knot[[1]int](t, func() (a any) { return new(knotB[[1]int]) })
	knot[[2]int](t, func() (a any) { return new(knotL[[2]int]) })
	knot[[3]int](t, func() (a any) { return new([]knotA[[3]int]) })
	knot[[4]int](t, func() (a any) { return new([]knotB[[4]int]) })
	knot[[5]int](t, func() (a any) { return new(map[string]knotL[[5]int]) })
	knot[[6]int](t, func() (a any) { return new(struct{ V *knotB[[6]int] }) })
	knot[[7]int](t, func() (a any) { return new(struct{ V knotA[[7]int] }) })
}

// knot has all formats meet the types of T by first.
func knot[T any](t *testing.T, first func() any) {
	a, list := knotA[T]{}, knotL[T]{{}, {}}
	bad := a
	bad.B.N = -1
	inner := bad
	inner.B.N, inner.B.A = 0, []knotA[T]{bad}
	long := a
	long.L = list
	for _, f := range strictFormats {
		t.Run(fmt.Sprintf("%T/%s", first(), f.Name()), func(t *testing.T) {
			v := reflect.ValueOf(first()).Elem()
			if b, err := f.MarshalAppend(nil, v.Interface()); err != nil {
				t.Error(err)
			} else if err := f.Unmarshal(b, first()); err != nil {
				t.Error(err)
			}
			for _, v := range []any{bad, inner, long, list, bad.B, inner.B} {
				b, err := f.MarshalAppend(nil, v)
				if err != nil {
					t.Fatal(err)
				}
				at, ok := errors.AsType[*weft.Error](f.Unmarshal(b, reflect.New(reflect.TypeOf(v)).Interface()))
				if !ok {
					t.Errorf("%+v is taken", v)
				}
				if all, ok := errors.AsType[*weft.ValidationError](schema.Validate(v)); !ok || at != nil && all.Violations[0].Path != at.Path {
					t.Errorf("%+v: %v, Validate: %v", v, at, all)
				}
			}
			if got, want := writtenAs(t, f, a), valueOf(t, `{"b":{"n":0},"l":[]}`); !got.Equal(want) {
				t.Errorf("written as %v, want %v", got, want)
			}
		})
	}
}

// KnotOuter holds a struct that embeds a pointer to it, and so has a field of its own type.
type (
	KnotOuter[T any] struct {
		N     int          `json:"n"`
		Inner KnotInner[T] `json:"inner"`
	}
	KnotInner[T any] struct {
		*KnotOuter[T]
		More int `json:"more"`
	}
)

// TestEmbeddedKnots has types be met that lead to themselves by nothing but a pointer that is embedded.
func TestEmbeddedKnots(t *testing.T) {
	embeddedKnot[[0]int](t, func(v KnotOuter[[0]int]) any { return v })
	embeddedKnot[[1]int](t, func(v KnotOuter[[1]int]) any { return v.Inner })
	embeddedKnot[[2]int](t, func(v KnotOuter[[2]int]) any { return []KnotOuter[[2]int]{v} })
	embeddedKnot[[3]int](t, func(v KnotOuter[[3]int]) any { return struct{ V *KnotInner[[3]int] }{&v.Inner} })
	embeddedKnot[[4]int](t, func(v KnotOuter[[4]int]) any { return []*KnotOuter[[4]int]{&v} })
	embeddedKnot[[5]int](t, func(v KnotOuter[[5]int]) any { return map[string]KnotInner[[5]int]{"a": v.Inner} })
}

func embeddedKnot[T any](t *testing.T, of func(v KnotOuter[T]) any) {
	v := KnotOuter[T]{N: 1, Inner: KnotInner[T]{More: 2, KnotOuter: &KnotOuter[T]{N: 3, Inner: KnotInner[T]{More: 4}}}}
	for _, f := range strictFormats {
		want := of(v)
		b, err := f.MarshalAppend(nil, want)
		got := reflect.New(reflect.TypeOf(want))
		if err == nil {
			err = f.Unmarshal(b, got.Interface())
		}
		if err != nil || !reflect.DeepEqual(got.Elem().Interface(), want) {
			t.Errorf("%s, %T: %+v, %v", f.Name(), want, got.Elem(), err)
		}
	}
}
