package plan

import (
	"math"

	"github.com/weftcodec/weft/internal/mem"
)

// Omission is a quick way to tell that a member is left out.
type Omission uint8

// The ways.
const (
	OmitSlow   Omission = iota // by [Type.IsEmpty] and [Field.IsZero], where the field says so at all
	OmitInt                    // an int at the place is zero, as the length of a string or slice
	OmitRun                    // the same, and the next members, [RunLength] of them, are left out so, too
	OmitHalf                   // four bytes that are zero
	OmitByte                   // one byte that is zero
	OmitMap                    // a map that is nil, or empty
	OmitDouble                 // a float64 that is zero, or negative zero
	OmitSingle                 // the same of a float32
)

// RunLength is the number of members behind one with OmitRun that it speaks of.
const RunLength = 3

// Omission returns how to tell that f is left out, and the place to look at. It is OmitSlow for a field that is always
// written, and for one that is not directly in the struct.
func (f *Field) Omission() (Omission, mem.Near) {
	t, at := f.Type, f.Offset
	if !f.OmitEmpty || f.OmitZero || len(f.Embeds) > 0 || f.Fixed() || mem.Safe {
		return OmitSlow, mem.Near{}
	}
	o := OmitSlow
	switch {
	case t.Empty == EmptyLen:
		o, at = OmitInt, at.Length()
	case t.Empty == EmptyMap:
		o = OmitMap
	case t.Kind == Float64 && math.MaxInt == math.MaxInt64:
		o = OmitDouble
	case t.Kind == Float32:
		o = OmitSingle
	case t.Empty != EmptyZero || !t.ZeroBytes:
	case t.Size == 8 && math.MaxInt == math.MaxInt64:
		o = OmitInt
	case t.Size == 4:
		o = OmitHalf
	case t.Size == 1:
		o = OmitByte
	}
	near, ok := at.Near()
	if !ok {
		return OmitSlow, mem.Near{}
	}
	return o, near
}

// Omits reports whether the field is left out, of which [Field.Omission] has returned o, and a place that is p in this
// struct.
func (f *Field) Omits(o Omission, p mem.Ptr) bool {
	switch o {
	case OmitInt, OmitRun:
		return *mem.At[int](p) == 0
	case OmitHalf:
		return *mem.At[uint32](p) == 0
	case OmitByte:
		return *mem.At[uint8](p) == 0
	case OmitDouble:
		return *mem.At[float64](p) == 0
	case OmitSingle:
		return *mem.At[float32](p) == 0
	}
	return p.AllZero(f.Type.Mem) || f.Type.IsEmpty(p)
}
