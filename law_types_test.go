package weft_test

import (
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/opt"
)

// The types of the laws, each twice: a struct that has a plan, and the same fields
// with methods of the protocol.

// lawCase is a value of both types.
type lawCase struct {
	name           string
	plan, protocol any
}

// lawCodecs are the codecs of types that do not have one of their own.
var lawCodecs = weft.Codecs(
	weft.Adapt(lawLevel.String, parseLawLevel),
	weft.Union[lawAnimal](weft.Wrapped("kind", "is"), weft.Variant[lawDog]("dog"), weft.Variant[*lawCat]("cat"),
		weft.Variant[lawFish]("fish")),
	weft.KeyCodec(lawPoint.key, parseLawPoint),
	weft.Adapt(func(r big.Rat) string { return r.RatString() }, func(s string) (big.Rat, error) {
		r, ok := new(big.Rat).SetString(s)
		if !ok {
			return big.Rat{}, errors.New("no ratio")
		}
		return *r, nil
	}),
)

// 1: scalars of every kind.

type lawScalars struct {
	B   bool    `weft:"b"`
	I8  int8    `weft:"i8"`
	I   int     `weft:"i"`
	I64 int64   `weft:"i64"`
	U   uint64  `weft:"u"`
	F32 float32 `weft:"f32"`
	F   float64 `weft:"f"`
	S   string  `weft:"s"`
}

var lawScalarFields = weft.NewFields("b", "i8", "i", "i64", "u", "f32", "f", "s")

type lawScalarsProtocol lawScalars

func (v lawScalarsProtocol) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(lawScalarFields)
	o.Bool(0, v.B)
	o.Int32(1, int32(v.I8))
	o.Int(2, v.I)
	o.Int64(3, v.I64)
	o.Uint64(4, v.U)
	o.Float32(5, v.F32)
	o.Float64(6, v.F)
	o.String(7, v.S)
	return o.End()
}

func (v *lawScalarsProtocol) UnmarshalWeft(d *weft.Decoder) error {
	o := d.Object(lawScalarFields)
	for o.Next() {
		switch o.Index() {
		case 0:
			v.B = d.Bool()
		case 1:
			v.I8 = d.Int8()
		case 2:
			v.I = d.Int()
		case 3:
			v.I64 = d.Int64()
		case 4:
			v.U = d.Uint64()
		case 5:
			v.F32 = d.Float32()
		case 6:
			v.F = d.Float64()
		case 7:
			v.S = d.String()
		}
	}
	return o.End()
}

// lawObject writes the members, and lawRead reads them, each as a Value.
func lawObject(e *weft.Encoder, f *weft.Fields, members ...any) error {
	o := e.Object(f)
	for i, p := range members {
		o.Value(i, p)
	}
	return o.End()
}

func lawRead(d *weft.Decoder, f *weft.Fields, members ...any) error {
	o := d.Object(f)
	for o.Next() {
		d.Value(members[o.Index()])
	}
	return o.End()
}

// 2: objects in objects, and arrays of them.

type lawNested struct {
	Name  string       `weft:"name"`
	One   lawScalars   `weft:"one"`
	Many  []lawScalars `weft:"many"`
	Deep  [][]int      `weft:"deep"`
	Fixed [3]int16     `weft:"fixed"`
}

var lawNestedFields = weft.NewFields("name", "one", "many", "deep", "fixed")

type lawNestedProtocol struct {
	Name  string
	One   lawScalarsProtocol
	Many  []lawScalarsProtocol
	Deep  [][]int
	Fixed [3]int16
}

func (v lawNestedProtocol) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(lawNestedFields)
	o.String(0, v.Name)
	o.Marshal(1, v.One)
	many := o.Array(2, len(v.Many))
	for i := range v.Many {
		many.Next()
		e.Marshal(v.Many[i])
	}
	many.End()
	deep := o.Array(3, -1)
	for _, row := range v.Deep {
		deep.Next()
		a := e.Array(len(row))
		for _, x := range row {
			a.Next()
			e.Int(x)
		}
		a.End()
	}
	deep.End()
	o.Value(4, v.Fixed)
	return o.End()
}

