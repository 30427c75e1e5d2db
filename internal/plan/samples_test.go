package plan

//lint:file-ignore U1000 the unused fields are there for reflection to see

import (
	"encoding"
	"encoding/json"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"time"
)

// The hand-written types whose plans are compared with encoding/json's view.

type (
	named       string
	namedInt    int32
	namedBytes  []byte
	namedByte   byte
	namedTime   time.Time
	namedDur    time.Duration
	namedNumber json.Number
	namedRaw    json.RawMessage
	namedAny    any
	namedPtr    *int
	namedMap    map[string]int
)

type allKinds struct {
	Bool    bool
	Int     int
	Int8    int8
	Int16   int16
	Int32   int32
	Int64   int64
	Uint    uint
	Uint8   uint8
	Uint16  uint16
	Uint32  uint32
	Uint64  uint64
	Uintptr uintptr
	Float32 float32
	Float64 float64
	String  string
	Bytes   []byte
	Array   [3]byte
	Ints    [2]int
	Slice   []string
	Map     map[string]int
	IntMap  map[int8]string
	UintMap map[uint16]bool
	Time    time.Time
	Dur     time.Duration
	Number  json.Number
	Raw     json.RawMessage
	Any     any
	Ptr     *int
	PtrPtr  **string
	Struct  struct{ A, B int }
	Named   named
	NBytes  namedBytes
	NByte   []namedByte
	NTime   namedTime
	NDur    namedDur
	NNumber namedNumber
	NRaw    namedRaw
	NAny    namedAny
	NPtr    namedPtr
	NMap    namedMap
	Empty   struct{}
	None    [0]int
	hidden  int
	_       int
}

type options struct {
	A  int              `json:"a,omitempty"`
	B  string           `json:",omitempty"`
	C  []int            `json:"c,omitempty,string"`
	D  *int             `json:"d,omitempty"`
	E  map[string]int   `json:"e,omitempty"`
	F  struct{ X int }  `json:"f,omitempty"`
	G  [0]int           `json:"g,omitempty"`
	H  [2]int           `json:"h,omitempty"`
	I  any              `json:"i,omitempty"`
	J  float64          `json:"j,omitzero"`
	K  time.Time        `json:"k,omitzero"`
	L  struct{ X int }  `json:"l,omitzero"`
	M  *time.Time       `json:"m,omitzero"`
	N  zeroAddr         `json:"n,omitzero"`
	O  zeroFace         `json:"o,omitzero"`
	P  []int            `json:"p,omitzero"`
	Q  bool             `json:"q,omitempty,omitzero"`
	R  zeroValue        `json:"r,omitzero"`
	S  *zeroValue       `json:"s,omitzero"`
	T  *zeroAddr        `json:"t,omitzero"`
	U  [2]float32       `json:"u,omitzero"`
	V  json.Number      `json:"v,omitempty"`
	W  time.Time        `json:"w,omitempty"`
	X  func()           `json:"-"`
	Y  int              `json:"-,"`
	AA map[string]int32 `json:"aa,omitzero"`
}

type quoted struct {
	A int           `json:",string"`
	B *int          `json:",string"`
	C **int         `json:",string"`
	D string        `json:",string"`
	E bool          `json:",string"`
	F float32       `json:",string"`
	G []int         `json:",string"`
	H time.Duration `json:",string"`
	I json.Number   `json:",string"`
	J any           `json:",string"`
	K named         `json:",string,omitempty"`
	M uint8         `json:"m,string"`

	O uintptr         `json:"o,string"`
	P struct{ X int } `json:"p,string"`
}

// zeroValue is zero when it says so.
type zeroValue struct{ X int }

func (z zeroValue) IsZero() bool { return z.X == 42 }

type zeroAddr struct{ X int }

func (z *zeroAddr) IsZero() bool { return z.X == 42 }

type zeroFace interface{ IsZero() bool }

// Embedding.

type Base struct {
	ID   int
	Name string `json:"name"`
}

type Other struct {
	ID    int
	Extra string
}

type Tagged struct {
	ID int `json:"ID"`
}

type inner struct {
	X, Y int
	z    int
}

type Deep struct{ Deeper }
type Deeper struct{ Deepest }
type Deepest struct {
	ID  int
	Far string
}

