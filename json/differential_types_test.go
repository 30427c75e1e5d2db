package json_test

//lint:file-ignore U1000 the unused fields are there for reflection to see

import (
	"encoding"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unsafe"
)

// The hand-written types of the differential test. Random types are built of
// these and of the kinds of the language.

type (
	dBool    bool
	dInt     int
	dInt8    int8
	dUint16  uint16
	dFloat32 float32
	dFloat64 float64
	dString  string
	dBytes   []byte
	dByte    byte
	dIface   interface{}
	dMap     map[string]int
	dSlice   []string
	dPtr     *int
)

type dBasic struct {
	A int
	B string
	C bool
	D float64
}

type dTags struct {
	A int     `json:"a,omitempty"`
	B *string `json:"b,omitempty"`
	C string  `json:",string"`
	D int     `json:"d,string"`
	E bool    `json:"e,string,omitempty"`
	F float64 `json:"f,string"`
	G *int    `json:"g,string"`
	H any     `json:"-"`
	I int     `json:"-,"`
	J []int   `json:"j,omitempty,string"`
	K dString `json:"K<>&,string"`
	l int
}

type dZero struct {
	A int             `json:"a,omitzero"`
	T time.Time       `json:"t,omitzero"`
	P *int            `json:"p,omitzero"`
	Z dIsZero         `json:"z,omitzero"`
	Y *dIsZero        `json:"y,omitzero"`
	Q dIsZeroPtr      `json:"q,omitzero"`
	S []int           `json:"s,omitzero"`
	M map[string]int  `json:"m,omitzero,omitempty"`
	X struct{ A int } `json:"x,omitzero"`
	N any             `json:"n,omitzero"`
	R [2]int          `json:"r,omitzero"`
}

type dFold struct {
	Kelvin  int `json:"k"`
	LongS   int `json:"s"`
	Mixed   int `json:"MiXeD"`
	Accent  int `json:"É"`
	Sigma   int `json:"ΣΑΣ"`
	Exact1  int `json:"dup"`
	Exact2  int `json:"DUP"`
	Snake_  int
	Underın int
}

type dWide struct {
	F00, F01, F02, F03, F04, F05, F06, F07, F08, F09, F10, F11, F12, F13, F14, F15, F16 int
	G00, G01, G02, G03, G04, G05, G06, G07, G08, G09                                    string
	VeryLongFieldNameThatDoesNotFitIntoASingleVectorRegisterOfAnyKind                   int
	VeryLongFieldNameThatDoesNotFitIntoASingleVectorRegisterOfAnyKin2                   *dWide
}

type (
	DEmb1 struct {
		A int
		X int `json:"x"`
	}
	DEmb2 struct {
		A string `json:"a"`
		X string `json:"x"`
		Y int
	}
	dEmb3 struct {
		Z int
		A int `json:"A"`
		w int
	}
	DEmbInt int
	DEmbStr string
	dEmbint int
)

type dEmbed struct {
	DEmb1
	*DEmb2
	dEmb3
	Own int
}

type dEmbedPtr struct {
	*dEmb3
	Q int
}

type dEmbedPtrPtr struct {
	*dEmbedMid
	R int
}

type dEmbedMid struct {
	*DEmb2
	M int
}

type dEmbedNamed struct {
	DEmb1  `json:"one"`
	*DEmb2 `json:"two,omitempty"`
	dEmb3  `json:"three"`
}

type dEmbedScalar struct {
	DEmbInt
	*DEmbStr
	dEmbint
	DEmb1 `json:",omitempty"`
}

type dEmbedIface struct {
	fmt.Stringer
	A int
}

type dEmbedSelf struct {
	*dEmbedSelf
	V int
}

type dEmbedHook struct {
	dValText
	A int
}

type dEmbedPtrHook struct {
	*dPtrJSON
	A int
}

type dNode struct {
	V    int               `json:"v"`
	Next *dNode            `json:"next,omitempty"`
	Kids []dNode           `json:"kids,omitempty"`
	Map  map[string]*dNode `json:"map,omitempty"`
	Any  any               `json:"any,omitempty"`
}

type dMutA struct {
	B  *dMutB
	Bs []dMutB `json:"bs"`
}

type dMutB struct {
	A  *dMutA
	Am map[dInt]dMutA `json:"am"`
	S  string
}

type (
	dRecSlice []dRecSlice
	dRecMap   map[string]dRecMap
)

// Hooks. Each keeps what it was given, so that a comparison sees it.

type dValJSON struct{ S string }

func (v dValJSON) MarshalJSON() ([]byte, error) {
	if v.S == "bad" {
		return nil, errBad
	}
	return []byte(" { \"v\" :\t" + strconv.Quote(strings.ToValidUTF8(strings.Map(printable, v.S), "?")) + ", \"h\":\"<&>\u2028\" }\n"), nil
}

func (v *dValJSON) UnmarshalJSON(b []byte) error {
	v.S = string(b)
	if strings.Contains(v.S, "bad") {
		return errBad
	}
	return nil
}

