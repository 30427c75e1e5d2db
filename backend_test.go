package weft_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/setting"
)

// notation is a format that the Encoder does not know: each object and array
// ends with its counts, announced and written.
type notation struct{}

func (notation) Name() string { return "notation" }

func (notation) AppendValue(b []byte, v any, depth int) ([]byte, error) {
	if m, ok := v.(weft.Marshaler); ok {
		return notationConfig.Append(b, m, depth)
	}
	if v == nil {
		return b, errOwn
	}
	return fmt.Appendf(b, "%v@%d", v, depth), nil
}

func (notation) AppendNull(b []byte) []byte                         { return append(b, "nil"...) }
func (notation) AppendBool(b []byte, v bool) []byte                 { return strconv.AppendBool(b, v) }
func (notation) AppendInt(b []byte, v int64) []byte                 { return strconv.AppendInt(b, v, 10) }
func (notation) AppendInt32(b []byte, v int32) []byte               { return strconv.AppendInt(b, int64(v), 10) }
func (notation) AppendNumber(b []byte, text string) ([]byte, error) { return append(b, text...), nil }
func (notation) AppendRaw(b, raw []byte) ([]byte, error)            { return append(b, raw...), nil }
func (notation) AddMember(b []byte, _ int, _ *weft.Fields, _ int, _ string) ([]byte, error) {
	return b, errOwn
}
func (notation) AppendUint(b []byte, v uint64) []byte {
	return append(strconv.AppendUint(b, v, 10), 'u')
}
func (notation) AppendBytes(b, v []byte) []byte      { return hex.AppendEncode(b, v) }
func (notation) BeginObject(b []byte, n int) []byte  { return append(b, '{') }
func (notation) BeginArray(b []byte, n int) []byte   { return append(b, '[') }
func (notation) BeginElement(b []byte, k int) []byte { return append(b, ' ') }
func (notation) EndObject(b []byte, head, n, k int) []byte {
	return fmt.Appendf(b, "}%d/%d", k, n)
}
func (notation) EndArray(b []byte, head, n, k int) []byte { return fmt.Appendf(b, "]%d/%d", k, n) }

func (notation) AppendFloat32(b []byte, v float32) ([]byte, error) {
	return strconv.AppendFloat(b, float64(v), 'g', -1, 32), nil
}

func (notation) AppendFloat64(b []byte, v float64) ([]byte, error) {
	if v != v {
		return b, errOwn
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64), nil
}

func (notation) AppendString(b []byte, v string) ([]byte, error) {
	if v == "bad" {
		return b, errOwn
	}
	return strconv.AppendQuote(b, v), nil
}

func (notation) AppendTime(b []byte, v time.Time) ([]byte, error) { return v.AppendText(b) }

func (notation) AppendName(b []byte, f *weft.Fields, i int, name string, k int) ([]byte, error) {
	if f != nil {
		name = f.Name(i)
	}
	return fmt.Appendf(b, " %s=", name), nil
}

var _ backend.Writer = notation{}

var notationConfig = &weft.EncoderConfig{Backend: notation{}}

func TestWriter(t *testing.T) {
	every := marshalerFunc(func(e *weft.Encoder) error {
		o := e.Object(recordFields)
		o.Null(0)
		o.Bool(1, true)
		o.Int(2, -1)
		o.Uint64(3, 1)
		o.Float32(4, 0.5)
		o.Float64(5, 0.25)
		o.String(6, "s")
		o.Bytes(7, []byte{1, 2})
		o.Time(8, time.Unix(0, 0).UTC())
		o.Marshal(9, point{1, 2})
		a := o.Array(10, -1)
		a.Next()
		e.Value(point{})
		a.Next()
		e.Value(struct{}{})
		a.End()
		m := o.Map(11, 1)
		m.Name("k")
		e.Bytes(nil)
		m.End()
		return o.End()
	})
	b, err := notationConfig.Append([]byte(">"), every, 0)
	want := `>{ id=nil name=true score=-1 small=1u ok=0.5 data=0.25 at="s" tags=0102 counts=1970-01-01T00:00:00Z` +
		` point={ x=1 a<b>=2}2/2 points=[ { x=0 a<b>=0}2/2 {}@2]2/-1 any={ k=nil}1/1}12/17`
	if err != nil || string(b) != want {
		t.Errorf("got  %s, %v\nwant %s", b, err, want)
	}
	array := *notationConfig
	array.Flags = setting.StructAsArray
	b, err = array.Append(nil, marshalerFunc(func(e *weft.Encoder) error {
		o := e.Object(weft.NewFields("a", "b", "c", "d"))
		o.Int(1, 5)
		return o.End()
	}), 0)
	if err != nil || string(b) != "[ nil 5 nil nil]4/4" {
		t.Errorf("%s, %v", b, err)
	}
	for path, f := range map[string]func(o *weft.ObjectEncoder){
		"/x":    func(o *weft.ObjectEncoder) { o.String(0, "bad") },
		"/a<b>": func(o *weft.ObjectEncoder) { o.Value(1, nil) },
	} {
		b, err := notationConfig.Append([]byte(">"), marshalerFunc(func(e *weft.Encoder) error {
			o := e.Object(pointFields)
			f(&o)
			return o.End()
		}), 0)
		var e *weft.Error
		if !errors.As(err, &e) || e.Format != "notation" || e.Path != path || string(b) != ">" {
			t.Errorf("%s: %s, %v", path, b, err)
		}
	}
}
