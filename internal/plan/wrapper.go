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
	at, elem := mem.PlaceOf(&f), mem.TypeOf(f.Type)
	put := func(e *weft.Encoder, v any) error { return e.Value(mem.PtrOf(v).Field(at).Addr(elem)) }
	get := func(d *weft.Decoder, v any) error {
		switch p := mem.PtrOf(v).Field(at).Addr(elem).(type) {
		case *any:
			if *p = nil; strict {
				*p = d.Reader().AnyNumber() // every number as it is
			} else {
				d.Value(p)
			}
		default:
			if strict && d.Kind() == weft.KindNull && f.Type.Kind() != reflect.Interface {
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
