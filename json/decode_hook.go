package json

import (
	"bytes"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

var (
	unmarshalerType     = reflect.TypeFor[Unmarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// hookValue decodes the value at i by a method of p's type.
func (d *decoder) hookValue(n *node, p mem.Ptr, i int) int {
	if n.noNull && d.b.At(i) == 'n' {
		return d.misfit(n, p, i)
	}
	switch n.op {
	case opTo, opStd:
		return d.textFrom(n, p, i)
	case opWeft, opUnion:
		if n.codec != nil {
			return d.reader.run(i, func(r *reader) error { return n.codec.Unmarshal(r.decoder(), p.Addr(n.mem)) })
		}
		u := p.Addr(n.mem).(weft.Unmarshaler)
		return d.reader.run(i, func(r *reader) error { return u.UnmarshalWeft(r.decoder()) })
	case opJSON:
		j := d.skip(i)
		if j < 0 {
			return j
		}
		return d.invoke(n, p, i, d.data[i:j:j], j)
	}
	switch d.b.At(i) {
	case '"':
	case 'n':
		if len(d.later) > 0 && !d.commit() {
			return d.fail()
		}
		return d.misfit(n.under, p, i)
	default:
		return d.mismatch(n.rtype, false, i)
	}
	// As encoding/json does, a method is given the caller's own bytes where the string stands there as it is.
	j := d.strEnd(i+1) + 1
	if d.b.At(j-1) == '"' && !d.badUTF8 {
		return d.invoke(n, p, i, d.data[i+1:j-1:j-1], j)
	}
	text, j := d.unescape(d.esc[:0], i+1, j-1)
	if j < 0 {
		return j
	}
	return d.invoke(n, p, i, slices.Clone(text), j)
}

// rawValue copies the value at i into p, a RawMessage.
func (d *decoder) rawValue(n *node, p mem.Ptr, i int) int {
	j := d.skipVerified(i)
	if j < 0 {
		return j
	}
	q := mem.At[[]byte](p)
	if d.flags&decodeAlias != 0 {
		*q = d.data[i:j:j]
		return j
	}
	if cap(*q) > 0 && !d.check() {
		return d.fail()
	}
	if cap(*q) >= j-i {
		*q = append((*q)[:0], d.data[i:j]...)
	} else {
		*q = append(make([]byte, 0, j-i), d.data[i:j]...)
	}
	return j
}

// timeValue decodes the string at i into p, a time.Time.
func (d *decoder) timeValue(n *node, p mem.Ptr, i int) int {
	if j := d.strEnd(i + 1); d.b.At(i) == '"' && d.b.At(j) == '"' {
		if t, err := wire.ParseTimeRFC3339(d.data[i+1 : j]); err == nil {
			*mem.At[time.Time](p) = t
			return j + 1
		}
	}
	j := d.skip(i)
	if j < 0 {
		return j
	}
	if err := mem.At[time.Time](p).UnmarshalJSON(d.data[i:j:j]); err != nil {
		return d.abort(d.about(timeType, err), i)
	}
	return j
}

// quotedNumber decodes the string at i, which must hold a number, into p, a
// Number.
func (d *decoder) quotedNumber(p mem.Ptr, i int) int {
	s, j := d.str(i)
	if j < 0 {
		return j
	}
	if !isNumber(s) {
		return d.abort(fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", d.data[i:j]), i)
	}
	*mem.At[string](p) = s
	return j
}

// isNumber reports whether s is a JSON number.
func isNumber(s string) bool { return s != "" && wire.NumberLen(s) == len(s) }

// interfaceValue decodes into the interface at p: into what it points to if
// it holds a pointer, else into the interface if it has no methods. outer is
// the type of the outermost pointer that has been followed.
func (d *decoder) interfaceValue(n *node, outer reflect.Type, p mem.Ptr, i int) int {
	if n.fn != nil { // V2
		return n.fn(d, n, p, i)
	}
	v := p.Value(n.mem)
	c := d.b.At(i)
	if !v.IsNil() {
		if !d.check() {
			return d.fail()
		}
		e := v.Elem()
		if e.Kind() == reflect.Pointer && !e.IsNil() && (c != 'n' || e.Elem().Kind() == reflect.Pointer) {
			x := e.Interface()
			to := d.nodes.root(x)
			if !holdsItself(e) {
				if d.hops++; d.hops > maxHops {
					return d.abort(errCircle, i)
				}
				i = d.target(to, outer, mem.Of(e), i)
				d.hops--
				return i
			}
			n, p = to, mem.Of(e) // the end of the way
		}
	}
	if n.op == opInterface && (c == '-' || isDigit(c)) {
		// encoding/json converts a number before it looks at the methods.
		if _, j := d.anyNumber(i); j < 0 {
			return j
		}
	}
	if c == 'n' || n.op == opInterface {
		return d.misfit(n, p, i)
	}
	return d.storeAny(p, i)
}

// holdsItself reports whether p points at an interface that p is in.
func holdsItself(p reflect.Value) bool {
	if p.Elem().Kind() != reflect.Interface {
		return false
	}
	in := p.Elem().Elem()
	return in.Kind() == reflect.Pointer && in.Type() == p.Type() && in.Pointer() == p.Pointer()
}

// quotedValue decodes the value at i, which stands in a string, into field f
// at p.
func (d *decoder) quotedValue(f *field, p mem.Ptr, i int) int {
	b := d.b
	n := f.node
	if b.At(i) == '"' {
		switch n.op {
		case opInt64, opInt, opInt32, opInt16, opInt8:
			if v, j := d.int(i + 1); j >= 0 && b.At(j) == '"' && v<<(64-8*n.mem.Size)>>(64-8*n.mem.Size) == v {
				d.intValue(n, p, i+1)
				return j + 1
			}
		case opUint64, opUint, opUint32, opUint16, opUint8:
			if v, j := d.uint(i + 1); j >= 0 && b.At(j) == '"' && v<<(64-8*n.mem.Size)>>(64-8*n.mem.Size) == v {
				d.uintValue(n, p, i+1)
				return j + 1
			}
		}
	}
	j := d.skip(i)
	if j < 0 {
		return j
	}
	plain := opBool <= n.op && n.op <= opString && n.rtype.PkgPath() == "" // it has no methods
	if !plain && !d.commit() {
		return d.fail()
	}
	switch c := b.At(i); c {
	case 'n':
		return d.literal([]byte("null"), p.Value(n.mem), false, i, j)
	case '"':
		s, _ := d.str(i)
		return d.literal([]byte(s), p.Value(n.mem), true, i, j)
	case '{', '[', 't', 'f':
	default:
		// encoding/json takes a number out of range for a null.
		if v, k := d.anyNumber(i); v == nil || k == failed {
			if k == failed || d.literal([]byte("null"), p.Value(n.mem), false, i, j) == failed {
				return failed
			}
			return k
		}
	}
	err := fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal unquoted value into %v", n.rtype)
	return d.save(err, i, j)
}

// literal stores a literal, the content of a string under the option string
// or null, in v. The value stands at i, and the walk goes on at j. It follows encoding/json step by
// step: what such a string may hold, and which error it gets, has no other
// definition.
func (d *decoder) literal(item []byte, v reflect.Value, quoted bool, i, j int) int {
	if len(item) == 0 {
		return d.save(badQuoted(item, v.Type()), i, j)
	}
	null := item[0] == 'n'
	outer := v.Type()
	u, t, v := indirect(v, null)
	if u != nil {
		if err := u.UnmarshalJSON(item); err != nil {
			return d.abort(err, i)
		}
		return j
	}
	if t != nil {
		if item[0] != '"' {
			return d.save(badQuoted(item, outer), i, j)
		}
		s, ok := unquote(item)
		if !ok {
			return d.abort(badQuoted(item, outer), i)
		}
		if err := t.UnmarshalText(bytes.Clone(s)); err != nil {
			return d.abort(err, i)
		}
		return j
	}
	kind := v.Kind()
	misfit := func(value string) int {
		return d.save(&UnmarshalTypeError{Value: value, Type: v.Type(), Offset: int64(j)}, i, j)
	}
	switch item[0] {
	case 'n':
		if quoted && string(item) != "null" {
			return d.save(badQuoted(item, v.Type()), i, j)
		}
		switch kind {
		case reflect.Interface, reflect.Pointer, reflect.Map, reflect.Slice:
			v.SetZero()
		}
	case 't', 'f':
		if string(item) != "true" && string(item) != "false" || kind != reflect.Bool {
			return d.save(badQuoted(item, v.Type()), i, j)
		}
		v.SetBool(item[0] == 't')
	case '"':
		s, ok := unquote(item)
		if !ok {
			return d.abort(badQuoted(item, v.Type()), i)
		}
		if kind != reflect.String {
			return misfit("string")
		}
		if v.Type() == numberType && !isNumber(string(s)) {
			return d.abort(fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", item), i)
		}
		v.SetString(string(s))
	default:
		if item[0] != '-' && !isDigit(item[0]) {
			return d.abort(badQuoted(item, v.Type()), i)
		}
		switch text := string(item); {
		case !v.CanInt() && !v.CanUint() && !v.CanFloat() && v.Type() != numberType:
			return d.abort(badQuoted(item, v.Type()), i)
		case setNumber(v, text) != nil:
			return misfit("number " + text)
		}
	}
	return j
}

var numberType = reflect.TypeFor[Number]()

// indirect follows the pointers of v, making those that are nil, to a value that is not valid, or
// to a type with a method that unmarshals. For a null it stops at the first pointer that can be
// set.
func indirect(v reflect.Value, null bool) (Unmarshaler, encoding.TextUnmarshaler, reflect.Value) {
	value := v
	addressed := v.Kind() != reflect.Pointer && v.Type().Name() != "" && v.CanAddr()
	if addressed {
		v = v.Addr()
	}
	for v.Kind() == reflect.Pointer && !(null && v.CanSet()) {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		if v.Type().NumMethod() > 0 && v.CanInterface() {
			if u, ok := v.Interface().(Unmarshaler); ok {
				return u, nil, reflect.Value{}
			}
			if t, ok := v.Interface().(encoding.TextUnmarshaler); ok && !null {
				return nil, t, reflect.Value{}
			}
		}
		if addressed {
			v, addressed = value, false
		} else {
			v = v.Elem()
		}
	}
	return nil, nil, v
}

// unknownField is the error for a member that the struct has no field for: that
// of every format where errors give the location, and else encoding/json's.
func (d *decoder) unknownField(name string) error {
	if d.flags&decodeLocated != 0 {
		return weft.ErrUnknownMember
	}
	return fmt.Errorf("json: unknown field %q", name)
}

// unsettable is encoding/json's error for a member behind a nil pointer that
// is embedded and unexported.
func unsettable(t reflect.Type) error {
	return fmt.Errorf("json: cannot set embedded pointer to unexported struct: %v", t)
}
