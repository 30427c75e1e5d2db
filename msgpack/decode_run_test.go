package msgpack

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/opt"
)

// runAll has members that are read in runs, between others that are not.
type runAll struct {
	First  runShort
	Flat   flatAll
	Shorts []runShort
	Flats  []flatAll
	Ints   []int
	Counts map[string]uint
	Names  []string
	Deeps  []runDeep
	Deep   runDeep
	Last   opt.Null[int32]
}

// runDeep has structs in structs, which are read in the runs of the outermost one.
type runDeep struct {
	Mid struct {
		Short runShort
		N     int8
		Name  string
	}
	Pair [2]runShort
	End  runShort
}

type runShort struct {
	ID    int
	Name  string
	Price float64
	Small uint8
	Note  opt.Field[string]
	Ok    bool
}

// TestRuns compares steps.Read with the loops that read one member after the other,
// which are taken where duplicates are to be found: on what Marshal writes, on
// each beginning of it, and with bytes that are changed.
func TestRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for round := range 60 {
		v := randomRun(r)
		doc, err := Marshal(v, weft.StructAsArray(round%2 == 0))
		if err != nil {
			t.Fatal(err)
		}
		compareRuns(t, doc)
		for range 150 {
			broken := bytes.Clone(doc)
			for range 1 + r.IntN(2) {
				broken[r.IntN(len(broken))] = byte(r.Uint32() >> r.IntN(9))
			}
			if r.IntN(3) == 0 {
				broken = broken[:r.IntN(len(broken))]
			}
			compareRuns(t, broken)
		}
	}
}

func randomRun(r *rand.Rand) *runAll {
	short := func() runShort {
		s := runShort{
			ID:    int(r.Uint64() >> r.IntN(64)),
			Name:  "a name that is no longer than 31"[:r.IntN(32)],
			Price: r.Float64(),
			Small: uint8(r.Uint32()),
			Ok:    r.IntN(2) == 0,
		}
		if r.IntN(2) == 0 {
			s.Note = opt.FieldOf("noted")
		}
		return s
	}
	v := &runAll{First: short(), Flat: randomFlat(r), Last: opt.NullOf(int32(r.Uint32()))}
	for range r.IntN(4) {
		v.Shorts = append(v.Shorts, short())
		v.Flats = append(v.Flats, randomFlat(r))
	}
	small := r.IntN(2) == 0
	for range r.IntN(30) {
		if small {
			v.Ints = append(v.Ints, r.IntN(160)-32)
			continue
		}
		v.Ints = append(v.Ints, int(int64(r.Uint64())>>max(r.IntN(64), r.IntN(100)&^63)))
	}
	for i := range r.IntN(3) {
		v.Deep.Mid.Short, v.Deep.Pair[i], v.Deep.End = short(), short(), short()
		v.Deep.Mid.N, v.Deep.Mid.Name = int8(r.Uint32()), "mid"
		v.Deeps = append(v.Deeps, v.Deep)
	}
	v.Counts = map[string]uint{"one": uint(r.Uint64() >> r.IntN(64))}
	v.Names = []string{v.First.Name, v.Flat.S}
	return v
}

// TestRunsDepth: structs that are read in runs count as levels like any others.
func TestRunsDepth(t *testing.T) {
	type inner struct{ A, B int }
	type outer struct {
		In inner
		C  int
	}
	for _, tt := range []struct {
		v, to any
		depth int
	}{
		{outer{C: 1}, new(outer), 2},
		{[]inner{{1, 2}, {3, 4}}, new([]inner), 2},
		{[]outer{{C: 1}, {C: 2}}, new([]outer), 3},
		{map[string]outer{"a": {C: 1}}, new(map[string]outer), 3},
	} {
		t.Run(fmt.Sprintf("%T", tt.v), func(t *testing.T) {
			for _, array := range []bool{false, true} {
				doc, err := Marshal(tt.v, weft.StructAsArray(array))
				if err != nil {
					t.Fatal(err)
				}
				for depth := 1; depth < 5; depth++ {
					err := Unmarshal(doc, tt.to, weft.MaxDepth(depth))
					if errors.Is(err, weft.ErrDepth) != (depth < tt.depth) {
						t.Errorf("%T, %d levels allowed: %v", tt.v, depth, err)
					}
				}
			}
		})
	}
}

// TestIntsApart writes to every list of integers that has been read, and adds to some:
// none has a part of another one, or of a string.
func TestIntsApart(t *testing.T) {
	type record struct {
		Name string
		Ints []int
		Note string
	}
	var all []record
	for i := range 400 {
		var v record
		doc, err := Marshal(&record{strings.Repeat("n", i%19), slices.Repeat([]int{i % 200}, i%20), "note"}, weft.StructAsArray(i%3 > 0))
		if err != nil {
			t.Fatal(err)
		}
		if i%5 == 0 {
			v.Ints = make([]int, 1, 4) // is used again where it is large enough
		}
		if err := Unmarshal(doc, &v, weft.AliasInput(i%7 == 0)); err != nil {
			t.Fatal(err)
		}
		if v.Ints == nil && i%20 > 0 || !slices.Equal(v.Ints, slices.Repeat([]int{i % 200}, i%20)) {
			t.Fatalf("record %d has %v", i, v.Ints)
		}
		for j := range v.Ints {
			v.Ints[j] = -i
		}
		if i%4 == 0 {
			_ = append(v.Ints, -1)
		}
		all = append(all, v)
	}
	for i, v := range all {
		if v.Name != strings.Repeat("n", i%19) || v.Note != "note" || !slices.Equal(v.Ints, slices.Repeat([]int{-i}, i%20)) {
			t.Fatalf("record %d is %+v", i, v)
		}
	}
}

// compareRuns reads doc both ways, and with AliasInput.
func compareRuns(t *testing.T, doc []byte) {
	t.Helper()
	var fast, slow, parts runAll
	input := bytes.Clone(doc)
	errFast, errSlow := Unmarshal(input, &fast), Unmarshal(doc, &slow, weft.RejectDuplicates(true))
	errParts := Unmarshal(doc, &parts, weft.AliasInput(true))
	if !bytes.Equal(input, doc) {
		t.Fatalf("%x has been written to", doc)
	}
	if errors.Is(errSlow, weft.ErrDuplicateName) {
		return
	}
	if fmt.Sprint(errFast) != fmt.Sprint(errSlow) || fmt.Sprint(errFast) != fmt.Sprint(errParts) {
		t.Fatalf("%x: %v, but one by one %v, with AliasInput %v", doc, errFast, errSlow, errParts)
	}
	clear(input)
	a, err := Marshal(&fast, weft.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Marshal(&slow, weft.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Marshal(&parts, weft.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) || !bytes.Equal(a, c) {
		t.Fatalf("%x (%v): reads\n%+v, one by one\n%+v, with AliasInput\n%+v", doc, errFast, fast, slow, parts)
	}
}
