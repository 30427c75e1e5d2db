package json

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/json/jsontext"
)

// v2 reports whether the programs are by encoding/json/v2's rules.
func (s *nodeSet) v2() bool { return s.mode != nil && s.mode.flags&flagV2 != 0 }

// refusesTwice reports whether members may be refused for having the name of another one, as they are met.
func (s *nodeSet) refusesTwice() bool { return s.v2() && s.mode.flags&flagRefuseDuplicates != 0 }

func (s *nodeSet) specOf(f *plan.Field) spec {
	within, _ := s.mode.quoted(f)
	return spec{format: f.Format, quoted: within}
}

// call makes n decode by f.
func (n *node) call(f func(d *decoder, n *node, p mem.Ptr, i int) int) {
	n.op, n.fn = opFunc, f
}

// local makes n decode by f, which keeps no address.
func (n *node) local(f func(d *decoder, n *node, p mem.Ptr, i int) int) {
	n.op, n.fn = opLocal, f
}

// failing makes every value fail with err.
func (n *node) failing(err error) {
	n.local(func(d *decoder, n *node, p mem.Ptr, i int) int { return d.abort(err, i) })
}

// fillPlain is fill for a type that is not strict, and for others as far as their ops look at that.
func (s *nodeSet) fillPlain(n *node, t *plan.Type, pointed bool, sp spec) {
	m, v2, plain := s.mode, s.v2(), s.mode == nil && sp == spec{}
	if m == nil {
		m = plainMode
	}
	nullable := m.v2(setting.LegacyMerge)
	n.nullable = nullable
	if sp.bare == allHooks && m.unmarshalers != nil && s.unmarshaled(n, t, pointed, sp) {
		return
	}
	n.codec = t.Codec
	hook := -1
	if sp.bare < noMethods {
		hook = s.hookOf(t, pointed || v2)
		if set := t.Hooks.UnmarshalAddr; hook >= 0 && sp.bare == noText {
			hook = (set &^ (1<<hookTo | 1<<hookStd)).First()
		}
	}
	switch {
	case hook == hookTo || hook == hookStd:
		n.hook(hook)
		sp.bare = noText
		n.under = s.specified(t, pointed, sp)
		n.numeric = n.under.numeric
		return
	case hook >= 0 && t.Union != nil && plain:
		s.describeUnion(n, t.Union)
		return
	case hook >= 0:
		n.hook(hook)
		n.under = s.newNode(t)
		s.describe(n.under, t)
		n.under.nullable = n.under.nullable || nullable
		n.numeric, n.nullable = n.under.numeric, n.under.nullable
		return
	}
	if !plain && s.formatted(n, t, sp, m) {
		return
	}
	s.describe(n, t)
	n.nullable = n.nullable || nullable
	if n.op == opBytes && m.v2(setting.LegacyBytes) {
		n.op = opSlice // of elements with methods
	}
	if n.op == opSlice && s.holdsHooks(t.Elem, v2) {
		n.op = opSliceInPlace
	}
	if v2 {
		m.code.describeV2(s, n, t)
	}
}

// formatted makes n decode what the mode or the field give another form. It reports false where they do not.
func (s *nodeSet) formatted(n *node, t *plan.Type, sp spec, m *mode) bool {
	switch f := m.form(t, sp, m.flags&flagStringNumbers != 0); {
	case f.as == formFailing:
		n.failing(f.err)
	case f.as == formWithin && t.Kind == plan.Pointer:
		n.op, n.nullable = opPointer, true
		n.elem = s.specified(t.Elem, true, f.within)
		if t.Rtype.Name() != "" && n.elem.under != nil && !s.v2() {
			n.elem = n.elem.under
		}
	case f.as == formWithin:
		n.op, n.option = opOption, t.Option
		n.elem = s.specified(t.Option.Value, false, f.within)
	case f.as == formList || f.as == formEmits && t.Kind == plan.Bytes:
		slice, v2 := t.Kind == plan.Bytes, m.v2(0) && !m.listsBytes(t)
		n.elem, n.len, n.nullable = s.compile(t.Elem, false), t.Len, slice || v2
		n.op, n.exact, n.fresh = pick(slice, opSlice, opArray), v2, v2 && (slice || m.v2(setting.LegacyMerge))
	case f.as == formText || f.as == formBase64:
		n.byText(f.number, f.parse)
		if t.Kind == plan.Bytes || t.Kind == plan.ByteArray {
			s.bytesForm(n, t, m)
		}
	case f.as == formNumber || f.as == formNonfinite:
		n.numeric = true
		n.numberForm(t, f)
	default:
		return false
	}
	return true
}

