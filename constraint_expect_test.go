package weft_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// checkedList is read as generated code reads what has checks.
type checkedList struct {
	Name string   `json:"name"`
	Nums []int64  `json:"nums"`
	Tags []string `json:"tags"`
	Last float64  `json:"last"`
}

var checkedListFields = weft.NewFields("name", "nums", "tags", "last")

// itemReader is a reader of a format, whose elements are named.
type itemReader[R any] interface {
	weft.Reader
	weft.Checker
	Item(i int) R
}

// read reads v, whose lists are read by functions of the format.
func read[R itemReader[R]](r R, v *checkedList, nums func(R, []int64, func(R) int64) []int64, tags func(R, []string, int, int) []string) error {
	for i := r.BeginObject(checkedListFields); i != weft.End; i = r.Member(checkedListFields, i+1) {
		switch i {
		case 0:
			v.Name = r.String()
			weft.ExpectLen(r, v.Name, 1, 5)
		case 1:
			v.Nums = nums(r, v.Nums, R.Int64)
			weft.ExpectItems(r, len(v.Nums), 1, 4)
			for i, x := range v.Nums {
				weft.ExpectRange(r.Item(i), x, 0, 9)
			}
		case 2:
			v.Tags = tags(r, v.Tags, 1, 3)
			weft.ExpectItems(r, len(v.Tags), 0, 3)
		case 3:
			v.Last = r.Float64()
			weft.ExpectAbove(r, v.Last, 0)
		}
	}
	return r.Err()
}

func (v *checkedList) ReadJSON(r *json.Reader) error {
	return read(r, v, json.ReadScalars[int64], json.ReadStrings)
}

func (v *checkedList) ReadMsgpack(r *msgpack.Reader) error {
	return read(r, v, msgpack.ReadScalars[int64], msgpack.ReadStrings)
}

func (v *checkedList) ReadTagged(r *tagged.Reader) error {
	return read(r, v, tagged.ReadScalars[int64], tagged.ReadStrings)
}

type checkedLists []checkedList

func (v *checkedLists) ReadJSON(r *json.Reader) error {
	*v = json.ReadSlice(r, *v, (*checkedList).ReadJSON)
	return r.Err()
}

func (v *checkedLists) ReadMsgpack(r *msgpack.Reader) error {
	*v = msgpack.ReadSlice(r, *v, (*checkedList).ReadMsgpack)
	return r.Err()
}

func (v *checkedLists) ReadTagged(r *tagged.Reader) error {
	*v = tagged.ReadSlice(r, *v, (*checkedList).ReadTagged)
	return r.Err()
}

// What breaks a constraint is named by its place in each format, elements of
// lists among it, which are checked when the list has been read.
func TestExpect(t *testing.T) {
	good := checkedList{"a", []int64{1, 2}, []string{"x", "abc"}, 1}
	for _, c := range []struct {
		name string
		edit func(v *checkedList)
		path string // "" for no error
		says string
	}{
		{"good", func(v *checkedList) {}, "", ""},
		{"empty lists", func(v *checkedList) { v.Nums, v.Tags = []int64{0}, []string{} }, "", ""},
		{"wide characters", func(v *checkedList) { v.Name, v.Tags = "äöüßñ", []string{"日本語"} }, "", ""},
		{"no name", func(v *checkedList) { v.Name = "" }, "/1/name", "at least 1 character"},
		{"no numbers", func(v *checkedList) { v.Nums = []int64{} }, "/1/nums", "at least 1 element"},
		{"many numbers", func(v *checkedList) { v.Nums = []int64{1, 2, 3, 4, 5} }, "/1/nums", "at most 4 elements"},
		{"first number", func(v *checkedList) { v.Nums = []int64{-1, 2, 3} }, "/1/nums/0", "be at least 0, not -1"},
		{"middle number", func(v *checkedList) { v.Nums = []int64{1, 2000, -3} }, "/1/nums/1", "be at most 9, not 2000"},
		{"last number", func(v *checkedList) { v.Nums = []int64{1, 2, 10} }, "/1/nums/2", "be at most 9, not 10"},
		{"second string", func(v *checkedList) { v.Tags = []string{"[\"]", "abcd", ""} }, "/1/tags/1", "at most 3 characters, not 4"},
		{"wide string", func(v *checkedList) { v.Tags = []string{"日本語日"} }, "/1/tags/0", "at most 3 characters, not 4"},
		{"many strings", func(v *checkedList) { v.Tags = []string{"a", "b", "c", "d"} }, "/1/tags", "at most 3 elements"},
		{"after lists", func(v *checkedList) { v.Last = 0 }, "/1/last", "be greater than 0, not 0"},
	} {
		v := good
		c.edit(&v)
		for _, f := range []struct {
			name    string
			marshal func(any) ([]byte, error)
			read    func([]byte, *checkedLists, ...weft.Options) error
		}{
			{"json", func(v any) ([]byte, error) { return json.MarshalIndent(v, " ", " ") }, func(b []byte, v *checkedLists, o ...weft.Options) error { return json.Read(b, v, o...) }},
			{"msgpack", func(v any) ([]byte, error) { return msgpack.Marshal(v) }, func(b []byte, v *checkedLists, o ...weft.Options) error { return msgpack.Read(b, v, o...) }},
			{"tagged", func(v any) ([]byte, error) { return tagged.Marshal(v) }, func(b []byte, v *checkedLists, o ...weft.Options) error { return tagged.Read(b, v, o...) }},
		} {
			b, err := f.marshal([]checkedList{good, v, good})
			if err != nil {
				t.Fatal(err)
			}
			for _, into := range []checkedLists{nil, {{}, {Nums: make([]int64, 9), Tags: make([]string, 9)}}} {
				err := f.read(b, &into)
				if c.path == "" {
					if err != nil {
						t.Errorf("%s %s: %v", f.name, c.name, err)
					}
					continue
				}
				var e *weft.Error
				if !errors.As(err, &e) || e.Path != c.path || !strings.Contains(e.Error(), c.says) {
					t.Errorf("%s %s: %v, want one at %s that says %q", f.name, c.name, err, c.path, c.says)
				}
			}
			var off checkedLists
			if err := f.read(b, &off, weft.Unchecked(true)); err != nil || len(off) != 3 {
				t.Errorf("%s %s, unchecked: %v, %v", f.name, c.name, off, err)
			}
		}
	}
}

