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

// StoreInt stores v at p, an integer of kind k, if it fits, and reports whether it does.
func StoreInt(p Ptr, k reflect.Kind, v int64) bool {
	switch k {
	case reflect.Int64:
		*At[int64](p) = v
		return true
	case reflect.Int:
		return Store[int](p, v)
	case reflect.Int32:
		return Store[int32](p, v)
	case reflect.Int16:
		return Store[int16](p, v)
	case reflect.Int8:
		return Store[int8](p, v)
	}
	return v >= 0 && StoreUint(p, k, uint64(v))
}

// StoreUint is StoreInt for an integer that is not negative.
func StoreUint(p Ptr, k reflect.Kind, v uint64) bool {
	switch k {
	case reflect.Uint64:
		*At[uint64](p) = v
		return true
	case reflect.Uint:
		return Store[uint](p, v)
	case reflect.Uint32:
		return Store[uint32](p, v)
	case reflect.Uint16:
		return Store[uint16](p, v)
	case reflect.Uint8:
		return Store[uint8](p, v)
	case reflect.Uintptr:
		return Store[uintptr](p, v)
	}
	return int64(v) >= 0 && StoreInt(p, k, int64(v))
}

// Store stores v at p, where a T is, if it fits.
func Store[T int | int8 | int16 | int32 | uint | uint8 | uint16 | uint32 | uintptr, V int64 | uint64](p Ptr, v V) bool {
	if V(T(v)) != v {
		return false
	}
	*At[T](p) = T(v)
	return true
}
