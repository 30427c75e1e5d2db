// Package gocql stores values of package opt in columns of Cassandra and ScyllaDB through github.com/gocql/gocql.
//
// That library requires methods whose arguments are its own types, which package opt does not import. The types here
// have the same memory layout as those of opt, and these methods. A value is converted where it is used, at no cost:
//
//	err := session.Query("SELECT name, age FROM person WHERE id = ?", id).Scan(gocql.AsNull(&p.Name), gocql.AsField(&p.Age))
//	err = session.Query("INSERT INTO person (id, name) VALUES (?, ?)", id, gocql.AsNull(&p.Name)).Exec()
//
// Alternatively a field has the type of this package, which is required in a list, a map and a user-defined type. The
// formats of weft and encoding/json write it like the value of opt that [Null.Opt] returns.
//
// A null is not a value to Cassandra: it deletes the column. [Val.Arg] and [Field.Arg] leave a column unchanged if
// the value is absent.
package gocql

import (
	driver "github.com/gocql/gocql"

	"github.com/weftcodec/weft/opt"
)

// encode returns the bytes of a value.
func encode[T any](info driver.TypeInfo, set bool, v T) ([]byte, error) {
	if !set {
		return nil, nil
	}
	if id, ok := any(v).(opt.RawUUID); ok { // no type that the driver knows
		return driver.Marshal(info, driver.UUID(id))
	}
	return driver.Marshal(info, v)
}

// decode reads a value; no bytes at all are a null.
func decode[T any](info driver.TypeInfo, data []byte) (v T, set bool, err error) {
	if data == nil {
		return v, false, nil
	}
	own := new(T)
	if id, ok := any(own).(*opt.RawUUID); ok {
		err = driver.Unmarshal(info, data, (*driver.UUID)(id))
	} else {
		err = driver.Unmarshal(info, data, own)
	}
	return *own, err == nil, err
}
