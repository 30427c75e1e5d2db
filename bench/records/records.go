// Package records holds the values of the MessagePack tables: a struct with a
// little of everything, once for every layout, because generated code fixes
// the layout of a type.
package records

import "fmt"

//go:generate go run github.com/tinylib/msgp -file records.go -o records_msgp.go -tests=false -io=false

// Record is the struct that comparisons of MessagePack libraries have used
// since 2018. It has no methods.
//
//msgp:ignore Record Child User Item Blob Sample
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

// User is a struct with a list: what a service answers with. It has no methods.
type User struct {
	ID      int64
	Name    string
	Email   string
	Age     int
	Active  bool
	Score   float64
	Tags    []string
	Avatar  []byte
	Friends map[string]int
	Items   []Item
}

// Item is an element of the list of a [User].
type Item struct {
	ID       int
	Name     string
	Price    float64
	Quantity int
	InStock  bool
}

// UserMap is a [User] whose generated code writes maps.
type UserMap struct {
	ID      int64
	Name    string
	Email   string
	Age     int
	Active  bool
	Score   float64
	Tags    []string
	Avatar  []byte
	Friends map[string]int
	Items   []ItemMap
}

// ItemMap is an element of the list of a [UserMap].
type ItemMap struct {
	ID       int
	Name     string
	Price    float64
	Quantity int
	InStock  bool
}

// UserTuple is a [User] whose generated code writes arrays.
//
//msgp:tuple UserTuple ItemTuple
type UserTuple struct {
	ID      int64
	Name    string
	Email   string
	Age     int
	Active  bool
	Score   float64
	Tags    []string
	Avatar  []byte
	Friends map[string]int
	Items   []ItemTuple
}

// ItemTuple is an element of the list of a [UserTuple].
type ItemTuple struct {
	ID       int
	Name     string
	Price    float64
	Quantity int
	InStock  bool
}

// Blob holds bytes. It has no methods.
type Blob struct{ Data []byte }

// BlobMap is a [Blob] whose generated code writes a map.
type BlobMap struct{ Data []byte }

// BlobTuple is a [Blob] whose generated code writes an array.
//
//msgp:tuple BlobTuple
type BlobTuple struct{ Data []byte }

// NewUser returns the user that is measured, with 100 items.
func NewUser() *User {
	u := &User{
		ID: 1234567890123, Name: "Ada Lovelace", Email: "ada@example.org", Age: 36, Active: true, Score: 98.6,
		Tags: []string{"mathematics", "engine", "notes"}, Avatar: []byte("\x89PNG\r\n\x1a\n"),
		Friends: map[string]int{"charles": 1791, "mary": 1780, "michael": 1791},
	}
	for i := range 100 {
		u.Items = append(u.Items, Item{1000 + i, fmt.Sprintf("item number %d", i), 9.99 + float64(i), i % 7, i%3 == 0})
	}
	return u
}

// AsMap returns a copy of u with generated code for maps.
func (u *User) AsMap() *UserMap {
	m := &UserMap{u.ID, u.Name, u.Email, u.Age, u.Active, u.Score, u.Tags, u.Avatar, u.Friends, nil}
	for _, i := range u.Items {
		m.Items = append(m.Items, ItemMap(i))
	}
	return m
}

// AsTuple returns a copy of u with generated code for arrays.
func (u *User) AsTuple() *UserTuple {
	t := &UserTuple{u.ID, u.Name, u.Email, u.Age, u.Active, u.Score, u.Tags, u.Avatar, u.Friends, nil}
	for _, i := range u.Items {
		t.Items = append(t.Items, ItemTuple(i))
	}
	return t
}

// NewBlob returns bytes to measure.
func NewBlob() *Blob {
	b := &Blob{make([]byte, 4096)}
	for i := range b.Data {
		b.Data[i] = byte(i * 7)
	}
	return b
}

// AsMap returns b with generated code for a map.
func (b *Blob) AsMap() *BlobMap { return &BlobMap{b.Data} }

// AsTuple returns b with generated code for an array.
func (b *Blob) AsTuple() *BlobTuple { return &BlobTuple{b.Data} }

// Sample is a value in the forms that libraries need it in: as it is, and with
// msgp's generated code for either layout.
type Sample struct {
	Name              string
	Plain, Map, Tuple any
}

// Samples returns the values that are measured in both layouts.
func Samples() []Sample {
	r, u, b := New(), NewUser(), NewBlob()
	return []Sample{
		{"record", r, r.AsMap(), r.AsTuple()},
		{"user100", u, u.AsMap(), u.AsTuple()},
		{"blob", b, b.AsMap(), b.AsTuple()},
	}
}