type embedOne struct {
	Base
	Own int
}
type embedFirst struct {
	Own int
	Base
	Last int
}
type embedConflict struct {
	Base
	Other
	Own int
}
type embedTaggedWins struct {
	Base
	Other
	Tagged
}
type Tagged2 struct {
	ID2 int `json:"ID"`
	ID3 int `json:"name"`
}
type embedShallowWins struct {
	Base
	Other
	ID string
}
type embedDeep struct {
	Deep
	Other
}
type embedUnexported struct {
	inner
	A int
}
type embedPointer struct {
	*Base
	A int
}
type embedPointerChain struct {
	*Chain1
	B int
}
type Chain1 struct {
	Pad int
	*Chain2
}
type Chain2 struct {
	Pad2 [3]int
	Base
	V string
}
type embedUnexportedPointer struct {
	*inner
	A int
}
type embedUnexportedMixed struct {
	P int
	*Chain3
}
type Chain3 struct {
	Q int
	*inner
}
type embedUnexportedTwo struct {
	midU
	A int
}
type midU struct {
	M int
	*inner
	deepU
}
type deepU struct{ D []int }
type embedNamed struct {
	Base `json:"base"`
	A    int
}
type embedNamedPointer struct {
	*Base `json:"base,omitempty"`
	A     int
}
type embedUnexportedNamed struct {
	inner `json:"in"`
	A     int
}
type embedBadName struct {
	Base `json:"\\"`
	A    int
}
type embedHidden struct {
	Base `json:"-"`
	A    int
}
type Num int
type lower int
type Strs []string
type Face interface{}
type embedNonStruct struct {
	Num
	lower
	Strs
	Face
	A int
}
type embedPtrNonStruct struct {
	*Num
	*lower
}
type embedOptions struct {
	Base `json:",omitempty,string"`
	Num  `json:",omitempty,string"`
}
type L struct{ Base }
type R struct {
	Base
	Only int
}
type embedThrice struct {
	L1
	L2
	L3
}
type L1 struct{ Common }
type L2 struct{ Common }
type L3 struct{ *Common }
type Common struct {
	Leaf
	C int
}
type Leaf struct{ LeafX int }
type embedSelf struct {
	*embedSelf
	A int
}
type embedMutual struct {
	*embedMutual2
	A int
}
type embedMutual2 struct {
	*embedMutual
	B int
}
type MutualA struct {
	*MutualB
	A, Same int
}
type MutualB struct {
	*MutualA
	B, Same int
}
type embedHiddenByUnexported struct {
	Base
	id int
}
type embedTime struct {
	time.Time
	A int
}
type embedGeneric struct {
	Gen[int]
	Other *Gen[string]
}
type Gen[T any] struct{ V T }
type embedSameNameOtherDepth struct {
	Deep
	Deepest
}
type embedTagDeepVsShallow struct {
	T struct{ Tagged }
	Tagged
	ID int
}
type embedTwoAnon struct {
	Base
	*Other
	*Deepest
}
type embedCut struct {
	Wrap1
	Wrap2
	X string `json:"Extra"`
}
type Wrap1 struct{ Other }
type Wrap2 struct {
	Other
	W int
}

// Recursion.

type list struct {
	V    int
	Next *list `json:",omitempty"`
}
type tree struct {
	Name     string
	Children []tree          `json:"children,omitempty"`
	ByName   map[string]tree `json:",omitempty"`
	Up       *node           `json:"up,omitempty"`
}
type node struct {
	T tree
	N []*node `json:",omitempty"`
}
type recSlice []recSlice
type recMap map[string]recMap

// Hooks.

type jsonValue struct{ X int }

func (j jsonValue) MarshalJSON() ([]byte, error) { return json.Marshal(j.X) }

type jsonAddr struct{ X int }

func (j *jsonAddr) MarshalJSON() ([]byte, error) { return json.Marshal(j.X) }
func (j *jsonAddr) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &j.X) }

type textValue struct{ X string }

func (t textValue) MarshalText() ([]byte, error)  { return []byte("t" + t.X), nil }
func (t *textValue) UnmarshalText(b []byte) error { t.X = string(b[min(1, len(b)):]); return nil }

type textString string

func (t textString) MarshalText() ([]byte, error)  { return []byte("s" + t), nil }
func (t *textString) UnmarshalText(b []byte) error { *t = textString(b[min(1, len(b)):]); return nil }

type textInt int

func (t textInt) MarshalText() ([]byte, error) { return []byte{byte('a' + t%26)}, nil }

type textAddrInt int

func (t *textAddrInt) MarshalText() ([]byte, error) { return []byte("x"), nil }
func (t *textAddrInt) UnmarshalText(b []byte) error { *t = 7; return nil }

type readOnlyKey struct{ X int }

func (k *readOnlyKey) UnmarshalText([]byte) error { return nil }

type jsonByte byte

func (b jsonByte) MarshalJSON() ([]byte, error) { return json.Marshal(int(b)) }

type textByte byte

func (b *textByte) MarshalText() ([]byte, error) { return []byte("b"), nil }

type readByte byte

func (b *readByte) UnmarshalJSON(j []byte) error { *b = 1; return nil }

type hooked struct {
	A jsonValue
	B *jsonValue
	C jsonAddr
	D *jsonAddr
	E textValue
	F *textValue
	G textString
	H map[textString]int
	I map[textValue]string
	J map[textInt]int
	K []jsonByte
	L []textByte
	M []readByte
	N [2]jsonByte
	O []jsonAddr
	P map[string]jsonAddr
	Q textInt
	R big.Int
	S *big.Int
	T netip.Addr
	U url.Values
	V url.URL
	W map[textAddrInt]int
	X encoding.TextMarshaler
}

