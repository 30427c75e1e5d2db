package plan

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/weftcodec/weft"
)

// ParseKey makes name the key k of a map of type n.
func (n *Type) ParseKey(name string, k reflect.Value) error {
	switch n.KeyUnmarshal {
	case KeyString:
		k.SetString(name)
		return nil
	case KeyInt, KeyUint:
		return ParseIntKey(name, k)
	case KeyCodec:
		return n.KeyCodec.ParseKey(name, k.Addr().Interface())
	}
	if u, ok := k.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(name))
	}
	return &weft.TypeError{Kind: weft.KindString, Type: k.Type().String(), Text: name}
}

var errKey = errors.New("the key of a map has no text")

// KeyName returns the name of the member whose key in a map of type n is k, which is addressable.
func (n *Type) KeyName(k reflect.Value) (string, error) {
	if n.KeyCodec != nil {
		return n.KeyCodec.KeyText(k.Addr().Interface())
	}
	if m, ok := k.Addr().Interface().(encoding.TextMarshaler); ok && n.KeyMarshal == KeyText {
		text, err := m.MarshalText()
		return string(text), err
	}
	return keyName(k)
}

func keyName(k reflect.Value) (string, error) {
	if k.Kind() == reflect.String {
		return k.String(), nil
	}
	if (k.Kind() == reflect.Pointer || k.Kind() == reflect.Interface) && k.IsNil() {
		return "", nil // as encoding/json has it
	}
	if k.Kind() == reflect.Interface || k.NumMethod() > 0 {
		if m, ok := k.Interface().(encoding.TextMarshaler); ok {
			text, err := m.MarshalText()
			return string(text), err
		}
	}
	switch {
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10), nil
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10), nil
	}
	return "", errKey
}

// KeyName returns the name of a member whose key in a map is k, for errors.
func KeyName(k reflect.Value) string {
	if name, err := keyName(k); err == nil {
		return name
	}
	return fmt.Sprint(k.Interface())
}

// ParseIntKey sets the integer k to the one that name is in decimal.
func ParseIntKey(name string, k reflect.Value) error {
	if k.CanInt() {
		if x, err := strconv.ParseInt(name, 10, k.Type().Bits()); err == nil {
			k.SetInt(x)
			return nil
		}
	} else if x, err := strconv.ParseUint(name, 10, k.Type().Bits()); err == nil {
		k.SetUint(x)
		return nil
	}
	return KeyError(name, k.Type())
}

// KeyError returns the error for the name of a member that does not become a key of type t,
// a kind of integer: it is one beyond its range, or none at all.
func KeyError(name string, t reflect.Type) error {
	e := &weft.TypeError{Kind: weft.KindInt, Type: t.String(), Text: name}
	digits, negative := strings.CutPrefix(name, "-")
	if k := kindOf(t.Kind()); k.IsUint() && !negative {
		e.Kind = weft.KindUint
	}
	for i := range len(digits) {
		if digits[i]-'0' > 9 {
			digits = ""
			break
		}
	}
	if digits == "" {
		e.Kind, e.Text = weft.KindString, strconv.Quote(name)
	}
	if len(e.Text) > 40 {
		e.Text = ""
	}
	return e
}
