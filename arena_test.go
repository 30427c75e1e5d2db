package weft_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// taken takes variables of several types from the memory of a reader.
type taken struct {
	ints   []*int
	texts  []*string
	pairs  []*[2]any
	others []any
}

func (v *taken) take(r weft.SchemaReader) error {
	for range 100 {
		v.ints = append(v.ints, weft.New[int](r))
		v.texts = append(v.texts, weft.New[string](r))
		v.pairs = append(v.pairs, weft.New[[2]any](r))
		v.others = append(v.others, weft.New[[1]int8](r), weft.New[[3]int8](r), weft.New[[5]int8](r), weft.New[[7]int8](r),
			weft.New[[9]int8](r), weft.New[[1000]int8](r), weft.New[[5000]int8](r), weft.New[struct{}](r), weft.New[[2]uint](r))
	}
	r.Skip()
	return r.Err()
}

func (v *taken) ReadJSON(r *json.Reader) error       { return v.take(r) }
func (v *taken) ReadMsgpack(r *msgpack.Reader) error { return v.take(r) }
func (v *taken) ReadTagged(r *tagged.Reader) error   { return v.take(r) }

// Variables from a reader are zero and do not overlap, from one call to the next
// either.
func TestNew(t *testing.T) {
	for _, f := range []struct {
		name string
		read func(*taken) error
	}{
		{"json", func(v *taken) error { return json.Read([]byte(`1`), v) }},
		{"msgpack", func(v *taken) error { return msgpack.Read([]byte{1}, v) }},
		{"tagged", func(v *taken) error {
			b, err := tagged.Marshal(1)
			if err != nil {
				return err
			}
			return tagged.Read(b, v)
		}},
	} {
		var all taken
		for range 3 {
			if err := f.read(&all); err != nil {
				t.Fatal(f.name, err)
			}
		}
		for i := range all.ints {
			if *all.ints[i] != 0 || *all.texts[i] != "" || *all.pairs[i] != [2]any{} {
				t.Fatalf("%s: %d is not zero", f.name, i)
			}
			*all.ints[i], *all.texts[i], *all.pairs[i] = i, fmt.Sprint(i), [2]any{i, "x"}
		}
		for _, x := range all.others {
			if v := reflect.ValueOf(x).Elem(); !v.IsZero() {
				t.Fatalf("%s: %T is not zero", f.name, x)
			} else if v.Kind() == reflect.Array {
				v.Index(v.Len() - 1).Set(reflect.ValueOf(1).Convert(v.Type().Elem()))
			}
		}
		for i := range all.ints {
			if *all.ints[i] != i || *all.texts[i] != fmt.Sprint(i) || *all.pairs[i] != [2]any{i, "x"} {
				t.Fatalf("%s: %d has changed", f.name, i)
			}
		}
	}
}
