package sdktypes

import (
	"encoding"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"
)

// filler sets the fields of values of any type, always to the same values.
type filler struct {
	*rand.Rand
	density float64 // the share of the fields that are set
}

func newFiller(density float64) *filler { return &filler{rand.New(rand.NewPCG(18, 1)), density} }

// deepest is how many structs stand within each other.
const deepest = 6

var words = strings.Fields("api build cache café canary controller data default deploy eu-west-1 feature/login fix " +
	"frontend gateway ingest main master metrics naïve node order payment policy prod queue release review service " +
	"shard stage test token user worker zone <b>bold</b> a&b https://example.com/v1/items?page=2&limit=50 " +
	"2f6b1c9d0e7a45f38c1b 日本語 \"quoted\" line\none")

var raws = []string{`{"action":"opened","number":17,"distinct":true}`, `{"ref":"main","commits":[],"size":2}`}

func (f *filler) word() string { return words[f.IntN(len(words))] }

// phrase is a word, or some.
func (f *filler) phrase() string {
	s := f.word()
	for f.IntN(3) == 0 {
		s += " " + f.word()
	}
	return s
}

// must sets v, an item of a list, which is never nil.
func (f *filler) must(v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	f.fill(v, 1)
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// fill sets v. What a type's own methods would not write or not read again stays zero.
func (f *filler) fill(v reflect.Value, depth int) {
	t := v.Type()
	if make := made[t]; make != nil {
		v.Set(reflect.ValueOf(make(f)))
		return
	}
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = time.Unix(1.7e9+f.Int64N(1e7), 0).UTC()
		return
	case *json.RawMessage:
		*p = json.RawMessage(raws[f.IntN(len(raws))])
		return
	case *json.Number:
		*p = "17"
		return
	}
	f.set(v, depth)
	if p := reflect.PointerTo(t); p.Implements(marshaler) || p.Implements(textMarshaler) {
		text, err := json.Marshal(v.Addr().Interface())
		if err != nil || json.Unmarshal(text, reflect.New(t).Interface()) != nil {
			v.SetZero()
		}
	}
}

// set is fill for a type that has no methods.
func (f *filler) set(v reflect.Value, depth int) {
	t := v.Type()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(f.Int64N(1 << (1 + f.IntN(40))))
	case reflect.Int32, reflect.Int16, reflect.Int8:
		v.SetInt(f.Int64N(100))
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		v.SetUint(f.Uint64N(200))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(f.IntN(1e6)) / 100)
	case reflect.String:
		if t.PkgPath() != "" {
			v.SetString(f.word()) // of an enumeration
		} else {
			v.SetString(f.phrase())
		}
	case reflect.Pointer:
		p := reflect.New(t.Elem())
		f.fill(p.Elem(), depth)
		v.Set(p)
	case reflect.Struct:
		f.fields(v, depth+1)
	case reflect.Slice:
		n := 1 + f.IntN(3)
		if t.Elem().Kind() == reflect.Uint8 {
			n *= 8
		}
		v.Set(reflect.MakeSlice(t, n, n))
		for i := range n {
			f.fill(v.Index(i), depth)
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), depth)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		for range 1 + f.IntN(4) {
			key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			f.fill(key, depth)
			f.fill(elem, depth)
			v.SetMapIndex(key, elem)
		}
	case reflect.Interface:
		if t.NumMethod() == 0 {
			v.Set(reflect.ValueOf([]any{f.word(), float64(f.IntN(1000)), true, map[string]any{f.word(): f.word()}}[f.IntN(4)]))
		}
	}
}

// fields sets fields of the struct v.
func (f *filler) fields(v reflect.Value, depth int) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() || field.Tag.Get("json") == "-" {
			continue
		}
		if f.Float64() >= f.density && !field.Anonymous {
			continue
		}
		if depth > deepest && composite(field.Type) {
			continue
		}
		f.fill(v.Field(i), depth)
	}
}

// composite reports whether values of type t have parts.
func composite(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer:
		return composite(t.Elem())
	case reflect.Struct, reflect.Slice, reflect.Map, reflect.Interface, reflect.Array:
		return t != reflect.TypeFor[time.Time]()
	}
	return false
}
