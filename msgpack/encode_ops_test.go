package msgpack

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/opt"
)

// The structs of these tests stand in each other, in both layouts, with keys of
// every length.
type (
	opsTop struct {
		A       int
		Keyed   opsKeyed
		Listed  opsListed
		Nothing struct{}
		LongKey string   `msgpack:"a_key_that_is_longer_than_two_words_and_then_some"`
		Fifteen opsInner `msgpack:"key_of_15_bytes"`
		Maybe   opsMaybe
		Rows    []opsListed
		Left    []opsLeft
		Bytes   []byte
		Any     any
		Text    opsText
		End     opsEmpty
	}
	opsKeyed struct {
		_     struct{} `msgpack:",map"`
		One   int8
		Inner opsInner
		Two   string `msgpack:"sixteen_bytes_xx"`
	}
	opsListed struct {
		_     struct{} `msgpack:",array"`
		One   uint16
		Inner opsInner
		Keyed opsKeyed
		Null  opt.Null[float64]
		Val   opt.Val[int]
	}
	opsInner struct {
		B    bool
		Null opt.Null[int] `msgpack:"null_of_the_inner_one"`
	}
	opsMaybe struct {
		None struct{}
		Val  opt.Val[string]
		N    uint64
	}
	// opsLeft has members that are left out by each test that there is.
	opsLeft struct {
		S    string         `msgpack:",omitempty"`
		I    int            `msgpack:"a_key_of_more_than_16_bytes,omitempty"`
		U    uint32         `msgpack:",omitempty"`
		B    bool           `msgpack:",omitempty"`
		H    int16          `msgpack:",omitempty"`
		M    map[string]int `msgpack:",omitempty"`
		None struct{}       `msgpack:",omitempty"`
		P    *string        `msgpack:",omitempty"`
		V    opt.Val[int]
		T    time.Time `msgpack:",omitzero"`
		L    []string  `msgpack:",omitempty"`
		F    float64   `msgpack:",omitzero"`
		A    any       `msgpack:",omitempty"`
		N    int
		In   opsInner `msgpack:",omitzero"`
	}
	opsEmpty struct{ E struct{} }
	opsText  struct {
		T    failing
		Deep struct{ List []failing }
	}
)

// failing is text that is refused when it says so.
type failing string

func (f failing) MarshalText() ([]byte, error) {
	if f == "bad" {
		return nil, errors.New("refused")
	}
	return []byte(f), nil
}

// TestSteps compares what the steps write with what functions for each field do.
func TestSteps(t *testing.T) {
	slow := &registry{Registry: plan.Registry[program]{Set: set}}
	slow.of(&opsTop{})
	for _, p := range slow.ByPlan {
		p.flat = false
		for i := range p.fields {
			p.fields[i].flags |= fApart
		}
	}
	for _, p := range slow.ByPlan {
		if p.enc == plan.Struct {
			p.shapes = [2]shape{p.shapeOf(false), p.shapeOf(true)}
		}
	}
	one := func(v any, opts ...Options) ([]byte, error) {
		s := newEncoder(opts)
		s.programs = slow
		b := s.start(nil, v, slow.of(v))
		if s.err != nil {
			return nil, s.located()
		}
		return b, nil
	}
	r := rand.New(rand.NewPCG(1, 8))
	for range 400 {
		v := randomTop(r)
		for _, array := range []bool{false, true} {
			for _, x := range []any{v, &v.Keyed, &v.Listed, &v.Maybe, &v.End, &v.Left, &v.Fifteen, &v.Nothing, &v.Rows} {
				want, wantErr := one(x, weft.StructAsArray(array))
				for _, spare := range []int{0, 1000} {
					got, err := MarshalAppend(make([]byte, 0, spare), x, weft.StructAsArray(array))
					if wantErr != nil {
						if err == nil || err.Error() != wantErr.Error() {
							t.Fatalf("%T: %v, want %v", x, err, wantErr)
						}
						continue
					}
					if err != nil || string(got) != string(want) {
						t.Fatalf("%T, array %v, %v:\ngot  %x\nwant %x", x, array, err, got, want)
					}
				}
			}
		}
		v.Text.T, v.Any, v.Text.Deep.List = "", nil, nil
		for depth := range 6 {
			opts := []Options{weft.MaxDepth(depth + 1)}
			want, wantErr := one(v, opts...)
			got, err := MarshalAppend(nil, v, opts...)
			if string(got) != string(want) || (err == nil) != (wantErr == nil) || err != nil && !errors.Is(err, weft.ErrDepth) {
				t.Fatalf("depth %d: %v, want %v\ngot  %x\nwant %x", depth+1, err, wantErr, got, want)
			}
		}
	}
}

