package optional

import (
	"database/sql"
	"encoding/json"
)

// SQLNull is a value in the form of the nullable types that hold a
// [sql.Null], such as those of github.com/guregu/null.
type SQLNull[T any] struct{ sql.Null[T] }

// MarshalJSON implements json.Marshaler.
func (n SQLNull[T]) MarshalJSON() ([]byte, error) {
	if !n.Valid {
		return []byte("null"), nil
	}
	return json.Marshal(n.V)
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *SQLNull[T]) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == 'n' {
		n.Valid = false
		return nil
	}
	if err := json.Unmarshal(b, &n.V); err != nil {
		return err
	}
	n.Valid = true
	return nil
}

// SmallSQLNulls has six fields.
type SmallSQLNulls struct{ F0, F1, F2, F3, F4, F5 SQLNull[string] }

// Fill sets every field to s.
func (v *SmallSQLNulls) Fill(s string) {
	o := SQLNull[string]{sql.Null[string]{V: s, Valid: true}}
	v.F0, v.F1, v.F2, v.F3, v.F4, v.F5 = o, o, o, o, o, o
}

// MixedSQLNulls has a field of each of six types.
type MixedSQLNulls struct {
	Name  SQLNull[string]  `json:"name"`
	ID    SQLNull[int64]   `json:"id"`
	Price SQLNull[float64] `json:"price"`
	Open  SQLNull[bool]    `json:"open"`
	Count SQLNull[uint32]  `json:"count"`
	City  SQLNull[string]  `json:"city"`
}
