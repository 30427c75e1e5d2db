package tagged

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/framewire"
	"github.com/weftcodec/weft/opt"
)

// never is a text that can be neither written nor read where it is "never".
type never string

var errNever = errors.New("never")

func (n never) MarshalText() ([]byte, error) {
	if n == "never" {
		return nil, errNever
	}
	return []byte(n), nil
}

func (n *never) UnmarshalText(b []byte) error {
	*n = never(b)
	if *n == "never" {
		return errNever
	}
	return nil
}

type wideIn struct {
	N int64 `json:"n"`
}

type narrowIn struct {
	N int8 `json:"n"`
}

// TestFramedPaths: errors name the place as those of the hashed-tag format do.
func TestFramedPaths(t *testing.T) {
	type (
		wideRow struct {
			ID int64            `json:"id"`
			P  *int64           `json:"p"`
			O  opt.Field[int64] `json:"o"`
			L  []int64          `json:"l"`
			M  map[string]int64 `json:"m"`
			S  wideIn           `json:"s"`
			SS []*wideIn        `json:"ss"`
			E  int64            `json:"e,omitempty"`
			F  float64          `json:"f"`
			U  uint64           `json:"u"`
			T  string           `json:"t"`
			N  string           `json:"n"`
			X  any              `json:"x"`
			A  [][]int64        `json:"a/b"`
		}
		narrowRow struct {
			ID int8            `json:"id"`
			P  *int8           `json:"p"`
			O  opt.Field[int8] `json:"o"`
			L  []int8          `json:"l"`
			M  map[string]int8 `json:"m"`
			S  narrowIn        `json:"s"`
			SS []*narrowIn     `json:"ss"`
			E  int8            `json:"e,omitempty"`
			F  float32         `json:"f"`
			U  int             `json:"u"`
			T  never           `json:"t"`
			N  [4]byte         `json:"n"`
			X  []int           `json:"x"`
			A  [][]int8        `json:"a/b"`
		}
	)
	big := int64(1000)
	tests := []struct {
		name string
		set  func(*wideRow)
		path string
	}{
		{"a number", func(r *wideRow) { r.ID = big }, "/5/id"},
		{"behind a pointer", func(r *wideRow) { r.P = &big }, "/5/p"},
		{"an option", func(r *wideRow) { r.O = opt.FieldOf(big) }, "/5/o"},
		{"in a list", func(r *wideRow) { r.L = []int64{1, 2, big} }, "/5/l/2"},
		{"in a map", func(r *wideRow) { r.M = map[string]int64{"k": big} }, "/5/m/k"},
		{"in a struct", func(r *wideRow) { r.S.N = big }, "/5/s/n"},
		{"in a struct behind a pointer in a list", func(r *wideRow) { r.SS = []*wideIn{nil, {1}, {big}} }, "/5/ss/2/n"},
		{"a member that may be absent", func(r *wideRow) { r.E = big }, "/5/e"},
		{"a float", func(r *wideRow) { r.F = 1e300 }, "/5/f"},
		{"an unsigned number", func(r *wideRow) { r.U = 1 << 63 }, "/5/u"},
		{"a text", func(r *wideRow) { r.T = "never" }, "/5/t"},
		{"another kind", func(r *wideRow) { r.N = "AAAA" }, "/5/n"},
		{"an any", func(r *wideRow) { r.X = []any{int64(1), "s"} }, "/5/x/1"},
		{"a great integer of an any", func(r *wideRow) { r.X = []any{uint64(1 << 63)} }, "/5/x/0"},
		{"in lists of lists", func(r *wideRow) { r.A = [][]int64{{}, {1}, {2, big}} }, "/5/a~1b/2/1"},
	}
	one := int64(1)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows := make([]wideRow, 7)
			for i := range rows {
				rows[i] = wideRow{ID: 1, N: "AAAAAA==", L: []int64{1}, M: map[string]int64{"k": 1}, SS: []*wideIn{{1}}}
				if i%2 == 0 {
					rows[i].P, rows[i].O, rows[i].E, rows[i].X = &one, opt.FieldOf(one), 1, []any{int64(1)}
				}
			}
			tt.set(&rows[5])
			var texts []string
			for _, f := range []weft.Format{Format, Framed} {
				b, err := f.MarshalAppend(nil, rows)
				if err != nil {
					t.Fatal(err)
				}
				var e *weft.Error
				err = f.Unmarshal(b, new([]narrowRow))
				if !errors.As(err, &e) || e.Format != f.Name() || e.Path != tt.path || e.Offset <= 0 || e.Offset >= int64(len(b)) {
					t.Fatalf("%v, want it at %s", err, tt.path)
				}
				texts = append(texts, e.Err.Error())
				if f == Framed {
					pathsOfParts(t, b, tt.path, reflect.TypeFor[narrowRow]())
				}
			}
			if texts[0] != texts[1] {
				t.Errorf("%q in frames, %q else", texts[1], texts[0])
			}
		})
	}
}

