package plan

//lint:file-ignore U1000 the unused fields are there for reflection to see

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weftcodec/weft/internal/mem"
)

// The oracle: encoding/json's view of a struct type, seen from outside. Which
// members it writes, in which order and with which values, and which Go field
// it sets for a name, must be what the plan says.

// From go1.27 on encoding/json stands on its version 2 and differs in corners.
// The plan follows the classic behaviour. The differences found here, which the
// tests leave out where [classic] is false:
//
//   - names in tags may have characters that were not valid, quotes among them
//   - the option string works on named pointer types, and does not on types
//     with methods
//   - map keys may be of more kinds
//   - the text of the error for an embedded pointer that cannot be set
//   - a null for an unexported embedded pointer that a tag names panics
var classic = sync.OnceValue(func() bool {
	rt := reflect.StructOf([]reflect.StructField{field("A", 0, `json:"a\tb"`)})
	text, _ := json.Marshal(reflect.Zero(rt).Interface())
	return string(text) == `{"A":0}`
})

var jsonConfig = Config{Keys: []string{"json"}, Hooks: []Hook{JSONHook(), TextHook()}}

// filler fills values at random.
type filler struct {
	r    *rand.Rand
	full bool // no nil and no zero
}

var fillTypes = []any{1.5, "any", true, nil}

func (f *filler) fill(v reflect.Value, depth int) {
	if !f.full && f.r.IntN(4) == 0 {
		return
	}
	switch v.Type() {
	case timeType:
		v.Set(reflect.ValueOf(time.Unix(f.r.Int64N(1<<32)+1, 5).UTC()))
		return
	case numberType:
		v.SetString(strconv.Itoa(f.r.IntN(1000) + 1))
		return
	case rawType, reflect.TypeFor[namedRaw]():
		v.SetBytes([]byte(`{"raw":1}`))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(f.r.Int64N(100) + 1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(f.r.Uint64N(100) + 1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(f.r.IntN(1000)+1) / 8)
	case reflect.String:
		v.SetString("s" + strconv.Itoa(f.r.IntN(1000)))
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf(fillTypes[f.r.IntN(3)]))
		} else if z := reflect.ValueOf(&zeroValue{X: 42}); z.Type().Implements(v.Type()) {
			v.Set(z)
		} else if z := reflect.ValueOf(textValue{"x"}); z.Type().Implements(v.Type()) {
			v.Set(z)
		}
	case reflect.Pointer:
		if depth > 0 {
			p := reflect.New(v.Type().Elem())
			f.fill(p.Elem(), depth-1)
			set(v, p)
		}
	case reflect.Slice:
		if depth > 0 {
			s := reflect.MakeSlice(v.Type(), 1+f.r.IntN(2), 3)
			for i := range s.Len() {
				f.fill(s.Index(i), depth-1)
			}
			v.Set(s)
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), depth-1)
		}
	case reflect.Map:
		if depth > 0 {
			m := reflect.MakeMap(v.Type())
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			f.fill(k, depth-1)
			f.fill(e, depth-1)
			m.SetMapIndex(k, e)
			v.Set(m)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			sf := v.Type().Field(i)
			if sf.IsExported() || sf.Anonymous && (sf.Type.Kind() == reflect.Struct || sf.Type.Kind() == reflect.Pointer) {
				f.fill(v.Field(i), depth-1)
			}
		}
	}
}

// set sets the pointer v, also where it is an unexported embedded field of an
// addressable struct.
func set(v, p reflect.Value) {
	if v.CanSet() {
		v.Set(p)
		return
	}
	reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem().Set(p)
}

// addrOf returns a pointer to the value at q, also where reflect would rather
// not hand it out.
func addrOf(q mem.Ptr, m *mem.Type) any {
	v := q.Value(m).Addr()
	if !v.CanInterface() {
		v = reflect.NewAt(m.Rtype, v.UnsafePointer())
	}
	return v.Interface()
}

// member is a member of an object as it was written.
type member struct{ name, value string }

func membersOf(t *testing.T, text []byte) (ms []member) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		t.Fatalf("not an object: %s", text)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		ms = append(ms, member{name.(string), string(value)})
	}
	return ms
}

// planMembers writes the members of the struct at p as the plan says, with
// encoding/json for their values.
func planMembers(n *Type, p mem.Ptr) (ms []member, err error) {
	for i := range n.Members() {
		f := &n.Members()[i]
		q := f.At(p)
		if q.IsNil() || f.OmitEmpty && f.Type.IsEmpty(q) || f.OmitZero && f.IsZero(q) {
			continue
		}
		value, err := json.Marshal(addrOf(q, f.Type.Mem))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path(), err)
		}
		if quotes(f, q) {
			if value[0] == '"' {
				value, err = json.Marshal(string(value))
				if err != nil {
					return nil, err
				}
			} else {
				value = fmt.Appendf(nil, "%q", value)
			}
		}
		ms = append(ms, member{f.Name, string(value)})
	}
	return ms, nil
}

