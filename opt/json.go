package opt

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// MarshalJSON implements [json.Marshaler].
func (o Null[T]) MarshalJSON() ([]byte, error) { return marshalJSON(o.state(), &o.V) }

// UnmarshalJSON implements [json.Unmarshaler]. If there is an error, o keeps its value.
func (o *Null[T]) UnmarshalJSON(b []byte) error { return o.keep(unmarshalJSON[T](b)) }

// MarshalJSON implements [json.Marshaler]. An absent value is left out by the
// option omitzero; where it cannot be left out it is null.
func (o Val[T]) MarshalJSON() ([]byte, error) { return marshalJSON(o.state(), &o.V) }

// UnmarshalJSON implements [json.Unmarshaler]. A null is an error unless T has
// one of its own. If there is an error, o keeps its value.
func (o *Val[T]) UnmarshalJSON(b []byte) error { return o.keep(unmarshalJSON[T](b)) }

// MarshalJSON implements [json.Marshaler]. An absent value is left out by the
// option omitzero; where it cannot be left out it is null.
func (o Field[T]) MarshalJSON() ([]byte, error) { return marshalJSON(o.state(), &o.V) }

// UnmarshalJSON implements [json.Unmarshaler]. If there is an error, o keeps its value.
func (o *Field[T]) UnmarshalJSON(b []byte) error { return o.keep(unmarshalJSON[T](b)) }

// marshalJSON returns the JSON of *v, or null when there is none. The common
// types take a shorter way to what json.Marshal returns.
func marshalJSON[T any](s State, v *T) ([]byte, error) {
	if s != IsSet {
		return []byte("null"), nil
	}
	if b := shortJSON(v); b != nil {
		return b, nil
	}
	copied := *v // addressable, for methods on *T
	return json.Marshal(&copied)
}

// shortJSON returns the JSON of what v points to, nil where that takes package
// json.
func shortJSON(v any) []byte {
	switch p := v.(type) {
	case *string:
		if plain(*p) {
			b := make([]byte, 0, len(*p)+2)
			return append(append(append(b, '"'), *p...), '"')
		}
	case *bool:
		return strconv.AppendBool(nil, *p)
	case *int:
		return strconv.AppendInt(nil, int64(*p), 10)
	case *int8:
		return strconv.AppendInt(nil, int64(*p), 10)
	case *int16:
		return strconv.AppendInt(nil, int64(*p), 10)
	case *int32:
		return strconv.AppendInt(nil, int64(*p), 10)
	case *int64:
		return strconv.AppendInt(nil, *p, 10)
	case *uint:
		return strconv.AppendUint(nil, uint64(*p), 10)
	case *uint8:
		return strconv.AppendUint(nil, uint64(*p), 10)
	case *uint16:
		return strconv.AppendUint(nil, uint64(*p), 10)
	case *uint32:
		return strconv.AppendUint(nil, uint64(*p), 10)
	case *uint64:
		return strconv.AppendUint(nil, *p, 10)
	}
	return nil
}

// unmarshalJSON reads a value, or a null.
func unmarshalJSON[T any](b []byte) (v T, s State, err error) {
	if b = bytes.TrimSpace(b); string(b) == "null" {
		return v, IsNull, nil
	}
	if readShortJSON(b, &v) {
		return v, IsSet, nil
	}
	own := new(T)
	err = json.Unmarshal(b, own)
	return *own, IsSet, err
}

// readShortJSON reads what shortJSON writes into what v points to. It reports
// false, and may have changed that, where it takes package json.
func readShortJSON(b []byte, v any) bool {
	switch p := v.(type) {
	case *string:
		if n := len(b); n >= 2 && b[0] == '"' && b[n-1] == '"' && plain(b[1:n-1]) {
			*p = string(b[1 : n-1])
			return true
		}
	case *bool:
		if *p = string(b) == "true"; *p || string(b) == "false" {
			return true
		}
	case *int:
		if n, ok := shortInt(b); ok && int64(int(n)) == n {
			*p = int(n)
			return true
		}
	case *int32:
		if n, ok := shortInt(b); ok && int64(int32(n)) == n {
			*p = int32(n)
			return true
		}
	case *int64:
		if n, ok := shortInt(b); ok {
			*p = n
			return true
		}
	case *uint32:
		if n, ok := shortInt(b); ok && int64(uint32(n)) == n {
			*p = uint32(n)
			return true
		}
	case *uint64:
		if n, ok := shortInt(b); ok && n >= 0 {
			*p = uint64(n)
			return true
		}
	}
	return false
}

// plain reports whether a text is the same within a JSON string: of ASCII
// characters that need no escape.
func plain[T string | []byte](s T) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c >= 0x7f, c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}

// shortInt reads a JSON integer of up to 18 digits.
func shortInt(b []byte) (n int64, ok bool) {
	negative := len(b) > 1 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 18 || b[0] == '0' && (len(b) > 1 || negative) {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}
