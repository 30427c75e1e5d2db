package opt

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"time"
)

// msgToken is a scalar of MessagePack.
type msgToken struct {
	kind reflect.Kind // Bool, Int64, Uint64, Float64, String, Slice for bytes, Struct for an extension
	i    int64
	u    uint64
	f    float64
	data []byte
	ext  int8
}

// readMsgToken reads the scalar that b begins with.
func readMsgToken(b []byte) (t msgToken, rest []byte, err error) {
	be := binary.BigEndian
	c, b := b[0], b[1:]
	need := func(n uint64) ([]byte, error) {
		if uint64(len(b)) < n {
			return nil, errMsgShort
		}
		var head []byte
		head, b = b[:n:n], b[n:]
		return head, nil
	}
	switch {
	case c < 0x80:
		return msgToken{kind: reflect.Uint64, u: uint64(c)}, b, nil
	case c >= 0xe0:
		return msgToken{kind: reflect.Int64, i: int64(int8(c))}, b, nil
	case c == 0xc2 || c == 0xc3:
		return msgToken{kind: reflect.Bool, u: uint64(c & 1)}, b, nil
	case c >= 0xcc && c <= 0xd3 || c == 0xca || c == 0xcb:
		size := uint64(1) << ((c - 0xcc) & 3)
		head, err := need(size)
		if err != nil {
			return t, b, err
		}
		var u uint64
		for _, x := range head {
			u = u<<8 | uint64(x)
		}
		switch {
		case c == 0xca:
			return msgToken{kind: reflect.Float64, f: float64(math.Float32frombits(uint32(u)))}, b, nil
		case c == 0xcb:
			return msgToken{kind: reflect.Float64, f: math.Float64frombits(u)}, b, nil
		case c < 0xd0:
			return msgToken{kind: reflect.Uint64, u: u}, b, nil
		}
		shift := 64 - 8*size
		return msgToken{kind: reflect.Int64, i: int64(u<<shift) >> shift}, b, nil
	}
	// What is left has a length: its width, and the kind of what follows.
	var width, n uint64
	kind := reflect.String
	switch {
	case c&0xe0 == 0xa0:
		n = uint64(c & 31)
	case c >= 0xd9 && c <= 0xdb:
		width = 1 << (c - 0xd9)
	case c >= 0xc4 && c <= 0xc6:
		width, kind = 1<<(c-0xc4), reflect.Slice
	case c >= 0xc7 && c <= 0xc9:
		width, kind = 1<<(c-0xc7), reflect.Struct
	case c >= 0xd4 && c <= 0xd8:
		n, kind = 1<<(c-0xd4), reflect.Struct
	default:
		return t, b, fmt.Errorf("opt: MessagePack 0x%02x is not a scalar", c)
	}
	if width > 0 {
		head, err := need(width)
		if err != nil {
			return t, b, err
		}
		var word [8]byte
		copy(word[8-width:], head)
		n = be.Uint64(word[:])
	}
	t.kind = kind
	if kind == reflect.Struct {
		head, err := need(1)
		if err != nil {
			return t, b, err
		}
		t.ext = int8(head[0])
	}
	t.data, err = need(n)
	return t, b, err
}

// readMsgScalar reads a scalar into v.
func readMsgScalar(b []byte, v reflect.Value) (rest []byte, err error) {
	t, rest, err := readMsgToken(b)
	if err != nil {
		return b, err
	}
	ok := false
	switch t.kind {
	case reflect.Bool:
		if ok = v.Kind() == reflect.Bool; ok {
			v.SetBool(t.u == 1)
		}
	case reflect.String:
		switch {
		case v.Kind() == reflect.String:
			v.SetString(string(t.data))
			ok = true
		case isBytes(v.Type()):
			v.SetBytes(append([]byte{}, t.data...))
			ok = true
		}
	case reflect.Slice:
		if id, isID := v.Addr().Interface().(*RawUUID); isID {
			if ok = len(t.data) == len(id); ok {
				copy(id[:], t.data)
			}
		} else if ok = isBytes(v.Type()); ok {
			v.SetBytes(append([]byte{}, t.data...))
		}
	case reflect.Struct:
		if p, isTime := v.Addr().Interface().(*time.Time); isTime {
			*p, ok = msgTime(t)
		}
	default:
		ok = setMsgNumber(v, t)
	}
	if !ok {
		return b, fmt.Errorf("opt: MessagePack 0x%02x is no %v, or one out of range", b[0], v.Type())
	}
	return rest, nil
}

func setMsgNumber(v reflect.Value, t msgToken) bool {
	switch {
	case v.CanFloat():
		f := t.f
		switch t.kind {
		case reflect.Int64:
			f = float64(t.i)
		case reflect.Uint64:
			f = float64(t.u)
		}
		if v.OverflowFloat(f) {
			return false
		}
		v.SetFloat(f)
	case t.kind == reflect.Float64:
		return false
	case v.CanInt():
		i := t.i
		if t.kind == reflect.Uint64 {
			if t.u > math.MaxInt64 {
				return false
			}
			i = int64(t.u)
		}
		if v.OverflowInt(i) {
			return false
		}
		v.SetInt(i)
	case v.CanUint():
		u := t.u
		if t.kind == reflect.Int64 {
			if t.i < 0 {
				return false
			}
			u = uint64(t.i)
		}
		if v.OverflowUint(u) {
			return false
		}
		v.SetUint(u)
	default:
		return false
	}
	return true
}

// msgTime reads the timestamps of the specification, and the time of msgp,
// which is extension 5.
func msgTime(t msgToken) (time.Time, bool) {
	be := binary.BigEndian
	var sec int64
	var nsec uint32
	switch {
	case t.ext == -1 && len(t.data) == 4:
		sec = int64(be.Uint32(t.data))
	case t.ext == -1 && len(t.data) == 8:
		w := be.Uint64(t.data)
		sec, nsec = int64(w&(1<<34-1)), uint32(w>>34)
	case t.ext == -1 && len(t.data) == 12:
		nsec, sec = be.Uint32(t.data), int64(be.Uint64(t.data[4:]))
	case t.ext == 5 && len(t.data) == 12:
		sec, nsec = int64(be.Uint64(t.data)), be.Uint32(t.data[8:])
	default:
		return time.Time{}, false
	}
	if nsec > 999_999_999 {
		return time.Time{}, false
	}
	return time.Unix(sec, int64(nsec)).UTC(), true
}
