package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

type order struct {
	ID   int      `json:"id"`
	Name string   `json:"name"`
	Tags []string `json:"tags"`
}

// pieces sets the sizes of pieces.
func pieces(n int) Options { return weft.With(pieceKey{}, n) }

func orders(n int) []order {
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]order, n)
	for i := range list {
		list[i] = order{ID: i, Name: fmt.Sprintf("part %d of %d", i, r.IntN(1000)), Tags: []string{"a", "<", strings.Repeat("c", r.IntN(9))}}
	}
	return list
}

// names are one of each kind of file.
var names = []string{
	"a.json", "a.ndjson", "a.jsonl", "a.msgpack", "a.mp", "A.JSON",
	"a.framed", "a.tagged", "a.framed.zst", "a.tagged.gz",
	"a.json.gz", "a.ndjson.gz", "a.msgpack.gz", "a.json.zst", "a.ndjson.zst", "a.msgpack.zstd",
	"a.cbor", "a.cbor.gz", "a.cbor.zst",
}

func TestSaveLoad(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []int{0, 1, 2, 100} {
		want := orders(n)
		for _, name := range names {
			path := filepath.Join(dir, name)
			if err := SaveFile(path, want); err != nil {
				t.Fatal(err)
			}
			// The content tells what a file is, its name only whether one line is a
			// record or a document.
			other := filepath.Join(dir, "other.dat")
			if err := os.Rename(path, other); err != nil {
				t.Fatal(err)
			}
			for _, p := range []string{other, path} {
				if p == path {
					os.Rename(other, path)
				} else if n == 0 && strings.Contains(name, "cbor") {
					continue // an empty array is an empty map of MessagePack
				}
				var got []order
				if err := LoadFile(p, &got); err != nil && p == path || err == nil && !(len(got) == 0 && n == 0) && !reflect.DeepEqual(got, want) {
					t.Errorf("%d as %s in %s: %v", n, name, filepath.Base(p), err)
				} else if err != nil && n > 0 {
					t.Errorf("%d as %s in %s: %v", n, name, filepath.Base(p), err)
				}
				if n == 0 || strings.Contains(name, "tagged") {
					continue
				}
				i := 0
				for v, err := range All[order](p) {
					if err != nil || !reflect.DeepEqual(v, want[i]) {
						t.Fatalf("%d as %s in %s: record %d: %v", n, name, filepath.Base(p), i, err)
					}
					i++
				}
				if i != n {
					t.Errorf("%d as %s in %s: read %d", n, name, filepath.Base(p), i)
				}
			}
			var tree any
			if err := LoadFile(path, &tree); err != nil || n > 0 && len(tree.([]any)) != n {
				t.Errorf("%s into an any: %v", name, err)
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSaveDocument(t *testing.T) {
	dir := t.TempDir()
	want := order{ID: 1, Name: "alone", Tags: []string{"x"}}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := SaveFile(path, &want); err != nil {
			t.Fatal(err)
		}
		var got order
		err := LoadFile(path, &got)
		if f, _ := formatOfName(name); f == NDJSON {
			var list []order
			if err = LoadFile(path, &list); err == nil && len(list) == 1 {
				got = list[0]
			}
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}

func TestAs(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "data")
	want := orders(500)
	var samples [][]byte
	for i := range want {
		b, _ := json.Marshal(want[i])
		samples = append(samples, b)
	}
	dict, err := compress.Train(samples, 4<<10)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []weft.Format{
		json.Format, NDJSON, msgpack.Format, Records(msgpack.Format), tagged.Framed, cbor.Format, Records(cbor.Format),
		compress.Gzip(NDJSON, compress.Level(1)), compress.Zstd(Records(msgpack.Format)),
		compress.Zstd(json.Format, compress.Dictionary(dict)), compress.Gzip(json.Format, compress.Standard(true)),
		compress.Zstd(msgpack.Format, weft.StructAsArray(true)),
	} {
		if err := SaveFile(path, want, As(f)); err != nil {
			t.Fatalf("%s: %v", f.Name(), err)
		}
		var got []order
		if err := LoadFile(path, &got, As(f)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v", f.Name(), err)
		}
		r, err := OpenReader(path, As(f))
		if err != nil {
			t.Fatal(err)
		}
		var one order
		if f.Name() == "msgpack+zstd" {
			continue // an array of arrays: no way to tell
		}
		if err := r.Decode(&one); err != nil || !reflect.DeepEqual(one, want[0]) {
			t.Errorf("%s: %v", f.Name(), err)
		}
		if _, c, _, ok := compress.Split(f); ok && c.Name() != r.Compression() || !ok && r.Compression() != "" {
			t.Errorf("%s: compression %q", f.Name(), r.Compression())
		}
		if err := errors.Join(r.Close(), r.Close()); err != nil || r.Decode(&one) == nil {
			t.Error("read after Close", err)
		}
	}
}

// Large files are saved and loaded by several goroutines, in order, to the same
// bytes and values, and none is left.
func TestParallel(t *testing.T) {
	dir := t.TempDir()
	want := orders(6_000)
	before := runtime.NumGoroutine()
	for _, f := range []weft.StreamFormat{
		NDJSON, Records(msgpack.Format), Records(cbor.Format), tagged.Framed, compress.Gzip(NDJSON, compress.Level(1)),
		compress.Zstd(NDJSON, compress.Level(1)),
	} {
		one, many := filepath.Join(dir, "one"), filepath.Join(dir, "many")
		if err := errors.Join(SaveFile(one, want, As(f), Workers(1), pieces(1<<14)),
			SaveFile(many, want, As(f), Workers(5), pieces(1<<14))); err != nil {
			t.Fatal(err)
		}
		a, _ := os.ReadFile(one)
		b, _ := os.ReadFile(many)
		if !bytes.Equal(a, b) {
			t.Errorf("%s: the bytes depend on the workers", f.Name())
		}
		for _, workers := range []int{1, 5} {
			got := []order{{ID: 7}}
			if err := LoadFile(many, &got, As(f), Workers(workers), pieces(1<<14)); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s with %d workers: %v", f.Name(), workers, err)
			}
		}
		var got []*order
		if err := LoadFile(many, &got, As(f), Workers(3), weft.AliasInput(true), pieces(1<<14)); err != nil ||
			len(got) != len(want) || !reflect.DeepEqual(*got[len(got)-1], want[len(want)-1]) {
			t.Errorf("%s aliased: %v", f.Name(), err)
		}
		// An error in the middle.
		if _, _, _, ok := compress.Split(f); !ok && f != tagged.Framed {
			at := 0
			if f == NDJSON {
				at = lastLine(a[:len(a)/2])
			} else {
				at = (&loader{skip: skipOf(f.(records).StreamFormat)}).lastValue(a[:len(a)/2])
			}
			a[at] = 0xc1
			if f.Name() == "cbor-records" {
				a[at] = 0xfe
			}
			os.WriteFile(one, a, 0o666)
			got := []order{{ID: 7}}
			err1, err2 := LoadFile(one, &got, As(f), Workers(1), pieces(1<<14)), LoadFile(one, &got, As(f), Workers(5), pieces(1<<14))
			if err1 == nil || err2 == nil || err1.Error() != err2.Error() || len(got) != 1 {
				t.Errorf("%s: %v; %v", f.Name(), err1, err2)
			}
			var e *Error
			var at2 *weft.Error
			if !errors.As(err2, &e) || e.Record < 1000 || !errors.As(err2, &at2) || at2.Offset != int64(at) {
				t.Errorf("%s: %v, broken at %d", f.Name(), err2, at)
			}
		}
		bad := make([]any, len(want))
		for i := range bad {
			bad[i] = want[i]
		}
		bad[3_000] = make(chan int)
		err := SaveFile(many, bad, As(f), Workers(5), pieces(1<<14))
		var e *Error
		if err == nil || f != tagged.Framed && (!errors.As(err, &e) || e.Record != 3_001) {
			t.Errorf("%s: %v", f.Name(), err)
		}
		if c, _ := os.ReadFile(many); !bytes.Equal(c, b) {
			t.Errorf("%s: an error changed the file", f.Name())
		}
	}
	for range 5000 { // they have no more to do than to end
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	gz := func(text string) string {
		b, _ := compress.NewGzip().Append(nil, []byte(text))
		return string(b)
	}
	tests := []struct {
		name, content string
		target        any
		want          string // in the error behind the name
		record, line  int
		offset        int64
	}{
		{"a.ndjson", "{\"id\":1}\n\n{\"id\":\"x\"}\n", &[]order{}, "line 3: json: at /id, offset ", 2, 3, 16},
		{"a.ndjson", "{\"id\":1}\n{\"id\":\n", &[]order{}, "line 2: json: at ", 2, 2, -1},
		{"a.ndjson.gz", gz("{\"id\":1}\n{\"id\":tru}\n"), &[]order{}, "line 2: json: at /id, offset 18", 2, 2, 18},
		{"a.ndjson", "{\"id\":1}\n{\"id\":2}\n", &order{}, "cannot read records into *file.order", 0, 0, -1},
		{"a.dat", "{\"id\":1}\n{\"id\":tru}\n", &[]order{}, "line 2: json: at /id, offset 18", 2, 2, 18},
		{"a.dat", "{\n\"id\":1}\n{\"id\":tru}\n", &[]order{}, "record 2: json: at /id, offset 19", 2, 0, 19},
		{"a.json", `{"id":1}{`, &order{}, "json: at ", 0, 0, 8},
		{"a.json", ``, &order{}, "json: at ", 0, 0, 0},
		{"a.json", `[{"id":1},{"id":"x"}]`, &[]order{}, "json: at /1/id", 0, 0, -1},
		{"a.mp", "\x81\xa2id\x01\x81\xa2id\xc3", &[]order{}, "record 2: msgpack: at /id, offset 9", 2, 0, 9},
		{"a.mp", "\x81\xa2id\x01\x81\xa2i", &[]order{}, "record 2: the last record is torn: msgpack: at ", 2, 0, -1},
		{"a.mp", "\x81\xa2id\x01\xc1", &[]order{}, "record 2: msgpack: at offset 5", 2, 0, 5},
		{"a.mp", "\x81\xa2id\x01\xc1", &order{}, "msgpack: at offset 5", 0, 0, 5},
		{"a.cbor", "\xa1bid\x01\xa1bid\xf5", &[]order{}, "record 2: cbor: at /id, offset 9", 2, 0, 9},
		{"a.cbor", "\xa1bid\x01\xa1bi", &[]order{}, "record 2: the last record is torn: cbor: at ", 2, 0, -1},
		{"a.cbor", "\xa1bid\x01\xfe", &[]order{}, "record 2: cbor: at offset 5", 2, 0, 5},
		{"a.cbor", "\xa1bid\x01\xfe", &order{}, "cbor: at offset 5", 0, 0, 5},
		{"a.dat", "\xc1", &order{}, "neither JSON, MessagePack, CBOR, framed nor tagged", 0, 0, -1},
		{"a.json.gz", gz(`{"id":1}`)[:20], &order{}, "gzip: at offset 20: unexpected end", 0, 0, 20},
		{"a.json.gz", "\x1f\x8b\x08", &order{}, "gzip: at offset 3: unexpected end", 0, 0, 3},
		{"a.json.zst", "\x28\xb5\x2f\xfd", &order{}, "zstd: at offset 4: ", 0, 0, 4},
		{"a.json", "1", order{}, "non-pointer", 0, 0, -1},
		{"a.json.gz", gz(strings.Repeat(" ", 1<<20)), &order{}, "too large", 0, 0, -1},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %.40q", tt.name, tt.content), func(t *testing.T) {
			path := filepath.Join(dir, tt.name)
			if err := os.WriteFile(path, []byte(tt.content), 0o666); err != nil {
				t.Fatal(err)
			}
			err := LoadFile(path, tt.target, compress.MaxSize(1<<16))
			var e *Error
			if !errors.As(err, &e) {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Error(err)
				}
				return
			}
			var at *weft.Error
			if e.Name != path || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), tt.want) ||
				e.Record != tt.record || e.Line != tt.line || tt.offset >= 0 && (!errors.As(err, &at) || at.Offset != tt.offset) {
				t.Errorf("%v (record %d, line %d), want %q", err, e.Record, e.Line, tt.want)
			}
		})
	}
	var v any
	if err := LoadFile(filepath.Join(dir, "none.json"), &v); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if err := LoadFile(dir, &v); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Error(err)
	}
	if _, err := OpenReader(dir); err == nil {
		t.Error("a folder was opened")
	}
	for name, want := range map[string]string{
		"a.txt": "the name does not select a format", "a.gz": "the name does not select a format", "no/a.json": "does not exist: create it first",
	} {
		for f, save := range map[string]func(string) error{
			"SaveFile":     func(n string) error { return SaveFile(n, 1) },
			"Create":       func(n string) error { _, err := Create(n); return err },
			"OpenAppender": func(n string) error { _, err := OpenAppender(strings.Replace(n, ".json", ".ndjson", 1)); return err },
		} {
			if err := save(filepath.Join(dir, "sub", "..", name)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %q: %v", f, name, err)
			}
		}
	}
}

