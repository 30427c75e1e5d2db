// Package opttest tests the types of package opt with other libraries and with databases. It consists of tests; the
// types here are those for which easyjson and msgp generated code.
package opttest

import "github.com/weftcodec/weft/opt"

//go:generate go run github.com/mailru/easyjson/easyjson@v0.9.2 -no_std_marshalers -output_filename easyjson_gen.go doc.go
//go:generate go run github.com/tinylib/msgp@v1.6.5 -file doc.go -o msgp_gen.go -tests=false -io=false

// Document has a field of each kind.
//
//easyjson:json
type Document struct {
	N opt.Null[int64]   `json:"n" yaml:"n" bson:"n" msgpack:"n" msg:"n"`
	S opt.String        `json:"s" yaml:"s" bson:"s" msgpack:"s" msg:"s"`
	V opt.Val[string]   `json:"v,omitempty,omitzero" yaml:"v,omitempty" bson:"v,omitempty" msgpack:"v,omitempty" msg:"v,omitzero"`
	F opt.Field[int64]  `json:"f,omitempty,omitzero" yaml:"f,omitempty" bson:"f,omitempty" msgpack:"f,omitempty" msg:"f,omitzero"`
	B opt.Field[bool]   `json:"b,omitempty,omitzero" yaml:"b,omitempty" bson:"b,omitempty" msgpack:"b,omitempty" msg:"b,omitzero"`
	X opt.Null[float64] `json:"x" yaml:"x" bson:"x" msgpack:"x" msg:"x"`
	U opt.Uint32        `json:"u" yaml:"u" bson:"u" msgpack:"u" msg:"u"`
}

// NullDocument has one member.
//
//easyjson:json
type NullDocument struct {
	V opt.Null[int] `json:"v" yaml:"v" bson:"v" msgpack:"v" msg:"v"`
}

// ValDocument has one member, which is left out when it is absent.
//
//easyjson:json
type ValDocument struct {
	V opt.Val[int] `json:"v,omitempty,omitzero" yaml:"v,omitempty" bson:"v,omitempty" msgpack:"v,omitempty" msg:"v,omitzero"`
}

// FieldDocument has one member, which is left out when it is absent.
//
//easyjson:json
type FieldDocument struct {
	V opt.Field[int] `json:"v,omitempty,omitzero" yaml:"v,omitempty" bson:"v,omitempty" msgpack:"v,omitempty" msg:"v,omitzero"`
}
