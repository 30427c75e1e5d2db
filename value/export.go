package value

import (
	"errors"
	"math"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/tree"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// exporter writes whole lists and maps in a grammar that weft.Encoder knows too, to
// the same bytes.
type exporter struct {
	format string
	html   bool // escape what HTML gives a meaning
	levels int  // how deep values may nest below
	err    *weft.Error
}

// appendJSON appends the list or map v as JSON.
func (v Value) appendJSON(b []byte, flags uint64, levels int) ([]byte, error) {
	x := exporter{format: "json", html: flags&setting.JSONEscapeHTML != 0, levels: levels}
	b = x.json(b, &v)
	if x.err != nil {
		return b, x.err
	}
	return b, nil
}

// appendMsgpack appends the list or map v as MessagePack.
func (v Value) appendMsgpack(b []byte, _ uint64, levels int) ([]byte, error) {
	x := exporter{format: "msgpack", levels: levels}
	b = x.msgpack(b, &v)
	if x.err != nil {
		return b, x.err
	}
	return b, nil
}

func (x *exporter) fail(err error) { x.err = &weft.Error{Format: x.format, Offset: -1, Err: err} }

// in puts a step before the path of the error.
func (x *exporter) in(s step) { x.err.Path = string(s.append(nil)) + x.err.Path }

func (x *exporter) enter() bool {
	if x.levels <= 0 {
		x.fail(weft.ErrDepth)
		return false
	}
	x.levels--
	return true
}

// json appends v; what it returns after an error is dropped.
func (x *exporter) json(b []byte, v *Value) []byte {
	switch v.Kind() {
	case KindString:
		return wire.AppendJSONString(b, v.text(), wire.HTML(x.html))
	case KindInt:
		return wire.AppendInt(b, int64(v.num))
	case KindUint:
		return wire.AppendUint(b, v.num)
	case KindFloat:
		f := math.Float64frombits(v.num)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			x.fail(errNotFinite)
			return b
		}
		return v.appendFloat(b)
	case KindList:
		if v.isLazy() {
			return x.jsonText(b, v)
		}
		if v.isTree() {
			return x.jsonCells(b, mem.Target[tree.Doc](v.ref), v.cells(), int(v.num), nil)
		}
		if !x.enter() {
			return b
		}
		b = append(b, '[')
		elems := v.elems()
		for i := range elems {
			if i > 0 {
				b = append(b, ',')
			}
			if b = x.json(b, &elems[i]); x.err != nil {
				x.in(step{index: i})
				return b
			}
		}
		x.levels++
		return append(b, ']')
	case KindMap:
		return x.jsonMap(b, v)
	case KindBytes:
		b = append(b, '"')
		return append(wire.AppendBase64(b, v.bytes()), '"')
	case KindTime:
		b, err := wire.AppendTimeRFC3339(append(b, '"'), v.time())
		if err != nil {
			x.fail(err)
		}
		return append(b, '"')
	case KindExt:
		x.fail(errNoExt)
		return b
	}
	return v.appendScalar(b)
}

var errNotFinite = errors.New("number is not finite")

func (x *exporter) jsonMap(b []byte, v *Value) []byte {
	if v.num == 0 {
		return append(b, "{}"...)
	}
	if v.isLazy() {
		return x.jsonText(b, v)
	}
	s := v.shape()
	if v.isTree() {
		return x.jsonCells(b, mem.Target[tree.Doc](v.ref), v.cells(), int(v.num), s)
	}
	if !x.enter() {
		return b
	}
	how := pick(x.html, tree.SpellHTML, tree.SpellJSON)
	names := s.Spelling(how)
	vals := v.members()
	b = append(b, '{')
	for i := range vals {
		if i > 0 {
			b = append(b, ',')
		}
		if names != nil {
			b = append(b, names[i]...)
		} else {
			b = tree.AppendName(b, s.Names[i], how)
		}
		if b = x.json(b, &vals[i]); x.err != nil {
			x.in(step{s.Names[i], -1})
			return b
		}
	}
	x.levels++
	return append(b, '}')
}

// msgpack appends v; what it returns after an error is dropped.
func (x *exporter) msgpack(b []byte, v *Value) []byte {
	if k := v.Kind(); (k == KindList || k == KindMap) && v.isLazy() {
		w := v.open()
		v = &w
	}
	switch v.Kind() {
	case KindNull:
		return packwire.AppendNil(b)
	case KindBool:
		return packwire.AppendBool(b, v.num != 0)
	case KindString:
		return packwire.AppendString(b, v.text())
	case KindInt:
		return packwire.AppendInt(b, int64(v.num))
	case KindUint:
		return packwire.AppendUint(b, v.num)
	case KindFloat:
		if v.is32() {
			return packwire.AppendFloat32(b, float32(math.Float64frombits(v.num)))
		}
		return packwire.AppendFloat64(b, math.Float64frombits(v.num))
	case KindNumber:
		if i, ok := v.Int(); ok {
			return packwire.AppendInt(b, i)
		}
		if u, ok := v.Uint(); ok {
			return packwire.AppendUint(b, u)
		}
		if !wire.FloatHas(v.text()) {
			return packwire.AppendString(b, v.text()) // as a json.Number is written
		}
		f, _ := v.Float()
		return packwire.AppendFloat64(b, f)
	case KindBytes:
		return packwire.AppendBytes(b, v.bytes())
	case KindTime:
		return packwire.AppendTime(b, v.time())
	case KindList:
		if v.isTree() {
			return x.msgpackCells(b, mem.Target[tree.Doc](v.ref), v.cells(), int(v.num), nil)
		}
		if !x.enter() {
			return b
		}
		elems := v.elems()
		b = packwire.AppendArrayHeader(b, len(elems))
		for i := range elems {
			if b = x.msgpack(b, &elems[i]); x.err != nil {
				x.in(step{index: i})
				return b
			}
		}
		x.levels++
		return b
	case KindMap:
		return x.msgpackMap(b, v)
	}
	typ := int64(v.num)
	if typ != int64(int8(typ)) {
		x.fail(errNoExt)
		return b
	}
	return packwire.AppendExt(b, int8(typ), v.extData())
}

func (x *exporter) msgpackMap(b []byte, v *Value) []byte {
	if v.isTree() {
		return x.msgpackCells(b, mem.Target[tree.Doc](v.ref), v.cells(), int(v.num), v.shape())
	}
	if !x.enter() {
		return b
	}
	vals := v.members()
	b = packwire.AppendMapHeader(b, len(vals))
	var s *tree.Shape
	var names []string
	if len(vals) > 0 {
		s = v.shape()
		names = s.Spelling(tree.SpellMsgpack)
	}
	for i := range vals {
		if names != nil {
			b = append(b, names[i]...)
		} else {
			b = tree.AppendName(b, s.Names[i], tree.SpellMsgpack)
		}
		if b = x.msgpack(b, &vals[i]); x.err != nil {
			x.in(step{s.Names[i], -1})
			return b
		}
	}
	x.levels++
	return b
}