// pathsOfParts reads a stream whose record 5 does not fit in every other way.
func pathsOfParts(t *testing.T, b []byte, path string, rt reflect.Type) {
	t.Helper()
	var e *weft.Error
	d := NewFrameDecoder(bytes.NewReader(b))
	for i := range 7 {
		err := d.Decode(reflect.New(rt).Interface())
		if (i == 5) != errors.As(err, &e) || (i == 5) != (err != nil) || i == 5 && "/5"+e.Path != path {
			t.Errorf("record %d of a stream: %v", i, err)
		}
	}
	if err := d.Decode(reflect.New(rt).Interface()); err != io.EOF {
		t.Error("the end of a stream:", err)
	}
	f, err := OpenFrames(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(7) {
		err := f.Record(i, reflect.New(rt).Interface())
		if (i == 5) != errors.As(err, &e) || i == 5 && e.Path != path {
			t.Errorf("record %d of a file: %v", i, err)
		}
	}
	list := reflect.New(reflect.SliceOf(rt)).Interface()
	for what, err := range map[string]error{"frame": f.ReadFrame(0, list), "file": f.ReadAll(list, 2)} {
		if !errors.As(err, &e) || e.Path != path {
			t.Errorf("a %s: %v", what, err)
		}
	}
}

// TestFramedPathsWriting does the same to what cannot be written.
func TestFramedPathsWriting(t *testing.T) {
	type row struct {
		ID int              `json:"id"`
		T  never            `json:"t"`
		P  *never           `json:"p"`
		O  opt.Field[never] `json:"o"`
		L  []never          `json:"l"`
		M  map[string]never `json:"m"`
		N  json.Number      `json:"n"`
		X  any              `json:"x"`
		S  struct {
			L [][]never `json:"l"`
		} `json:"s"`
	}
	no := never("never")
	tests := []struct {
		name string
		set  func(*row)
		path string
	}{
		{"a text", func(r *row) { r.T = no }, "/5/t"},
		{"behind a pointer", func(r *row) { r.P = &no }, "/5/p"},
		{"an option", func(r *row) { r.O = opt.FieldOf(no) }, "/5/o"},
		{"in a list", func(r *row) { r.L = []never{"a", no, "b"} }, "/5/l/1"},
		{"in a map", func(r *row) { r.M = map[string]never{"k": no} }, "/5/m/k"},
		{"a number", func(r *row) { r.N = "one" }, "/5/n"},
		{"an any", func(r *row) { r.X = []any{no} }, "/5/x/0"},
		{"in a struct", func(r *row) { r.S.L = [][]never{{}, {"a", no}} }, "/5/s/l/1/1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows := make([]row, 7)
			for i := range rows {
				rows[i].N = "1"
			}
			tt.set(&rows[5])
			check := func(what string, err error) {
				t.Helper()
				var e *weft.Error
				if !errors.As(err, &e) || e.Path != tt.path || e.Offset != -1 || strings.Contains(e.Err.Error(), tt.path) {
					t.Errorf("%s: %v, want it at %s", what, err, tt.path)
				}
			}
			_, err := MarshalFramed(rows)
			check("at once", err)
			check("in parallel", WriteFrames(io.Discard, rows, 2))
			check("as a slice", NewFrameEncoder(io.Discard).EncodeSlice(rows))
			e := NewFrameEncoder(io.Discard)
			for i := range rows {
				if err = e.Encode(&rows[i]); err != nil {
					break
				}
			}
			check("one by one", err)
			_, err = Marshal(rows)
			check("as a message", err)
		})
	}
	texts := []struct{ T never }{{"a"}, {"never"}} // a flat record
	var e *weft.Error
	if err := NewFrameEncoder(io.Discard).EncodeSlice(texts); !errors.As(err, &e) || e.Path != "/1/T" {
		t.Error(err)
	}
}

// TestFramedHeaders: what is not a stream of frames is called so.
func TestFramedHeaders(t *testing.T) {
	b, err := MarshalFramed([]int{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, in string
		off      int64
		want     error
	}{
		{"nothing", "", 0, weft.ErrUnexpectedEnd},
		{"a letter", "x", 0, framewire.ErrMagic},
		{"text", "hello, world", 0, framewire.ErrMagic},
		{"part of the magic", framewire.Magic[:2], 2, ErrTorn},
		{"part of the header", string(b[:9]), 9, ErrTorn},
		{"another number of records", string(b) + string(framewire.AppendEnd(nil, 5)), int64(len(b)), framewire.ErrCount},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, open := OpenFrames(strings.NewReader(tt.in), int64(len(tt.in)))
			d := NewFrameDecoder(strings.NewReader(tt.in))
			var stream error
			for stream == nil {
				stream = d.Decode(new(int))
			}
			for what, err := range map[string]error{"at once": UnmarshalFramed([]byte(tt.in), new([]int)), "file": open, "stream": stream} {
				var e *weft.Error
				if !errors.Is(err, tt.want) || !errors.As(err, &e) || e.Offset != tt.off {
					t.Errorf("%s: %v, want %v at offset %d", what, err, tt.want, tt.off)
				}
			}
		})
	}
	b[4] = 9
	if err := UnmarshalFramed(b, new([]int)); err == nil || !strings.Contains(err.Error(), "version 9 ") {
		t.Error(err)
	}
}