func (v *lawNestedProtocol) UnmarshalWeft(d *weft.Decoder) error {
	o := d.Object(lawNestedFields)
	for o.Next() {
		switch o.Index() {
		case 0:
			v.Name = d.String()
		case 1:
			d.Unmarshal(&v.One)
		case 2:
			v.Many = []lawScalarsProtocol{}
			for a := d.Array(); a.Next(); {
				var x lawScalarsProtocol
				d.Unmarshal(&x)
				v.Many = append(v.Many, x)
			}
		case 3:
			v.Deep = [][]int{}
			for a := d.Array(); a.Next(); {
				row := []int{}
				for b := d.Array(); b.Next(); {
					row = append(row, d.Int())
				}
				v.Deep = append(v.Deep, row)
			}
		case 4:
			d.Value(&v.Fixed)
		}
	}
	return o.End()
}

// 3: a union declared by its interface, flat.

type lawShape interface{ WeftUnion() lawShapes }

type lawShapes struct{}

func (lawShapes) WeftCodec() weft.Codec {
	return weft.Union[lawShape](weft.Flat("type"), weft.Variant[lawCircle]("circle"),
		weft.Variant[*lawGroup]("group"), weft.Variant[lawNothing]("nothing"))
}

type lawCircle struct {
	Radius float64 `weft:"radius"`
}

type lawGroup struct {
	Of   []lawShape `weft:"of"`
	Main lawShape   `weft:"main"`
}

type lawNothing struct{}

func (lawCircle) WeftUnion() (u lawShapes)  { return u }
func (*lawGroup) WeftUnion() (u lawShapes)  { return u }
func (lawNothing) WeftUnion() (u lawShapes) { return u }

type lawPicture struct {
	Top    lawShape   `weft:"top"`
	Shapes []lawShape `weft:"shapes"`
	None   lawShape   `weft:"none"`
}

var lawPictureFields = weft.NewFields("top", "shapes", "none")

type lawPictureProtocol lawPicture

func (v lawPictureProtocol) MarshalWeft(e *weft.Encoder) error {
	return lawObject(e, lawPictureFields, &v.Top, &v.Shapes, &v.None)
}

func (v *lawPictureProtocol) UnmarshalWeft(d *weft.Decoder) error {
	return lawRead(d, lawPictureFields, &v.Top, &v.Shapes, &v.None)
}

// 4: a union of the options, wrapped, of which a variant is not an object.

type lawAnimal interface{ Legs() int }

type lawDog struct {
	Name string `weft:"name"`
}

type lawCat struct {
	Lives int `weft:"lives"`
}

type lawFish string

func (lawDog) Legs() int  { return 4 }
func (*lawCat) Legs() int { return 4 }
func (lawFish) Legs() int { return 0 }

type lawZoo struct {
	Animals map[string]lawAnimal `weft:"animals"`
	First   *lawAnimal           `weft:"first"`
}

var lawZooFields = weft.NewFields("animals", "first")

type lawZooProtocol lawZoo

func (v lawZooProtocol) MarshalWeft(e *weft.Encoder) error {
	return lawObject(e, lawZooFields, &v.Animals, v.First)
}

func (v *lawZooProtocol) UnmarshalWeft(d *weft.Decoder) error {
	return lawRead(d, lawZooFields, &v.Animals, &v.First)
}

// 5: a union declared by a tag, flat and wrapped.

type lawEvent struct {
	_       struct{}  `weft:",union:event"`
	Created *lawDog   `weft:"created"`
	Moved   *lawPoint `weft:"moved"`
}

