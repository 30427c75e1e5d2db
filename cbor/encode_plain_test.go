package cbor

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/opt"
)

// flat has every kind of member that is written without an encoder.
type flat struct {
	S  string
	B  []byte
	P  *string
	Q  *int         `cbor:",omitempty"`
	T  time.Time    `cbor:",omitzero"`
	L  []string     `cbor:",omitempty"`
	LB []bool       `cbor:",omitempty"`
	LL [][]byte     `cbor:",omitempty"`
	LF []float32    `cbor:",omitempty"`
	I  []int        `cbor:",omitempty"`
	O  opt.Val[int] `cbor:",omitempty"`
	M  map[string]string
	N  map[string]int `cbor:",omitempty"`
	In struct{ S, T string }
}

// TestFlat compares calls that take no encoder for what is flat with those that do.
func TestFlat(t *testing.T) {
	bad, seven := "\xff", 7
	before := [2]encoder{*flatEncoders[0], *flatEncoders[1]}
	in := new(flat)
	in.In.T = bad
	rows := map[string]any{
		"zero":        flat{},
		"nil":         (*flat)(nil),
		"pointer":     &flat{S: "s", Q: &seven, L: []string{fmt.Sprint("long", make([]int, 99))}},
		"lists":       &flat{LB: []bool{true}, LL: [][]byte{nil, {1}}, LF: []float32{1.5}, I: []int{1, 1000}},
		"option":      &flat{O: opt.Val[int]{V: 3, Valid: true}},
		"maps":        &flat{M: map[string]string{"a": "ä"}, N: map[string]int{"ö": -5}},
		"time":        flat{T: time.Unix(9, 9)},
		"bad string":  &flat{S: bad},
		"bad pointer": &flat{P: &bad},
		"bad list":    flat{L: []string{"", bad}},
		"bad time":    flat{T: time.Unix(1<<50, 1)},
		"bad value":   &flat{M: map[string]string{"k": bad}},
		"bad key":     &flat{M: map[string]string{bad: ""}},
		"bad count":   &flat{N: map[string]int{bad: 1}},
		"bad in":      in,
	}
	for _, name := range []string{"zero", "pointer"} {
		if p := programs.of(rows[name]); p.flat == nil {
			t.Fatalf("%s is not flat", name)
		}
	}
	for name, v := range rows {
		for _, opts := range [][]Options{nil, {weft.StructAsArray(true)}, {Core.Strict()}} {
			want, wantErr := Marshal(v, opts...)
			got, err := MarshalAppend([]byte("head"), v, opts...)
			if string(got) != "head"+string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) || (err != nil) != (name[:3] == "bad") {
				t.Errorf("%s: %x, %v, want %x, %v", name, got, err, want, wantErr)
			}
		}
	}
	if after := [2]encoder{*flatEncoders[0], *flatEncoders[1]}; !reflect.DeepEqual(before, after) {
		t.Errorf("flatEncoders have changed: %+v", after)
	}
}

// TestResults: results of Marshal that share memory stay as they are when others are made and written over.
func TestResults(t *testing.T) {
	var results, want [][]byte
	for i := range 3000 {
		var v any = strings.Repeat("x", i*37%1500)
		if i%3 == 0 {
			v = &flat{S: strings.Repeat("y", i%70), M: map[string]string{"k": strings.Repeat("z", i*7%600)}}
		}
		if _, err := Marshal([]any{i, "\xff"}); err == nil {
			t.Fatal("text that is not UTF-8 is written")
		}
		b, err := Marshal(v)
		own, _ := MarshalAppend(nil, v)
		if err != nil || cap(b) != len(b) || !bytes.Equal(b, own) {
			t.Fatalf("%d: %x of %d, %v", i, b, cap(b), err)
		}
		results, want = append(results, b), append(want, own)
	}
	for i, b := range results {
		if !bytes.Equal(b, want[i]) {
			t.Fatalf("result %d was %x and is %x", i, want[i], b)
		}
		clear(b)
	}
}

// ownArray writes itself as an array in an array.
type ownArray struct{}

func (ownArray) MarshalCBOR() ([]byte, error) { return []byte("\x81\x80"), nil }

// TestOwnDepth: what a method writes counts as levels, of which too many are an error that says so.
func TestOwnDepth(t *testing.T) {
	v := []ownArray{{}}
	for depth, want := range map[int]error{2: weft.ErrDepth, 3: nil} {
		if _, err := Marshal(v, weft.MaxDepth(depth)); !errors.Is(err, want) {
			t.Errorf("at most %d levels: %v", depth, err)
		}
	}
}
