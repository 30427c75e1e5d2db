// Package nan has the names of github.com/kak-tus/nan that a program may use, and what they do.
package nan

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"time"
)

// Validator is what every type is.
type Validator interface{ IsValid() bool }

func marshal(v any, valid bool) ([]byte, error) {
	if !valid {
		return []byte("null"), nil
	}
	return json.Marshal(v)
}

func unmarshal[T any](b []byte, v *T, valid *bool) error {
	*v, *valid = *new(T), false
	if string(b) == "null" {
		return nil
	}
	*valid = true
	return json.Unmarshal(b, v)
}

func scan[T any](src any, v *T, valid *bool) error {
	var n sql.Null[T]
	err := n.Scan(src)
	*v, *valid = n.V, n.Valid
	return err
}

func value[T any](v T, valid bool) (driver.Value, error) {
	return sql.Null[T]{V: v, Valid: valid}.Value()
}

type NullBool struct {
	Bool  bool
	Valid bool
}

func Bool(v bool) NullBool { return NullBool{v, true} }

func BoolAddr(v *bool) (n NullBool) {
	if v != nil {
		n = NullBool{*v, true}
	}
	return n
}

func (n NullBool) IsValid() bool                 { return n.Valid }
func (n NullBool) IsDefined() bool               { return n.Valid }
func (n NullBool) MarshalJSON() ([]byte, error)  { return marshal(n.Bool, n.Valid) }
func (n *NullBool) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Bool, &n.Valid) }
func (n NullBool) MarshalText() ([]byte, error)  { return marshal(n.Bool, n.Valid) }
func (n *NullBool) UnmarshalText(b []byte) error { return unmarshal(b, &n.Bool, &n.Valid) }
func (n *NullBool) Scan(src any) error           { return scan(src, &n.Bool, &n.Valid) }
func (n NullBool) Value() (driver.Value, error)  { return value(n.Bool, n.Valid) }

func (n NullBool) Addr() *bool {
	if !n.Valid {
		return nil
	}
	return &n.Bool
}

type NullString struct {
	String string
	Valid  bool
}

func String(v string) NullString { return NullString{v, true} }

func StringAddr(v *string) (n NullString) {
	if v != nil {
		n = NullString{*v, true}
	}
	return n
}

func (n NullString) IsValid() bool                 { return n.Valid }
func (n NullString) IsDefined() bool               { return n.Valid }
func (n NullString) MarshalJSON() ([]byte, error)  { return marshal(n.String, n.Valid) }
func (n *NullString) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.String, &n.Valid) }
func (n NullString) MarshalText() ([]byte, error)  { return marshal(n.String, n.Valid) }
func (n *NullString) UnmarshalText(b []byte) error { return unmarshal(b, &n.String, &n.Valid) }
func (n *NullString) Scan(src any) error           { return scan(src, &n.String, &n.Valid) }
func (n NullString) Value() (driver.Value, error)  { return value(n.String, n.Valid) }

func (n NullString) Addr() *string {
	if !n.Valid {
		return nil
	}
	return &n.String
}

type NullTime struct {
	Time  time.Time
	Valid bool
}

func Time(v time.Time) NullTime { return NullTime{v, true} }

func TimeAddr(v *time.Time) (n NullTime) {
	if v != nil {
		n = NullTime{*v, true}
	}
	return n
}

func (n NullTime) IsValid() bool                 { return n.Valid }
func (n NullTime) IsDefined() bool               { return n.Valid }
func (n NullTime) MarshalJSON() ([]byte, error)  { return marshal(n.Time, n.Valid) }
func (n *NullTime) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Time, &n.Valid) }
func (n NullTime) MarshalText() ([]byte, error)  { return marshal(n.Time, n.Valid) }
func (n *NullTime) UnmarshalText(b []byte) error { return unmarshal(b, &n.Time, &n.Valid) }
func (n *NullTime) Scan(src any) error           { return scan(src, &n.Time, &n.Valid) }
func (n NullTime) Value() (driver.Value, error)  { return value(n.Time, n.Valid) }

func (n NullTime) Addr() *time.Time {
	if !n.Valid {
		return nil
	}
	return &n.Time
}

type NullFloat32 struct {
	Float32 float32
	Valid   bool
}

func Float32(v float32) NullFloat32 { return NullFloat32{v, true} }

func Float32Addr(v *float32) (n NullFloat32) {
	if v != nil {
		n = NullFloat32{*v, true}
	}
	return n
}

