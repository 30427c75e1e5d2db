package transcode

import (
	"bytes"
	"errors"
	"fmt"
	"go/build"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/internal/wire/cborwire"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/tagged"
)

// stream returns src in the other format, read through windows.
func stream(src []byte, o Options) ([]byte, error) {
	if Late(o.To) {
		var b bytes.Buffer
		heads, err := Pack(&b, iotest.HalfReader(bytes.NewReader(src)), o)
		if err != nil {
			return nil, err
		}
		return io.ReadAll(iotest.OneByteReader(heads.Reader(iotest.DataErrReader(&b))))
	}
	r := NewReader(iotest.OneByteReader(bytes.NewReader(src)), o)
	defer r.Close()
	return io.ReadAll(r)
}

// TestStreamLaw checks that a document read through windows is the one read at once, and refused when that is.
func TestStreamLaw(t *testing.T) {
	rounds := 4000
	if testing.Short() {
		rounds = 600
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range rounds {
		text := random(rnd, 0)
		pack, err := weft.Transcode(nil, msgpack.Format, text, json.Format)
		if err != nil {
			t.Fatal(err)
		}
		item := opened(rnd, pack)
		if i%4 == 3 && len(text) > 0 { // something is wrong
			text[rnd.IntN(len(text))] = `[]{},:"x0 `[rnd.IntN(10)]
			if k := rnd.IntN(len(text)); rnd.IntN(3) == 0 {
				text = text[:k]
			}
			pack = append([]byte(nil), pack...)
			pack[rnd.IntN(len(pack))] ^= 1 << rnd.IntN(8)
			item[rnd.IntN(len(item))] ^= 1 << rnd.IntN(8)
		}
		docs := map[weft.Format][]byte{json.Format: text, msgpack.Format: pack, cbor.Format: item}
		for _, window := range []int{24, 40, 100, 1 << 16} {
			for from, src := range docs {
				for to := range docs {
					if from != to {
						compare(t, src, Options{From: from, To: to, Window: window, Max: 1 << 20})
					}
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}

func compare(t *testing.T, src []byte, o Options) {
	t.Helper()
	want, wantErr := o.Append(nil, src)
	got, err := stream(src, o)
	if err == nil && o.To == weft.Format(cbor.Format) { // containers that are longer than a window say at their ends that they end
		if got, err = weft.Transcode(nil, cbor.Format, got, cbor.Format); err != nil {
			t.Errorf("window %d, %s %q: what is written is not CBOR: %v", o.Window, o.From.Name(), src, err)
			return
		}
	}
	if errors.Is(wantErr, weft.ErrDuplicateName) && err == nil {
		return // names are compared within a window
	}
	if (err != nil) != (wantErr != nil) || err == nil && !bytes.Equal(got, want) {
		t.Errorf("window %d, %s %q:\n%q %v, want\n%q %v", o.Window, o.From.Name(), src, got, err, want, wantErr)
	}
	var at *weft.Error
	if err != nil && (!errors.As(err, &at) || at.Offset < -1 || at.Offset > int64(len(src))) {
		t.Errorf("%s %q: no place in %v", o.From.Name(), src, err)
	}
}

// random returns a random document.
func random(r *rand.Rand, depth int) []byte {
	space := func() string { return []string{"", "", " ", "\n\t"}[r.IntN(4)] }
	name := func(i int) string { return fmt.Sprintf("%d%s", i, strings.Repeat(`n\"`, r.IntN(4))) }
	n := r.IntN(6)
	switch k := r.IntN(10); {
	case depth < 6 && k < 4:
		var b []byte
		for i := range n {
			if i > 0 {
				b = append(b, ","+space()...)
			}
			b = append(append(b, random(r, depth+1)...), space()...)
		}
		return append(append([]byte(space()+"["+space()), b...), "]"+space()...)
	case depth < 6 && k < 7:
		b := []byte(space() + "{" + space())
		for i := range n {
			if i > 0 {
				b = append(b, ","+space()...)
			}
			b = append(append(b, `"`+name(i)+`"`+space()+":"+space()...), random(r, depth+1)...)
		}
		return append(b, "}"+space()...)
	}
	return []byte([]string{"null", "true", "false", "12", "-1.5", `"` + strings.Repeat(`é\\\"x`, r.IntN(12)) + `"`, `""`, "1e3"}[r.IntN(8)])
}

// opened returns a MessagePack document as CBOR, in which lengths are left out and tags stand here and there.
func opened(r *rand.Rand, pack []byte) []byte {
	var b []byte
	var value func(i int) int
	value = func(i int) int {
		if r.IntN(8) == 0 {
			b = cborwire.AppendHead(b, cborwire.Tag, []uint64{55799, 258, 7000}[r.IntN(3)])
		}
		object, n, next := packOpen(pack[i:])
		if next < 0 {
			end := packValue(pack, i)
			item, _ := weft.Transcode(nil, cbor.Format, pack[i:end], msgpack.Format)
			if from, to := cborwire.ReadString(item, 0); to > from && item[0]&0xe0 == cborwire.Text && r.IntN(3) == 0 {
				item = append(append([]byte{0x7f}, item...), 0x60, 0xff)
			}
			b = append(b, item...)
			return end
		}
		open := r.IntN(2) == 0
		if b = cborHead(b, object, n); open {
			b = cborHead(b[:len(b)-cborwire.HeadSize(uint64(n))], object, -1)
		}
		if i += next; object {
			n *= 2
		}
		for range n {
			i = value(i)
		}
		if open {
			b = append(b, cborwire.Break)
		}
		return i
	}
	value(0)
	return b
}

// TestCorpora reads the documents that come with Go both ways.
func TestCorpora(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src/encoding/json/internal/jsontest/testdata/*.json.zst"))
	if err != nil || len(files) < 5 {
		t.Skip("the toolchain has no test data")
	}
	for _, name := range files {
		packed, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := compress.NewZstd().Decompress(nil, packed)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			o := Options{From: json.Format, To: msgpack.Format, Window: 16 << 10, Max: 1 << 20, Round: true}
			lawful(t, text)
			want, ok := o.direct(nil, text, schema.Walk{})
			_, there := (&Options{From: o.To, To: o.From}).direct(nil, want, schema.Walk{})
			if !ok || !there {
				t.Error("it does not go the direct way")
			}
			want, err := o.Append(nil, text)
			if err != nil {
				t.Fatal(err)
			}
			got, err := stream(text, o)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes, want %d, %v", len(got), len(want), err)
			}
			o.From, o.To = o.To, o.From
			back, err := stream(got, o)
			again, err2 := o.Append(nil, got)
			if err != nil || err2 != nil || !bytes.Equal(back, again) {
				t.Errorf("back: %d bytes, want %d, %v, %v", len(back), len(again), err, err2)
			}
		})
	}
}

// TestPlaces checks that an error behind many windows says where it is.
func TestPlaces(t *testing.T) {
	list := strings.Repeat(`{"a":[1,2,3]},`, 1000)
	for _, tt := range []struct{ text, path string }{
		{`[` + list + `  , 1]`, "/1000"},
		{`[` + list + `{"a":[1,x]}]`, "/1000/a/1"},
		{`{"l":[` + list + `{"a":[1,tru]}]}`, "/l/1000/a/1"},
		{`[[` + list + `1],[` + list + `{"b":12345678901234567890}, 123456789012345678901]]`, "/1/1001"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			o := Options{From: json.Format, To: msgpack.Format, Window: 64, Max: 1 << 20}
			_, err := stream([]byte(tt.text), o)
			var at, want *weft.Error
			_, whole := o.Append(nil, []byte(tt.text))
			if !errors.As(err, &at) || !errors.As(whole, &want) || at.Path != tt.path || at.Offset != want.Offset || want.Path != at.Path {
				t.Errorf("%v, at once %v", err, whole)
			}
		})
	}
}

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		text string
		ok   bool
	}{
		{"0", true}, {"-0", true}, {"0.0", true}, {"9223372036854775807", true}, {"-9223372036854775808", true}, {"18446744073709551615", true},
		{"18446744073709551616", false}, {"18446744073709552000", true}, {"-9223372036854775809", false}, {"0.1", true},
		{"1e2", true}, {"1.50", true},
		{"0.30000000000000004", true}, {"0.30000000000000003", false}, {"123456789.123456789123", false}, {"1e308", true}, {"1e309", false},
		{"1e-400", false}, {"5e-324", true}, {"4e-324", false}, {"100000000000000000000", true}, {"100000000000000000001", false},
		{"1.7976931348623157e308", true}, {"0e999999999999999999999", true}, {"1e-99999999999999999999999", false},
		{"2.2250738585072014E-308", true},
		{"123456789012345678e-17", false}, {"0.000000000000000000000000000001", true}, {"12345678901234567", true}, {"1.2345678901234567", true},
	} {
		t.Run(tt.text, func(t *testing.T) {
			for _, to := range []weft.Format{msgpack.Format, tagged.Format} {
				o := Options{From: json.Format, To: to}
				b, err := o.Append(nil, []byte("["+tt.text+"]"))
				if (err == nil) != tt.ok {
					t.Errorf("%s to %s: %x, %v", tt.text, to.Name(), b, err)
				}
				o.Round = true
				if _, err := o.Append(nil, []byte("["+tt.text+"]")); (err != nil) != (tt.text == "1e309" && to == weft.Format(msgpack.Format)) {
					t.Errorf("%s to %s, rounded: %v", tt.text, to.Name(), err)
				}
			}
		})
	}
}

// TestMemory reads a document of 64 MB, written on the way, in less than one.
func TestMemory(t *testing.T) {
	size := 64 << 20
	if testing.Short() {
		size = 16 << 20
	}
	row := `{"id":12345,"name":"a name of some length","tags":["one","two","three"],"price":12.5},`
	text := func() io.Reader {
		return io.MultiReader(strings.NewReader("["), io.LimitReader(endless(row), int64(size/len(row)*len(row))), strings.NewReader("0]"))
	}
	o := Options{From: json.Format, To: msgpack.Format, Window: 64 << 10, Max: 1 << 20}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	spool, err := os.Create(filepath.Join(t.TempDir(), "spool"))
	if err != nil {
		t.Fatal(err)
	}
	defer spool.Close()
	peak := uint64(0)
	look := func(i int) {
		if i%512 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&after)
			peak = max(peak, after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc))
		}
	}
	i := 0
	heads, err := Pack(writes(func(p []byte) (int, error) { i += 512; look(i); return spool.Write(p) }), text(), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	r := heads.Reader(spool)
	n, buf := 0, make([]byte, 32<<10)
	for i := 0; err == nil; i++ {
		var k int
		k, err = r.Read(buf)
		n += k
		look(i)
	}
	if err != io.EOF || n < size/2 {
		t.Fatalf("%d bytes, %v", n, err)
	}
	if peak > 1<<20 {
		t.Errorf("%d KiB in use for a document of %d MiB", peak>>10, size>>20)
	}
	t.Logf("%d KiB in use for %d MiB", peak>>10, size>>20)
}

// TestMemoryCBOR reads such a document in CBOR, of arrays that end at breaks, and writes one.
func TestMemoryCBOR(t *testing.T) {
	size := 16 << 20
	row := `{"id":12345,"name":"a name of some length","tags":["one","two","three"],"price":12.5}`
	item, err := weft.Transcode(nil, cbor.Format, []byte(row), json.Format)
	if err != nil {
		t.Fatal(err)
	}
	list := func(open, row, end string) io.Reader {
		return io.MultiReader(strings.NewReader(open), io.LimitReader(endless(row), int64(size/len(row)*len(row))), strings.NewReader(end))
	}
	for _, tt := range []struct {
		from, to weft.Format
		src      io.Reader
	}{
		{json.Format, cbor.Format, list("[", row+",", "0]")},
		{cbor.Format, json.Format, list("\xd9\xd9\xf7\x9f", string(item), "\xff")},
	} {
		t.Run(tt.from.Name(), func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			r := NewReader(tt.src, Options{From: tt.from, To: tt.to, Window: 64 << 10, Max: 1 << 20})
			defer r.Close()
			peak, n := uint64(0), int64(0)
			for {
				k, err := io.CopyN(io.Discard, r, 1<<20)
				if n += k; err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
				peak = max(peak, after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc))
			}
			if n < int64(size)/2 || peak > 1<<20 {
				t.Errorf("%d KiB in use for %d MiB, %d bytes written", peak>>10, size>>20, n)
			}
			t.Logf("%d KiB in use for %d MiB", peak>>10, size>>20)
		})
	}
}

// TestCBOR has what only CBOR has, in documents longer than a window.
func TestCBOR(t *testing.T) {
	ones := strings.Repeat("\x01", 100)
	for _, src := range []string{
		"\x9f" + ones + "\xff", "\xd9\xd9\xf7\x98\x64" + ones, "\x9f\xd9\x1b\x58\x9f" + ones + "\xff\xff",
		"\xbf\x01\x9f" + ones + "\xff\x61a\x9f" + ones + "\xff\xff", "\xa1\x7f\x61a\x61b\xff\x98\x64" + ones,
		"\x9f\xf7\xd9\x1b\x58\xf6\xc2\x49\x01\x00\x00\x00\x00\x00\x00\x00\x00\xf9\x3c\x00\x7f\x61a\x62bc\xff" + ones + "\xff",
		"\x9f" + ones + "\xf8\x63\xff", "\x9f" + ones + "\xc4\x98\x64" + ones + "\xff", "\x9f" + ones + "\xc4\x82\x01\x03\xff",
		"\x9f" + ones + "\xc1\x00\xff", "\x9f" + ones + "\x5f\x41a\x41b\xff\xff", "\x9f" + ones + "\xf9\x7e\x00\xff",
		"\x9f" + ones, "\xff" + ones, "\x98\x65" + ones + "\xff", "\xbf\x61a\xff" + ones, "\xbf\x61a\x9f" + ones + "\xff\x61b\xff",
		"\x9f" + ones + "\xff\xff", "\x9f" + ones + "\x1c\xff", "\x7f" + ones + "\xff", "\x9f" + ones + "\x7f\x41a\xff\xff",
		"\x9b\xff\xff\xff\xff\xff\xff\xff\xff" + ones, "\xbb\x00\x00\x00\x00\xff\xff\xff\xff" + ones, "\x9a\x7f\xff\xff\xff" + ones,
		strings.Repeat("\x9f", 20000), strings.Repeat("\xbf\x61a", 9000), strings.Repeat("\xd9\xd9\xf7", 9000) + "\x01",
	} {
		t.Run(fmt.Sprintf("%.30x", src), func(t *testing.T) {
			for _, to := range []weft.Format{json.Format, msgpack.Format} {
				compare(t, []byte(src), Options{From: cbor.Format, To: to, Window: 24, Max: 1 << 20})
			}
		})
	}
}

// writes is a function as an io.Writer.
type writes func([]byte) (int, error)

func (f writes) Write(p []byte) (int, error) { return f(p) }

// endless reads s again and again.
func endless(s string) io.Reader { return &loop{s: strings.Repeat(s, 100)} }

type loop struct {
	s  string
	at int
}

func (l *loop) Read(p []byte) (int, error) {
	n := copy(p, l.s[l.at:])
	l.at = (l.at + n) % len(l.s)
	return n, nil
}

// FuzzStream holds the law for any bytes.
func FuzzStream(f *testing.F) {
	f.Add([]byte(`{"a":[1,2.5,"x"],"b":{"c":null}}`), 24)
	f.Add([]byte("\xd9\xd9\xf7\xbf\x61a\x9f\x01\xf7\xff\x7f\x61b\x61c\xff\xc2\x41\x01\xff"), 20)
	f.Add([]byte("\x82\xa1a\x93\x01\x02\x03\xa1b\xc0"), 20)
	f.Fuzz(func(t *testing.T, src []byte, window int) {
		lawful(t, src)
		window = 20 + (window&0xff+256)%256
		compare(t, src, Options{From: json.Format, To: msgpack.Format, Window: window, Max: 1 << 16})
		compare(t, src, Options{From: msgpack.Format, To: json.Format, Window: window, Max: 1 << 16})
		compare(t, src, Options{From: cbor.Format, To: json.Format, Window: window, Max: 1 << 16})
		compare(t, src, Options{From: cbor.Format, To: msgpack.Format, Window: window, Max: 1 << 16})
		compare(t, src, Options{From: json.Format, To: cbor.Format, Window: window, Max: 1 << 16})
	})
}

// TestDirectLaw checks that the direct way between JSON and MessagePack makes what the library makes, and nothing of
// what it refuses.
func TestDirectLaw(t *testing.T) {
	long := strings.Repeat("x", 70000)
	wide := "{"
	for i := range 20 {
		wide += fmt.Sprintf(`"n%d":%d,`, i%17, i)
	}
	for _, text := range []string{
		`"\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\"`, `"\ud83d"`, `"\ude00\ud83d"`, `"\ud83dx"`, `"\u12g4"`, `"\u123`, `"\x"`, `"\`,
		`"`, "\"\n\"", "\"\x00\"",
		"\"\xff\"", `"` + "\u2028" + `"`, `"` + long + `"`, `{"` + long + `":1}`, `[` + strings.Repeat("1,", 70000) + `1]`,
		`[` + strings.Repeat("1,", 20) + `1]`,
		`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, wide + `"z":0}`, strings.ReplaceAll(wide, "n1\"", "m\"") + `"z":0}`,
		`{"":0,"":1}`, `{"a"}`, `{"a":}`, `{a:1}`,
		`{"a":1,}`, `[1,]`, `[,1]`, `[1 2]`, `[`, `{`, `]`, ``, ` `, `1 2`, `tru`, `nulll`, `True`, `01`, `-`, `-01`, `1.`,
		`.5`, `1e`, `1e+`, `+1`, `1.5.5`, `0x1`,
		` [ 1 , 2 ] `, "\ufeff1", "[1]\v", strings.Repeat("[", 600) + strings.Repeat("]", 600), strings.Repeat("[", 20000), `[NaN]`, `[Infinity]`,
		`0e0`, `-0.0`, `-0`, `1e22`, `1e23`, `123456789012345678901e0`, `0.000001`, `1E-7`, `4.35e+2`,
		`1e999999999999999999999`, `0.1e-330`, `2.5e-320`,
		`9007199254740993`, `9007199254740993.0`, `1234567890123456789.5`, `0.30000000000000004`, `17976931348623157e292`, `-9223372036854775808`,
		`18446744073709551615`, `18446744073709551616`, `-9223372036854775809`,
	} {
		lawful(t, []byte(text))
		lawful(t, []byte("["+text+"]"))
	}
	for _, pack := range []string{
		"\x81\x01\x02", "\x81\xc4\x01a\x02", "\x82\xa1a\x01\xa1a\x02", "\x82\xa1a\x01\xd9\x01a\x02", "\xc4\x01a", "\xd4\x01a",
		"\xd6\xff\x00\x00\x00\x00", "\xc1",
		"\xca\x7f\xc0\x00\x00", "\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00", "\xca\x3d\xcc\xcc\xcd",
		"\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "\xd3\x80\x00\x00\x00\x00\x00\x00\x00",
		"\xa3\xe2\x80\xa8", "\xa3\xe2\x80\xa9", "\xa2\xe2\x80", "\x92\xa1\xc3\xa1\xa9", "\xdd\xff\xff\xff\xff",
		"\xdf\xff\xff\xff\xff", "\xdb\xff\xff\xff\xff", "\xdc\x00",
		"\xde\x00\x02\xa1a\x01\xa1b\xc0", "\x01\x02", "", "\xd9", "\xa5abc", strings.Repeat("\x91", 600) + "\xc0",
		strings.Repeat("\x91", 20000) + "\xc0", "\xa1\x00\xc0",
	} {
		lawful(t, []byte(pack))
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		text := random(rnd, 0)
		lawful(t, text)
		if pack, err := weft.Transcode(nil, msgpack.Format, text, json.Format); err == nil && len(pack) > 0 {
			lawful(t, pack)
			pack[rnd.IntN(len(pack))] ^= 1 << rnd.IntN(8)
			lawful(t, pack)
		}
		if len(text) > 0 {
			text[rnd.IntN(len(text))] = `[]{},:"x0\ue-.5`[rnd.IntN(15)]
			lawful(t, text)
		}
	}
}

// lawful compares what the direct way makes of src, read in either format, with what the library makes of it.
func lawful(t *testing.T, src []byte) {
	t.Helper()
	for _, o := range []Options{
		{From: json.Format, To: msgpack.Format}, {From: json.Format, To: msgpack.Format, Round: true}, {From: msgpack.Format, To: json.Format},
	} {
		got, ok := o.direct([]byte("before"), src, schema.Walk{})
		want, err := o.readWrite([]byte("before"), src)
		if ok && (err != nil || !bytes.Equal(got, want)) {
			t.Errorf("%s %.80q, rounded %v: %.80q, want %.80q, %v", o.From.Name(), src, o.Round, got, want, err)
		}
	}
}
