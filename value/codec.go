package value

import (
	"encoding/json"
	"errors"
	"math"
	"sync"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/tree"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

var (
	_ weft.Marshaler   = Value{}
	_ weft.Unmarshaler = (*Value)(nil)
)

var errNoExt = errors.New("the format has no such extension")

// MarshalWeft implements [weft.Marshaler]: every format writes a Value according to its kind, with members in the
// order of the map. A format that lacks a kind writes the Go value that [Value.Interface] returns; an extension is an
// error in a format that has none.
func (v Value) MarshalWeft(e *weft.Encoder) error {
	if k := v.Kind(); k == KindList || k == KindMap {
		switch e.Syntax() {
		case setting.SyntaxJSON:
			return e.Extend(v.appendJSON)
		case setting.SyntaxMsgpack:
			return e.Extend(v.appendMsgpack)
		}
	}
	switch v.Kind() {
	case KindNull:
		return e.Null()
	case KindBool:
		if e.Syntax() == setting.SyntaxOther {
			return e.Value(v.num != 0) // no Go type says that it is one
		}
		return e.Bool(v.num != 0)
	case KindInt:
		return e.Int64(int64(v.num))
	case KindUint:
		return e.Uint64(v.num)
	case KindFloat:
		if v.is32() {
			return e.Float32(float32(math.Float64frombits(v.num)))
		}
		return e.Float64(math.Float64frombits(v.num))
	case KindNumber:
		if e.Syntax() == setting.SyntaxJSON {
			return e.Raw(mem.View(v.text()))
		}
		return e.Value(json.Number(v.text()))
	case KindString:
		return e.String(v.text())
	case KindBytes:
		if v.num == 0 {
			return e.Bytes([]byte{})
		}
		return e.Bytes(v.bytes())
	case KindTime:
		return e.Time(v.time())
	case KindList:
		a := e.Array(v.count())
		all := v.kids()
		for i := range all.n {
			a.Next()
			if all.at(i).MarshalWeft(e) != nil {
				break
			}
		}
		return a.End()
	case KindMap:
		m := e.Map(v.count())
		names, all := v.names(), v.kids()
		for i := range all.n {
			m.Name(names[i])
			if all.at(i).MarshalWeft(e) != nil {
				break
			}
		}
		return m.End()
	}
	if typ := int64(v.num); e.Syntax() == setting.SyntaxMsgpack && typ == int64(int8(typ)) {
		return e.Raw(packwire.AppendExt(nil, int8(typ), v.extData()))
	}
	return e.Fail(errNoExt)
}

// UnmarshalWeft implements [weft.Unmarshaler]: every format reads any of its values. An integer becomes an Int, or a
// Uint beyond the range of int64. A number in text that neither a 64-bit integer nor a 64-bit float holds to its last
// digit stays a Number.
func (v *Value) UnmarshalWeft(d *weft.Decoder) error {
	if r, ok := d.Reader().(*reader); ok {
		*v = r.take()
		return r.err
	}
	if r, ok := d.Reader().(tree.Source); ok {
		if doc, cell, ok := r.ReadTree(); ok {
			err := d.Err()
			if err == nil {
				root, _ := doc.(*tree.Doc)
				*v = inTree(root, tree.Cell(cell))
			}
			return err
		}
	}
	b := importers.Get().(*importer)
	b.r = d.Reader()
	b.ext, _ = b.r.(extReader)
	b.exact = b.r.Exact()
	x := b.value()
	b.release()
	err := d.Err()
	if err == nil {
		*v = x
	}
	return err
}

// extReader is a reader of a format with extensions of a type in 8 bits.
type extReader interface {
	Ext() (typ int8, body []byte)
}

// importer makes a Value of what a backend.Reader reads.
type importer struct {
	marshaler // for its memory
	r         backend.Reader
	ext       extReader
	exact     bool    // the kinds of numbers are those that were written
	vals      []Value // of the containers that are open
	names     []string
	high      int              // values and names there were at most
	known     [256]*tree.Shape // shapes met, by their names
}

var importers = sync.Pool{New: func() any { return new(importer) }}

// most is the scratch memory that is kept for the next use.
const most = 4096

func (b *importer) release() {
	if cap(b.vals) > most {
		b.vals = nil
	}
	if cap(b.names) > most {
		b.names = nil
	}
	clear(b.vals[:min(b.high, cap(b.vals))])
	clear(b.names[:min(b.high, cap(b.names))])
	b.high = 0
	b.vals, b.names, b.r, b.ext = b.vals[:0], b.names[:0], nil, nil
	b.free, b.size = nil, chunk/4
	importers.Put(b)
}

// value reads the next value.
func (b *importer) value() Value {
	r := b.r
	switch r.Kind() {
	case weft.KindString:
		return String(r.String())
	case weft.KindObject:
		return b.object()
	case weft.KindArray:
		return b.array()
	case weft.KindNumber:
		text := r.Decimal()
		if b.exact {
			return numberOf(text)
		}
		return textValue(mem.View(text))
	case weft.KindInt:
		return Int(r.Signed(64))
	case weft.KindUint:
		u := r.Unsigned(64)
		if u <= math.MaxInt64 && !b.exact {
			return Int(int64(u))
		}
		return Uint(u)
	case weft.KindFloat:
		if b.r.Single() {
			return Float32(r.Float32())
		}
		return Float(r.Float64())
	case weft.KindBool:
		return Bool(r.Bool())
	case weft.KindNull:
		r.Null()
		return Value{}
	case weft.KindBytes:
		return bytesOf(r.Bytes())
	case weft.KindTime:
		return Time(r.Time())
	case weft.KindExt:
		if b.ext == nil {
			r.Fail(errNoExt)
			return Value{}
		}
		typ, body := b.ext.Ext()
		return Ext(int64(typ), body)
	}
	r.Skip() // says what is wrong
	if r.Err() == nil {
		r.Fail(errNone)
	}
	return Value{}
}

func (b *importer) array() Value {
	r, mark := b.r, len(b.vals)
	for ok := r.BeginArray(); ok; ok = r.More() {
		x := b.value()
		b.vals = append(b.vals, x)
	}
	b.high = max(b.high, len(b.vals))
	elems := b.values(len(b.vals) - mark)
	copy(elems, b.vals[mark:])
	b.vals = b.vals[:mark]
	return listOf(elems)
}

func (b *importer) object() Value {
	r, mark, nameMark := b.r, len(b.vals), len(b.names)
	if !r.BeginMap() {
		return Value{}
	}
	for {
		name, ok := r.NextKey()
		if !ok {
			break
		}
		b.names = append(b.names, name)
		x := b.value()
		b.vals = append(b.vals, x)
	}
	b.high = max(b.high, len(b.vals), len(b.names))
	if r.Err() != nil {
		return Value{}
	}
	names, vals := b.names[nameMark:], b.vals[mark:]
	s := b.shape(names)
	var out Value
	if s.Len() == len(names) {
		slots := b.values(1 + len(names))
		copy(slots[1:], vals)
		out = mapWith(s, slots)
	} else { // some names are there more than once
		m := newBuilder(len(names))
		for i, name := range names {
			m.add(name, vals[i])
		}
		out = m.done()
	}
	b.names, b.vals = b.names[:nameMark], b.vals[:mark]
	return out
}

// shape returns a shape of the names, one that has been met if possible. It returns
// another number of names if they do not differ.
func (b *importer) shape(names []string) *tree.Shape {
	n := len(names)
	if n == 0 {
		return nil
	}
	at := &b.known[(tree.HashName(names[0])*31+tree.HashName(names[n-1])+uint(n))%uint(len(b.known))]
	if s := *at; s.Len() == n && sameNames(s.Names, names) {
		return s
	}
	s := tree.NewShape(append(make([]string, 0, n), names...))
	if !s.Distinct() {
		return nil
	}
	if n <= tree.MaxShared {
		s.Own()
		*at = s
	}
	return s
}

func sameNames(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// textValue returns the number that valid text is, "" for none.
func textValue(text []byte) Value {
	if len(text) == 0 {
		return Value{}
	}
	switch form, u := tree.ParseNumber(text); form {
	case tree.FormInt:
		return make1(KindInt, u)
	case tree.FormUint:
		return make1(KindUint, u)
	case tree.FormFloat:
		return make1(KindFloat, u)
	}
	return numberOf(string(text))
}