// field is a field of a struct type to be made: types that go vet would warn of
// are not written down as such.
func field(name string, of any, tag string) reflect.StructField {
	f := reflect.StructField{Name: name, Type: reflect.TypeOf(of), Tag: reflect.StructTag(tag)}
	if name == "" {
		e := f.Type
		if e.Kind() == reflect.Pointer {
			e = e.Elem()
		}
		f.Name, f.Anonymous = e.Name(), true
	}
	return f
}

var (
	oddNames = reflect.StructOf([]reflect.StructField{
		field("A", 0, `json:"a b"`), field("B", 0, `json:"é"`), field("C", 0, `json:"日本"`),
		field("F", 0, `json:"<&>"`),
		field("G", 0, `json:"$%-/"`), field("H", 0, `json:"!#$%&()*+-./:;<=>?@[]^_{|}~ "`),
		field("K", 0, `json:"٣"`),
		field("L", 0, `json:",,,"`), field("M", 0, `json:" "`), field("N", 0, `json:"x "`),
		field("O", 0, `json:""`), field("P", 0, `json`), field("Q", 0, `json:"unterminated`),
		field("R", 0, `xml:"r" json:"R2"`), field("É", 0, ``), field("S", 0, `json:"-,omitempty"`),
		field("T", 0, `json:"-,"`), field("U", new(named), `json:"n, string"`),
		field("Y", 0, `json:"Y2" json:"Y3"`),
	})
	// From go1.27 on encoding/json differs in these: it takes other names from
	// tags, and the option string has effect on named pointers and none on
	// types with methods.
	oddNamesClassic = reflect.StructOf([]reflect.StructField{
		field("A", 0, `json:"\"q\""`), field("B", 0, `json:"a\\b"`), field("C", 0, `json:"a'b"`),
		field("D", 0, `json:"x\u2028y"`), field("E", 0, `json:"\xff"`), field("F", 0, `json:"tab\t"`),
		field("G", 0, `json:"🎈"`), field("H", 0, `json:"\""`), field("I", 0, `json:"'quoted'"`),
	})
	quotedClassic = reflect.StructOf([]reflect.StructField{
		field("A", namedPtr(nil), `json:",string"`), field("B", textString(""), `json:",string"`),
		field("C", textInt(0), `json:",string"`), field("D", new(textString), `json:"d,string"`),
	})
	caseDuplicates = reflect.StructOf([]reflect.StructField{
		field("Name", 0, ""), field("NAME", 0, ""), field("Name2", 0, `json:"name"`), field("NaMe", 0, `json:"nAme"`),
	})
	sameTag = reflect.StructOf([]reflect.StructField{
		field("A", 0, `json:"x"`), field("B", 0, `json:"x"`), field("C", 0, ""),
	})
	tagTakesName = reflect.StructOf([]reflect.StructField{
		field("A", 0, `json:"B"`), field("B", 0, ""), field("C", 0, ""),
	})
	embedTwoTagged = reflect.StructOf([]reflect.StructField{
		field("", Tagged{}, ""), field("T2", Tagged2{}, ""), field("", Tagged2{}, ""),
	})
	embedTwice = reflect.StructOf([]reflect.StructField{
		field("", L{}, ""), field("", R{}, ""), field("Z", 0, ""),
	})
	embedTwiceUnder = reflect.StructOf([]reflect.StructField{
		field("", L{}, ""), field("", R{}, ""), field("Own", "", `json:"name"`),
	})
)

// samples are struct types, as values of them or as reflect.Types.
var samples = []any{
	allKinds{}, options{}, quoted{},
	embedOne{}, embedFirst{}, embedConflict{}, embedTaggedWins{}, embedShallowWins{},
	embedDeep{}, embedUnexported{}, embedPointer{}, embedPointerChain{}, embedUnexportedPointer{},
	embedUnexportedMixed{}, embedUnexportedTwo{}, embedNamed{}, embedNamedPointer{}, embedUnexportedNamed{},
	embedBadName{}, embedHidden{}, embedNonStruct{}, embedPtrNonStruct{}, embedOptions{},
	embedThrice{}, embedSelf{}, embedMutual{}, MutualA{}, embedHiddenByUnexported{},
	embedGeneric{}, embedSameNameOtherDepth{}, embedTagDeepVsShallow{}, embedTwoAnon{}, embedCut{},
	oddNames, caseDuplicates, sameTag, tagTakesName, embedTwoTagged, embedTwice, embedTwiceUnder,
	list{}, tree{}, node{}, hooked{},
	struct{}{}, struct{ A, B int }{}, struct{ *Base }{}, struct {
		Base
		*Other
	}{},
}