func randomTop(r *rand.Rand) *opsTop {
	text := func() string { return strings.Repeat("text ", 60)[:r.IntN(20)*r.IntN(16)] }
	inner := func() (v opsInner) {
		v.B = r.IntN(2) == 0
		if r.IntN(2) == 0 {
			v.Null = opt.NullOf(r.IntN(1000))
		}
		return v
	}
	keyed := func() opsKeyed { return opsKeyed{One: int8(r.Uint32()), Inner: inner(), Two: text()} }
	listed := func() opsListed {
		v := opsListed{One: uint16(r.Uint32()), Inner: inner(), Keyed: keyed()}
		if r.IntN(2) == 0 {
			v.Null, v.Val = opt.NullOf(r.Float64()), opt.ValOf(r.Int())
		}
		return v
	}
	v := &opsTop{A: int(r.Uint64() >> r.IntN(64)), Keyed: keyed(), Listed: listed(), LongKey: text(), Fifteen: inner(), Bytes: []byte(text())}
	if v.Maybe.N = r.Uint64() >> r.IntN(64); r.IntN(2) == 0 {
		v.Maybe.Val = opt.ValOf(text())
	}
	for range r.IntN(4) {
		v.Rows = append(v.Rows, listed())
	}
	for range r.IntN(4) {
		var l opsLeft
		if r.IntN(2) == 0 {
			l.S, l.U, l.H, l.V, l.In, l.F = text(), r.Uint32(), 1, opt.ValOf(2), inner(), r.Float64()
		}
		if r.IntN(2) == 0 {
			l.I, l.B, l.M, l.P, l.T, l.L, l.A = r.Int(), true, map[string]int{}, new(string), time.Unix(5, 0), []string{text()}, "x"
		}
		if r.IntN(2) == 0 {
			l.M = map[string]int{text(): 1}
		}
		v.Left = append(v.Left, l)
	}
	v.Any = []any{nil, 1, "x", map[string]any{"k": text()}}[r.IntN(4)]
	v.Text.T = []failing{"good", "", "bad"}[r.IntN(3)]
	v.Text.Deep.List = []failing{"good", "", "good", "good", "bad"}[:r.IntN(6)]
	return v
}

// TestDepthOfLists has structs in structs in lists, of which each counts.
func TestDepthOfLists(t *testing.T) {
	type inner struct{ A int }
	type apart struct {
		P *inner
		L []inner `msgpack:",omitempty"`
	}
	for _, row := range []struct {
		v    any
		deep int
		path string
	}{
		{&[]apart{{P: &inner{}}}, 3, "/0/P"},
		{&[]apart{{}, {L: []inner{{}}}}, 4, "/1/L/0"},
		{&[]struct{ In inner }{{}}, 3, "/0/In"},
		{&[]struct{ In []apart }{{[]apart{{P: &inner{}}}}}, 5, "/0/In/0/P"},
		{map[string][]apart{"k": {{P: &inner{}}}}, 4, "/k/0/P"},
		{&struct{ In struct{ In inner } }{}, 3, "/In/In"},
	} {
		if _, err := Marshal(row.v, weft.MaxDepth(row.deep)); err != nil {
			t.Errorf("%+v: %v", row.v, err)
		}
		_, err := Marshal(row.v, weft.MaxDepth(row.deep-1))
		if at, ok := errors.AsType[*weft.Error](err); !ok || at.Path != row.path || !errors.Is(err, weft.ErrDepth) {
			t.Errorf("%+v: %v, want an error at %s", row.v, err, row.path)
		}
	}
}