type lawResult struct {
	_     struct{} `weft:",union:is:of"`
	OK    *int     `weft:"ok"`
	Error *string  `weft:"error"`
}

type lawLog struct {
	Events  []lawEvent `weft:"events"`
	Result  lawResult  `weft:"result"`
	Another *lawResult `weft:"another"`
}

var lawLogFields = weft.NewFields("events", "result", "another")

type lawLogProtocol lawLog

func (v lawLogProtocol) MarshalWeft(e *weft.Encoder) error {
	return lawObject(e, lawLogFields, &v.Events, &v.Result, v.Another)
}

func (v *lawLogProtocol) UnmarshalWeft(d *weft.Decoder) error {
	return lawRead(d, lawLogFields, &v.Events, &v.Result, &v.Another)
}

// 6: adapters, of the options and declared.

type lawLevel int

func (l lawLevel) String() string { return "level " + strconv.Itoa(int(l)) }

func parseLawLevel(s string) (lawLevel, error) {
	i, err := strconv.Atoi(strings.TrimPrefix(s, "level "))
	return lawLevel(i), err
}

type lawRange struct{ From, To int }

func (lawRange) WeftCodec() weft.Codec {
	return weft.Adapt(
		func(r lawRange) weft.Tuple2[int, int] { return weft.Tuple2[int, int]{V1: r.From, V2: r.To} },
		func(t weft.Tuple2[int, int]) (lawRange, error) { return lawRange{t.V1, t.V2}, nil })
}

type lawAdapted struct {
	Level  lawLevel   `weft:"level"`
	Levels []lawLevel `weft:"levels"`
	Maybe  *lawLevel  `weft:"maybe"`
	Range  lawRange   `weft:"range"`
	Ratio  big.Rat    `weft:"ratio"`
	Host   netip.Addr `weft:"host"`
}

var lawAdaptedFields = weft.NewFields("level", "levels", "maybe", "range", "ratio", "host")

type lawAdaptedProtocol lawAdapted

func (v lawAdaptedProtocol) MarshalWeft(e *weft.Encoder) error {
	return lawObject(e, lawAdaptedFields, v.Level, &v.Levels, v.Maybe, &v.Range, &v.Ratio, &v.Host)
}

func (v *lawAdaptedProtocol) UnmarshalWeft(d *weft.Decoder) error {
	return lawRead(d, lawAdaptedFields, &v.Level, &v.Levels, &v.Maybe, &v.Range, &v.Ratio, &v.Host)
}

// 7: tuples.

type lawRow struct {
	_     struct{} `weft:",tuple"`
	Name  string
	Level lawLevel
	Rest  []int
}

type lawTuples struct {
	Pair  weft.Tuple2[string, lawShape]             `weft:"pair"`
	Three []weft.Tuple3[int, bool, *int]            `weft:"three"`
	Five  weft.Tuple5[int, int, int, int, []string] `weft:"five"`
	Row   lawRow                                    `weft:"row"`
}

var lawTuplesFields = weft.NewFields("pair", "three", "five", "row")

type lawTuplesProtocol lawTuples

func (v lawTuplesProtocol) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(lawTuplesFields)
	o.Marshal(0, v.Pair)
	o.Value(1, v.Three)
	o.Marshal(2, v.Five)
	o.Value(3, v.Row)
	return o.End()
}

func (v *lawTuplesProtocol) UnmarshalWeft(d *weft.Decoder) error {
	return lawRead(d, lawTuplesFields, &v.Pair, &v.Three, &v.Five, &v.Row)
}

// 8: maps whose keys are odd.

type lawPoint struct {
	X int `weft:"x"`
	Y int `weft:"y"`
}

func (p lawPoint) key() string { return fmt.Sprintf("%d,%d", p.X, p.Y) }

func parseLawPoint(s string) (p lawPoint, err error) {
	_, err = fmt.Sscanf(s, "%d,%d", &p.X, &p.Y)
	return p, err
}

