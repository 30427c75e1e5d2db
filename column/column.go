// Package column stores Go values in the columns of SQL databases: [JSON] in columns of type json, jsonb or text, and
// [In] in columns of bytes, in any format.
//
//	var p struct{ Address column.JSON[Address] }
//	err := db.QueryRow("SELECT address FROM people WHERE id = $1", id).Scan(&p.Address)
//	_, err = db.Exec("UPDATE people SET address = $1 WHERE id = $2", p.Address, id)
//
// The formats of weft and encoding/json write a [JSON] as the value in it.
package column

import (
	"database/sql/driver"
	"fmt"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
)

// JSON is a value of any type that is stored in a column as JSON text. NULL is read as the zero T, and is never
// written. To distinguish the two, use an opt.Null[JSON[T]] or a database/sql.Null of it.
type JSON[T any] struct{ V T }

// Value implements [driver.Valuer]: the value as JSON text.
func (c JSON[T]) Value() (driver.Value, error) {
	// A string, which every driver takes as text: MySQL refuses bytes for a column of JSON.
	b, err := json.MarshalAppend(nil, &c.V)
	if err != nil {
		return nil, err
	}
	return string(b), nil
}

// Scan implements database/sql.Scanner: it reads a new value from JSON text. If there is an error, the value is left
// unchanged.
func (c *JSON[T]) Scan(src any) error {
	v, err := scan[T](json.Format, src)
	if err == nil {
		c.V = v
	}
	return err
}

// WeftRules makes the formats of weft write and read only the value.
func (JSON[T]) WeftRules() weft.Rules { return weft.Rules{Wrapper: true} }

// MarshalJSON implements the Marshaler of encoding/json.
func (c JSON[T]) MarshalJSON() ([]byte, error) { return json.Marshal(&c.V) }

// UnmarshalJSON implements the Unmarshaler of encoding/json.
func (c *JSON[T]) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &c.V) }

// Column is a variable of type T with the format of its column. [In] makes one.
type Column[T any] struct {
	v    *T
	f    weft.Format
	opts []weft.Options
}

// In returns an argument for queries and for Scan that stands for the variable that v points to. The column contains
// the value as bytes in the format f.
func In[T any](f weft.Format, v *T, opts ...weft.Options) Column[T] { return Column[T]{v, f, opts} }

// Value implements [driver.Valuer].
func (c Column[T]) Value() (driver.Value, error) {
	b, err := c.f.MarshalAppend(nil, c.v, c.opts...)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Scan implements database/sql.Scanner. NULL is read as the zero T. If there is an error, the variable is left
// unchanged.
func (c Column[T]) Scan(src any) error {
	v, err := scan[T](c.f, src, c.opts...)
	if err == nil {
		*c.v = v
	}
	return err
}

// scan reads what a driver has for a column. It keeps none of it.
func scan[T any](f weft.Format, src any, opts ...weft.Options) (v T, err error) {
	switch src := src.(type) {
	case nil:
	case []byte:
		err = f.Unmarshal(src, &v, weft.Join(opts...), weft.AliasInput(false)) // the memory is the driver's
	case string:
		err = f.Unmarshal([]byte(src), &v, opts...)
	default:
		err = fmt.Errorf("column: %T is not %s of a %T: the column must hold text or bytes", src, f.Name(), v)
	}
	return v, err
}
