// Package pgx makes the driver github.com/jackc/pgx/v5 write and read columns of json and jsonb with weft. Any Go
// value can be an argument for such a column, and any variable can be a target to scan one into.
//
//	config.AfterConnect = weftpgx.AfterConnect()
//
// The rules of a type are checked when a column is read. With database/sql, the type JSON of package column works
// with any driver.
package pgx

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/weftcodec/weft/json"
)

// AfterConnect returns the function that calls [Register] for a new connection: for the field of that name in the
// configuration of package pgxpool, and for stdlib.OptionAfterConnect.
func AfterConnect(opts ...json.Options) func(context.Context, *pgx.Conn) error {
	return func(_ context.Context, c *pgx.Conn) error {
		Register(c.TypeMap(), opts...)
		return nil
	}
}

// Register has the types json and jsonb of m, and arrays of them, written and read by weft. Without options the text is
// that of encoding/json.
func Register(m *pgtype.Map, opts ...json.Options) {
	marshal, unmarshal := json.Marshal, json.Unmarshal
	if len(opts) > 0 {
		marshal = func(v any) ([]byte, error) { return json.MarshalWith(v, opts...) }
		unmarshal = func(b []byte, v any) error { return json.UnmarshalWith(b, v, opts...) }
	}
	register(m, "json", pgtype.JSONOID, pgtype.JSONArrayOID, &pgtype.JSONCodec{Marshal: marshal, Unmarshal: unmarshal})
	register(m, "jsonb", pgtype.JSONBOID, pgtype.JSONBArrayOID, &pgtype.JSONBCodec{Marshal: marshal, Unmarshal: unmarshal})
}

func register(m *pgtype.Map, name string, id, arrays uint32, codec pgtype.Codec) {
	t := &pgtype.Type{Name: name, OID: id, Codec: codec}
	m.RegisterType(t)
	m.RegisterType(&pgtype.Type{Name: "_" + name, OID: arrays, Codec: &pgtype.ArrayCodec{ElementType: t}})
}