// Everything before a torn tail is read, and the tail reported.
func TestReaderTorn(t *testing.T) {
	dir := t.TempDir()
	want := orders(50)
	for _, f := range []weft.StreamFormat{
		NDJSON, Records(msgpack.Format), Records(cbor.Format), tagged.Framed, compress.Zstd(NDJSON),
		compress.Gzip(Records(msgpack.Format)),
	} {
		path := filepath.Join(dir, "torn")
		if err := SaveFile(path, want, As(f)); err != nil {
			t.Fatal(err)
		}
		whole, _ := os.ReadFile(path)
		for cut := len(whole) - 1; cut > len(whole)-90; cut-- {
			os.WriteFile(path, whole[:cut], 0o666)
			r, err := OpenReader(path, As(f))
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for ; err == nil; n++ {
				var v order
				if err = r.Decode(&v); err == nil && !reflect.DeepEqual(v, want[n]) {
					t.Fatalf("%s cut at %d: record %d is wrong", f.Name(), cut, n)
				}
			}
			n--
			_, _, _, compressed := compress.Split(f)
			switch {
			case err == io.EOF && (cut == len(whole)-1 && n == 50 || !compressed && n < 50 && endsWhole(whole[:cut])):
			case errors.Is(err, ErrTorn) && (n > 40 || compressed || f == tagged.Framed):
				if again := r.Decode(new(order)); again != err {
					t.Errorf("%s: then %v", f.Name(), again)
				}
			default:
				t.Errorf("%s cut at %d of %d: %d records, %v", f.Name(), cut, len(whole), n, err)
			}
			r.Close()
		}
	}
}