// bytesForm makes n, which decodes bytes from a text, decode nulls, and where encoding/json does arrays of numbers.
func (s *nodeSet) bytesForm(n *node, t *plan.Type, m *mode) {
	n.nullable = t.Kind == plan.Bytes || m.v2(setting.LegacyMerge) && !m.listsBytes(t)
	if !m.has(setting.LegacyBytes) {
		return
	}
	text, list := n.fn, s.newNode(t)
	s.describe(list, t)
	n.fn = func(d *decoder, n *node, p mem.Ptr, i int) int {
		if d.b.At(i) == '[' {
			return d.value(list, p, i)
		}
		return text(d, n, p, i)
	}
}

// byText makes n decode what set makes of a text: the content of a string, or with number the text of a
// number.
func (n *node) byText(number bool, set func(p mem.Ptr, s []byte) error) {
	n.local(func(d *decoder, n *node, p mem.Ptr, i int) int {
		c := d.b.At(i)
		if c == 'n' {
			return d.misfit(n, p, i)
		}
		if number != (c == '-' || isDigit(c)) || !number && c != '"' {
			return d.mismatch(n.rtype, false, i)
		}
		var s []byte
		var j int
		if number {
			if j = d.skipNumber(i); j >= 0 {
				s = d.b.Slice(i, j)
			}
		} else {
			s, j = d.text(i)
		}
		if j < 0 {
			return j
		}
		if err := set(p, s); err != nil {
			return d.wrongText(n, err, i, j)
		}
		return j
	})
}

// describeV2 changes n, the program of t, to encoding/json/v2's rules.
func (s *nodeSet) describeV2(n *node, t *plan.Type) {
	n.fresh = s.mode.v2(setting.LegacyMerge)
	switch n.op {
	case opAny, opInterface:
		if !n.fresh {
			return
		}
		empty, called := n.op == opAny, s.mode.unmarshalers.any()
		n.fn = func(d *decoder, n *node, p mem.Ptr, i int) int { return d.interfaceV2(n, p, i, empty, called) }
		if !empty || s.mode.flags&flagRefuseDuplicates == 0 || called {
			n.op = opLocal
		}
	case opArray:
		n.exact = s.mode.v2(setting.LegacyLengths)
	case opTime:
		if s.mode.v2(setting.LegacyParseTimes) {
			n.byText(false, s.mode.form(t, spec{format: "RFC3339Nano"}, false).parse)
		}
	case opMap, opUnsupported:
		if t.Kind != plan.Map {
			n.failing(&UnmarshalTypeError{Value: "value", Type: t.Rtype})
			return
		}
		s.mapV2(n, t)
	}
}