type lawMaps struct {
	ByPoint map[lawPoint]lawPoint `weft:"byPoint"`
	ByLevel map[lawLevel]string   `weft:"byLevel"`
	ByAddr  map[netip.Addr]bool   `weft:"byAddr"`
	Odd     map[string]int        `weft:"odd"`
	None    map[string]int        `weft:"none"`
}

var lawMapsFields = weft.NewFields("byPoint", "byLevel", "byAddr", "odd", "none")

type lawMapsProtocol lawMaps

func (v lawMapsProtocol) MarshalWeft(e *weft.Encoder) error {
	return lawObject(e, lawMapsFields, &v.ByPoint, &v.ByLevel, &v.ByAddr, &v.Odd, &v.None)
}

func (v *lawMapsProtocol) UnmarshalWeft(d *weft.Decoder) error {
	return lawRead(d, lawMapsFields, &v.ByPoint, &v.ByLevel, &v.ByAddr, &v.Odd, &v.None)
}

// 9: a type within itself.

type lawTree struct {
	Label string     `weft:"label"`
	Left  *lawTree   `weft:"left"`
	Right *lawTree   `weft:"right"`
	More  []*lawTree `weft:"more"`
}

var lawTreeFields = weft.NewFields("label", "left", "right", "more")

type lawTreeProtocol struct {
	Label       string
	Left, Right *lawTreeProtocol
	More        []*lawTreeProtocol
}

func (v *lawTreeProtocol) MarshalWeft(e *weft.Encoder) error {
	if v == nil {
		return e.Null()
	}
	o := e.Object(lawTreeFields)
	o.String(0, v.Label)
	o.Marshal(1, v.Left)
	o.Marshal(2, v.Right)
	o.Value(3, v.More)
	return o.End()
}

func (v *lawTreeProtocol) UnmarshalWeft(d *weft.Decoder) error {
	return lawRead(d, lawTreeFields, &v.Label, &v.Left, &v.Right, &v.More)
}

// 10: what may be absent.

type lawOptional struct {
	Val   opt.Val[int]       `weft:"val"`
	NoVal opt.Val[string]    `weft:"noVal"`
	Null  opt.Null[bool]     `weft:"null"`
	No    opt.Null[lawPoint] `weft:"no"`
	Field opt.Field[int]     `weft:"field"`
	Nil   opt.Field[int]     `weft:"nil"`
	Away  opt.Field[string]  `weft:"away"`
	Ptr   *int               `weft:"ptr"`
	NoPtr *lawPoint          `weft:"noPtr"`
	List  []int              `weft:"list"`
	Empty []int              `weft:"empty"`
	Map   map[string]int     `weft:"map"`
	Bytes []byte             `weft:"bytes"`
}

var lawOptionalFields = weft.NewFields("val", "noVal", "null", "no", "field", "nil", "away", "ptr", "noPtr", "list",
	"empty", "map", "bytes")

type lawOptionalProtocol lawOptional

func (v lawOptionalProtocol) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(lawOptionalFields)
	for i, p := range []any{v.Val, &v.NoVal, v.Null, &v.No, v.Field, &v.Nil, v.Away, v.Ptr} {
		o.Value(i, p)
	}
	if v.NoPtr == nil {
		o.Null(8)
	} else {
		o.Value(8, v.NoPtr)
	}
	o.Value(9, v.List)
	empty := o.Array(10, len(v.Empty))
	for _, x := range v.Empty {
		empty.Next()
		e.Int(x)
	}
	empty.End()
	m := o.Map(11, len(v.Map))
	for k, x := range v.Map {
		m.Name(k)
		e.Int(x)
	}
	m.End()
	o.Bytes(12, v.Bytes)
	return o.End()
}