// endsWhole reports whether b, which is not compressed, ends with a record.
func endsWhole(b []byte) bool {
	if b[0] == '{' {
		return b[len(b)-1] == '\n' || json.Valid(b[bytes.LastIndexByte(b, '\n')+1:])
	}
	for len(b) > 0 {
		rest, err := msgpack.Skip(b)
		if err != nil {
			return false
		}
		b = rest
	}
	return true
}

// A record that does not fit is skipped.
func TestReaderSkips(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"a.ndjson": "1\n\"x\"\n3\n", "a.json": `[1,"x",3]`, "b.json": "1 \"x\"\n3", "a.mp": "\x01\xa1x\x03",
	} {
		path := filepath.Join(dir, name)
		os.WriteFile(path, []byte(content), 0o666)
		var got []int
		failed := 0
		r, err := OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			var v int
			err := r.Decode(&v)
			if err == io.EOF {
				break
			} else if err != nil {
				failed++
				if !strings.Contains(err.Error(), "2: ") {
					t.Error(err)
				}
				continue
			}
			got = append(got, v)
		}
		if !reflect.DeepEqual(got, []int{1, 3}) || failed != 1 {
			t.Errorf("%s: %v, %d errors", name, got, failed)
		}
		r.Close()
	}
}

// TestMemory reads small inputs often: none takes the memory of a large one, and
// nothing of them is kept.
func TestMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ndjson.gz")
	if err := SaveFile(path, []int{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	const n = 60
	var before, after runtime.MemStats
	var v []int
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range n {
		if err := NDJSON.Unmarshal([]byte("1\n2\n3\n"), &v); err != nil || len(v) != 3 {
			t.Fatal(v, err)
		}
	}
	runtime.ReadMemStats(&after)
	if per := (after.TotalAlloc - before.TotalAlloc) / n; per > 32<<10 {
		t.Errorf("%d bytes for each of few bytes", per)
	}
	for range n {
		if err := LoadFile(path, &v); err != nil || len(v) != 3 {
			t.Fatal(v, err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 8<<20 {
		t.Errorf("%d bytes are kept", kept)
	}
}

// FuzzLoad checks that no content makes LoadFile or a Reader panic, that a slice
// is set or an error returned, and that what was loaded can be saved and loaded.
func FuzzLoad(f *testing.F) {
	f.Add([]byte("{\"a\":1}\n{\"a\":2}\n"))
	f.Add([]byte(`[1,{"a":[2]}]`))
	f.Add([]byte("\x81\xa1a\x01\x92\x01\x02"))
	f.Add([]byte("\x92\x81\xa1a\x01\x80"))
	b, _ := compress.NewGzip().Append(nil, []byte("1\n2\n"))
	f.Add(b)
	b, _ = compress.NewZstd().Append(nil, []byte("[1]"))
	f.Add(b)
	f.Fuzz(func(t *testing.T, content []byte) {
		src := &source{settings: settingsOf([]Options{compress.MaxSize(1 << 16), Workers(2)})}
		src.file, _ = os.Open(os.DevNull)
		defer src.close()
		if err := src.recognise(bytes.NewReader(content)); err != nil {
			return
		}
		var list []any
		err := src.load(&list)
		if err != nil {
			return
		}
		b, err := NDJSON.MarshalAppend(nil, list)
		if err != nil {
			return // such as an extension, or a key that is not text
		}
		var back []any
		if err := NDJSON.Unmarshal(b, &back); err != nil || len(back) != len(list) {
			t.Fatalf("%q: %d records came back as %d, %v", content, len(list), len(back), err)
		}
	})
}
