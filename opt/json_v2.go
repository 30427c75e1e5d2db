//go:build goexperiment.jsonv2 && go1.27

package opt

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"time"
)

// MarshalJSONTo implements [json.MarshalerTo].
func (o Null[T]) MarshalJSONTo(e *jsontext.Encoder) error { return marshalJSONTo(e, o.state(), &o.V) }

// UnmarshalJSONFrom implements [json.UnmarshalerFrom]. If there is an error, o keeps its
// value.
func (o *Null[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return o.keep(unmarshalJSONFrom[T](d))
}

// MarshalJSONTo implements [json.MarshalerTo]. An absent value is left out by
// the option omitzero; where it cannot be left out it is null.
func (o Val[T]) MarshalJSONTo(e *jsontext.Encoder) error { return marshalJSONTo(e, o.state(), &o.V) }

// UnmarshalJSONFrom implements [json.UnmarshalerFrom]. A null is an error
// unless T has one of its own. If there is an error, o keeps its value.
func (o *Val[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return o.keep(unmarshalJSONFrom[T](d))
}

// MarshalJSONTo implements [json.MarshalerTo]. An absent value is left out by
// the option omitzero; where it cannot be left out it is null.
func (o Field[T]) MarshalJSONTo(e *jsontext.Encoder) error {
	return marshalJSONTo(e, o.state(), &o.V)
}

// UnmarshalJSONFrom implements [json.UnmarshalerFrom]. If there is an error, o keeps its
// value.
func (o *Field[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return o.keep(unmarshalJSONFrom[T](d))
}

// marshalJSONTo writes *v, or null when there is none. A duration, for which v2
// has no form, is its number of nanoseconds, as v1 has it.
func marshalJSONTo[T any](e *jsontext.Encoder, s State, v *T) error {
	if s != IsSet {
		return e.WriteToken(jsontext.Null)
	}
	switch p := any(v).(type) {
	case *string:
		return e.WriteToken(jsontext.String(*p))
	case *bool:
		return e.WriteToken(jsontext.Bool(*p))
	case *time.Duration:
		return e.WriteToken(jsontext.Int(int64(*p)))
	}
	copied := *v
	return json.MarshalEncode(e, &copied)
}

// unmarshalJSONFrom reads a value, or a null.
func unmarshalJSONFrom[T any](d *jsontext.Decoder) (v T, s State, err error) {
	if d.PeekKind() == 'n' {
		_, err = d.ReadToken()
		return v, IsNull, err
	}
	own := new(T)
	if p, ok := any(own).(*time.Duration); ok {
		err = json.UnmarshalDecode(d, (*int64)(p))
	} else {
		err = json.UnmarshalDecode(d, own)
	}
	return *own, IsSet, err
}