// mapV2 makes n decode maps by encoding/json/v2's rules.
func (s *nodeSet) mapV2(n *node, t *plan.Type) {
	hooked := t.Key.Kind != plan.Number && t.Key.Hooks.UnmarshalAddr != 0 || len(s.mode.unmarshalers.of(t.Key.Rtype)) > 0
	n.op, n.nullable, n.merged, n.mapOp = opMap, true, true, mapOther
	n.key, n.name = plan.KeyString, t.KeyCodec
	switch {
	case n.name != nil:
		n.key = plan.KeyCodec
	case t.Key.Rtype.Kind() != reflect.String || hooked || t.Key.Kind == plan.Number:
		n.keys = s.specified(t.Key, true, spec{name: true})
	case s.mode.flags&flagRefuseDuplicates != 0:
		n.unmerged = true
		if s.mode.unmarshalers == nil && s.mode.flags&flagStringNumbers == 0 {
			n.mapOp = mapOpOf(t.Rtype)
		}
	}
	n.elem = s.compile(t.Elem, false)
}

// text returns the content of the string at i and the index after it. It is valid until the next call.
func (d *decoder) text(i int) ([]byte, int) {
	b, from, to, j := d.raw(i)
	if j < 0 || from >= to {
		return nil, j
	}
	return b.Slice(from, to), j
}

// wrongText notes that the value at i does not fit n.
func (d *decoder) wrongText(n *node, err error, i, j int) int {
	return d.save(d.located(d.about(n.rtype, err), i), -1, j)
}

// about returns err with the type that it is about, which version 2 tells.
func (d *decoder) about(t reflect.Type, err error) error {
	if d.flags&decodeV2 != 0 {
		return aboutType{error: unsignaled(err), t: t}
	}
	return err
}

// failedBy is abort for the error of a method or function for values of n's type.
func (d *decoder) failedBy(n *node, err error, i int) int {
	_, told := err.(aboutType)
	if e, ok := err.(*weft.Error); ok {
		told = e.Format == "json"
	}
	switch {
	case placed(err):
		i = -1
	case d.flags&decodeV2 != 0 && n.op == opText && semanticOf(err) != nil: // which has to know the place
		err, i = settled(&weft.Error{Format: "json", Offset: -1, Err: known{error: unprefixed(err), as: semanticOf(err)}}), -1
	case !told:
		err = d.about(n.rtype, err)
	}
	return d.abort(err, i)
}

// numberForm makes n decode numbers within strings, or NaN and the infinities too.
func (n *node) numberForm(t *plan.Type, f form) {
	plain := nodes.newNode(t)
	nodes.describe(plain, t)
	plain.nullable = n.nullable
	n.local(func(d *decoder, n *node, p mem.Ptr, i int) int {
		c := d.b.At(i)
		if c == 'n' {
			return d.misfit(n, p, i)
		}
		if c != '"' {
			if f.quoted {
				return d.mismatch(n.rtype, d.flags&decodeV2 == 0, i) // which tells no number then
			}
			return d.value(plain, p, i)
		}
		s, j := d.text(i)
		if j < 0 {
			return j
		}
		text := string(s)
		if f.as == formNonfinite && (text == "NaN" || text == "Infinity" || text == "-Infinity") {
			x, _ := jsontext.String(text).Float()
			p.Value(n.mem).SetFloat(x)
			return j
		}
		if !f.quoted || !isNumber(text) || setNumber(p.Value(n.mem), text) != nil {
			return d.save(&UnmarshalTypeError{Value: "string " + strconv.Quote(text), Type: n.rtype, Offset: int64(j)}, i, j)
		}
		return j
	})
}

// setNumber sets v to the number that is the text s, if it can hold it.
func setNumber(v reflect.Value, s string) (err error) {
	var i int64
	var u uint64
	var f float64
	switch {
	case v.CanInt():
		if i, err = strconv.ParseInt(s, 10, v.Type().Bits()); err == nil {
			v.SetInt(i)
		}
	case v.CanUint():
		if u, err = strconv.ParseUint(s, 10, v.Type().Bits()); err == nil {
			v.SetUint(u)
		}
	case v.CanFloat():
		if f, err = strconv.ParseFloat(s, v.Type().Bits()); err == nil {
			v.SetFloat(f)
		}
	default:
		v.SetString(s)
	}
	return err
}