// quotes reports whether the value of f at q is written within a string.
func quotes(f *Field, q mem.Ptr) bool {
	if !f.Quoted || f.Type.Hooks.MarshalAddr != 0 || f.Type.Hooks.Marshal != 0 {
		return false
	}
	if f.Type.Kind == Pointer {
		return f.Type.Elem.Hooks.MarshalAddr == 0 && !q.Deref(f.Type.Elem.Mem).IsNil()
	}
	return true
}

func compareMarshal(t *testing.T, n *Type, v reflect.Value) {
	t.Helper()
	text, err := json.Marshal(v.Interface())
	if err != nil {
		t.Fatalf("%v: %v", n, err)
	}
	want := membersOf(t, text)
	got, err := planMembers(n, mem.Of(v))
	if err != nil {
		t.Fatalf("%v: %v", n, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v marshals as\n%q, the plan says\n%q\n%s", n.Rtype, want, got, n.Dump())
	}
}

// compareUnmarshal sets each member alone, once through encoding/json and once
// as the plan says.
func compareUnmarshal(t *testing.T, n *Type, v reflect.Value) {
	t.Helper()
	text, err := json.Marshal(v.Interface())
	if err != nil {
		t.Fatalf("%v: %v", n, err)
	}
	for _, m := range membersOf(t, text) {
		name, _ := json.Marshal(m.name)
		want := reflect.New(n.Rtype)
		wantErr := json.Unmarshal([]byte("{"+string(name)+":"+m.value+"}"), want.Interface())
		var f *Field
		for i := range n.Members() {
			if n.Members()[i].Name == m.name {
				f = &n.Members()[i]
			}
		}
		if f == nil {
			t.Errorf("%v has the member %q, the plan has not", n.Rtype, m.name)
			continue
		}
		got := reflect.New(n.Rtype)
		q, stuck := f.Make(mem.Of(got))
		if stuck != nil {
			text := "json: cannot set embedded pointer to unexported struct: " + stuck.Elem.Rtype.String()
			if wantErr == nil || wantErr.Error() != text && classic() {
				t.Errorf("%v.%s: the plan finds it cannot be set, encoding/json says %v", n.Rtype, f.Path(), wantErr)
			}
			continue
		}
		if f.Unexported {
			continue // encoding/json calls no methods here; see TestUnexported
		}
		value := m.value
		if f.Quoted { // when unmarshaling, encoding/json takes the quotes off before it looks for methods
			var s string
			if json.Unmarshal([]byte(value), &s) == nil && value != "null" {
				value = s
			}
		}
		gotErr := json.Unmarshal([]byte(value), addrOf(q, f.Type.Mem))
		if (gotErr == nil) != (wantErr == nil) {
			t.Errorf("%v.%s from %s: %v, encoding/json %v", n.Rtype, f.Path(), m.value, gotErr, wantErr)
		} else if gotErr == nil && !reflect.DeepEqual(got.Interface(), want.Interface()) {
			t.Errorf("%v.%s from %s: encoding/json sets\n%+v, the plan\n%+v", n.Rtype, f.Path(), m.value, want.Elem(), got.Elem())
		}
	}
}

func compareType(t *testing.T, s *Set, rt reflect.Type, r *rand.Rand, rounds int) {
	t.Helper()
	n := s.Of(rt)
	if n.Kind != Struct {
		t.Fatalf("%v is not a struct", n)
	}
	for i := range rounds {
		v := reflect.New(rt)
		f := filler{r: r, full: i == 0}
		f.fill(v.Elem(), 4)
		compareMarshal(t, n, v)
		compareUnmarshal(t, n, v)
	}
	compareMarshal(t, n, reflect.New(rt))
}

func TestSamplesAgree(t *testing.T) {
	s := NewSet(jsonConfig)
	all := samples
	if classic() {
		all = append(slices.Clip(all), oddNamesClassic, quotedClassic)
	}
	for _, sample := range all {
		rt, ok := sample.(reflect.Type)
		if !ok {
			rt = reflect.TypeOf(sample)
		}
		t.Run(rt.String(), func(t *testing.T) {
			compareType(t, s, rt, rand.New(rand.NewPCG(1, 2)), 40)
		})
	}
}

// Random types.

type typeMaker struct {
	r      *rand.Rand
	serial int
}

var leafTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](),
	reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint8](),
	reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](),
	reflect.TypeFor[any](), timeType, durationType, numberType, rawType,
	reflect.TypeFor[named](), reflect.TypeFor[namedInt](), reflect.TypeFor[namedBytes](), reflect.TypeFor[namedPtr](),
	reflect.TypeFor[zeroValue](), reflect.TypeFor[zeroAddr](), reflect.TypeFor[jsonValue](), reflect.TypeFor[jsonAddr](),
	reflect.TypeFor[textValue](), reflect.TypeFor[textString](), reflect.TypeFor[[]jsonByte](), reflect.TypeFor[[]textByte](),
	reflect.TypeFor[list](), reflect.TypeFor[zeroFace](), reflect.TypeFor[Base](),
}

