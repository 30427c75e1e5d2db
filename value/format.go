package value

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// String describes v: a string is returned unchanged, any other value as JSON, in which bytes are base64 and instants
// RFC 3339.
func (v Value) String() string {
	if v.Kind() == KindString {
		return v.text()
	}
	return string(v.append(nil))
}

func (v Value) append(b []byte) []byte {
	switch v.Kind() {
	case KindList:
		b = append(b, '[')
		all := v.kids()
		for i := range all.n {
			if i > 0 {
				b = append(b, ',')
			}
			b = all.at(i).append(b)
		}
		return append(b, ']')
	case KindMap:
		b = append(b, '{')
		names, all := v.names(), v.kids()
		for i := range all.n {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(wire.AppendJSONString(b, names[i], 0), ':')
			b = all.at(i).append(b)
		}
		return append(b, '}')
	}
	return v.appendScalar(b)
}

func (v Value) appendScalar(b []byte) []byte {
	switch v.Kind() {
	case KindBool:
		return strconv.AppendBool(b, v.num != 0)
	case KindInt:
		return strconv.AppendInt(b, int64(v.num), 10)
	case KindUint:
		return strconv.AppendUint(b, v.num, 10)
	case KindFloat:
		f := math.Float64frombits(v.num)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return strconv.AppendFloat(b, f, 'g', -1, 64)
		}
		return v.appendFloat(b)
	case KindNumber:
		return append(b, v.text()...)
	case KindString:
		return wire.AppendJSONString(b, v.text(), 0)
	case KindBytes:
		b = append(b, '"')
		return append(wire.AppendBase64(b, v.bytes()), '"')
	case KindTime:
		b = append(b, '"')
		return append(v.time().AppendFormat(b, time.RFC3339Nano), '"')
	case KindExt:
		b = append(strconv.AppendInt(append(b, "ext("...), int64(v.num), 10), ",0x"...)
		return append(hex.AppendEncode(b, v.extData()), ')')
	}
	return append(b, "null"...)
}

// appendFloat appends the shortest text of the finite float v.
func (v *Value) appendFloat(b []byte) []byte {
	f := math.Float64frombits(v.num)
	if v.is32() {
		return wire.AppendFloat32(b, float32(f))
	}
	return wire.AppendFloat64(b, f)
}

// GoString returns Go syntax for v. ([Number] has an error as its second result,
// which the syntax leaves out.)
func (v Value) GoString() string { return string(v.appendGo(nil)) }

func (v Value) appendGo(b []byte) []byte {
	switch v.Kind() {
	case KindNull:
		return append(b, "value.Null()"...)
	case KindBool:
		return fmt.Appendf(b, "value.Bool(%t)", v.num != 0)
	case KindInt:
		return fmt.Appendf(b, "value.Int(%d)", int64(v.num))
	case KindUint:
		return fmt.Appendf(b, "value.Uint(%d)", v.num)
	case KindFloat:
		return v.appendGoFloat(b)
	case KindNumber:
		return fmt.Appendf(b, "value.Number(%q)", v.text())
	case KindString:
		return fmt.Appendf(b, "value.String(%q)", v.text())
	case KindBytes:
		return fmt.Appendf(b, "value.Bytes([]byte(%q))", v.bytes())
	case KindTime:
		return fmt.Appendf(b, "value.Time(%#v)", v.time())
	case KindExt:
		return fmt.Appendf(b, "value.Ext(%d, []byte(%q))", int64(v.num), v.extData())
	case KindList:
		b = append(b, "value.List("...)
	case KindMap:
		b = append(b, "value.Map("...)
	}
	all := v.kids()
	for i := range all.n {
		e := all.at(i)
		if i > 0 {
			b = append(b, ", "...)
		}
		if v.Kind() == KindMap {
			b = fmt.Appendf(b, "value.Member{Name: %q, Value: ", v.Name(i))
			b = append(e.appendGo(b), '}')
			continue
		}
		b = e.appendGo(b)
	}
	return append(b, ')')
}

// appendGoFloat appends Go syntax for the float v.
func (v *Value) appendGoFloat(b []byte) []byte {
	f := math.Float64frombits(v.num)
	var text string
	switch {
	case f != f:
		text = "math.NaN()"
	case math.IsInf(f, 0):
		text = pick(f > 0, "math.Inf(1)", "math.Inf(-1)")
	case f == 0 && math.Signbit(f):
		text = "math.Copysign(0, -1)"
	case v.is32():
		return fmt.Appendf(b, "value.Float32(%v)", float32(f))
	default:
		return fmt.Appendf(b, "value.Float(%v)", f)
	}
	if v.is32() {
		text = "float32(" + text + ")"
	}
	return fmt.Appendf(b, "value.Float%s(%s)", pick(v.is32(), "32", ""), text)
}

// Format implements [fmt.Formatter]: v and s write [Value.String], #v writes
// [Value.GoString], and every other verb is applied to what [Value.Interface]
// returns.
func (v Value) Format(s fmt.State, verb rune) {
	switch {
	case verb == 'v' && s.Flag('#'):
		_, _ = s.Write(v.appendGo(nil))
	case verb == 'v' || verb == 's' || v.Kind() == KindExt:
		_, hasWidth := s.Width()
		_, hasPrecision := s.Precision()
		if hasWidth || hasPrecision {
			_, _ = fmt.Fprintf(s, fmt.FormatString(s, 's'), v.String())
			return
		}
		_, _ = s.Write([]byte(v.String()))
	default:
		_, _ = fmt.Fprintf(s, fmt.FormatString(s, verb), v.Interface())
	}
}

// Interface returns v as nil, bool, int64, uint64, float64, float32 for what comes
// from one, json.Number of encoding/json, string, []byte, time.Time, []any,
// map[string]any or, for an extension, v itself. The result shares nothing that can be
// changed with v.
func (v Value) Interface() any {
	switch v.Kind() {
	case KindList, KindMap:
		var boxes mem.Boxes
		return v.boxed(&boxes)
	case KindString:
		return v.text()
	case KindInt:
		return int64(v.num)
	case KindFloat:
		if !v.is32() {
			return math.Float64frombits(v.num)
		}
	}
	return v.boxed(nil)
}

// boxed is Interface; strings, floats and integers take their memory from b.
func (v Value) boxed(b *mem.Boxes) any {
	switch v.Kind() {
	case KindNull:
		return nil
	case KindBool:
		return v.num != 0
	case KindInt:
		return b.Int64(int64(v.num))
	case KindUint:
		return v.num
	case KindFloat:
		if v.is32() {
			return float32(math.Float64frombits(v.num))
		}
		return b.Float64(math.Float64frombits(v.num))
	case KindNumber:
		return json.Number(v.text())
	case KindString:
		return b.String(v.text())
	case KindBytes:
		return append([]byte{}, v.bytes()...)
	case KindTime:
		return v.time()
	case KindList:
		out := make([]any, v.count())
		all := v.kids()
		for i := range out {
			out[i] = all.at(i).boxed(b)
		}
		return out
	case KindMap:
		return v.boxedMap(nil, b)
	}
	return v
}

// boxedMap puts what boxed returns for the members of the map v in m, a new one where
// m is nil, and returns it.
func (v *Value) boxedMap(m map[string]any, b *mem.Boxes) map[string]any {
	names, all := v.names(), v.kids()
	if m == nil {
		m = make(map[string]any, all.n)
	}
	for i := range all.n {
		m[names[i]] = all.at(i).boxed(b)
	}
	return m
}
