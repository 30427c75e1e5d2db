package jsontext

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weftcodec/weft/internal/sample"
)

// readAll reads a stream by tokens and returns what it saw, the last line an error.
func readAll(d *Decoder) string {
	var b strings.Builder
	for {
		t, err := d.ReadToken()
		if err != nil {
			fmt.Fprintf(&b, "%v at %d", err, d.InputOffset())
			return b.String()
		}
		fmt.Fprintf(&b, "%v %q %s %d %d\n", t.Kind(), t.String(), d.StackPointer(), d.StackDepth(), d.InputOffset())
	}
}

// readValues reads a stream by values.
func readValues(d *Decoder) string {
	var b strings.Builder
	for {
		v, err := d.ReadValue()
		if err != nil {
			fmt.Fprintf(&b, "%v at %d", err, d.InputOffset())
			return b.String()
		}
		fmt.Fprintf(&b, "%s %d\n", v, d.InputOffset())
	}
}

// halves is a reader that returns half of what is asked for.
type halves struct{ r io.Reader }

func (h halves) Read(p []byte) (int, error) { return h.r.Read(p[:(len(p)+1)/2]) }

func TestReadHowever(t *testing.T) {
	for _, row := range texts {
		want, wantValues := readAll(NewDecoder(strings.NewReader(row.text))), readValues(NewDecoder(bytes.NewBufferString(row.text)))
		for name, wrap := range map[string]func(io.Reader) io.Reader{
			"one byte":       iotest.OneByteReader,
			"data with end":  iotest.DataErrReader,
			"half":           iotest.HalfReader,
			"halves":         func(r io.Reader) io.Reader { return halves{r} },
			"end, byte wise": func(r io.Reader) io.Reader { return iotest.DataErrReader(iotest.OneByteReader(r)) },
		} {
			d := NewDecoder(wrap(strings.NewReader(row.text)))
			if got := readAll(d); !sameReading(got, want) {
				t.Fatalf("%s: %.100q %s:\n got %s\nwant %s", row.at(), row.text, name, got, want)
			}
			d.Reset(wrap(strings.NewReader(row.text)))
			if got := readValues(d); !sameReading(got, wantValues) {
				t.Fatalf("%s: %.100q %s values:\n got %s\nwant %s", row.at(), row.text, name, got, wantValues)
			}
		}
	}
}

// sameReading compares readings; an error about an escape names as much of the text as has come.
func sameReading(a, b string) bool {
	cut := func(s string) string {
		if i := strings.LastIndex(s, "jsontext: invalid escape"); i >= 0 {
			return s[:i]
		}
		if i := strings.LastIndex(s, "jsontext: invalid surrogate"); i >= 0 {
			return s[:i]
		}
		return s
	}
	return cut(a) == cut(b)
}

var errStop = errors.New("stop")

// stops is a reader that fails once, after n bytes.
type stops struct {
	r    io.Reader
	n    int
	done bool
}

func (s *stops) Read(p []byte) (int, error) {
	if !s.done && s.n < len(p) {
		p = p[:s.n]
	}
	if len(p) == 0 {
		s.done = true
		return 0, errStop
	}
	n, err := s.r.Read(p)
	s.n -= n
	return n, err
}

// TestReadErrors fails the reader at every byte: the error is reported once, and reading goes on as if
// nothing had been.
func TestReadErrors(t *testing.T) {
	for _, row := range texts {
		if len(row.text) > 2000 {
			continue
		}
		want := readAll(NewDecoder(strings.NewReader(row.text)))
		for n := range len(row.text) + 1 {
			var seen int
			d := NewDecoder(&stops{r: strings.NewReader(row.text), n: n})
			var b strings.Builder
			for {
				tok, err := d.ReadToken()
				if errors.Is(err, errStop) {
					if err.Error() != "jsontext: read error: stop" {
						t.Fatal(err)
					}
					seen++
					continue
				}
				if err != nil {
					fmt.Fprintf(&b, "%v at %d", err, d.InputOffset())
					break
				}
				fmt.Fprintf(&b, "%v %q %s %d %d\n", tok.Kind(), tok.String(), d.StackPointer(), d.StackDepth(), d.InputOffset())
			}
			if got := b.String(); !sameReading(got, want) || seen > 1 {
				t.Fatalf("%s: %q stopped at %d, %d times:\n got %s\nwant %s", row.at(), row.text, n, seen, got, want)
			}
		}
	}
}

