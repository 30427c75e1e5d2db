package msgpack

import (
	"time"

	"github.com/weftcodec/weft/internal/wire/packwire"
)

// AppendNil appends nil.
//
//go:noinline
func AppendNil(b []byte) []byte { return packwire.AppendNil(b) }

// AppendBool appends a boolean.
func AppendBool(b []byte, v bool) []byte { return packwire.AppendBool(b, v) }

// AppendInt appends v in its shortest form.
func AppendInt(b []byte, v int64) []byte { return packwire.AppendInt(b, v) }

// AppendUint appends v in its shortest form.
func AppendUint(b []byte, v uint64) []byte { return packwire.AppendUint(b, v) }

// AppendFloat32 appends v as float 32.
func AppendFloat32(b []byte, v float32) []byte { return packwire.AppendFloat32(b, v) }

// AppendFloat64 appends v as float 64.
func AppendFloat64(b []byte, v float64) []byte { return packwire.AppendFloat64(b, v) }

// AppendString appends s as str.
//
//go:noinline
func AppendString(b []byte, s string) []byte { return packwire.AppendString(b, s) }

// AppendBytes appends p as bin.
func AppendBytes(b, p []byte) []byte { return packwire.AppendBytes(b, p) }

// AppendArrayHeader appends the header of an array of n elements, which must
// follow.
func AppendArrayHeader(b []byte, n int) []byte { return packwire.AppendArrayHeader(b, n) }

// AppendMapHeader appends the header of a map of n pairs, which must follow.
func AppendMapHeader(b []byte, n int) []byte { return packwire.AppendMapHeader(b, n) }

// AppendTime appends t as the timestamp extension, in the shortest of its
// three widths.
func AppendTime(b []byte, t time.Time) []byte { return packwire.AppendTime(b, t) }

// AppendExt appends an extension of the type typ with the given body.
func AppendExt(b []byte, typ int8, body []byte) []byte { return packwire.AppendExt(b, typ, body) }