// interfaceV2 decodes the value at i into the interface at p, or into a copy of the value in it. empty tells
// that its type has no methods, and called that there are functions for what is read into such a one.
func (d *decoder) interfaceV2(n *node, p mem.Ptr, i int, empty, called bool) int {
	v := p.Value(n.mem)
	c := d.b.At(i)
	if c == 'n' {
		return d.misfit(n, p, i)
	}
	var t reflect.Type
	switch {
	case !v.IsNil():
		t = v.Elem().Type()
		if !d.check() {
			return d.fail()
		}
		if d.hops++; d.hops > maxHops {
			return d.abort(errCircle, i)
		}
	case !empty:
		return d.mismatch(n.rtype, false, i)
	case n.strict,
		!called && (d.flags&decodeRejectDuplicates != 0 ||
			c != '{' && c != '[' && d.nodes.mode.flags&flagStringNumbers == 0):
		x, j := d.any(i)
		if x != nil {
			v.Set(reflect.ValueOf(x))
		}
		return j
	case c == '"':
		t = stringType
	case c == '{':
		t = reflect.TypeFor[map[string]any]()
	case c == '[':
		t = reflect.TypeFor[[]any]()
	case c == 't' || c == 'f':
		t = reflect.TypeFor[bool]()
	default:
		t = float64Type
	}
	box := reflect.New(t)
	if !v.IsNil() {
		box.Elem().Set(v.Elem())
	}
	x := box.Interface()
	// The engine may be collecting the elements of a slice of the same type.
	gathers := d.gathers
	d.gathers = nil
	j := d.value(d.nodes.root(x), mem.Of(box), i)
	d.gathers = gathers
	if d.hops > 0 {
		d.hops--
	}
	v.Set(box.Elem())
	return j
}

// unknown decodes the value at or after i of a member for which the struct at p has no field, and whose name stands
// at the index at: into the field that takes such members, if there is one.
func (d *decoder) unknown(n *node, o *object, p mem.Ptr, at, i int) int {
	i = d.ws(i)
	if d.ignored.All && d.depth == d.ignored.Depth {
		return d.skipVerified(i)
	}
	if n.rest != nil && (!n.typ.Picks() || d.takes(n, at)) {
		return d.restMember(n, p, at, i)
	}
	if d.unverified && d.flags&decodeRejectDuplicates != 0 {
		more := d.more(n, o)
		var isNew bool
		if more.unknown, isNew = d.code.unknown(d, more.unknown, at); !isNew {
			return d.fail()
		}
	}
	return d.skipVerified(i)
}

// takes reports whether the field for members without a field takes the one whose name stands at the index at.
func (d *decoder) takes(n *node, at int) bool {
	name, j := d.name(at)
	return j >= 0 && n.typ.Takes(name)
}

