package opt

import (
	"database/sql"
	"database/sql/driver"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"
)

// Value implements [driver.Valuer]. A value is what its own method Value says,
// if T has one; integers are int64, and decimal text where that is too small,
// which a column of type numeric or text holds; floating-point numbers are
// float64. A pointer or an interface is what it refers to, and nil is NULL; one that
// leads only to itself is an error. Complex numbers and types with MarshalText are
// text, and so is anything else, as JSON.
func (o Null[T]) Value() (driver.Value, error) { return sqlValue(o.state(), &o.V) }

// Scan implements [sql.Scanner] as [sql.Null] does, and undoes all of
// [Null.Value], but that an interface gets what the driver has. If there is an
// error, o keeps its value.
func (o *Null[T]) Scan(src any) error { return o.keep(scan[T](src, IsNull)) }

// Value implements [driver.Valuer] as [Null.Value] does. A database has no
// absent values: they are NULL.
func (o Val[T]) Value() (driver.Value, error) { return sqlValue(o.state(), &o.V) }

// Scan implements [sql.Scanner]. A NULL is an absent value, which a database
// has no other form for. If there is an error, o keeps its value.
func (o *Val[T]) Scan(src any) error { return o.keep(scan[T](src, Absent)) }

// Value implements [driver.Valuer] as [Null.Value] does. A database has no
// absent values: they are NULL.
func (o Field[T]) Value() (driver.Value, error) { return sqlValue(o.state(), &o.V) }

// Scan implements [sql.Scanner]. If there is an error, o keeps its value.
func (o *Field[T]) Scan(src any) error { return o.keep(scan[T](src, IsNull)) }

func sqlValue[T any](s State, v *T) (driver.Value, error) {
	if s != IsSet {
		return nil, nil
	}
	if own := driverValue(v); own != nil {
		return own, nil
	}
	copied := *v
	return toDriverValue(&copied, mostPointers)
}

// driverValue returns what v points to, nil when that is no [driver.Value]
// itself.
func driverValue(v any) driver.Value {
	switch p := v.(type) {
	case *string:
		return *p
	case *int64:
		return *p
	case *bool:
		return *p
	case *float64:
		return *p
	case *time.Time:
		return *p
	case *[]byte:
		return *p
	}
	return nil
}

// toDriverValue returns what v points to as a [driver.Value]: behind at most that many pointers and interfaces.
func toDriverValue(v any, most int) (driver.Value, error) {
	if m, ok := v.(driver.Valuer); ok {
		return m.Value()
	}
	rv := reflect.ValueOf(v).Elem()
	if k := rv.Kind(); k == reflect.Pointer || k == reflect.Interface {
		if rv.IsNil() {
			return nil, nil
		}
		if most == 0 {
			return nil, errEndless
		}
		in := reflect.New(rv.Elem().Type())
		in.Elem().Set(rv.Elem())
		if own := driverValue(in.Interface()); own != nil {
			return own, nil
		}
		return toDriverValue(in.Interface(), most-1)
	}
	if _, ok := v.(encoding.TextMarshaler); !ok {
		switch k := rv.Kind(); {
		case k == reflect.String:
			return rv.String(), nil
		case k == reflect.Bool:
			return rv.Bool(), nil
		case rv.CanInt():
			return rv.Int(), nil
		case rv.CanUint():
			if u := rv.Uint(); u > math.MaxInt64 {
				return strconv.FormatUint(u, 10), nil
			}
			return int64(rv.Uint()), nil
		case rv.CanFloat():
			return rv.Float(), nil
		case isBytes(rv.Type()):
			return rv.Bytes(), nil
		}
	}
	text, err := appendText(nil, rv)
	return string(text), err
}

// scan reads what a driver returned; a NULL has the state null.
func scan[T any](src any, null State) (v T, s State, err error) {
	if src == nil {
		return v, null, nil
	}
	own := new(T)
	if done, err := scanOwn(src, own); done {
		return *own, IsSet, err
	}
	var n sql.Null[T]
	if err = n.Scan(src); err != nil {
		err = located(err)
	}
	return n.V, IsSet, err
}

// scanOwn reads into what v points to. It reports false where package sql is to
// do it.
func scanOwn(src, v any) (done bool, err error) {
	if u, ok := v.(sql.Scanner); ok {
		return true, u.Scan(src)
	}
	rv := reflect.ValueOf(v).Elem()
	if rv.Kind() == reflect.Pointer {
		if endless(rv.Type()) {
			return true, errEndless
		}
		in := reflect.New(rv.Type().Elem())
		if done, err = scanOwn(src, in.Interface()); done {
			rv.Set(in)
		}
		return done, err
	}
	var text []byte
	switch src := src.(type) {
	case string:
		text = []byte(src)
	case []byte:
		text = src
	}
	if text == nil {
		return false, nil
	}
	if t, ok := v.(*time.Time); ok {
		*t, err = parseTime(string(text))
		return true, err
	}
	_, fromText := v.(encoding.TextUnmarshaler)
	switch {
	case fromText, rv.CanComplex(), isBytes(rv.Type()):
		return true, parseText(text, rv)
	case !rv.CanInt() && !rv.CanUint() && !rv.CanFloat() && rv.Kind() != reflect.String &&
		rv.Kind() != reflect.Bool && rv.Kind() != reflect.Interface:
		return true, located(json.Unmarshal(text, v))
	}
	return false, nil
}

// parseTime reads a time as databases without a type for it keep it.
func parseTime(s string) (time.Time, error) {
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999 -0700 MST",
		"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", time.DateOnly,
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("opt: %q is not a time", s)
}