// failed holds what a check has found.
type failed struct{ err error }

func (f *failed) Check(err error) { f.err = err }

// Each Expect function finds what the Check function of its name does.
func TestExpectIsCheck(t *testing.T) {
	var f failed
	same := func(name string, want error) {
		t.Helper()
		if got := f.err; (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		f.err = nil
	}
	for _, x := range []float64{-1, 0, 1, 5, 6, math.NaN(), math.Inf(1)} {
		weft.ExpectMin(&f, x, 1)
		same("min", weft.CheckMin(x, 1))
		weft.ExpectMax(&f, x, 5)
		same("max", weft.CheckMax(x, 5))
		weft.ExpectRange(&f, x, 1, 5)
		same("range", weft.CheckRange(x, 1, 5))
		weft.ExpectAbove(&f, x, 1)
		same("above", weft.CheckAbove(x, 1))
		weft.ExpectBelow(&f, x, 5)
		same("below", weft.CheckBelow(x, 5))
		weft.ExpectConst(&f, x, 5)
		same("const", weft.CheckConst(x, 5))
	}
	for n := range 8 {
		for _, most := range []int{-1, 3, 5} {
			s := strings.Repeat("ä", n)
			weft.ExpectLen(&f, s, 2, most)
			same("len", weft.CheckLen(s, 2, most))
			weft.ExpectItems(&f, n, 2, most)
			same("items", weft.CheckItems(n, 2, most))
			weft.ExpectMembers(&f, n, 2, most)
			same("members", weft.CheckMembers(n, 2, most))
		}
	}
}

// laterItem fails at the third element of a list, nothing with an object in which
// something is missing.
type (
	laterItem []int64
	nothing   struct{}
)

var errLater = errors.New("later")

func (v *laterItem) ReadTagged(r *tagged.Reader) error {
	*v = tagged.ReadScalars(r, *v, (*tagged.Reader).Int64)
	r.Item(2).Check(errLater)
	return r.Err()
}

func (v *nothing) ReadTagged(r *tagged.Reader) error {
	for i := r.BeginObject(nothingFields); i != weft.End; i = r.Member(nothingFields, i+1) {
		r.Skip()
	}
	r.Check(errLater)
	return r.Err()
}

var nothingFields = weft.NewFields("a")

// An error about an object without members is not about the element that one of the
// message before was about.
func TestExpectNothing(t *testing.T) {
	b, err := tagged.Marshal([]int64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 { // readers are used again
		if err := tagged.Read(b, new(laterItem)); !errors.Is(err, errLater) {
			t.Error(err)
		}
		if err := tagged.Read(nil, new(nothing)); !errors.Is(err, errLater) {
			t.Error(err)
		}
	}
}

// family is an object that ends in a list, and fails when it has been read.
type family struct{ Kids []int64 }

var familyFields = weft.NewFields("kids")

func readFamily[R interface {
	weft.Reader
	Check(error)
	Item(int) R
}](v *family, r R, list func(R, []int64) []int64) error {
	for i := r.BeginObject(familyFields); i != weft.End; i = r.Member(familyFields, i+1) {
		v.Kids = list(r, v.Kids)
		for i := range v.Kids {
			r.Item(i).Check(nil)
		}
	}
	r.Check(errLater)
	return r.Err()
}

func (v *family) ReadJSON(r *json.Reader) error {
	return readFamily(v, r, func(r *json.Reader, s []int64) []int64 { return json.ReadScalars(r, s, (*json.Reader).Int64) })
}

func (v *family) ReadMsgpack(r *msgpack.Reader) error {
	return readFamily(v, r, func(r *msgpack.Reader, s []int64) []int64 {
		return msgpack.ReadScalars(r, s, (*msgpack.Reader).Int64)
	})
}

func (v *family) ReadTagged(r *tagged.Reader) error {
	return readFamily(v, r, func(r *tagged.Reader, s []int64) []int64 { return tagged.ReadScalars(r, s, (*tagged.Reader).Int64) })
}

type families []family

func (v *families) ReadJSON(r *json.Reader) error {
	*v = json.ReadSlice(r, *v, (*family).ReadJSON)
	return r.Err()
}

func (v *families) ReadMsgpack(r *msgpack.Reader) error {
	*v = msgpack.ReadSlice(r, *v, (*family).ReadMsgpack)
	return r.Err()
}

func (v *families) ReadTagged(r *tagged.Reader) error {
	*v = tagged.ReadSlice(r, *v, (*family).ReadTagged)
	return r.Err()
}

// An error about an object that ends in a list is not about an element of the list,
// where the object has no end of its own.
func TestExpectAround(t *testing.T) {
	data := []map[string][]int64{{"kids": {1, 2, 3, 4, 5}}}
	for _, f := range []weft.Format{json.Format, msgpack.Format, tagged.Format} {
		b, err := f.MarshalAppend(nil, data)
		if err != nil {
			t.Fatal(err)
		}
		var at *weft.Error
		if err := f.Unmarshal(b, new(families)); !errors.As(err, &at) || at.Path != "/0" || !errors.Is(err, errLater) {
			t.Errorf("%s: %v", f.Name(), err)
		}
	}
}
