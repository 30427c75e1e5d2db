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
