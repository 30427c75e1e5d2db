package weft_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

var arrayFormats = []weft.Format{json.Format, msgpack.Format, cbor.Format}

func TestArrayStream(t *testing.T) {
	codecs := weft.Codecs(weft.Adapt(lawLevel.String, parseLawLevel))
	whole := struct{ weft.Format }{json.Format} // streams nothing
	for _, f := range append(arrayFormats, whole, tagged.Format, tagged.Framed) {
		for _, n := range []int{0, 1, 15, 16, 66000} {
			levels := make([]lawLevel, n)
			for i := range levels {
				levels[i] = lawLevel(i)
			}
			for _, announced := range []int{n, -1} {
				var out bytes.Buffer
				if err := weft.WriteArray(&out, f, announced, slices.Values(levels), codecs); err != nil {
					t.Fatal(err)
				}
				whole, err := f.MarshalAppend(nil, levels, codecs)
				open := announced < 0 && f == weft.Format(cbor.Format) // has an indefinite length
				if err != nil || !open && !bytes.Equal(whole, out.Bytes()) {
					t.Fatalf("%s: %d elements: %q", f.Name(), n, out.Bytes()[:min(out.Len(), 100)])
				}
				readers := []io.Reader{&out}
				if n < 100 {
					readers = append(readers, iotest.OneByteReader(bytes.NewReader(whole)))
				}
				for _, r := range readers {
					i := 0
					for l, err := range weft.ReadArray[lawLevel](r, f, codecs) {
						if err != nil || int(l) != i {
							t.Fatal(f.Name(), i, l, err)
						}
						i++
					}
					if i != n {
						t.Errorf("%s: read %d of %d", f.Name(), i, n)
					}
				}
			}
		}
	}
}

// rowsOf is an array of n elements in an object, in the middle of two levels.
type rowsOf int

var rowsFields = weft.NewFields("head", "rows", "tail")

func (n rowsOf) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(rowsFields)
	o.String(0, "h")
	a := o.Array(1, int(n))
	for i := range int(n) {
		a.Next()
		e.Int(i)
	}
	a.End()
	o.Bool(2, true)
	return o.End()
}

func TestMarshalStream(t *testing.T) {
	for _, f := range arrayFormats {
		var pieces pieceWriter
		if err := weft.MarshalStream(&pieces, f, rowsOf(50000)); err != nil {
			t.Fatal(err)
		}
		whole, err := f.MarshalAppend(nil, rowsOf(50000))
		if err != nil || !bytes.Equal(whole, pieces.all) {
			t.Errorf("%s: a stream of %d bytes, %d at once: %v", f.Name(), len(pieces.all), len(whole), err)
		}
		if want := f.Name() == "json"; pieces.n > 1 != want {
			t.Errorf("%s: %d pieces", f.Name(), pieces.n)
		}
	}
	for _, n := range []int{9, 70001} { // MessagePack has begun with the number
		var pieces pieceWriter
		err := weft.WriteArray(&pieces, msgpack.Format, n, count(70000))
		if err == nil || !strings.Contains(err.Error(), "announced") {
			t.Errorf("%d: %v", n, err)
		}
	}
	broken := errors.New("disk on fire")
	if err := weft.MarshalStream(failingWriter{broken}, json.Format, rowsOf(50000)); err != broken {
		t.Error(err)
	}
	if err := weft.MarshalStream(io.Discard, json.Format, weft.Record{{"a", make(chan int)}}); err == nil {
		t.Error("a channel was written")
	}
}

type pieceWriter struct {
	all []byte
	n   int
}

func (w *pieceWriter) Write(b []byte) (int, error) {
	w.all = append(w.all, b...)
	w.n++
	return len(b), nil
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// TestArrayMemory writes and reads 16 MB through a pipe.
func TestArrayMemory(t *testing.T) {
	const n = 1 << 14
	row := strings.Repeat("x", 1<<10)
	formats := append(arrayFormats, tagged.Framed, compress.Gzip(json.Format), compress.Zstd(tagged.Framed, compress.MaxSize(64<<20)))
	for _, f := range formats {
		r, w := io.Pipe()
		go func() {
			rows := func(yield func(string) bool) {
				for range n {
					if !yield(row) {
						return
					}
				}
			}
			_ = w.CloseWithError(weft.WriteArray(w, f, n, rows))
		}()
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		before, most := stats.HeapAlloc, uint64(0)
		i := 0
		for s, err := range weft.ReadArray[string](r, f) {
			if err != nil || len(s) != len(row) {
				t.Fatal(f.Name(), err)
			}
			if i++; i%4096 == 0 {
				runtime.GC()
				runtime.ReadMemStats(&stats)
				most = max(most, stats.HeapAlloc)
			}
		}
		if i != n || most > before+6<<20 {
			t.Errorf("%s: %d elements, %d bytes of heap, %d before", f.Name(), i, most, before)
		}
	}
}

func TestArrayStreamErrors(t *testing.T) {
	tests := []struct {
		in   string
		read int
		want string // the error, "" for none
	}{
		{" [ ] ", 0, ""},
		{"[1, 2]\n", 2, ""},
		{"", 0, "unexpected end of input"},
		{"[", 0, "unexpected end of input"},
		{"[1", 0, "unexpected end of input"}, // of a number that may have gone on
		{"[1 ", 1, "unexpected end of input"},
		{"[1,", 1, "unexpected end of input"},
		{"[1,]", 1, "invalid character ']'"},
		{"[1 2]", 1, "invalid character '2' after array element"},
		{"[1}", 1, "invalid character '}'"},
		{"[1,\"a\",3]", 1, "json: at /1, offset 3: cannot unmarshal string"},
		{"[1] 2", 1, "data after the value"},
		{"{}", 0, "must be an array"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			n := 0
			var last error
			for _, err := range weft.ReadArray[int](iotest.OneByteReader(strings.NewReader(tt.in)), json.Format) {
				if last = err; err == nil {
					n++
				}
			}
			if n != tt.read || (tt.want == "") != (last == nil) || last != nil && !strings.Contains(last.Error(), tt.want) {
				t.Errorf("%d read, %v", n, last)
			}
		})
	}
	packed := map[string]string{
		"":                         "unexpected end",
		"\x93\x01\x02":             "unexpected end",
		"\xdc\x00":                 "unexpected end",
		"\x92\x01\xc1":             "not the start of a value",
		"\x91\x01\x02":             "data after the value",
		"\x80":                     "",
		"\x92\x01\xa1a":            "/1",
		"\xdd\xff\xff\xff\xff\x01": "unexpected end",
	}
	for in, want := range packed {
		var last error
		for _, err := range weft.ReadArray[int](strings.NewReader(in), msgpack.Format) {
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), want) {
			t.Errorf("%q: %v", in, last)
		}
	}
	broken := errors.New("disk on fire")
	for _, f := range arrayFormats {
		for _, err := range weft.ReadArray[int](iotest.ErrReader(broken), f) {
			if err != broken {
				t.Error(f.Name(), err)
			}
		}
		for range weft.ReadArray[int](strings.NewReader("[1,2]"), f) {
			break // may stop early
		}
	}
}