// TestReadCut ends the input at every byte.
func TestReadCut(t *testing.T) {
	for _, row := range texts {
		if len(row.text) > 2000 || !Value(row.text).IsValid() {
			continue
		}
		for n := range len(row.text) {
			text := row.text[:n]
			err := second(NewDecoder(strings.NewReader(text)).ReadValue())
			switch {
			case strings.TrimSpace(text) == "":
				if err != io.EOF {
					t.Fatalf("%s: %q: %v, want the end", row.at(), text, err)
				}
			case err == nil:
				if !Value(text).IsValid() {
					t.Fatalf("%s: %q: no error", row.at(), text)
				}
			case !errors.Is(err, io.ErrUnexpectedEOF):
				t.Fatalf("%s: %q: %v, want an unexpected end", row.at(), text, err)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestValidAsClassic holds IsValid without its strictness to encoding/json.
func TestValidAsClassic(t *testing.T) {
	for _, row := range texts {
		got := Value(row.text).IsValid(AllowDuplicateNames(true), AllowInvalidUTF8(true))
		if want := stdjson.Valid([]byte(row.text)); got != want {
			t.Errorf("%s: %.100q: valid %v, want %v", row.at(), row.text, got, want)
		}
	}
}

// endless is a reader of head, then of n bytes, then of tail.
func endless(head string, fill string, n int, tail string) io.Reader {
	return io.MultiReader(strings.NewReader(head), io.LimitReader(&filler{text: fill}, int64(n)), strings.NewReader(tail))
}

// filler is a reader of a text again and again.
type filler struct {
	text string
	i    int
}

func (f *filler) Read(p []byte) (int, error) {
	n := copy(p, f.text[f.i:])
	f.i = (f.i + n) % len(f.text)
	for n < len(p) && f.i == 0 {
		k := copy(p[n:], f.text)
		n += k
		f.i = k % len(f.text)
	}
	return n, nil
}

// TestMemory reads much and looks at how much of it is kept.
func TestMemory(t *testing.T) {
	const much = 16 << 20
	for _, row := range []struct {
		name string
		r    io.Reader
		read func(d *Decoder) error
	}{
		{"space before", endless("", "    \n\t  ", much, "1"), (*Decoder).SkipValue},
		{"space within", endless("[", "        ", much, "]"), (*Decoder).SkipValue},
		{"space after a comma", endless("[1,", "        ", much, "2]"), (*Decoder).SkipValue},
		{"space after a colon", endless(`{"a":`, "        ", much, "2}"), (*Decoder).SkipValue},
		{"string", endless(`"`, "abcdefgh", much, `"`), (*Decoder).SkipValue},
		{"string of escapes", endless(`"`, `\u00e9\n`, much, `"`), (*Decoder).SkipValue},
		{"string of Greek", endless(`"`, "αβγδ", much, `"`), (*Decoder).SkipValue},
		{"number", endless(`1`, "00000000", much, ``), (*Decoder).SkipValue},
		{"array", endless(`[1`, ",[1, 2] ", much, `]`), (*Decoder).SkipValue},
		{"element", endless(`{"a":["`, "abcdefgh", much, `"]}`), (*Decoder).SkipValue},
		{"tokens", endless(`[1`, ",[1, 2] ", much/8, `]`), func(d *Decoder) error {
			for {
				if _, err := d.ReadToken(); err == io.EOF {
					return nil
				} else if err != nil {
					return err
				}
			}
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := NewDecoder(row.r)
			if err := row.read(d); err != nil {
				t.Error(err)
			}
			if len(d.buf) > windowUsual {
				t.Errorf("a window of %d bytes", len(d.buf))
			}
			if _, err := d.ReadToken(); err != io.EOF {
				t.Errorf("%v, want the end", err)
			}
		})
	}
}

func TestInputOffsetAfterSpace(t *testing.T) {
	d := NewDecoder(iotest.OneByteReader(endless("[1", "        ", 20<<10, ",2]")))
	for _, want := range []int64{1, 2, 2 + 20<<10 + 2, 2 + 20<<10 + 3} {
		d.PeekKind()
		if _, err := d.ReadToken(); err != nil || d.InputOffset() != want {
			t.Errorf("offset %d, want %d (%v)", d.InputOffset(), want, err)
		}
	}
	d.Reset(endless("", "        ", 20<<10, ""))
	if d.PeekKind(); d.InputOffset() != 0 {
		t.Error(d.InputOffset())
	}
}

func TestMaxSize(t *testing.T) {
	for _, text := range []string{
		`"` + strings.Repeat("x", 100000) + `"`, strings.Repeat("1", 100000), `[` + strings.Repeat("1,", 50000) + `1]`,
	} {
		d := NewDecoder(strings.NewReader(text), MaxSize(70000))
		if _, err := d.ReadValue(); !errors.Is(err, errSize) {
			t.Errorf("%.10s: %v", text, err)
		}
		d.Reset(strings.NewReader(text), MaxSize(70000))
		if err := d.SkipValue(); err != nil {
			t.Errorf("%.10s: %v", text, err)
		}
		d.Reset(strings.NewReader(text), MaxSize(200000))
		if _, err := d.ReadValue(); err != nil {
			t.Errorf("%.10s: %v", text, err)
		}
	}
}

func TestDepth(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, row := range []struct {
		n    int
		opts []Options
		ok   bool
	}{
		{10000, nil, true},
		{10001, nil, false},
		{1000000, nil, false},
		{3, []Options{MaxDepth(3)}, true},
		{4, []Options{MaxDepth(3)}, false},
		{1000000, []Options{MaxDepth(1000000)}, true},
	} {
		t.Run(fmt.Sprintf("%d %d", row.n, len(row.opts)), func(t *testing.T) {
			text := deep(row.n)
			if ok := Value(text).IsValid(row.opts...); ok != row.ok {
				t.Errorf("depth %d: valid %v", row.n, ok)
			}
			if _, err := NewDecoder(strings.NewReader(text), row.opts...).ReadValue(); (err == nil) != row.ok ||
				err != nil && !errors.Is(err, errDepth) {
				t.Errorf("depth %d: %v", row.n, err)
			}
			if err := NewDecoder(strings.NewReader(text), row.opts...).SkipValue(); (err == nil) != row.ok {
				t.Errorf("depth %d: %v", row.n, err)
			}
			if err := NewEncoder(io.Discard, row.opts...).WriteValue(Value(text)); (err == nil) != row.ok {
				t.Errorf("depth %d: %v", row.n, err)
			}
			e := NewEncoder(io.Discard, row.opts...)
			var err error
			for range row.n {
				if err = e.WriteToken(BeginArray); err != nil {
					break
				}
			}
			if (err == nil) != row.ok {
				t.Errorf("depth %d: %v", row.n, err)
			}
		})
	}
}

// TestBadReader has readers that break their contract.
func TestBadReader(t *testing.T) {
	for _, n := range []int{-1, 1 << 20} {
		d := NewDecoder(readerFunc(func([]byte) (int, error) { return n, nil }))
		if _, err := d.ReadToken(); !errors.Is(err, errBadRead) {
			t.Error(n, err)
		}
	}
	d := NewDecoder(readerFunc(func([]byte) (int, error) { return 0, nil }))
	if _, err := d.ReadToken(); !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestZeroDecoder(t *testing.T) {
	var d Decoder
	if _, err := d.ReadToken(); err != io.EOF {
		t.Error(err)
	}
	if k := d.PeekKind(); k != KindInvalid {
		t.Error(k)
	}
}

// TestPeekAgain wants PeekKind to look again after an error, since a reader may have more by then.
func TestPeekAgain(t *testing.T) {
	b := struct{ *bytes.Buffer }{bytes.NewBufferString("[null,")}
	d := NewDecoder(b)
	for range 2 {
		if _, err := d.ReadToken(); err != nil {
			t.Fatal(err)
		}
	}
	if k := d.PeekKind(); k != KindInvalid {
		t.Error(k)
	}
	b.WriteString("true")
	if k := d.PeekKind(); k != KindTrue {
		t.Error(k)
	}
	if tok, err := d.ReadToken(); tok.Kind() != KindTrue || err != nil {
		t.Error(tok, err)
	}
}

func TestUnreadBuffer(t *testing.T) {
	r := strings.NewReader("{\"a\":1} tail \xe2\x82")
	d := NewDecoder(r)
	if _, err := d.ReadValue(); err != nil {
		t.Fatal(err)
	}
	if got := string(d.UnreadBuffer()); got != " tail \xe2\x82" {
		t.Errorf("%q", got)
	}
}

func TestTokenIsVoid(t *testing.T) {
	d := NewDecoder(strings.NewReader(`["a","b",12]`))
	d.ReadToken()
	a, _ := d.ReadToken()
	kept := a.Clone()
	b, _ := d.ReadToken()
	if b.String() != "b" || kept.String() != "a" {
		t.Error(b, kept)
	}
	defer func() {
		if recover() == nil {
			t.Error("a token that is void was used")
		}
	}()
	_ = a.String()
}

func TestReadAllocates(t *testing.T) {
	text := []byte(`{"id":1,"name":"rex","tags":["a","b"],"owner":{"name":"é","age":40.5e0},"n":null,"t":true}` + "\n")
	r := bytes.NewReader(text)
	d := NewDecoder(r)
	n := testing.AllocsPerRun(100, func() {
		r.Reset(text)
		d.Reset(r)
		for {
			tok, err := d.ReadToken()
			if err != nil {
				break
			}
			if tok.Kind() == KindNumber {
				tok.Float()
			}
		}
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
	e := NewEncoder(io.Discard)
	if n := testing.AllocsPerRun(100, func() {
		e.Reset(io.Discard)
		e.WriteValue(text)
		e.WriteToken(BeginObject)
		e.WriteToken(String("name"))
		e.WriteToken(Float(1.5))
		e.WriteToken(EndObject)
	}); n > 0 && !sample.Race {
		t.Errorf("%v allocations of the encoder", n)
	}
}

func FuzzRead(f *testing.F) {
	for _, row := range texts {
		f.Add(row.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 3000 { // which would take long to look at
			t.Skip()
		}
		want := readAll(NewDecoder(strings.NewReader(text)))
		if got := readAll(NewDecoder(iotest.OneByteReader(strings.NewReader(text)))); !sameReading(got, want) {
			t.Fatalf("%q:\n got %s\nwant %s", text, got, want)
		}
		if got, want := Value(text).IsValid(AllowDuplicateNames(true), AllowInvalidUTF8(true)), stdjson.Valid([]byte(text)); got != want {
			t.Fatalf("%q: valid %v, want %v", text, got, want)
		}
		valid := Value(text).IsValid()
		if err := NewDecoder(iotest.HalfReader(strings.NewReader(text + "\n"))).SkipValue(); valid && err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		v := Value(text)
		if err := v.Canonicalize(); (err == nil) != valid {
			t.Fatalf("%q: valid %v, but %v", text, valid, err)
		}
		again := v.Clone()
		if err := again.Canonicalize(); (err == nil) != valid || !bytes.Equal(v, again) {
			t.Fatalf("%q: %q, then %q (%v)", text, v, again, err)
		}
	})
}