var embeddable = []reflect.Type{
	reflect.TypeFor[Base](), reflect.TypeFor[*Base](), reflect.TypeFor[Other](), reflect.TypeFor[*Other](),
	reflect.TypeFor[Tagged](), reflect.TypeFor[Deep](), reflect.TypeFor[*Deep](), reflect.TypeFor[Deepest](),
	reflect.TypeFor[L](), reflect.TypeFor[R](), reflect.TypeFor[*R](), reflect.TypeFor[L1](), reflect.TypeFor[L3](),
	reflect.TypeFor[Num](), reflect.TypeFor[*Num](), reflect.TypeFor[Strs](), reflect.TypeFor[*Chain1](),
	reflect.TypeFor[Chain3](), reflect.TypeFor[*Chain3](), reflect.TypeFor[MutualA](), reflect.TypeFor[*MutualB](),
	reflect.TypeFor[Wrap1](), reflect.TypeFor[*Wrap2](), reflect.TypeFor[Gen[string]](),
}

var (
	tagNames   = []string{"", "", "", "a", "b", "ID", "name", "Own", "F0", "F1", "A", "é", "x y", `a\\b`, `q\"`, "-"}
	tagOptions = []string{
		"", "", ",omitempty", ",omitzero", ",string", ",omitempty,string", ",omitzero,omitempty", ",bogus", ",String",
		", omitempty",
	}
)

func (m *typeMaker) leaf(depth int) reflect.Type {
	t := leafTypes[m.r.IntN(len(leafTypes))]
	if depth <= 0 {
		return t
	}
	switch m.r.IntN(10) {
	case 0:
		return reflect.PointerTo(m.leaf(depth - 1))
	case 1:
		return reflect.SliceOf(m.leaf(depth - 1))
	case 2:
		return reflect.ArrayOf(m.r.IntN(3), m.leaf(depth-1))
	case 3:
		keys := []reflect.Type{
			reflect.TypeFor[string](), reflect.TypeFor[named](), reflect.TypeFor[int](), reflect.TypeFor[uint8](),
			reflect.TypeFor[textString](), reflect.TypeFor[textValue](),
		}
		return reflect.MapOf(keys[m.r.IntN(len(keys))], m.leaf(depth-1))
	case 4:
		return m.structType(depth - 1)
	}
	return t
}

// structType returns a random struct type, nil where reflect.StructOf cannot
// make it.
func (m *typeMaker) structType(depth int) reflect.Type {
	for {
		if t := m.tryStruct(depth); t != nil {
			return t
		}
	}
}

func (m *typeMaker) tryStruct(depth int) (t reflect.Type) {
	var fields []reflect.StructField
	names := map[string]bool{}
	for i := range m.r.IntN(7) {
		f := reflect.StructField{Name: "F" + strconv.Itoa(i)}
		switch m.r.IntN(8) {
		case 0, 1:
			f.Type, f.Anonymous = embeddable[m.r.IntN(len(embeddable))], true
			e := f.Type
			if e.Kind() == reflect.Pointer {
				e = e.Elem()
			}
			f.Name, _, _ = strings.Cut(e.Name(), "[")
		case 2:
			if depth > 0 {
				f.Type, f.Anonymous = m.structType(depth-1), true
				f.Name = "E" + strconv.Itoa(i)
				if m.r.IntN(3) == 0 {
					f.Type = reflect.PointerTo(f.Type)
				}
			} else {
				f.Type = m.leaf(0)
			}
		case 3:
			f.Name, f.PkgPath, f.Type = "f"+strconv.Itoa(i), "github.com/weftcodec/weft/internal/plan", m.leaf(0)
		default:
			f.Type = m.leaf(depth)
		}
		if names[f.Name] {
			continue
		}
		names[f.Name] = true
		if !f.Anonymous || m.r.IntN(4) == 0 {
			name, opts := tagNames[m.r.IntN(len(tagNames))], tagOptions[m.r.IntN(len(tagOptions))]
			if !classic() {
				if strings.Contains(name, `\\`) || strings.Contains(name, `"`) {
					name = "plain"
				}
				if strings.Contains(opts, "string") && (f.Type.Name() != "" && f.Type.PkgPath() != "" || f.Type.Kind() == reflect.Pointer) {
					opts = ""
				}
			}
			tag := name + opts
			f.Tag = reflect.StructTag(`json:"` + tag + `"`)
		}
		fields = append(fields, f)
	}
	defer func() {
		if recover() != nil {
			t = nil
		}
	}()
	return reflect.StructOf(fields)
}

func TestRandomTypesAgree(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	n := 400
	if testing.Short() {
		n = 100
	}
	embedded, members := 0, 0
	for i := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, i))
		m := typeMaker{r: r}
		rt := m.structType(2)
		s := NewSet(jsonConfig)
		compareType(t, s, rt, r, 4)
		for _, f := range s.Of(rt).Members() {
			members++
			if len(f.Index) > 1 {
				embedded++
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d, %d", seed, i)
		}
	}
	if embedded < n/2 || members < n {
		t.Errorf("%d types have only %d members, %d of them promoted", n, members, embedded)
	}
}