func (n NullFloat32) IsValid() bool                 { return n.Valid }
func (n NullFloat32) IsDefined() bool               { return n.Valid }
func (n NullFloat32) MarshalJSON() ([]byte, error)  { return marshal(n.Float32, n.Valid) }
func (n *NullFloat32) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Float32, &n.Valid) }
func (n NullFloat32) MarshalText() ([]byte, error)  { return marshal(n.Float32, n.Valid) }
func (n *NullFloat32) UnmarshalText(b []byte) error { return unmarshal(b, &n.Float32, &n.Valid) }
func (n *NullFloat32) Scan(src any) error           { return scan(src, &n.Float32, &n.Valid) }
func (n NullFloat32) Value() (driver.Value, error)  { return value(n.Float32, n.Valid) }

func (n NullFloat32) Addr() *float32 {
	if !n.Valid {
		return nil
	}
	return &n.Float32
}

type NullFloat64 struct {
	Float64 float64
	Valid   bool
}

func Float64(v float64) NullFloat64 { return NullFloat64{v, true} }

func Float64Addr(v *float64) (n NullFloat64) {
	if v != nil {
		n = NullFloat64{*v, true}
	}
	return n
}

func (n NullFloat64) IsValid() bool                 { return n.Valid }
func (n NullFloat64) IsDefined() bool               { return n.Valid }
func (n NullFloat64) MarshalJSON() ([]byte, error)  { return marshal(n.Float64, n.Valid) }
func (n *NullFloat64) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Float64, &n.Valid) }
func (n NullFloat64) MarshalText() ([]byte, error)  { return marshal(n.Float64, n.Valid) }
func (n *NullFloat64) UnmarshalText(b []byte) error { return unmarshal(b, &n.Float64, &n.Valid) }
func (n *NullFloat64) Scan(src any) error           { return scan(src, &n.Float64, &n.Valid) }
func (n NullFloat64) Value() (driver.Value, error)  { return value(n.Float64, n.Valid) }

func (n NullFloat64) Addr() *float64 {
	if !n.Valid {
		return nil
	}
	return &n.Float64
}

type NullInt struct {
	Int   int
	Valid bool
}

func Int(v int) NullInt { return NullInt{v, true} }

func IntAddr(v *int) (n NullInt) {
	if v != nil {
		n = NullInt{*v, true}
	}
	return n
}

func (n NullInt) IsValid() bool                 { return n.Valid }
func (n NullInt) IsDefined() bool               { return n.Valid }
func (n NullInt) MarshalJSON() ([]byte, error)  { return marshal(n.Int, n.Valid) }
func (n *NullInt) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Int, &n.Valid) }
func (n NullInt) MarshalText() ([]byte, error)  { return marshal(n.Int, n.Valid) }
func (n *NullInt) UnmarshalText(b []byte) error { return unmarshal(b, &n.Int, &n.Valid) }
func (n *NullInt) Scan(src any) error           { return scan(src, &n.Int, &n.Valid) }
func (n NullInt) Value() (driver.Value, error)  { return value(n.Int, n.Valid) }

func (n NullInt) Addr() *int {
	if !n.Valid {
		return nil
	}
	return &n.Int
}

type NullInt8 struct {
	Int8  int8
	Valid bool
}

func Int8(v int8) NullInt8 { return NullInt8{v, true} }

func Int8Addr(v *int8) (n NullInt8) {
	if v != nil {
		n = NullInt8{*v, true}
	}
	return n
}

func (n NullInt8) IsValid() bool                 { return n.Valid }
func (n NullInt8) IsDefined() bool               { return n.Valid }
func (n NullInt8) MarshalJSON() ([]byte, error)  { return marshal(n.Int8, n.Valid) }
func (n *NullInt8) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Int8, &n.Valid) }
func (n NullInt8) MarshalText() ([]byte, error)  { return marshal(n.Int8, n.Valid) }
func (n *NullInt8) UnmarshalText(b []byte) error { return unmarshal(b, &n.Int8, &n.Valid) }
func (n *NullInt8) Scan(src any) error           { return scan(src, &n.Int8, &n.Valid) }
func (n NullInt8) Value() (driver.Value, error)  { return value(n.Int8, n.Valid) }

func (n NullInt8) Addr() *int8 {
	if !n.Valid {
		return nil
	}
	return &n.Int8
}

type NullInt16 struct {
	Int16 int16
	Valid bool
}

func Int16(v int16) NullInt16 { return NullInt16{v, true} }

func Int16Addr(v *int16) (n NullInt16) {
	if v != nil {
		n = NullInt16{*v, true}
	}
	return n
}

func (n NullInt16) IsValid() bool                 { return n.Valid }
func (n NullInt16) IsDefined() bool               { return n.Valid }
func (n NullInt16) MarshalJSON() ([]byte, error)  { return marshal(n.Int16, n.Valid) }
func (n *NullInt16) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Int16, &n.Valid) }
func (n NullInt16) MarshalText() ([]byte, error)  { return marshal(n.Int16, n.Valid) }
func (n *NullInt16) UnmarshalText(b []byte) error { return unmarshal(b, &n.Int16, &n.Valid) }
func (n *NullInt16) Scan(src any) error           { return scan(src, &n.Int16, &n.Valid) }
func (n NullInt16) Value() (driver.Value, error)  { return value(n.Int16, n.Valid) }

