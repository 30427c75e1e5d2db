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
// float64. Complex numbers and types with MarshalText are text, and so is
// anything else, as JSON.
func (o Null[T]) Value() (driver.Value, error) { return sqlValue(o.state(), &o.V) }

// Scan implements [sql.Scanner] as [sql.Null] does, and undoes all of
// [Null.Value]. On an error o keeps its value.
func (o *Null[T]) Scan(src any) error { return o.keep(scan[T](src, IsNull)) }

// Value implements [driver.Valuer] as [Null.Value] does. A database has no
// absent values: they are NULL.
func (o Val[T]) Value() (driver.Value, error) { return sqlValue(o.state(), &o.V) }

// Scan implements [sql.Scanner]. A NULL is an absent value, which a database
// has no other form for. On an error o keeps its value.
func (o *Val[T]) Scan(src any) error { return o.keep(scan[T](src, Absent)) }

// Value implements [driver.Valuer] as [Null.Value] does. A database has no
// absent values: they are NULL.
func (o Field[T]) Value() (driver.Value, error) { return sqlValue(o.state(), &o.V) }

// Scan implements [sql.Scanner]. On an error o keeps its value.
func (o *Field[T]) Scan(src any) error { return o.keep(scan[T](src, IsNull)) }

func sqlValue[T any](s State, v *T) (driver.Value, error) {
	if s != IsSet {
		return nil, nil
	}
	switch p := any(v).(type) {
	case *string:
		return *p, nil
	case *int64:
		return *p, nil
	case *bool:
		return *p, nil
	case *float64:
		return *p, nil
	case *time.Time:
		return *p, nil
	case *[]byte:
		return *p, nil
	}
	copied := *v
	if m, ok := any(&copied).(driver.Valuer); ok {
		return m.Value()
	}
	rv := reflect.ValueOf(&copied).Elem()
	if _, ok := any(&copied).(encoding.TextMarshaler); !ok {
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
	if u, ok := any(own).(sql.Scanner); ok {
		err = u.Scan(src)
		return *own, IsSet, err
	}
	var text []byte
	switch src := src.(type) {
	case string:
		text = []byte(src)
	case []byte:
		text = src
	}
	if text != nil {
		if t, ok := any(own).(*time.Time); ok {
			*t, err = parseTime(string(text))
			return *own, IsSet, err
		}
		rv := reflect.ValueOf(own).Elem()
		_, fromText := any(own).(encoding.TextUnmarshaler)
		switch {
		case fromText, rv.CanComplex():
			err = parseText(text, rv)
			return *own, IsSet, err
		case !rv.CanInt() && !rv.CanUint() && !rv.CanFloat() && rv.Kind() != reflect.String &&
			rv.Kind() != reflect.Bool && rv.Kind() != reflect.Interface && !isBytes(rv.Type()):
			err = located(json.Unmarshal(text, own))
			return *own, IsSet, err
		}
	}
	var n sql.Null[T]
	if err = n.Scan(src); err != nil {
		err = located(err)
	}
	return n.V, IsSet, err
}

// parseTime reads a time as databases without a type for it keep it.
func parseTime(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00",
		"2006-01-02 15:04:05.999999999 -0700 MST", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("opt: %q is no time", s)
}
