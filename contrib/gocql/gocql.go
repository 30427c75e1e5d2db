// Package gocql lets the values of package opt into the columns of Cassandra and ScyllaDB through
// github.com/gocql/gocql.
//
// That library takes values by methods whose arguments are its own types, which package opt does not know. The types
// here are those of opt in the same memory, with these methods. A value is converted where it is used, at no cost:
//
//	err := session.Query("SELECT name, age FROM person WHERE id = ?", id).Scan(gocql.AsNull(&p.Name), gocql.AsField(&p.Age))
//	err = session.Query("INSERT INTO person (id, name) VALUES (?, ?)", id, gocql.AsNull(&p.Name)).Exec()
//
// or a field has the type of this package, as it must in a list, a map and a user-defined type; the formats of
// weft and encoding/json write it as they write that of opt, which [Null.Opt] returns.
//
// A null is not a value to Cassandra: it deletes the column. [Val.Arg] and [Field.Arg] leave a column as it is where the
// value is absent.
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