func printable(r rune) rune {
	if r < ' ' || r == 0x7f || r >= 0x80 {
		return '.'
	}
	return r
}

var errBad = errors.New("bad value")

type dPtrJSON struct{ S string }

func (v *dPtrJSON) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte(`"nil"`), nil
	}
	return []byte(strconv.Itoa(len(v.S))), nil
}

func (v *dPtrJSON) UnmarshalJSON(b []byte) error {
	v.S += "+" + string(b)
	return nil
}

type dValText string

func (v dValText) MarshalText() ([]byte, error) {
	if v == "bad" {
		return nil, errBad
	}
	return []byte("<" + v + ">"), nil
}

func (v *dValText) UnmarshalText(b []byte) error {
	*v = dValText("t:" + string(b))
	if strings.Contains(string(b), "bad") {
		return errBad
	}
	return nil
}

type dPtrText struct{ S string }

func (v *dPtrText) MarshalText() ([]byte, error) {
	if v == nil {
		return []byte("nil"), nil
	}
	return []byte(v.S), nil
}

func (v *dPtrText) UnmarshalText(b []byte) error { v.S = string(b); return nil }

type dBoth struct{ J, T string }

func (v dBoth) MarshalJSON() ([]byte, error)  { return []byte(`"j"`), nil }
func (v *dBoth) UnmarshalJSON(b []byte) error { v.J = string(b); return nil }
func (v dBoth) MarshalText() ([]byte, error)  { return []byte("t"), nil }
func (v *dBoth) UnmarshalText(b []byte) error { v.T = string(b); return nil }

type dOnlyMarshal struct{ A int }

func (v dOnlyMarshal) MarshalJSON() ([]byte, error) {
	return strconv.AppendInt(nil, int64(v.A), 10), nil
}

type dOnlyUnmarshal struct{ A int }

func (v *dOnlyUnmarshal) UnmarshalJSON(b []byte) error { v.A = len(b); return nil }

// dInvalid marshals itself into something that is not JSON.
type dInvalid struct{ N uint8 }

func (v dInvalid) MarshalJSON() ([]byte, error) {
	return []byte([]string{"", "{", `{"a":1,}`, "1 2", "nul", "\"\x01\"", "01", `{"a" 1}`}[v.N%8]), nil
}

// dHookMap and dHookSlice have a hook on a kind that is otherwise built in.
type dHookMap map[string]int

func (m dHookMap) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte(`"nil map"`), nil
	}
	return strconv.AppendInt(nil, int64(len(m)), 10), nil
}

type dHookSlice []int

func (s *dHookSlice) UnmarshalJSON(b []byte) error { *s = append(*s, len(b)); return nil }

type dHookIface interface{ MarshalJSON() ([]byte, error) }

// dValHookUnmarshal has Unmarshal on the value: it is called through a nil
// map as well.
type dValHookUnmarshal map[string]string

func (m dValHookUnmarshal) UnmarshalJSON(b []byte) error {
	if m != nil {
		m["raw"] = string(b)
	}
	return nil
}

// Keys.

type dKeyText struct{ N int }

func (k dKeyText) MarshalText() ([]byte, error) {
	if k.N == 666 {
		return nil, errBad
	}
	return []byte("k" + strconv.Itoa(k.N)), nil
}

func (k *dKeyText) UnmarshalText(b []byte) error {
	s, ok := strings.CutPrefix(string(b), "k")
	n, err := strconv.Atoi(s)
	if !ok || err != nil {
		return errBad
	}
	k.N = n
	return nil
}

type dKeyInt int

func (k dKeyInt) MarshalText() ([]byte, error) { return []byte("i" + strconv.Itoa(int(k))), nil }

type dKeyIntBoth int8

func (k dKeyIntBoth) MarshalText() ([]byte, error) { return []byte("b" + strconv.Itoa(int(k))), nil }
func (k *dKeyIntBoth) UnmarshalText(b []byte) error {
	*k = dKeyIntBoth(len(b))
	return nil
}

// dKeyAll has both methods that unmarshal: as a key it gets its text in quotes, as it stands there.
type dKeyAll struct{ S string }

func (k *dKeyAll) UnmarshalText(b []byte) error { k.S = "text " + string(b); return nil }
func (k *dKeyAll) UnmarshalJSON(b []byte) error {
	if len(b) == 4 {
		return errBad
	}
	k.S = "json " + string(b)
	return nil
}
func (k dKeyAll) MarshalText() ([]byte, error) { return []byte(k.S), nil }

type dKeyStr string

func (k dKeyStr) MarshalText() ([]byte, error) { return []byte("s" + k), nil }
func (k *dKeyStr) UnmarshalText(b []byte) error {
	*k = dKeyStr("u" + string(b))
	return nil
}

// Bytes that are not bytes.

type dTextByte byte

