package plan

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/opt/slim"
)

type sureText struct {
	A string           `check:"minLength=1"`
	B string           `check:"maxLength=4"`
	C string           `check:"minLength=2,maxLength=5"`
	D string           `check:"minLength=3,maxLength=3"`
	E slim.Val[string] `check:"minLength=1,maxLength=2"`
	F string           `check:"minLength=4611686018427387903"`
	G string           `check:"pattern=^a"`
}

type sureList struct {
	A []byte           `check:"minLength=1,maxLength=2"`
	B []int            `check:"maxItems=2"`
	C []string         `check:"nullable,minItems=1"`
	D []int            `check:"uniqueItems"`
	E []string         `check:"maxItems=2,items.minLength=1"`
	F slim.Val[[]int8] `check:"minItems=1"`
}

type sureNumber struct {
	A int64             `check:"minimum=-5,maximum=7"`
	B int               `check:"exclusiveMinimum=0"`
	C int64             `check:"minimum=10,maximum=5"`
	D uint64            `check:"minimum=3,maximum=18446744073709551615"`
	E uint              `check:"maximum=7"`
	F time.Duration     `check:"minimum=0"`
	G slim.Val[int64]   `check:"minimum=1"`
	H int32             `check:"minimum=1"`
	I *int64            `check:"minimum=1"`
	J float64           `check:"minimum=0"`
	K float64           `check:"exclusiveMinimum=0"`
	L float64           `check:"minimum=-1.5,maximum=7"`
	M float64           `check:"exclusiveMinimum=-0,exclusiveMaximum=7"`
	N float64           `check:"exclusiveMaximum=0"`
	O float64           `check:"maximum=-1"`
	P float64           `check:"maximum=0"`
	Q slim.Val[float64] `check:"exclusiveMinimum=5,exclusiveMaximum=5"`
	R float64           `check:"minimum=5,maximum=5"`
	S float64           `check:"multipleOf=5"`
}

// TestSure wants what one word tells of a value to be what its rules say.
func TestSure(t *testing.T) {
	texts := []string{"", "a", "é", "\U0001F642", "ab", "aé", "abc", "\U0001F642\U0001F642", "abcd", "abcde", "ééééé",
		"\U0001F642éabc", "abcdef"}
	numbers := []float64{math.Inf(-1), -6, -5, -1.5, -1, math.Copysign(0, -1), 0, 5e-324, 0.5, 1, 2, 3, 4, 5, 6, 7, 7.5, 8, 10,
		math.Inf(1), math.NaN()}
	never := []string{"sureText D", "sureText F", "sureText G", "sureList D", "sureList E", "sureNumber C", "sureNumber H",
		"sureNumber I", "sureNumber N", "sureNumber O", "sureNumber P", "sureNumber Q", "sureNumber S"}
	set := NewSet(ownConfig)
	for _, v := range []any{new(sureText), new(sureList), new(sureNumber)} {
		p := reflect.ValueOf(v)
		typ := set.Of(p.Type().Elem())
		for i := range typ.Members() {
			f := &typ.Members()[i]
			if f.Rules == nil {
				t.Fatalf("%v.%s has no rules", typ.Rtype, f.Name)
			}
			sure := 0
			look := func() {
				if at := f.At(mem.Of(p)); f.Rules.Sure(at) {
					if sure++; !f.Rules.Hold(at) {
						t.Errorf("%v.%s: %v is sure, and breaks the rules", typ.Rtype, f.Name, p.Elem().Field(i))
					}
				}
			}
			look()
			to := p.Elem().Field(i)
			if to.Kind() == reflect.Struct { // an option
				to.Field(1).SetBool(true)
				look()
				to = to.Field(0)
			}
			if to.Kind() == reflect.Pointer {
				to.Set(reflect.New(to.Type().Elem()))
				to = to.Elem()
			}
			for _, s := range texts {
				switch {
				case to.Kind() == reflect.String:
					to.SetString(s)
				case to.Kind() == reflect.Slice:
					to.Set(reflect.MakeSlice(to.Type(), len(s), len(s)))
				}
				look()
			}
			for _, x := range numbers {
				switch {
				case to.CanFloat():
					to.SetFloat(x)
				case to.CanInt():
					to.SetInt(int64(x))
				case to.CanUint():
					to.SetUint(uint64(x))
				}
				look()
			}
			if name := typ.Rtype.Name() + " " + f.Name; (sure == 0) != (slices.Contains(never, name) || mem.Safe || math.MaxInt == math.MaxInt32) {
				t.Errorf("%s: one word tells of %d values", name, sure)
			}
		}
	}
}