// restMember decodes the value at i of a member whose name stands at the index at into the field that takes the members
// without a field.
func (d *decoder) restMember(n *node, p mem.Ptr, at, i int) int {
	f := n.rest
	if !d.check() {
		return d.fail()
	}
	q, j := d.reach(f, p, i)
	if j != i {
		return j
	}
	name, j := d.str(at)
	if j < 0 {
		return j
	}
	to := f.node
	if to.op == opPointer {
		at := q
		if to = to.elem; q.Deref(to.mem).IsNil() {
			at.SetPtr(to.mem.New())
		}
		q = at.Deref(to.mem)
	}
	v := q.Value(to.mem)
	if v.Kind() != reflect.Map { // an encoded object
		const spaces = " \t\r\n"
		text := bytes.TrimRight(v.Bytes(), spaces)
		switch end := len(text) - 1; {
		case v.Len() == 0:
			text = []byte{'{'}
		case end < 0 || text[end] != '}':
			v.SetBytes(text)
			err := fmt.Errorf("json: field %s of %v does not hold an object", f.of.Name, n.rtype)
			return d.abort(aboutType{error: err, t: v.Type()}, at)
		default:
			text = bytes.Clone(bytes.TrimRight(text[:end], spaces))
			if !bytes.HasSuffix(text, []byte{'{'}) && !bytes.HasSuffix(text, []byte{','}) {
				text = append(text, ',')
			}
		}
		if j = d.skip(i); j < 0 {
			return j
		}
		text = append(append(text, d.data[at:d.skipScalar(at)]...), ':')
		v.SetBytes(append(append(text, d.data[i:j]...), '}'))
		return j
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	e := mem.NewEntry(v.Type())
	e.KeyValue().SetString(name)
	if d.nodes.mode.v2(setting.LegacyMerge) {
		e.Load(v)
	}
	i = d.value(to.elem, e.Elem, i)
	if i != failed || d.err != nil && d.flags&decodeV2 != 0 {
		e.Put(v)
	}
	return i
}

// textFrom decodes the value at i by UnmarshalJSONFrom.
func (d *decoder) textFrom(n *node, p mem.Ptr, i int) int {
	s := specOf(n.spec)
	if d.outer.passes(i) {
		return d.value(n.under, p, i)
	}
	return d.byFunc(n, p, i, func() (int, error) {
		if n.op != opStd {
			return d.readText(i, s, n.rtype, mem.As[UnmarshalerFrom](n.box, p).UnmarshalJSONFrom)
		}
		j, v := d.skip(i), p.Addr(n.mem)
		if s.quoted {
			return j, d.nodes.mode.code.quotedFrom(d.data[i:j:j], v, d.settings())
		}
		return j, unmarshalStd(d.data[i:j:j], v, d.settings())
	})
}

// unmarshaled makes n decode by the functions of the mode for values of t, and as else it would where they all
// pass. It returns false where there are none.
func (s *nodeSet) unmarshaled(n *node, t *plan.Type, pointed bool, sp spec) bool {
	fns := s.mode.unmarshalers.of(t.Rtype)
	if len(fns) == 0 {
		return false
	}
	sp.bare = noFuncs
	n.under = s.specified(t, pointed, sp)
	n.nullable, n.numeric = n.under.nullable, n.under.numeric
	n.call(func(d *decoder, n *node, p mem.Ptr, i int) int {
		return d.byFunc(n, p, i, func() (int, error) {
			v := p.Addr(n.mem)
			for k := range fns {
				switch j, err := fns[k].call(d, i, v, sp); {
				case err == nil:
					return j, nil
				case !errors.Is(err, errors.ErrUnsupported) && s.v2() && !placed(err):
					return j, d.about(fns[k].typ, err)
				case !errors.Is(err, errors.ErrUnsupported):
					return j, err
				}
			}
			return failed, errors.ErrUnsupported
		})
	})
	return true
}

// byFunc decodes the value at i into p by read, which returns where the value ends, or by
// n.under where read does not do it. The text is known to be JSON then. What the options refuse in the value read has
// to find, as the walk does in others.
func (d *decoder) byFunc(n *node, p mem.Ptr, i int, read func() (int, error)) int {
	if !d.wellFormed() || len(d.later) > 0 && !d.callLater() {
		return d.fail()
	}
	switch j, err := read(); {
	case err == nil:
		return j
	case errors.Is(err, errors.ErrUnsupported):
		return d.value(n.under, p, i)
	default:
		return d.failedBy(n, err, i)
	}
}

// options returns the options by which methods and functions that are given a jsontext.Decoder are to read.
func (d *decoder) options() Options {
	o := allFlags.Decide(d.settings().weft()|uint64(d.flags)&setting.RejectUnknown, true)
	if m := d.nodes.mode; m != nil {
		return weft.Join(m.vals, o)
	}
	return o
}

// settings returns the flags that the options of d are.
func (d *decoder) settings() encodeFlags { return d.call ^ flagsDefault }
