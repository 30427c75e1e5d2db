package compress

import (
	"bytes"
	stdgzip "compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

type part struct {
	ID    int               `json:"id"`
	Name  string            `json:"name"`
	Tags  []string          `json:"tags"`
	Props map[string]string `json:"props"`
}

func parts(n int) []part {
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]part, n)
	for i := range list {
		list[i] = part{
			ID:    i,
			Name:  fmt.Sprintf("part %d of %d", i, r.IntN(1000)),
			Tags:  []string{"a", "b", strings.Repeat("c", r.IntN(9))},
			Props: map[string]string{"weight": fmt.Sprint(r.IntN(100000))},
		}
	}
	return list
}

// formats are all ways to compress, around two formats.
func formats(t testing.TB) []weft.StreamFormat {
	var samples [][]byte
	for _, p := range parts(200) {
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		samples = append(samples, b)
	}
	dict, err := Train(samples, 4<<10)
	if err != nil {
		t.Fatal(err)
	}
	var list []weft.StreamFormat
	for _, f := range []weft.Format{json.Format, msgpack.Format} {
		list = append(list,
			Gzip(f), Gzip(f, Standard(true), Level(2)), Zstd(f), Zstd(f, Dictionary(dict)))
		if !sample.Race { // which makes the coders again and again, and the large ones slowly
			list = append(list,
				Gzip(f, Level(1)), Gzip(f, Level(9)), Gzip(f, Standard(true)),
				Zstd(f, Level(1)), Zstd(f, Level(9)), Zstd(f, Level(22)))
		}
	}
	return list
}

func TestFormat(t *testing.T) {
	want := parts(300)
	for i, f := range formats(t) {
		b, err := f.MarshalAppend([]byte("head"), want)
		if err != nil || !bytes.HasPrefix(b, []byte("head")) {
			t.Fatal(f.Name(), err)
		}
		b = b[4:]
		if got := Detect(b); !strings.HasSuffix(f.Name(), "+"+got) {
			t.Errorf("%s: detected as %q", f.Name(), got)
		}
		var out bytes.Buffer
		if err := f.MarshalWrite(&out, want); err != nil || !bytes.Equal(out.Bytes(), b) {
			t.Errorf("%d %s: MarshalWrite differs, %v", i, f.Name(), err)
		}
		for name, read := range map[string]func(v any) error{
			"Unmarshal":      func(v any) error { return f.Unmarshal(b, v) },
			"aliased":        func(v any) error { return f.Unmarshal(b, v, weft.AliasInput(true)) },
			"UnmarshalRead":  func(v any) error { return f.UnmarshalRead(bytes.NewReader(b), v) },
			"byte by byte":   func(v any) error { return f.UnmarshalRead(iotest.OneByteReader(bytes.NewReader(b)), v) },
			"data and error": func(v any) error { return f.UnmarshalRead(iotest.DataErrReader(bytes.NewReader(b)), v) },
		} {
			var got []part
			if err := read(&got); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%d %s %s: %v", i, f.Name(), name, err)
			}
		}
	}
}

