// Package all has each type and constructor.
package all

import (
	"time"

	"github.com/kak-tus/nan"
)

// All has each type.
type All struct {
	Bool    nan.NullBool    `json:"bool"`
	String  nan.NullString  `json:"string"`
	Time    nan.NullTime    `json:"time"`
	Float32 nan.NullFloat32 `json:"float32"`
	Float64 nan.NullFloat64 `json:"float64"`
	Int     nan.NullInt     `json:"int"`
	Int8    nan.NullInt8    `json:"int8"`
	Int16   nan.NullInt16   `json:"int16"`
	Int32   nan.NullInt32   `json:"int32"`
	Int64   nan.NullInt64   `json:"int64"`
	Uint    nan.NullUint    `json:"uint"`
	Uint8   nan.NullUint8   `json:"uint8"`
	Uint16  nan.NullUint16  `json:"uint16"`
	Uint32  nan.NullUint32  `json:"uint32"`
	Uint64  nan.NullUint64  `json:"uint64"`
}

const five = 5

func constructed(n int) All {
	start := time.Date(2026, 7, 1, 9, 30, 0, 0, time.UTC)
	return All{
		nan.Bool(n > 1), nan.String("a" + "b"), nan.Time(start), nan.Float32(0.5), nan.Float64(1),
		nan.Int(1), nan.Int8(-five), nan.Int16(1 << 3), nan.Int32('x'), nan.Int64(1 << n),
		nan.Uint(uint(n)), nan.Uint8(five), nan.Uint16(7), nan.Uint32(8), nan.Uint64(1<<64 - 1),
	}
}

func pointers() All {
	text, number, when := "p", int64(9), time.Unix(0, 0).UTC()
	return All{
		Bool: nan.BoolAddr(nil), String: nan.StringAddr(&text), Int64: nan.Int64Addr(&number), Time: nan.TimeAddr(&when),
		Float64: nan.Float64ToNullFloat64(2.5), Int: nan.IntToNullInt(3), Int8: nan.Int8ToNullInt8(int8(number)),
	}
}