func (b dTextByte) MarshalText() ([]byte, error)     { return []byte{'a' + byte(b)%26}, nil }
func (b *dTextByte) UnmarshalText(text []byte) error { *b = dTextByte(len(text)); return nil }

// Zero values.

type dIsZero struct{ A int }

func (z dIsZero) IsZero() bool { return z.A == 7 }

type dIsZeroPtr struct{ A int }

func (z *dIsZeroPtr) IsZero() bool { return z != nil && z.A == 7 }

// dStringer is something to put into a non-empty interface.
type dStringer struct{ A int }

func (s dStringer) String() string { return "s" }

// leafTypes are the types that random types are built of, other than the
// plain kinds.
var leafTypes = []reflect.Type{
	reflect.TypeFor[dBool](), reflect.TypeFor[dInt](), reflect.TypeFor[dInt8](), reflect.TypeFor[dUint16](), reflect.TypeFor[dFloat32](),
	reflect.TypeFor[dFloat64](), reflect.TypeFor[dString](), reflect.TypeFor[dBytes](), reflect.TypeFor[dByte](), reflect.TypeFor[dIface](),
	reflect.TypeFor[dMap](), reflect.TypeFor[dSlice](), reflect.TypeFor[dPtr](),
	reflect.TypeFor[dBasic](), reflect.TypeFor[dTags](), reflect.TypeFor[dZero](), reflect.TypeFor[dFold](), reflect.TypeFor[dWide](),
	reflect.TypeFor[dEmbed](), reflect.TypeFor[dEmbedPtr](), reflect.TypeFor[dEmbedPtrPtr](),
	reflect.TypeFor[dEmbedNamed](), reflect.TypeFor[dEmbedScalar](),
	reflect.TypeFor[dEmbedIface](), reflect.TypeFor[dEmbedSelf](), reflect.TypeFor[dEmbedHook](), reflect.TypeFor[dEmbedPtrHook](),
	reflect.TypeFor[dNode](), reflect.TypeFor[dMutA](), reflect.TypeFor[dMutB](), reflect.TypeFor[dRecSlice](), reflect.TypeFor[dRecMap](),
	reflect.TypeFor[dValJSON](), reflect.TypeFor[dPtrJSON](), reflect.TypeFor[dValText](), reflect.TypeFor[dPtrText](),
	reflect.TypeFor[dBoth](),
	reflect.TypeFor[dOnlyMarshal](), reflect.TypeFor[dOnlyUnmarshal](), reflect.TypeFor[dInvalid](),
	reflect.TypeFor[dHookMap](), reflect.TypeFor[dHookSlice](),
	reflect.TypeFor[dValHookUnmarshal](), reflect.TypeFor[dHookIface](), reflect.TypeFor[dTextByte](),
	reflect.TypeFor[dIsZero](), reflect.TypeFor[dIsZeroPtr](),
	reflect.TypeFor[dKeyText](), reflect.TypeFor[dKeyInt](), reflect.TypeFor[dKeyIntBoth](), reflect.TypeFor[dKeyStr](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[big.Int](), reflect.TypeFor[netip.Addr](),
	reflect.TypeFor[stdjson.Number](), reflect.TypeFor[stdjson.RawMessage](), reflect.TypeFor[[]byte](), reflect.TypeFor[[]dByte](),
	reflect.TypeFor[[]dTextByte](), reflect.TypeFor[[3]byte](), reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[error](),
	reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[stdjson.Unmarshaler](), reflect.TypeFor[struct{}](),
}

// keyTypes are the key types of random maps.
var keyTypes = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[dString](),
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int64](), reflect.TypeFor[uint8](),
	reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](),
	reflect.TypeFor[dInt8](), reflect.TypeFor[dKeyText](), reflect.TypeFor[dKeyInt](), reflect.TypeFor[dKeyIntBoth](),
	reflect.TypeFor[dKeyStr](),
	reflect.TypeFor[stdjson.Number](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[dKeyAll](),
	reflect.TypeFor[bool](), reflect.TypeFor[float64](), reflect.TypeFor[[2]int](), reflect.TypeFor[dBasic](),
}

// embedTypes may be embedded by reflect.StructOf, which does not promote
// methods.
var embedTypes = []reflect.Type{
	reflect.TypeFor[DEmb1](), reflect.TypeFor[DEmb2](), reflect.TypeFor[*DEmb1](), reflect.TypeFor[*DEmb2](),
	reflect.TypeFor[DEmbInt](), reflect.TypeFor[*DEmbStr](),
}

// oddTypes have no JSON form.
var oddTypes = []reflect.Type{
	reflect.TypeFor[chan int](), reflect.TypeFor[func()](), reflect.TypeFor[complex128](),
	reflect.TypeFor[unsafe.Pointer](), reflect.TypeFor[complex64](),
}

// plainTypes are the plain kinds.
var plainTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](),
	reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](),
	reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[string](),
	reflect.TypeFor[any](), reflect.TypeFor[any](),
}
