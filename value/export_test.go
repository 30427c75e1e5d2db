package value_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/value"
)

// tokens writes a value token by token.
type tokens struct{ v value.Value }

func (t tokens) MarshalWeft(e *weft.Encoder) error {
	switch t.v.Kind() {
	case value.KindList:
		a := e.Array(t.v.Len())
		for x := range t.v.Values() {
			a.Next()
			if (tokens{x}).MarshalWeft(e) != nil {
				break
			}
		}
		return a.End()
	case value.KindMap:
		m := e.Map(t.v.Len())
		for name, x := range t.v.Members() {
			m.Name(name)
			if (tokens{x}).MarshalWeft(e) != nil {
				break
			}
		}
		return m.End()
	}
	return t.v.MarshalWeft(e)
}

// TestExport compares what is written at once with what is written token by token.
func TestExport(t *testing.T) {
	bad := []value.Value{value.Float(math.NaN()), value.Ext(1000, nil),
		value.Time(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)), num("1e999"), num("-12"),
		num("18446744073709551615"), num("0.1"), num("1e22"), value.String("<&\u2028\xff")}
	r := rand.New(rand.NewPCG(3, 1))
	failed := 0
	for i := range 600 {
		v := value.List(value.Int(1), random(r, 3, i%2 == 0), value.Map(member("a/b<", value.List(random(r, 3, i%2 == 0)))))
		if i%3 == 0 {
			v, _ = v.With(`[2]["a/b<"][0]`, bad[i/3%len(bad)])
		}
		for _, f := range []weft.Format{json.Format, msgpack.Format} {
			for _, opts := range [][]weft.Options{nil, {weft.MaxDepth(4)}} {
				got, err := f.MarshalAppend([]byte("#"), v, opts...)
				want, wantErr := f.MarshalAppend([]byte("#"), tokens{v}, opts...)
				if (err == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
					t.Fatalf("%s of %#v:\n%s, %v, want\n%s, %v", f.Name(), v, got, err, want, wantErr)
				}
				if err == nil {
					continue
				}
				failed++
				// The type of a container that has methods stands in front of the path.
				a, b := strings.TrimSpace(err.Error()), strings.TrimSpace(wantErr.Error())
				same := strings.ReplaceAll(a, "value.Value", "") == strings.ReplaceAll(b, "value_test.tokens", "")
				if !same && !strings.Contains(b, "finite decimal") {
					t.Fatalf("%s: %s, want %s", f.Name(), a, b)
				}
			}
		}
	}
	if failed < 50 {
		t.Errorf("only %d values could not be written", failed)
	}
}
