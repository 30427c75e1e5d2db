package mem

import "reflect"

// LoadInt returns the integer at p, of kind k, by its bits where it is an unsigned one of 64.
func LoadInt(p Ptr, k reflect.Kind) int64 {
	switch k {
	case reflect.Int:
		return int64(*At[int](p))
	case reflect.Int8:
		return int64(*At[int8](p))
	case reflect.Int16:
		return int64(*At[int16](p))
	case reflect.Int32:
		return int64(*At[int32](p))
	case reflect.Int64:
		return *At[int64](p)
	case reflect.Uint:
		return int64(*At[uint](p))
	case reflect.Uint8:
		return int64(*At[uint8](p))
	case reflect.Uint16:
		return int64(*At[uint16](p))
	case reflect.Uint32:
		return int64(*At[uint32](p))
	case reflect.Uint64:
		return int64(*At[uint64](p))
	}
	return int64(*At[uintptr](p))
}

// StoreInt stores v at p, an integer of kind k, and reports whether it fits.
func StoreInt(p Ptr, k reflect.Kind, v int64) bool {
	switch k {
	case reflect.Int64:
		*At[int64](p) = v
		return true
	case reflect.Int:
		*At[int](p) = int(v)
		return int64(int(v)) == v
	case reflect.Int32:
		*At[int32](p) = int32(v)
		return int64(int32(v)) == v
	case reflect.Int16:
		*At[int16](p) = int16(v)
		return int64(int16(v)) == v
	case reflect.Int8:
		*At[int8](p) = int8(v)
		return int64(int8(v)) == v
	}
	return StoreUint(p, k, uint64(v)) && v >= 0
}

// StoreUint is StoreInt for an integer that is not negative.
func StoreUint(p Ptr, k reflect.Kind, v uint64) bool {
	switch k {
	case reflect.Uint64:
		*At[uint64](p) = v
		return true
	case reflect.Uint:
		*At[uint](p) = uint(v)
		return uint64(uint(v)) == v
	case reflect.Uint32:
		*At[uint32](p) = uint32(v)
		return uint64(uint32(v)) == v
	case reflect.Uint16:
		*At[uint16](p) = uint16(v)
		return uint64(uint16(v)) == v
	case reflect.Uint8:
		*At[uint8](p) = uint8(v)
		return uint64(uint8(v)) == v
	case reflect.Uintptr:
		*At[uintptr](p) = uintptr(v)
		return uint64(uintptr(v)) == v
	}
	return StoreInt(p, k, int64(v)) && int64(v) >= 0
}
