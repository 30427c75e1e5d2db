package recordpb

import "github.com/weftcodec/weft/bench/records"

// From returns r as a message.
func From(r *records.Record) *Record {
	m := &Record{
		Int: int64(r.Int), Uint: uint64(r.Uint), Float: r.Float, Double: r.Double, Bool: r.Bool, String_: r.String,
		Map:   make(map[string]uint64, len(r.Map)),
		Child: &Child{Int: int64(r.Child.Int), String_: r.Child.String},
	}
	for _, v := range r.Array {
		m.Array = append(m.Array, int64(v))
	}
	for k, v := range r.Map {
		m.Map[k] = uint64(v)
	}
	return m
}
