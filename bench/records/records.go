// Package records holds the values of the MessagePack tables: a struct with a
// little of everything, once for every layout, because generated code fixes
// the layout of a type.
package records

//go:generate go run github.com/tinylib/msgp -file records.go -o records_msgp.go -tests=false -io=false

// Record is the struct that comparisons of MessagePack libraries have used
// since 2018. It has no methods.
//
//msgp:ignore Record Child
type Record struct {
	Int    int
	Uint   uint
	Float  float32
	Double float64
	Bool   bool
	String string
	Array  []int
	Map    map[string]uint
	Child  Child
}

// Child is the nested struct of [Record].
type Child struct {
	Int    int
	String string
}

// RecordMap is a [Record] whose generated code writes a map.
type RecordMap struct {
	Int    int
	Uint   uint
	Float  float32
	Double float64
	Bool   bool
	String string
	Array  []int
	Map    map[string]uint
	Child  ChildMap
}

// ChildMap is the nested struct of [RecordMap].
type ChildMap struct {
	Int    int
	String string
}

// RecordTuple is a [Record] whose generated code writes an array.
//
//msgp:tuple RecordTuple ChildTuple
type RecordTuple struct {
	Int    int
	Uint   uint
	Float  float32
	Double float64
	Bool   bool
	String string
	Array  []int
	Map    map[string]uint
	Child  ChildTuple
}

// ChildTuple is the nested struct of [RecordTuple].
type ChildTuple struct {
	Int    int
	String string
}

// New returns the record that is measured.
func New() *Record {
	return &Record{
		Int: -123, Uint: 456, Float: 1.234, Double: 6.789, Bool: true, String: "this is text.",
		Array: []int{1, 2, 3, 4, 5, 6, 7, 8, 9},
		Map:   map[string]uint{"this": 1, "is": 2, "map": 3},
		Child: Child{Int: 123456, String: "this is struct of child"},
	}
}

// AsMap returns a copy of r with generated code for maps.
func (r *Record) AsMap() *RecordMap {
	return &RecordMap{r.Int, r.Uint, r.Float, r.Double, r.Bool, r.String, r.Array, r.Map, ChildMap(r.Child)}
}

// AsTuple returns a copy of r with generated code for arrays.
func (r *Record) AsTuple() *RecordTuple {
	return &RecordTuple{r.Int, r.Uint, r.Float, r.Double, r.Bool, r.String, r.Array, r.Map, ChildTuple(r.Child)}
}