func TestStream(t *testing.T) {
	want := parts(3000)
	for i, f := range formats(t) {
		var out bytes.Buffer
		// Two members or frames, as files that are appended to have.
		for _, half := range [][]part{want[:1000], want[1000:]} {
			enc := f.NewEncoder(&out)
			for j := range half {
				if err := enc.Encode(half[j]); err != nil {
					t.Fatal(err)
				}
				if j == 500 {
					if err := enc.(interface{ Flush() error }).Flush(); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := errors.Join(enc.Close(), enc.Close()); err != nil {
				t.Fatal(err)
			}
			if enc.Encode(1) == nil {
				if err := enc.Close(); err == nil {
					t.Errorf("%s: wrote after Close", f.Name())
				}
			}
		}
		dec := f.NewDecoder(&out)
		for j := range want {
			var got part
			if err := dec.Decode(&got); err != nil || !reflect.DeepEqual(got, want[j]) {
				t.Fatalf("%d %s: value %d: %v", i, f.Name(), j, err)
			}
		}
		var got part
		if err := dec.Decode(&got); err != io.EOF {
			t.Errorf("%s: at the end: %v", f.Name(), err)
		}
		if err := dec.Close(); err != nil || dec.Decode(&got) == nil {
			t.Errorf("%s: read after Close, %v", f.Name(), err)
		}
	}
}

// What is flushed can be read before the end is there.
func TestFlush(t *testing.T) {
	for _, f := range formats(t) {
		r, w := io.Pipe()
		go func() {
			enc := f.NewEncoder(w)
			enc.Encode(1)
			enc.(interface{ Flush() error }).Flush()
		}()
		dec := f.NewDecoder(r)
		var got int
		if err := dec.Decode(&got); err != nil || got != 1 {
			t.Errorf("%s: %d %v", f.Name(), got, err)
		}
		r.Close()
	}
}

// The bytes of Standard are those of the standard library.
func TestStandard(t *testing.T) {
	var want bytes.Buffer
	w := stdgzip.NewWriter(&want)
	io.WriteString(w, `{"a":1}`)
	w.Close()
	got, err := Gzip(json.Format, Standard(true)).MarshalAppend(nil, map[string]int{"a": 1})
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%x, want %x, %v", got, want.Bytes(), err)
	}
}

func TestLimits(t *testing.T) {
	const size = 100_002
	text := strings.Repeat("x", size-2)
	for _, f := range formats(t) {
		if f.Name()[:4] != "json" {
			continue
		}
		b, err := f.MarshalAppend(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		for max, fits := range map[int64]bool{0: false, 1: false, size - 1: false, size: true, size + 1: true, 1<<63 - 1: true} {
			for name, read := range map[string]func(v any) error{
				"Unmarshal":     func(v any) error { return f.Unmarshal(b, v, MaxSize(max)) },
				"UnmarshalRead": func(v any) error { return f.UnmarshalRead(bytes.NewReader(b), v, MaxSize(max)) },
				"stream":        func(v any) error { return f.NewDecoder(bytes.NewReader(b), MaxSize(max)).Decode(v) },
			} {
				var got string
				err := read(&got)
				if fits && (err != nil || got != text) || !fits && !errors.Is(err, ErrTooLarge) {
					t.Errorf("%s %s of %d: %v", f.Name(), name, max, err)
				}
			}
		}
	}
	f := Gzip(json.Format, MaxSize(10))
	b, _ := f.MarshalAppend(nil, text)
	var got string
	if err := f.Unmarshal(b, &got); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "gzip: at offset ") {
		t.Error(err)
	}
	if err := f.Unmarshal(b, &got, MaxSize(1<<20)); err != nil {
		t.Error("the option of the call does not win:", err)
	}
}

// zeros is a stream without end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// bomb returns n zero bytes, compressed.
func bomb(t testing.TB, c *Codec, n int64) []byte {
	var out bytes.Buffer
	w := c.NewWriter(&out)
	if _, err := io.CopyN(w, zeros{}, n); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestBomb(t *testing.T) {
	for _, c := range []*Codec{NewGzip(), NewGzip(Standard(true)), NewZstd()} {
		b := bomb(t, c, 32<<20)
		f := c.Format(json.Format)
		var v any
		f.Unmarshal(b, &v, MaxSize(1)) // the coders
		read := func() {
			if err := f.Unmarshal(b, &v, MaxSize(1<<20)); !errors.Is(err, ErrTooLarge) {
				t.Errorf("%s: %v", c.Name(), err)
			}
			if err := f.UnmarshalRead(bytes.NewReader(b), &v, MaxSize(1<<20)); !errors.Is(err, ErrTooLarge) {
				t.Errorf("%s: %v", c.Name(), err)
			}
		}
		got := sample.Allocated(read)
		for range 4 { // the coders are made again where their pool is emptied, which the race detector does at random
			if got > 12<<20 {
				got = min(got, sample.Allocated(read))
			}
		}
		if got > 12<<20 {
			t.Errorf("%s: %d bytes were allocated for a bomb of %d with a limit of 1 MiB", c.Name(), got, len(b))
		}
	}
}

// A header that claims much takes nothing.
func TestLyingHeader(t *testing.T) {
	c := NewZstd()
	b := bomb(t, c, 100)
	var h zstd.Header
	if err := h.Decode(b); err != nil {
		t.Fatal(err)
	}
	// A single segment of 1<<29 bytes, and one of 1<<60 (RFC 8878 §3.1.1.1).
	for _, lie := range []string{
		"\x28\xb5\x2f\xfd\xa0\x00\x00\x00\x20\x02\x00\x00\x00",
		"\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x00\x00\x00\x00\x10\x02\x00\x00\x00",
		"\x28\xb5\x2f\xfd\x80\x88\x00\x00\x00\x20\x02\x00\x00\x00",
	} {
		got := sample.Allocated(func() {
			if _, err := c.Decompress(nil, []byte(lie)); err == nil {
				t.Errorf("%x: no error", lie)
			}
		})
		if got > 40<<20 {
			t.Errorf("%x: %d bytes were allocated", lie, got)
		}
	}
	g := NewGzip()
	b, _ = g.Append(nil, []byte("short"))
	copy(b[len(b)-4:], "\xff\xff\xff\x3f")
	got := sample.Allocated(func() {
		if _, err := g.Decompress(nil, b); err == nil {
			t.Error("gzip: no error")
		}
	})
	if got > 1<<20 {
		t.Errorf("gzip: %d bytes were allocated", got)
	}
}

// A file that is cut or has a byte flipped is an error, or what was written.
func TestFaults(t *testing.T) {
	want := parts(40)
	for i, f := range formats(t) {
		b, err := f.MarshalAppend(nil, want)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, at int, in []byte, cut bool) {
			for name, read := range map[string]func(v any) error{
				"Unmarshal":     func(v any) error { return f.Unmarshal(in, v) },
				"UnmarshalRead": func(v any) error { return f.UnmarshalRead(bytes.NewReader(in), v) },
			} {
				var got []part
				err := read(&got)
				if err == nil && (cut || !reflect.DeepEqual(got, want)) {
					t.Errorf("%d %s %s: %s at %d is not found", i, f.Name(), name, what, at)
				}
				var located *weft.Error
				if err != nil && (!errors.As(err, &located) || located.Offset < 0) {
					t.Errorf("%d %s %s: %s at %d: error without a place: %v", i, f.Name(), name, what, at, err)
				}
				if err != nil {
					text := err.Error()
					for _, once := range []string{"gzip: ", "zstd: ", "flate: ", "at offset ", " before offset "} {
						if strings.Count(text, once) > 1 || (once == "flate: " || once == " before offset ") && strings.Contains(text, once) {
							t.Errorf("%d %s %s: %s at %d: %s", i, f.Name(), name, what, at, text)
						}
					}
				}
			}
		}
		for n := range b {
			if n%7 == i%7 || n < 30 || n > len(b)-30 {
				check("cut", n, b[:n], true)
				flipped := bytes.Clone(b)
				flipped[n] ^= 1 << (n % 8)
				check("flip", n, flipped, false)
			}
		}
		check("trailing data", len(b), append(bytes.Clone(b), "junk"...), true)
	}
}

// Values before a torn tail are read.
func TestTornStream(t *testing.T) {
	for _, c := range []*Codec{NewGzip(), NewZstd()} {
		f := c.Format(json.Format)
		var out bytes.Buffer
		enc := f.NewEncoder(&out)
		for i := range 5 {
			enc.Encode(i)
		}
		enc.Close()
		whole := out.Len()
		enc = f.NewEncoder(&out)
		enc.Encode(parts(10))
		enc.Close()
		for cut := whole + 1; cut < out.Len(); cut++ {
			dec := f.NewDecoder(bytes.NewReader(out.Bytes()[:cut]))
			var err error
			for i := range 5 {
				var v int
				if err = dec.Decode(&v); err != nil || v != i {
					t.Fatalf("%s cut at %d: value %d: %v", c.Name(), cut, i, err)
				}
			}
			// The last value may be there though the checksum behind it is not.
			var p []part
			if err = dec.Decode(&p); err == nil {
				err = dec.Decode(&p)
			}
			if !errors.Is(err, weft.ErrUnexpectedEnd) {
				t.Fatalf("%s cut at %d: %v", c.Name(), cut, err)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	notStream := struct{ weft.Format }{json.Format}
	tests := []struct {
		f    weft.StreamFormat
		want string
	}{
		{Gzip(json.Format, Level(10)), "gzip: level 10 is not in 1 to 9"},
		{Gzip(json.Format, Level(-1)), "gzip: level -1"},
		{Gzip(json.Format, Dictionary([]byte("x"))), "gzip: has no dictionaries"},
		{Zstd(json.Format, Level(23)), "zstd: level 23 is not in 1 to 22"},
		{Zstd(json.Format, Dictionary([]byte("no dictionary"))), "zstd: option: "},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			_, err := tt.f.MarshalAppend(nil, 1)
			for name, err := range map[string]error{
				"MarshalAppend": err,
				"MarshalWrite":  tt.f.MarshalWrite(io.Discard, 1),
				"Unmarshal":     tt.f.Unmarshal([]byte{1}, new(int)),
				"UnmarshalRead": tt.f.UnmarshalRead(strings.NewReader("x"), new(int)),
				"Encode":        tt.f.NewEncoder(io.Discard).Encode(1),
				"Decode":        tt.f.NewDecoder(strings.NewReader("x")).Decode(new(int)),
			} {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%s: got %v, want %q", name, err, tt.want)
				}
			}
		})
	}
	f := Gzip(notStream)
	if err := f.NewEncoder(io.Discard).Encode(1); !errors.Is(err, errNoStream) {
		t.Error(err)
	}
	if err := f.NewDecoder(strings.NewReader("")).Decode(new(int)); !errors.Is(err, errNoStream) {
		t.Error(err)
	}
	// Errors of the format within, the reader and the writer pass.
	g := Gzip(json.Format)
	if b, err := g.MarshalAppend([]byte("x"), make(chan int)); err == nil || string(b) != "x" {
		t.Error(b, err)
	}
	b, _ := g.MarshalAppend(nil, "text")
	var typed *json.UnmarshalTypeError
	if err := g.Unmarshal(b, new(int)); !errors.As(err, &typed) {
		t.Error(err)
	}
	broken := errors.New("disk on fire")
	for _, n := range []int{0, 5, len(b) - 3} {
		r := io.MultiReader(bytes.NewReader(b[:n]), iotest.ErrReader(broken))
		if err := g.UnmarshalRead(r, new(string)); err != broken {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
	enc := g.NewEncoder(failing{broken})
	enc.Encode("x")
	if err := enc.Close(); err != broken {
		t.Error(err)
	}
	for _, c := range []*Codec{NewGzip(), NewZstd()} {
		if _, err := c.Decompress(nil, nil); !errors.Is(err, weft.ErrUnexpectedEnd) {
			t.Errorf("%s of nothing: %v", c.Name(), err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// No goroutine outlives a call, nor runs beside an open stream.
func TestGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	var kept []any
	for _, f := range formats(t) {
		b, err := f.MarshalAppend(nil, parts(1000))
		if err != nil {
			t.Fatal(err)
		}
		var v []part
		if err := f.Unmarshal(b, &v); err != nil {
			t.Fatal(err)
		}
		f.Unmarshal(b[:len(b)/2], &v)
		enc := f.NewEncoder(io.Discard)
		enc.Encode(parts(1000))
		b, _ = f.MarshalAppend(b, parts(1000))
		dec := f.NewDecoder(bytes.NewReader(b))
		dec.Decode(&v)
		kept = append(kept, enc, dec) // neither is closed
		if n := runtime.NumGoroutine(); n > before {
			time.Sleep(10 * time.Millisecond)
			if n = runtime.NumGoroutine(); n > before {
				t.Fatalf("%s: %d goroutines, %d before", f.Name(), n, before)
			}
		}
	}
	runtime.KeepAlive(kept)
}

// Small documents are smaller with a dictionary.
func TestDictionary(t *testing.T) {
	var samples [][]byte
	for _, p := range parts(500) {
		b, _ := json.Marshal(p)
		samples = append(samples, b)
	}
	dict, err := Train(samples[:400], 8<<10)
	if err != nil {
		t.Fatal(err)
	}
	if len(dict) > 9<<10 {
		t.Errorf("the dictionary has %d bytes", len(dict))
	}
	plain, trained := NewZstd(), NewZstd(Dictionary(dict))
	without, with := 0, 0
	for _, s := range samples[400:] {
		a, err1 := plain.Append(nil, s)
		b, err2 := trained.Append(nil, s)
		back, err3 := trained.Decompress(nil, b)
		if err := errors.Join(err1, err2, err3); err != nil || !bytes.Equal(back, s) {
			t.Fatal(err)
		}
		if back, err := trained.Decompress(nil, a); err != nil || !bytes.Equal(back, s) {
			t.Fatal("a frame without a dictionary:", err)
		}
		if _, err := plain.Decompress(nil, b); err == nil {
			t.Fatal("read without the dictionary")
		}
		without, with = without+len(a), with+len(b)
	}
	if with > without*2/3 {
		t.Errorf("%d bytes with the dictionary, %d without", with, without)
	}
	t.Logf("%d bytes with the dictionary, %d without", with, without)

	same := bytes.Repeat([]byte("a"), 1000)
	for name, samples := range map[string][][]byte{
		"none":  nil,
		"few":   samples[:3],
		"short": {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}},
		"empty": make([][]byte, 100),
		"equal": {same, same, same, same, same, same, same, same, same},
	} {
		t.Run(name, func(t *testing.T) {
			if d, err := Train(samples, 4<<10); err == nil && NewZstd(Dictionary(d)).Err() != nil {
				t.Errorf("%s: a dictionary that cannot be used", name)
			} else if err == nil && name != "equal" {
				t.Errorf("%s: no error", name)
			}
		})
	}
	if _, err := Train(samples, 100); err == nil {
		t.Error("a dictionary of 100 bytes")
	}
}

// Coders are used again.
func TestAllocations(t *testing.T) {
	if sample.Race {
		t.Skip("the race detector drops from pools")
	}
	v := parts(20)
	for _, c := range []*Codec{NewGzip(), NewZstd()} {
		text, _ := json.Marshal(v)
		b, _ := c.Append(nil, text)
		out, back := make([]byte, 0, 64<<10), make([]byte, 0, 64<<10)
		n := testing.AllocsPerRun(50, func() {
			if _, err := c.Append(out, text); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Decompress(back, b); err != nil {
				t.Fatal(err)
			}
		})
		if n > 8 {
			t.Errorf("%s: %v allocations for a round trip", c.Name(), n)
		}
	}
}

// FuzzDecompress checks that no input makes a codec panic or return more than its
// limit, that what a stream gives memory gives too, and that errors are located within.
func FuzzDecompress(f *testing.F) {
	codecs := []*Codec{NewGzip(), NewGzip(Standard(true)), NewZstd()}
	for i, c := range codecs {
		b, _ := c.Append(nil, []byte(strings.Repeat("some text ", 20)))
		f.Add(b, byte(i))
		f.Add(append(b, b...), byte(i))
		f.Add(bomb(f, c, 1<<20), byte(i))
	}
	f.Fuzz(func(t *testing.T, in []byte, n byte) {
		const max = 64 << 10
		c := codecs[int(n)%len(codecs)]
		got, err := c.Decompress([]byte("head"), in, MaxSize(max))
		if len(got) > max+4 || !bytes.HasPrefix(got, []byte("head")) {
			t.Fatalf("%d bytes", len(got))
		}
		streamed, streamErr := io.ReadAll(c.NewReader(iotest.HalfReader(bytes.NewReader(in)), MaxSize(max)))
		// In memory a match may reach further back than the window.
		if streamErr == nil && (err != nil || !bytes.Equal(streamed, got[4:])) {
			t.Fatalf("%q, %v in memory; %q, %v as a stream", got, err, streamed, streamErr)
		}
		var located *weft.Error
		if err != nil && (!errors.As(err, &located) || located.Offset < 0 || located.Offset > int64(len(in))) {
			t.Fatalf("error without a place: %v", err)
		}
		if err == nil {
			again, err := c.Append(nil, got[4:])
			if err != nil {
				t.Fatal(err)
			}
			if back, err := c.Decompress(nil, again); err != nil || !bytes.Equal(back, got[4:]) {
				t.Fatalf("%q came back as %q, %v", got[4:], back, err)
			}
		}
	})
}
