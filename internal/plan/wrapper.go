package plan

import (
	"fmt"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
)

// makeWrapper makes n, a struct of one field, stand for the value of the field.
func (b *builder) makeWrapper(n *Type, strict bool) error {
	t := n.Rtype
	if t.Kind() != reflect.Struct || t.NumField() != 1 || !t.Field(0).IsExported() {
		return fmt.Errorf("a wrapper is a struct of one exported field")
	}
	f := t.Field(0)
	at, elem, in := mem.PlaceOf(&f), mem.TypeOf(f.Type), b.typeOf(f.Type)
	noNull := func() bool { return strict && f.Type.Kind() != reflect.Interface && !in.takesNull() }
	put := func(e *weft.Encoder, v any) error {
		p := mem.PtrOf(v).Field(at)
		x := p.Addr(elem)
		if v := reflect.ValueOf(x).Elem(); noNull() {
			switch k := v.Kind(); {
			case k == reflect.Slice && v.IsNil():
				x = addressable(reflect.MakeSlice(f.Type, 0, 0)).Interface()
			case k == reflect.Map && v.IsNil():
				x = addressable(reflect.MakeMap(f.Type)).Interface()
			case k == reflect.Pointer && v.IsNil(), in.Option != nil && in.Option.StateAt(p) == OptionAbsent:
				return NilError(t)
			}
		}
		return e.Value(x)
	}
	get := func(d *weft.Decoder, v any) error {
		switch p := mem.PtrOf(v).Field(at).Addr(elem).(type) {
		case *any:
			if *p = nil; strict {
				*p = d.Reader().AnyNumber() // every number as it is
			} else {
				d.Value(p)
			}
		default:
			if d.Kind() == weft.KindNull && noNull() {
				return d.Fail(fmt.Errorf("null is not a value of %s", t.Name()))
			}
			d.Value(p)
		}
		return d.Err()
	}
	n.Kind, n.Wraps, n.Codec = Coded, f.Type, b.set.config.Dialect.CodecOf(t, put, get)
	n.Hooks = Hooks{b.set.weft, b.set.weft, b.set.weft, b.set.weft}
	return nil
}