func (n NullInt16) Addr() *int16 {
	if !n.Valid {
		return nil
	}
	return &n.Int16
}

type NullInt32 struct {
	Int32 int32
	Valid bool
}

func Int32(v int32) NullInt32 { return NullInt32{v, true} }

func Int32Addr(v *int32) (n NullInt32) {
	if v != nil {
		n = NullInt32{*v, true}
	}
	return n
}

func (n NullInt32) IsValid() bool                 { return n.Valid }
func (n NullInt32) IsDefined() bool               { return n.Valid }
func (n NullInt32) MarshalJSON() ([]byte, error)  { return marshal(n.Int32, n.Valid) }
func (n *NullInt32) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Int32, &n.Valid) }
func (n NullInt32) MarshalText() ([]byte, error)  { return marshal(n.Int32, n.Valid) }
func (n *NullInt32) UnmarshalText(b []byte) error { return unmarshal(b, &n.Int32, &n.Valid) }
func (n *NullInt32) Scan(src any) error           { return scan(src, &n.Int32, &n.Valid) }
func (n NullInt32) Value() (driver.Value, error)  { return value(n.Int32, n.Valid) }

func (n NullInt32) Addr() *int32 {
	if !n.Valid {
		return nil
	}
	return &n.Int32
}

type NullInt64 struct {
	Int64 int64
	Valid bool
}

func Int64(v int64) NullInt64 { return NullInt64{v, true} }

func Int64Addr(v *int64) (n NullInt64) {
	if v != nil {
		n = NullInt64{*v, true}
	}
	return n
}

func (n NullInt64) IsValid() bool                 { return n.Valid }
func (n NullInt64) IsDefined() bool               { return n.Valid }
func (n NullInt64) MarshalJSON() ([]byte, error)  { return marshal(n.Int64, n.Valid) }
func (n *NullInt64) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Int64, &n.Valid) }
func (n NullInt64) MarshalText() ([]byte, error)  { return marshal(n.Int64, n.Valid) }
func (n *NullInt64) UnmarshalText(b []byte) error { return unmarshal(b, &n.Int64, &n.Valid) }
func (n *NullInt64) Scan(src any) error           { return scan(src, &n.Int64, &n.Valid) }
func (n NullInt64) Value() (driver.Value, error)  { return value(n.Int64, n.Valid) }

func (n NullInt64) Addr() *int64 {
	if !n.Valid {
		return nil
	}
	return &n.Int64
}

type NullUint struct {
	Uint  uint
	Valid bool
}

func Uint(v uint) NullUint { return NullUint{v, true} }

func UintAddr(v *uint) (n NullUint) {
	if v != nil {
		n = NullUint{*v, true}
	}
	return n
}

func (n NullUint) IsValid() bool                 { return n.Valid }
func (n NullUint) IsDefined() bool               { return n.Valid }
func (n NullUint) MarshalJSON() ([]byte, error)  { return marshal(n.Uint, n.Valid) }
func (n *NullUint) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Uint, &n.Valid) }
func (n NullUint) MarshalText() ([]byte, error)  { return marshal(n.Uint, n.Valid) }
func (n *NullUint) UnmarshalText(b []byte) error { return unmarshal(b, &n.Uint, &n.Valid) }
func (n *NullUint) Scan(src any) error           { return scan(src, &n.Uint, &n.Valid) }
func (n NullUint) Value() (driver.Value, error)  { return value(n.Uint, n.Valid) }

func (n NullUint) Addr() *uint {
	if !n.Valid {
		return nil
	}
	return &n.Uint
}

type NullUint8 struct {
	Uint8 uint8
	Valid bool
}

func Uint8(v uint8) NullUint8 { return NullUint8{v, true} }

func Uint8Addr(v *uint8) (n NullUint8) {
	if v != nil {
		n = NullUint8{*v, true}
	}
	return n
}

func (n NullUint8) IsValid() bool                 { return n.Valid }
func (n NullUint8) IsDefined() bool               { return n.Valid }
func (n NullUint8) MarshalJSON() ([]byte, error)  { return marshal(n.Uint8, n.Valid) }
func (n *NullUint8) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Uint8, &n.Valid) }
func (n NullUint8) MarshalText() ([]byte, error)  { return marshal(n.Uint8, n.Valid) }
func (n *NullUint8) UnmarshalText(b []byte) error { return unmarshal(b, &n.Uint8, &n.Valid) }
func (n *NullUint8) Scan(src any) error           { return scan(src, &n.Uint8, &n.Valid) }
func (n NullUint8) Value() (driver.Value, error)  { return value(n.Uint8, n.Valid) }