func ExampleWriteArray() {
	squares := func(yield func(int) bool) {
		for i := range 5 {
			if !yield(i * i) {
				return
			}
		}
	}
	var out bytes.Buffer
	check(weft.WriteArray(&out, json.Format, -1, squares))
	fmt.Println(out.String())
	// Output: [0,1,4,9,16]
}

func ExampleReadArray() {
	in := strings.NewReader(`[{"X":1,"Y":2},{"X":3,"Y":4}]`)
	for p, err := range weft.ReadArray[moved](in, json.Format) {
		check(err)
		fmt.Println(p.X, p.Y)
	}
	// Output:
	// 1 2
	// 3 4
}

func ExampleMarshalStream() {
	var out bytes.Buffer
	check(weft.MarshalStream(&out, json.Format, rowsOf(3)))
	fmt.Println(out.String())
	// Output: {"head":"h","rows":[0,1,2],"tail":true}
}

// TestArrayInside writes and reads arrays inside a compression, whatever the format
// within can do, and of elements of every sort.
func TestArrayInside(t *testing.T) {
	formats := append(arrayFormats, tagged.Format, tagged.Framed)
	for _, f := range formats[:len(formats):len(formats)] {
		formats = append(formats, compress.Gzip(f), compress.Zstd(f))
	}
	one := 1
	for _, f := range formats {
		for _, n := range []int{0, 1, 20_000} {
			var out bytes.Buffer
			if err := weft.WriteArray(&out, f, n, count(n)); err != nil {
				t.Fatal(f.Name(), err)
			}
			i := 0
			for x, err := range weft.ReadArray[int](bytes.NewReader(out.Bytes()), f) {
				if err != nil || x != i {
					t.Fatal(f.Name(), x, err)
				}
				i++
			}
			var whole []int
			if err := f.Unmarshal(out.Bytes(), &whole); err != nil || i != n || len(whole) != n {
				t.Errorf("%s: %d of %d, %d at once: %v", f.Name(), i, n, len(whole), err)
			}
		}
		var out bytes.Buffer
		if err := weft.WriteArray(&out, f, 2, slices.Values([]*int{&one, nil})); err != nil {
			t.Fatal(f.Name(), err)
		}
		var got []any
		for x, err := range weft.ReadArray[any](&out, f) {
			if err != nil {
				t.Fatal(f.Name(), err)
			}
			got = append(got, x)
		}
		if len(got) != 2 || fmt.Sprint(got[0]) != "1" || got[1] != nil {
			t.Errorf("%s: %v", f.Name(), got)
		}
		out.Reset()
		if err := weft.WriteArray(&out, f, 3, slices.Values([]any{1, "a", []any{}})); err != nil {
			t.Fatal(f.Name(), err)
		}
		if err := f.Unmarshal(out.Bytes(), &got); err != nil || len(got) != 3 || got[1] != "a" {
			t.Errorf("%s: %v, %v", f.Name(), got, err)
		}
		if err := weft.WriteArray(&out, f, 1, slices.Values([]chan int{nil})); err == nil {
			t.Errorf("%s: a channel was written", f.Name())
		}
		b, err := f.MarshalAppend(nil, "no array")
		if err != nil {
			t.Fatal(err)
		}
		for _, err = range weft.ReadArray[string](bytes.NewReader(b), f) {
		}
		if err == nil {
			t.Errorf("%s: a string was read as an array", f.Name())
		}
		broken := errors.New("disk on fire")
		if err := weft.WriteArray(failingWriter{broken}, f, 70_000, count(70_000)); err != broken {
			t.Errorf("%s: %v", f.Name(), err)
		}
	}
}
