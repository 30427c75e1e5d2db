package sample

import (
	"fmt"
	"reflect"
)

// Difference returns where x and y differ first, and how.
func Difference(x, y reflect.Value) (where string, a, b any) {
	if x.Kind() == y.Kind() {
		switch x.Kind() {
		case reflect.Struct:
			for i := range x.NumField() {
				if w, a, b := Difference(x.Field(i), y.Field(i)); w != "" {
					return "." + x.Type().Field(i).Name + w, a, b
				}
			}
			return "", nil, nil
		case reflect.Pointer:
			if !x.IsNil() && !y.IsNil() {
				return Difference(x.Elem(), y.Elem())
			}
		case reflect.Map:
			for _, k := range x.MapKeys() {
				if e := y.MapIndex(k); e.IsValid() {
					if w, a, b := Difference(x.MapIndex(k), e); w != "" {
						return fmt.Sprintf("[%v]%s", k, w), a, b
					}
				}
			}
		case reflect.Slice, reflect.Array:
			if x.Len() == y.Len() && (x.Kind() == reflect.Array || x.IsNil() == y.IsNil()) {
				for i := range x.Len() {
					if w, a, b := Difference(x.Index(i), y.Index(i)); w != "" {
						return fmt.Sprintf("[%d]%s", i, w), a, b
					}
				}
				return "", nil, nil
			}
		}
	}
	if x.CanInterface() && !reflect.DeepEqual(x.Interface(), y.Interface()) {
		return fmt.Sprintf(" (%v)", x.Type()), x.Interface(), y.Interface()
	}
	return "", nil, nil
}