func (n NullUint8) Addr() *uint8 {
	if !n.Valid {
		return nil
	}
	return &n.Uint8
}

type NullUint16 struct {
	Uint16 uint16
	Valid  bool
}

func Uint16(v uint16) NullUint16 { return NullUint16{v, true} }

func Uint16Addr(v *uint16) (n NullUint16) {
	if v != nil {
		n = NullUint16{*v, true}
	}
	return n
}

func (n NullUint16) IsValid() bool                 { return n.Valid }
func (n NullUint16) IsDefined() bool               { return n.Valid }
func (n NullUint16) MarshalJSON() ([]byte, error)  { return marshal(n.Uint16, n.Valid) }
func (n *NullUint16) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Uint16, &n.Valid) }
func (n NullUint16) MarshalText() ([]byte, error)  { return marshal(n.Uint16, n.Valid) }
func (n *NullUint16) UnmarshalText(b []byte) error { return unmarshal(b, &n.Uint16, &n.Valid) }
func (n *NullUint16) Scan(src any) error           { return scan(src, &n.Uint16, &n.Valid) }
func (n NullUint16) Value() (driver.Value, error)  { return value(n.Uint16, n.Valid) }

func (n NullUint16) Addr() *uint16 {
	if !n.Valid {
		return nil
	}
	return &n.Uint16
}

type NullUint32 struct {
	Uint32 uint32
	Valid  bool
}

func Uint32(v uint32) NullUint32 { return NullUint32{v, true} }

func Uint32Addr(v *uint32) (n NullUint32) {
	if v != nil {
		n = NullUint32{*v, true}
	}
	return n
}

func (n NullUint32) IsValid() bool                 { return n.Valid }
func (n NullUint32) IsDefined() bool               { return n.Valid }
func (n NullUint32) MarshalJSON() ([]byte, error)  { return marshal(n.Uint32, n.Valid) }
func (n *NullUint32) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Uint32, &n.Valid) }
func (n NullUint32) MarshalText() ([]byte, error)  { return marshal(n.Uint32, n.Valid) }
func (n *NullUint32) UnmarshalText(b []byte) error { return unmarshal(b, &n.Uint32, &n.Valid) }
func (n *NullUint32) Scan(src any) error           { return scan(src, &n.Uint32, &n.Valid) }
func (n NullUint32) Value() (driver.Value, error)  { return value(n.Uint32, n.Valid) }

func (n NullUint32) Addr() *uint32 {
	if !n.Valid {
		return nil
	}
	return &n.Uint32
}

type NullUint64 struct {
	Uint64 uint64
	Valid  bool
}

func Uint64(v uint64) NullUint64 { return NullUint64{v, true} }

func Uint64Addr(v *uint64) (n NullUint64) {
	if v != nil {
		n = NullUint64{*v, true}
	}
	return n
}

func (n NullUint64) IsValid() bool                 { return n.Valid }
func (n NullUint64) IsDefined() bool               { return n.Valid }
func (n NullUint64) MarshalJSON() ([]byte, error)  { return marshal(n.Uint64, n.Valid) }
func (n *NullUint64) UnmarshalJSON(b []byte) error { return unmarshal(b, &n.Uint64, &n.Valid) }
func (n NullUint64) MarshalText() ([]byte, error)  { return marshal(n.Uint64, n.Valid) }
func (n *NullUint64) UnmarshalText(b []byte) error { return unmarshal(b, &n.Uint64, &n.Valid) }
func (n *NullUint64) Scan(src any) error           { return scan(src, &n.Uint64, &n.Valid) }
func (n NullUint64) Value() (driver.Value, error)  { return value(n.Uint64, n.Valid) }

func (n NullUint64) Addr() *uint64 {
	if !n.Valid {
		return nil
	}
	return &n.Uint64
}

func BoolToNullBool(v bool) NullBool { return Bool(v) }

func StringToNullString(v string) NullString { return String(v) }

func TimeToNullTime(v time.Time) NullTime { return Time(v) }

func Float32ToNullFloat32(v float32) NullFloat32 { return Float32(v) }

func Float64ToNullFloat64(v float64) NullFloat64 { return Float64(v) }

func IntToNullInt(v int) NullInt { return Int(v) }

func Int8ToNullInt8(v int8) NullInt8 { return Int8(v) }

func Int16ToNullInt16(v int16) NullInt16 { return Int16(v) }

func Int32ToNullInt32(v int32) NullInt32 { return Int32(v) }

func Int64ToNullInt64(v int64) NullInt64 { return Int64(v) }