func (v *lawOptionalProtocol) UnmarshalWeft(d *weft.Decoder) error {
	return lawRead(d, lawOptionalFields, &v.Val, &v.NoVal, &v.Null, &v.No, &v.Field, &v.Nil, &v.Away, &v.Ptr, &v.NoPtr,
		&v.List, &v.Empty, &v.Map, &v.Bytes)
}

// 11: times and bytes.

type lawMoments struct {
	At    time.Time     `weft:"at"`
	Ago   time.Duration `weft:"ago"`
	Times []time.Time   `weft:"times"`
	Bytes []byte        `weft:"bytes"`
	None  []byte        `weft:"none"`
	Many  [][]byte      `weft:"many"`
}

var lawMomentsFields = weft.NewFields("at", "ago", "times", "bytes", "none", "many")

type lawMomentsProtocol lawMoments

func (v lawMomentsProtocol) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(lawMomentsFields)
	o.Time(0, v.At)
	o.Int64(1, int64(v.Ago))
	times := o.Array(2, len(v.Times))
	for _, t := range v.Times {
		times.Next()
		e.Time(t)
	}
	times.End()
	o.Bytes(3, v.Bytes)
	o.Bytes(4, v.None)
	o.Value(5, v.Many)
	return o.End()
}

func (v *lawMomentsProtocol) UnmarshalWeft(d *weft.Decoder) error {
	o := d.Object(lawMomentsFields)
	for o.Next() {
		switch o.Index() {
		case 0:
			v.At = d.Time()
		case 1:
			v.Ago = time.Duration(d.Int64())
		case 2:
			v.Times = []time.Time{}
			for a := d.Array(); a.Next(); {
				v.Times = append(v.Times, d.Time())
			}
		case 3:
			v.Bytes = d.Bytes()
		case 4:
			v.None = d.Bytes()
		case 5:
			d.Value(&v.Many)
		}
	}
	return o.End()
}

// 12: generic types.

type lawPage[T any] struct {
	Items []T          `weft:"items"`
	Next  opt.Val[T]   `weft:"next"`
	By    map[string]T `weft:"by"`
}

var lawPageFields = weft.NewFields("items", "next", "by")

type lawPageProtocol[T any] lawPage[T]

func (v lawPageProtocol[T]) MarshalWeft(e *weft.Encoder) error {
	return lawObject(e, lawPageFields, v.Items, v.Next, v.By)
}

func (v *lawPageProtocol[T]) UnmarshalWeft(d *weft.Decoder) error {
	return lawRead(d, lawPageFields, &v.Items, &v.Next, &v.By)
}

