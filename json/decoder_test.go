package json_test

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/weftcodec/weft/json"
)

// panicking panics on some texts.
type panicking string

func (p *panicking) UnmarshalJSON(b []byte) error {
	if strings.Contains(string(b), "panic") {
		panic(string(b))
	}
	*p = panicking(b)
	return nil
}

// TestDecoderAfterPanic wants a value whose method panics to be consumed all the same: a program that recovers goes on
// with the next one.
func TestDecoderAfterPanic(t *testing.T) {
	const text = `"a" "panic 1"  ["panic 2"] "b" `
	walk := func(im *implementation) (trace []string) {
		d := im.NewDecoder(strings.NewReader(text))
		for range 6 {
			var v panicking
			func() {
				defer func() {
					if p := recover(); p != nil {
						trace = append(trace, fmt.Sprint("panic ", p))
					}
				}()
				trace = append(trace, fmt.Sprint(d.Decode(&v), " ", v))
			}()
			rest, _ := io.ReadAll(d.Buffered())
			trace = append(trace, fmt.Sprintf("%d %v %q", d.InputOffset(), d.More(), rest))
		}
		return trace
	}
	got, want := fmt.Sprintf("%q", walk(&subject)), fmt.Sprintf("%q", walk(&oracle))
	if classicOracle && got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !strings.Contains(got, `<nil> \"b\"`) {
		t.Errorf("the value after those that panic is not read: %s", got)
	}
}

// streamTexts are streams of values, whole, cut off and wrong.
var streamTexts = []string{
	``, ` `, `1`, `1 2`, `{}[]`, `[1,2.5e+3,-0] {"a":"b"}`, "\n{\"a\": [ { } , { \"b\\\"\\u00e9\" : null } ] }\n[true,false,null]\n",
	`{"a":1}{"a":2}`, `"abc" "d"`, `"ab`, `tru`, `true false`, `nul1`, `12x`, `-`, `[1,]`, `[1 2]`, `[01]`, `[1.]`, `[-]`, `[1e]`, `[tru]`,
	`[nul1]`, `["\x"]`, `["\u12g4"]`, `["` + "\n" + `"]`, `[`, `{`, `["a`, `{"a"}`, `{"a":}`,
	`{"a":1,}`, `{,}`, `{1:2}`, `{"a" 1}`, `[}`, `{]`,
	`[1}`, `{"a":1]`, "[\x00]", "[1\x00]", `[12345678901234567890,123]`, `[1,2`, `{"a":12`, `{"abc`,
	`{"abc":"de`, `{"a":{"b":[1,{"c":tr`, `{} x`,
	`[]]`, `[[[[1]]]]`, strings.Repeat("[", 10001), strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + "1",
	`{"s":"` + strings.Repeat(`x\n`, 400) + `","n":` + strings.Repeat("1", 300) + `}` + strings.Repeat(" ", 700) + `[true]`,
}

// pieces reads n bytes at a time.
type pieces struct {
	r io.Reader
	n int
}

func (p pieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(p.n, len(b))]) }

// readStream returns what decoding a stream does, call by call.
func readStream(text string, n int, open func(r io.Reader) interface {
	Decode(v any) error
	InputOffset() int64
	Buffered() io.Reader
}) (log []string) {
	d := open(pieces{strings.NewReader(text), n})
	for range 8 {
		var v any
		err := d.Decode(&v)
		off := int64(-1)
		if e, ok := errors.AsType[*stdjson.SyntaxError](err); ok {
			off = e.Offset
		}
		log = append(log, fmt.Sprintf("%v, %v at %d, then %d", v, err, off, d.InputOffset()))
		if err == nil && n >= len(text) {
			b, _ := io.ReadAll(d.Buffered())
			log = append(log, string(b[:min(len(b), 8)]))
		}
	}
	return log
}

func checkStream(t *testing.T, text string, n int) {
	type stream = interface {
		Decode(v any) error
		InputOffset() int64
		Buffered() io.Reader
	}
	got := readStream(text, n, func(r io.Reader) stream { return json.NewDecoder(r) })
	want := readStream(text, n, func(r io.Reader) stream { return stdjson.NewDecoder(r) })
	for i := range want {
		if i >= len(got) || classicOracle && got[i] != want[i] {
			t.Fatalf("%.200q, %d bytes each:\n%.300q\nencoding/json:\n%.300q", text, n, got[min(i, len(got)):], want[i:])
		}
	}
}

// TestDecoderPieces: a stream is decoded as encoding/json does it, however it comes.
func TestDecoderPieces(t *testing.T) {
	for _, text := range streamTexts {
		for _, n := range []int{1, 2, 3, 5, 7, 64, 511, 512, 1 << 20} {
			if n > 7 || len(text) < 3000 {
				checkStream(t, text, n)
			}
		}
	}
}

func FuzzDecoderPieces(f *testing.F) {
	for _, text := range streamTexts {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, n int) { checkStream(t, text, min(max(n, 1), 1<<20)) })
}

// TestTokenAfterMisfit: a number out of range is consumed, so that what follows it is what may.
func TestTokenAfterMisfit(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{`{"a":5e328]`, `json: cannot unmarshal number 5e328 into Go value of type float64; ` +
			`invalid character ']' after object key:value pair`},
		{`[5e328 1`, `json: cannot unmarshal number 5e328 into Go value of type float64; ` +
			`invalid character '1' after array element`},
		{`{"a":5e328}7`, `json: cannot unmarshal number 5e328 into Go value of type float64; }; 7`},
		{`{"\ud800":tru]`, `�; invalid character ']' in literal true (expecting 'e'); ` +
			`invalid character ']' in literal true (expecting 'e')`},
	} {
		d := json.NewDecoder(strings.NewReader(row.text))
		var got []string
		for range 5 {
			token, err := d.Token()
			switch {
			case err == io.EOF:
				continue
			case err != nil:
				got = append(got, err.Error())
			default:
				got = append(got, fmt.Sprint(token))
			}
		}
		if s := strings.Join(got, "; "); !strings.Contains(s, row.want) {
			t.Errorf("%s: %s", row.text, s)
		}
	}
}
