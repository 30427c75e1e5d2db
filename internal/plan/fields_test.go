package plan

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/opt"
)

// shape tells the members of n in short: name, path, "?" for an embedded
// pointer that can be set and "!" for one that cannot.
func shape(n *Type) string {
	var b strings.Builder
	for i := range n.Members() {
		f := &n.Members()[i]
		fmt.Fprintf(&b, "%s=%s", f.Name, f.Path())
		for _, e := range f.Embeds {
			b.WriteString(pick(e.Settable, "?", "!"))
		}
		b.WriteByte(' ')
	}
	if n.Rest() != nil {
		fmt.Fprintf(&b, "rest=%s ", n.Rest().Path())
	}
	return strings.TrimSpace(b.String())
}

type inlined struct {
	A    int
	Sub  inner  `weft:",inline"`
	PSub *Other `weft:",inline"`
	Z    int
	Rest map[string]any `weft:",inline"`
}

type inlinedPrivate struct {
	A   int
	Sub struct {
		In struct{ B int } `weft:",inline"`
	} `weft:",inline"`
	Rest rawOwn `weft:",unknown"`
}

type restDeeper struct {
	HasRest
	A    int
	Rest map[string]int `weft:",inline"`
}

type HasRest struct {
	Deep map[string]string `weft:",unknown"`
	B    int
}

type restPromoted struct {
	*HasRest
	A int
}

type keysByFormat struct {
	A int `json:"ja" weft:"wa" own:"oa"`
	B int `json:"jb" weft:"wb"`
	C int `json:"jc"`
	D int `weft:"wd"`
	E int
	F int `json:"-" weft:"wf"`
	G int `weft:"-"`
}

func TestFields(t *testing.T) {
	own, js := NewSet(ownConfig), NewSet(Config{Keys: []string{"json", "weft"}, Hooks: jsonConfig.Hooks})
	tests := []struct {
		s    *Set
		of   any
		want string
	}{
		{own, inlined{}, "A=A X=Sub.X Y=Sub.Y ID=PSub.ID? Extra=PSub.Extra? Z=Z rest=Rest"},
		{own, inlinedPrivate{}, "A=A B=Sub.In.B rest=Rest"},
		{own, restDeeper{}, "B=HasRest.B A=A rest=Rest"},
		{own, restPromoted{}, "B=HasRest.B? A=A rest=HasRest.Deep"},
		{own, keysByFormat{}, "oa=A wb=B jc=C wd=D E=E wf=F"},
		{js, keysByFormat{}, "ja=A jb=B jc=C wd=D E=E"},
		{js, embedUnexportedMixed{}, "P=P Q=Chain3.Q? X=Chain3.inner.X?! Y=Chain3.inner.Y?!"},
		{js, embedUnexportedTwo{}, "M=midU.M X=midU.inner.X! Y=midU.inner.Y! D=midU.deepU.D A=A"},
		{js, embedPointerChain{},
			"Pad=Chain1.Pad? Pad2=Chain1.Chain2.Pad2?? ID=Chain1.Chain2.Base.ID?? name=Chain1.Chain2.Base.Name?? V=Chain1.Chain2.V?? B=B"},
		{js, embedTaggedWins{}, "name=Base.Name Extra=Other.Extra ID=Tagged.ID"},
		{js, embedConflict{}, "name=Base.Name Extra=Other.Extra Own=Own"},
		{js, embedSelf{}, "A=A"},
		{js, embedMutual{}, "B=embedMutual2.B! A=A"},
		{js, MutualA{}, "B=MutualB.B? A=A Same=Same"},
		{js, embedNonStruct{}, "Num=Num Strs=Strs Face=Face A=A"},
		{js, embedTime{}, "A=A"},
		{js, embedUnexportedNamed{}, "in=inner A=A"},
		{js, time.Now(), ""},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%T", tt.of), func(t *testing.T) {
			n := tt.s.Of(reflect.TypeOf(tt.of))
			if got := shape(n); got != tt.want {
				t.Errorf("%v:\n%s, want\n%s", n.Rtype, got, tt.want)
			}
		})
	}
	n := own.Of(reflect.TypeFor[inlinedPrivate]())
	if r := n.Rest(); !r.Unknown || r.Inline || r.Type.Kind != Raw {
		t.Errorf("the catch-all is %+v", r)
	}
	f := js.Of(reflect.TypeFor[embedPointerChain]()).Members()[2]
	if f.Parent != reflect.TypeFor[Base]() || !reflect.DeepEqual(f.Index, []int{0, 1, 1, 0}) ||
		strings.Join(f.Through, ".") != "Chain1.Chain2.Base" {
		t.Errorf("ID: parent %v, index %v, through %v", f.Parent, f.Index, f.Through)
	}
}