// TestFramedLengths: a length that is damaged is no end, and nothing behind it is removed.
func TestFramedLengths(t *testing.T) {
	var b bytes.Buffer
	e := NewFrameEncoder(&b)
	var ends []int
	for i := range 4 {
		if err := errors.Join(e.Encode(i), e.Flush()); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, b.Len())
	}
	size, first := ends[1]-ends[0], ends[0]-(ends[1]-ends[0])
	for _, tt := range []struct {
		name  string
		off   int // of the length
		bytes string
		cut   int // bytes at the end
		want  error
	}{
		{"none", first, "", 0, ErrTorn},
		{"torn", first, "", size - 1, ErrTorn},
		{"huge", first, "\xff\xff\xff\xff", 0, ErrChecksum},
		{"huge, and torn", first, "\xff\xff\xff\xff", 1, ErrChecksum},
		{"more than there is", ends[0], "\x00\x01", 0, ErrChecksum},
		{"up to the end", ends[1], string(rune(2*size - framewire.FrameLen)), 0, ErrChecksum},
		{"small", ends[0], "\x01", 0, ErrChecksum},
		{"none of a frame", ends[0], "\x00", 0, ErrChecksum},
		{"of the last", ends[2], "\x7f", 0, ErrChecksum},
		{"of the last, and torn", ends[2], "\x7f", 1, ErrTorn},
		{"of the header", 6, "\x7f", 0, ErrChecksum},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bad := append([]byte(nil), b.Bytes()[:b.Len()-tt.cut]...)
			copy(bad[tt.off:], tt.bytes)
			name := filepath.Join(t.TempDir(), "a.framed")
			if err := os.WriteFile(name, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(name, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			_, err = AppendFrames(f)
			now, _ := os.ReadFile(name)
			if tt.want == ErrTorn && (err != nil || len(now) > len(bad)) {
				t.Errorf("continued: %v", err)
			} else if tt.want != ErrTorn && (!errors.Is(err, tt.want) || !bytes.Equal(now, bad)) {
				t.Errorf("continued: %v, %d bytes of %d", err, len(now), len(bad))
			}
			if err := UnmarshalFramed(bad, new([]int)); !errors.Is(err, tt.want) {
				t.Errorf("at once: %v", err)
			}
			file, err := OpenFrames(bytes.NewReader(bad), int64(len(bad)))
			if err == nil {
				err = file.ReadAll(new([]int), 1)
			}
			if !errors.Is(err, tt.want) {
				t.Errorf("file: %v", err)
			}
		})
	}
}

// TestFramedTornData: data in which a frame may seem to begin at many places is no reason to keep a torn frame.
func TestFramedTornData(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for name, next := range map[string]func(i int) uint32{
		"zero":   func(int) uint32 { return 0 },
		"small":  func(int) uint32 { return rnd.Uint32N(1000) },
		"skewed": func(int) uint32 { return rnd.Uint32() >> (12 + rnd.Uint32N(20)) },
		"sparse": func(i int) uint32 { return rnd.Uint32N(1<<20) * uint32(i%4/3) },
	} {
		t.Run(name, func(t *testing.T) {
			var list [][]byte
			for range 2 {
				var b []byte
				for i := range 1 << 17 {
					b = binary.LittleEndian.AppendUint32(b, next(i))
				}
				list = append(list, append(b, byte(len(list))))
			}
			b, err := MarshalFramed(list)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{len(b) - 20, len(b) / 2} {
				if f, err := OpenFrames(bytes.NewReader(b[:n]), int64(n)); err != nil || !errors.Is(f.Torn(), ErrTorn) {
					t.Errorf("cut at %d: %v, %v", n, err, f.Torn())
				}
			}
		})
	}
}

// TestFramedAbsent: a required member that a record does not have is told, whatever columns it has.
func TestFramedAbsent(t *testing.T) {
	one := 1
	for _, tt := range []struct {
		name          string
		written, read any
	}{
		{"a column", []struct {
			A int `json:"a,omitempty"`
		}{{1}, {}}, new([]struct {
			A int `weft:"a,required"`
		})},
		{"a pointer", []struct {
			A *int `json:"a,omitempty"`
		}{{&one}, {}}, new([]struct {
			A *int `weft:"a,required"`
		})},
		{"values of any kind", []struct {
			A any `json:"a,omitempty"`
		}{{1}, {}}, new([]struct {
			A any `weft:"a,required"`
		})},
		{"another kind", []struct {
			A string `json:"a,omitempty"`
		}{{"x"}, {}}, new([]struct {
			A any `weft:"a,required"`
		})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := MarshalFramed(tt.written)
			if err != nil {
				t.Fatal(err)
			}
			var e *weft.Error
			var missing *weft.MissingError
			if err := UnmarshalFramed(b, tt.read); !errors.As(err, &e) || !errors.As(err, &missing) || e.Path != "/1" {
				t.Error(err)
			}
		})
	}
}
