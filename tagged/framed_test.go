package tagged

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft/opt"

	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/internal/sample"
)

func TestFramedModuleIDs(t *testing.T) {
	ids := moduleIDs(t)
	b, err := MarshalFramed(ids)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(len(b))
	if len(b) >= 60000 {
		t.Errorf("%d bytes", len(b))
	}
	var back []moduleID
	if err := UnmarshalFramed(b, &back); err != nil || !reflect.DeepEqual(back, ids) {
		t.Fatal("another value comes back", err)
	}
	var tree []any
	if err := UnmarshalFramed(b, &tree); err != nil {
		t.Fatal(err)
	}
	if m := tree[7].(map[string]any); m["name"] != ids[7].Name || m["revision"] != ids[7].Revision {
		t.Error(m)
	}
}

// wide has columns of every kind.
type wide struct {
	everything
	In   []moduleID           `json:"in"`
	Deep map[string][]*string `json:"deep"`
	Col  string               `json:"col"`
	Day  string               `json:"day"`
	Rnd  string               `json:"rnd"`
	Fr   string               `json:"fr"`
	Dec  float64              `json:"dec"`
	F32  float32              `json:"f32"`
	Run  int                  `json:"run"`
	Big  int64                `json:"big"`
	Any  any                  `json:"any"`
}

func wides(n int) []wide {
	rnd := rand.New(rand.NewPCG(1, 2))
	out := make([]wide, n)
	for i := range out {
		w := &out[i]
		w.everything = some()
		w.I = i
		if i%3 == 0 {
			w.P, w.L, w.M, w.Bs, w.E = nil, nil, nil, nil, "e"
		}
		for k := range i % 4 {
			w.In = append(w.In, moduleID{"org", fmt.Sprintf("m%d", k), fmt.Sprintf("%d.%d", i, -k)})
		}
		s := fmt.Sprint("s", i)
		w.Deep = map[string][]*string{"x": {&s, nil}}
		w.Col = []string{"red", "green", "blue"}[rnd.IntN(3)]
		w.Day = fmt.Sprintf("2026-%02d-%02dT%02d:00:00Z", 1+i%12, 1+i%28, i%24)
		w.Rnd = fmt.Sprintf("%x", rnd.Uint64())
		w.Fr = fmt.Sprintf("/usr/share/%x/doc%d-%x", i/8, i, rnd.IntN(3))
		w.Dec = float64(rnd.IntN(10000)) / 100
		w.F32 = float32(rnd.IntN(100)) / 10
		w.Run = i / 50
		w.Big = int64(rnd.Uint64()) >> rnd.IntN(64)
		w.Any = []any{nil, int64(i), "s", map[string]any{"k": 1.5}}[i%4]
	}
	return out
}

func TestFramedWide(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100} {
		v := wides(n)
		b, err := MarshalFramed(v)
		if err != nil {
			t.Fatal(err)
		}
		var w []wide
		if err := UnmarshalFramed(b, &w); err != nil || !reflect.DeepEqual(v, w) {
			for i := range w {
				if where, x, y := sample.Difference(reflect.ValueOf(v[i]), reflect.ValueOf(w[i])); where != "" {
					t.Fatalf("%d %s: %#v %#v", i, where, x, y)
				}
			}
			t.Fatalf("%d records: %v", n, err)
		}
	}
}