// TestReach goes to every field by Make and by At, and to the same field by
// reflect.
func TestReach(t *testing.T) {
	s := NewSet(ownConfig)
	for _, of := range []any{embedPointerChain{}, inlined{}, inlinedPrivate{}, embedTwoAnon{}, embedUnexported{}, MutualA{}, allKinds{}} {
		v := reflect.New(reflect.TypeOf(of))
		n := s.Of(v.Type().Elem())
		p := mem.Of(v)
		for i := range n.Members() {
			f := &n.Members()[i]
			if len(f.Embeds) > 0 {
				if fresh := mem.Of(reflect.New(n.Rtype)); !f.At(fresh).IsNil() {
					t.Errorf("%v: %s is reached through a nil pointer", n, f.Path())
				}
			}
			q, stuck := f.Make(p)
			if stuck != nil || q.IsNil() {
				t.Errorf("%v: %s cannot be reached", n, f.Path())
				continue
			}
			want := v.Elem().FieldByIndex(f.Index)
			if !f.At(p).Same(q) || f.Type.Size > 0 && q.Value(f.Type.Mem).Addr().Pointer() != want.Addr().Pointer() {
				t.Errorf("%v: %s is elsewhere", n, f.Path())
			}
			if want.Type() != f.Type.Rtype || f.GoName != n.Rtype.FieldByIndex(f.Index).Name {
				t.Errorf("%v: %s has type %v", n, f.Path(), f.Type)
			}
		}
	}
	n := s.Of(reflect.TypeFor[embedUnexportedMixed]())
	v := &embedUnexportedMixed{}
	if q, stuck := n.Members()[2].Make(mem.To(v)); !q.IsNil() || stuck == nil || stuck.Elem.Rtype != reflect.TypeFor[inner]() {
		t.Errorf("an unexported embedded pointer has been set")
	}
	v.Chain3.inner = &inner{X: 5}
	if q, stuck := n.Members()[2].Make(mem.To(v)); stuck != nil || *mem.At[int](q) != 5 {
		t.Errorf("an unexported embedded pointer has not been followed")
	}
}

// TestUnexported looks at embedded unexported structs that a tag names.
// encoding/json calls no methods on them when unmarshaling, and panics when it
// should set a nil pointer or call a method when marshaling.
func TestUnexported(t *testing.T) {
	s := NewSet(jsonConfig)
	type ptr struct {
		*inner `json:"in"`
	}
	for _, of := range []any{embedUnexportedNamed{}, ptr{}} {
		f := s.Of(reflect.TypeOf(of)).Members()[0]
		if !f.Unexported || f.Name != "in" || !f.Tagged || len(f.Embeds) != 0 {
			t.Errorf("%T: %+v", of, f)
		}
	}
	for _, f := range s.Of(reflect.TypeFor[embedUnexported]()).Members() {
		if f.Unexported {
			t.Errorf("%s is exported", f.Path())
		}
	}
}

func TestIsZero(t *testing.T) {
	n := NewSet(jsonConfig).Of(reflect.TypeFor[struct {
		Value zeroValue
		Addr  zeroAddr
		Ptr   *zeroAddr
		Face  zeroFace
		Time  time.Time
		Opt   opt.Field[int]
		Plain int
	}]())
	want := []Zero{ZeroMethod, ZeroAddr, ZeroPointer, ZeroInterface, ZeroMethod, ZeroMethod, ZeroValue}
	for i, f := range n.Members() {
		if f.Zero != want[i] {
			t.Errorf("%s: %d, want %d", f.Path(), f.Zero, want[i])
		}
	}
	type holder struct {
		Face zeroFace `json:",omitzero"`
	}
	face := NewSet(jsonConfig).Of(reflect.TypeFor[holder]()).Members()[0]
	for _, tt := range []struct {
		v    zeroFace
		want bool
	}{{nil, true}, {(*zeroValue)(nil), true}, {&zeroValue{1}, false}, {&zeroValue{42}, true}, {zeroValue{0}, false}} {
		t.Run(fmt.Sprintf("%#v", tt.v), func(t *testing.T) {
			h := holder{tt.v}
			if got := face.IsZero(face.At(mem.To(&h))); got != tt.want {
				t.Errorf("%#v is zero: %t", tt.v, got)
			}
		})
	}
}