var lawCases = func() []lawCase {
	seven, level := 7, lawLevel(3)
	text := "gone"
	scalars := lawScalars{true, -8, 1 << 30, -1 << 60, 1<<64 - 1, 0.25, 1e100, "a\"<é>\n"}
	nested := lawNested{"n", scalars, []lawScalars{{}, scalars}, [][]int{{1, 2}, {}, {3}}, [3]int16{1, -2, 3}}
	nestedProtocol := lawNestedProtocol{"n", lawScalarsProtocol(scalars),
		[]lawScalarsProtocol{{}, lawScalarsProtocol(scalars)}, nested.Deep, nested.Fixed}
	shapes := []lawShape{lawCircle{2}, lawNothing{}, &lawGroup{Of: []lawShape{lawCircle{0.5}, &lawGroup{Main: lawNothing{}}}}}
	animal := lawAnimal(lawFish("herring"))
	picture := lawPicture{Top: &lawGroup{Of: shapes}, Shapes: shapes}
	zoo := lawZoo{map[string]lawAnimal{"a": lawDog{"Rex"}, "b": &lawCat{9}, "c": lawFish("cod")}, &animal}
	log := lawLog{[]lawEvent{{Created: &lawDog{"Rex"}}, {Moved: &lawPoint{1, 2}}}, lawResult{OK: &seven}, &lawResult{Error: &text}}
	adapted := lawAdapted{5, []lawLevel{1, 2}, &level, lawRange{1, 9}, *big.NewRat(2, 3), netip.MustParseAddr("::1")}
	bare := lawAdapted{Levels: []lawLevel{}}
	bare.Ratio.SetInt64(0)
	tuples := lawTuples{
		weft.Tuple2[string, lawShape]{V1: "c", V2: lawCircle{1}}, []weft.Tuple3[int, bool, *int]{{V1: 1, V2: true, V3: &seven}, {}},
		weft.Tuple5[int, int, int, int, []string]{V1: 1, V2: 2, V3: 3, V4: 4, V5: []string{"five"}}, lawRow{Name: "r", Level: 2, Rest: []int{1}},
	}
	maps := lawMaps{
		map[lawPoint]lawPoint{{1, 2}: {3, 4}, {-1, 0}: {}}, map[lawLevel]string{1: "one", 2: "two"},
		map[netip.Addr]bool{netip.MustParseAddr("10.0.0.1"): true}, map[string]int{"": 1, "ü\"\x01": 2, "a/b~c": 3}, nil,
	}
	tree := lawTree{"root", &lawTree{Label: "l"}, &lawTree{"r", nil, &lawTree{Label: "rr"}, []*lawTree{}}, []*lawTree{{Label: "m"}, nil}}
	treeProtocol := &lawTreeProtocol{"root", &lawTreeProtocol{Label: "l"},
		&lawTreeProtocol{"r", nil, &lawTreeProtocol{Label: "rr"}, []*lawTreeProtocol{}},
		[]*lawTreeProtocol{{Label: "m"}, nil}}
	full := lawOptional{
		opt.ValOf(1), opt.ValOf(""), opt.NullOf(true), opt.NullOf(lawPoint{1, 2}), opt.FieldOf(5), opt.FieldNull[int](), opt.FieldOf("x"),
		&seven, &lawPoint{3, 4}, []int{1}, []int{2}, map[string]int{"a": 1}, []byte{1, 2},
	}
	some := lawOptional{Val: opt.ValOf(0), Nil: opt.FieldNull[int](), List: []int{}, Empty: []int{}, Map: map[string]int{}, Bytes: []byte{}}
	moments := lawMoments{
		time.Date(2024, 2, 29, 12, 30, 0, 123456789, time.UTC), time.Hour,
		[]time.Time{time.Unix(0, 0).UTC(), time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)},
		[]byte{0, 255}, nil, [][]byte{{1}, {}, nil},
	}
	points := lawPage[lawPoint]{[]lawPoint{{1, 2}}, opt.ValOf(lawPoint{3, 4}), map[string]lawPoint{"p": {5, 6}}}
	levels := lawPage[lawLevel]{[]lawLevel{1}, opt.Val[lawLevel]{}, nil}
	return []lawCase{
		{"scalars", scalars, lawScalarsProtocol(scalars)},
		{"scalars, zero", lawScalars{}, lawScalarsProtocol{}},
		{"nested", nested, nestedProtocol},
		{"flat union", picture, lawPictureProtocol(picture)},
		{"wrapped union", zoo, lawZooProtocol(zoo)},
		{"wrapped union, none", lawZoo{}, lawZooProtocol{}},
		{"union by tag", log, lawLogProtocol(log)},
		{"adapters", adapted, lawAdaptedProtocol(adapted)},
		{"adapters, zero", bare, lawAdaptedProtocol(bare)},
		{"tuples", tuples, lawTuplesProtocol(tuples)},
		{"maps", maps, lawMapsProtocol(maps)},
		{"recursive", &tree, treeProtocol},
		{"optional", full, lawOptionalProtocol(full)},
		{"optional, some", some, lawOptionalProtocol(some)},
		{"moments", moments, lawMomentsProtocol(moments)},
		{"generic", points, lawPageProtocol[lawPoint](points)},
		{"generic, adapted", levels, lawPageProtocol[lawLevel](levels)},
	}
}()