// TestFramedStream writes records one by one, and reads them in every way.
func TestFramedStream(t *testing.T) {
	ids := moduleIDs(t)
	name := t.TempDir() + "/ids"
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	e := NewFrameEncoder(f)
	for i := range ids[:9000] {
		if err := e.Encode(&ids[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(e.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	f, err = os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if e, err = AppendFrames(f); err != nil {
		t.Fatal(err)
	}
	if err := e.EncodeSlice(ids[9000:]); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []moduleID
	if err := UnmarshalFramed(b, &all); err != nil || !reflect.DeepEqual(all, ids) {
		t.Fatalf("%d records, %v", len(all), err)
	}
	d := NewFrameDecoder(bytes.NewReader(b))
	for i := range ids {
		var id moduleID
		if err := d.Decode(&id); err != nil || id != ids[i] {
			t.Fatal(i, id, err)
		}
	}
	if d.More() || d.Decode(new(moduleID)) != io.EOF {
		t.Error("more than all")
	}
	file, err := OpenFrames(bytes.NewReader(b), int64(len(b)))
	if err != nil || file.Torn() != nil || file.Len() != int64(len(ids)) ||
		file.Schema() != "struct{organization string; name string; revision string}" {
		t.Fatal(err, file.Torn(), file.Len(), file.Schema())
	}
	for _, n := range []int64{0, 1, 8191, 8192, 8999, 9000, 19999} {
		var id moduleID
		if err := file.Record(n, &id); err != nil || id != ids[n] {
			t.Error(n, id, err)
		}
	}
	all = nil
	if err := file.ReadAll(&all, 4); err != nil || !reflect.DeepEqual(all, ids) {
		t.Errorf("parallel: %d records, %v", len(all), err)
	}
	if err := file.ReadFrame(1, &all); err != nil || all[0] != ids[8192] {
		t.Error(err)
	}
	type other struct{ X int }
	if e, err := AppendFrames(&seeker{b: append([]byte(nil), b...)}); err != nil || e.Encode(other{}) == nil {
		t.Error("records of another type are appended", err)
	}
	// A torn stream is continued where it is whole.
	s := &seeker{b: append([]byte(nil), b[:len(b)-40]...)}
	if e, err = AppendFrames(s); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Encode(ids[0]), e.Close()); err != nil {
		t.Fatal(err)
	}
	if err := UnmarshalFramed(s.b, &all); err != nil || all[len(all)-1] != ids[0] || !reflect.DeepEqual(all[:len(all)-1], ids[:len(all)-1]) {
		t.Error(len(all), err)
	}
}

// seeker is a file in memory.
type seeker struct {
	b  []byte
	at int
}

func (s *seeker) Read(p []byte) (int, error) {
	if s.at >= len(s.b) {
		return 0, io.EOF
	}
	n := copy(p, s.b[s.at:])
	s.at += n
	return n, nil
}

func (s *seeker) Write(p []byte) (int, error) {
	s.b = append(s.b[:s.at], p...)
	s.at = len(s.b)
	return len(p), nil
}

func (s *seeker) Seek(off int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		off += int64(len(s.b))
	}
	s.at = int(off)
	return off, nil
}

func (s *seeker) Truncate(n int64) error {
	s.b = s.b[:n]
	return nil
}

// TestFramedEvolution reads records with another version of their type.
func TestFramedEvolution(t *testing.T) {
	type v1 struct {
		A int8               `json:"a"`
		B string             `json:"b"`
		C float32            `json:"c"`
		D []int16            `json:"d"`
		E struct{ X, Y int } `json:"e"`
		F *int               `json:"f"`
		G map[string]int     `json:"g"`
		H []string           `json:"h"`
	}
	type v2 struct {
		New string               `json:"new"`
		E   struct{ Y, Z int64 } `json:"e"`
		D   []int64              `json:"d"`
		C   float64              `json:"c"`
		B   *string              `json:"b"`
		A   int64                `json:"a"`
		F   opt.Null[int]        `json:"f"`
		G   map[string]float64   `json:"g"`
		H   any                  `json:"h"`
	}
	five := 5
	old := []v1{{A: 1, B: "b", C: 0.5, D: []int16{1, -2}, F: &five, G: map[string]int{"k": 3}, H: []string{"h"}}, {A: -1, H: []string{}}}
	old[0].E.X, old[0].E.Y = 1, 2
	b, err := MarshalFramed(old)
	if err != nil {
		t.Fatal(err)
	}
	var got []v2
	if err := UnmarshalFramed(b, &got); err != nil {
		t.Fatal(err)
	}
	bb, empty := "b", ""
	want := []v2{
		{A: 1, B: &bb, C: 0.5, D: []int64{1, -2}, F: opt.NullOf(5), G: map[string]float64{"k": 3}, H: []any{"h"}},
		{A: -1, B: &empty, H: []any{}},
	}
	want[0].E.Y = 2
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n%+v\n%+v", got, want)
	}
	var narrow []struct {
		A uint8 `json:"a"`
	}
	if err := UnmarshalFramed(b, &narrow); err == nil || !strings.Contains(err.Error(), "at /1/a, offset ") {
		t.Error(narrow, err)
	}
	var maps []map[string]any
	if err := UnmarshalFramed(b, &maps); err != nil || maps[0]["b"] != "b" {
		t.Error(maps, err)
	}
	var wrong []struct {
		B int `json:"b"`
	}
	if err := UnmarshalFramed(b, &wrong); err == nil {
		t.Error(wrong)
	}
}

// TestFramedFaults flips each byte of a file and cuts it at each length: an
// error or the intact prefix, never wrong data, never much memory.
func TestFramedFaults(t *testing.T) {
	faults(t, moduleIDs(t)[:150], true)
}

// TestPackedFaults does the same to a file of compressed frames.
func TestPackedFaults(t *testing.T) {
	lines := make([]line, 100)
	for i := range lines {
		lines[i] = line{i, fmt.Sprintf("%d bottles of beer on the wall, %d bottles of beer: take one down", 99-i, 99-i)}
	}
	faults(t, lines, false, Compress(compress.NewZstd()))
}

type line struct {
	N    int
	Text string
}

// faults writes records in frames of 25, and reads them with faults.
func faults[T comparable](t *testing.T, list []T, memory bool, opts ...Options) {
	t.Helper()
	var out bytes.Buffer
	e := NewFrameEncoder(&out, opts...)
	for i := range list {
		if err := e.Encode(list[i]); err != nil {
			t.Fatal(err)
		}
		if i%25 == 24 {
			if err := e.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	b := out.Bytes()
	check := func(b []byte, what string, n int) {
		t.Helper()
		var all []T
		var err error
		if used := sample.Allocated(func() { err = UnmarshalFramed(b, &all, opts...) }); memory && used > 64<<10+uint64(len(b)) {
			t.Errorf("%s %d: %d bytes allocated", what, n, used)
		}
		if err == nil {
			t.Errorf("%s %d: no error", what, n)
		}
		d := NewFrameDecoder(bytes.NewReader(b), opts...)
		i := 0
		for {
			var x T
			if err = d.Decode(&x); err != nil {
				break
			}
			if i >= len(list) || x != list[i] {
				t.Fatalf("%s %d: record %d is %v", what, n, i, x)
			}
			i++
		}
		if err == io.EOF {
			t.Errorf("%s %d: no error from the stream after %d records", what, n, i)
		}
		if f, err := OpenFrames(bytes.NewReader(b), int64(len(b)), opts...); err == nil {
			var part []T
			for k := range f.Frames() {
				_, _, first, _ := f.Frame(k)
				if f.ReadFrame(k, &part) == nil && !slices.Equal(part, list[first:int(first)+len(part)]) && f.Torn() == nil {
					t.Errorf("%s %d: frame %d is another", what, n, k)
				}
			}
		}
	}
	for n := range b {
		check(b[:n:n], "cut", n)
		bad := append([]byte(nil), b...)
		bad[n] ^= byte(1 << (n % 8))
		check(bad, "flip", n)
	}
	// All before the tear is read.
	d := NewFrameDecoder(bytes.NewReader(b[:len(b)-20]), opts...)
	i := 0
	var err error
	for ; ; i++ {
		if err = d.Decode(new(T)); err != nil {
			break
		}
	}
	if i != len(list)-25 || !errors.Is(err, ErrTorn) {
		t.Errorf("%d records, %v", i, err)
	}
}

// TestFramedRandom: data that does not repeat takes no more than its own bytes
// and a little.
func TestFramedRandom(t *testing.T) {
	type row struct {
		A string
		B int64
		C float64
		D string
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	rows := make([]row, 3000)
	size := 0
	text := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(33 + rnd.IntN(94))
		}
		return string(b)
	}
	for i := range rows {
		rows[i] = row{text(rnd.IntN(24)), int64(rnd.Uint64()), rnd.NormFloat64(), text(12)}
		size += 1 + 1 + len(rows[i].A) + 9 + 9 + 13 // as an array of MessagePack
	}
	b, err := MarshalFramed(rows)
	if err != nil || len(b) > size*105/100 {
		t.Errorf("%d bytes, %v, MessagePack has %d", len(b), err, size)
	}
	var back []row
	if err := UnmarshalFramed(b, &back); err != nil || !reflect.DeepEqual(back, rows) {
		t.Error(err)
	}
}

func TestFramedStreamFormat(t *testing.T) {
	var out bytes.Buffer
	e := Framed.NewEncoder(&out)
	for i := range 3 {
		if err := e.Encode(i); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	d := Framed.NewDecoder(&out)
	for i := range 3 {
		var n int
		if err := d.Decode(&n); err != nil || n != i {
			t.Error(n, err)
		}
	}
	if err := d.Decode(new(int)); err != io.EOF {
		t.Error(err)
	}
	if err := d.Close(); err != nil || d.Decode(new(int)) == nil {
		t.Error("reads after Close", err)
	}
}
