package inspect

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor/cboritem"
	"github.com/weftcodec/weft/msgpack"
)

var update = flag.Bool("update", false, "write the golden files again")

// cases are the inputs of the golden files, by name; MessagePack is written in
// hexadecimal.
var cases = []struct {
	name, format, input string
}{
	{"json-pet", JSON, "{\"id\": 7, \"name\": \"Tom \\u00e9\\n\",\n \"tag\": [true, null, -1.5e3], \"a/b\": {}, \"none\": []}\n"},
	{"json-long", JSON, `["` + strings.Repeat("wörter ", 20) + `", ` + strings.Repeat("12345678", 12) + `]`},
	{"json-escapes", JSON, `["\ud83d\ude00", "\ud83d", "\u001b[2J", "` + "\xff" + `"]`},
	{"json-deep", JSON, strings.Repeat("[", 30) + strings.Repeat("]", 30)},
	{"json-truncated", JSON, `{"pets": [{"id": 7}, {"id": 8, "name": "Bro`},
	{"json-wrong-comma", JSON, `{"pets": [{"id": 7,}]}`},
	{"json-wrong-value", JSON, `{"pets": [1, 2, nul]}`},
	{"json-wrong-number", JSON, `[10, 01]`},
	{"json-wrong-end", JSON, `[1, 2}`},
	{"json-wrong-name", JSON, `{"a": 1, b: 2}`},
	{"json-wrong-colon", JSON, `{"a" 1}`},
	{"json-wrong-escape", JSON, `{"a\x": 1}`},
	{"json-trailing", JSON, `{} {}`},
	{"json-empty", JSON, " \n"},
	{"ndjson", NDJSON, "{\"id\":1}\n{\"id\":2}\n3\n"},
	{"ndjson-empty", NDJSON, ""},
	{"msgpack-pet", MessagePack, "84 a2 6964 07 a4 6e616d65 a3 546f6d a3 746167 93 c3 c0 cb c097700000000000 a1 61 80"},
	{"msgpack-forms", MessagePack,
		"dc 0018 00 7f e0 ff cc ff cd 0100 ce 00010000 cf 0000000100000000 d0 80 d1 8000 d2 80000000 d3 8000000000000000" +
			" ca 3fc00000 cb 7ff8000000000000 c2 c3 c0 d9 20 " + strings.Repeat("61", 32) + " c4 03 010203 90 d4 05 aa c7 03 05 aabbcc 80 a0"},
	{"msgpack-not-shortest", MessagePack,
		"dc 000c cc 01 cd 00ff d0 05 d1 ff80 d3 00000000000000ff d9 01 61 c5 0001 aa dc 0001 c0 de 0000 c7 01 05 aa da 0100 " +
			strings.Repeat("61", 256) + " dd 00010000"},
	{"msgpack-keys", MessagePack, "86 07 01 cd 0100 02 c3 03 92 01 02 04 c4 02 abcd 05 c0 81 a1 61 06"},
	{"msgpack-time", MessagePack, "94 d6 ff 6553f100 d7 ff ee6b27ff 6553f100 c7 0c ff 3b9ac9ff fffffffffffffffe d6 ff 00000000"},
	{"msgpack-sequence", MessagePack, "81 a1 61 01 81 a1 61 02"},
	{"msgpack-text", MessagePack, "92 a3 1b5b41 a2 fffe"},
	{"msgpack-truncated-header", MessagePack, "81 a1 61 92 01 cd 01"},
	{"msgpack-truncated-string", MessagePack, "81 a1 61 92 01 d9 64 68616c6c6f"},
	{"msgpack-truncated-key", MessagePack, "82 a1 61 01 a5 6261"},
	{"msgpack-truncated-ext", MessagePack, "91 c8 0100"},
	{"msgpack-truncated-array", MessagePack, "92 01"},
	{"msgpack-claims-4Gi", MessagePack, "dd ffffffff 01"},
	{"msgpack-reserved", MessagePack, "92 01 c1"},
	{"msgpack-wrong-time", MessagePack, "91 c7 05 ff 0102030405"},
	{"msgpack-empty", MessagePack, ""},
	{"cbor-pet", CBOR, "a4 62 6964 07 64 6e616d65 63 546f6d 63 746167 83 f5 f6 f9 3e00 61 61 a0"},
	{"cbor-forms", CBOR, "98 1a 00 17 18 18 19 0100 1a 00010000 1b 0000000100000000 20 38 18 39 ffff 3b ffffffffffffffff" +
		" f9 3c00 fa 47c35000 fb 3fb999999999999a f4 f5 f6 f7 e1 f8 ff 78 20 " + strings.Repeat("61", 32) + " 43 010203 80 60 f9 7e00 40 a0"},
	{"cbor-not-shortest", CBOR,
		"8b 18 05 19 00ff 38 05 fa 3fc00000 fb 3ff8000000000000 78 01 61 59 0001 aa 98 00 b9 0000 d8 01 00 1b 0000000000000001"},
	{"cbor-open", CBOR, "9f bf 61 61 7f 61 62 62 6363 ff ff 5f ff ff"},
	{"cbor-tags", CBOR, "d9 d9f7 d2 84 43 a10126 a0 c1 1a 6553f100 c2 49 010000000000000000"},
	{"cbor-keys", CBOR, "a7 07 01 20 02 f5 03 82 01 02 04 42 abcd 05 c1 00 06 a1 61 61 06 07"},
	{"cbor-sequence", CBOR, "a1 61 61 01 02"},
	{"cbor-text", CBOR, "82 63 1b5b41 62 fffe"},
	{"cbor-truncated-head", CBOR, "a1 61 61 82 01 19 01"},
	{"cbor-truncated-string", CBOR, "a1 61 61 82 01 78 64 68616c6c6f"},
	{"cbor-truncated-open", CBOR, "9f 01"},
	{"cbor-claims-4Gi", CBOR, "9a ffffffff 01"},
	{"cbor-wrong-reserved", CBOR, "82 01 1c"},
	{"cbor-wrong-simple", CBOR, "82 01 f8 18"},
	{"cbor-wrong-break", CBOR, "82 01 ff"},
	{"cbor-wrong-break-value", CBOR, "bf 61 61 ff"},
	{"cbor-wrong-chunk", CBOR, "7f 41 00 ff"},
	{"cbor-empty", CBOR, ""},
}

// input returns the bytes of a case.
func input(t testing.TB, format, text string) []byte {
	if format != MessagePack && format != CBOR {
		return []byte(text)
	}
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDumpGolden(t *testing.T) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			in := input(t, tt.format, tt.input)
			var out bytes.Buffer
			if err := Dump(&out, bytes.NewReader(in), tt.format); err != nil {
				out.WriteString(err.Error() + "\n")
			}
			golden := filepath.Join("testdata", tt.name+".txt")
			if *update {
				if err := os.WriteFile(golden, out.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), want) {
				t.Errorf("got\n%s\nwant\n%s", out.Bytes(), want)
			}
			// The size of the reads must not show.
			var slow bytes.Buffer
			if err := Dump(&slow, iotest.OneByteReader(bytes.NewReader(in)), tt.format); err != nil {
				slow.WriteString(err.Error() + "\n")
			}
			if !bytes.Equal(slow.Bytes(), out.Bytes()) {
				t.Errorf("byte by byte\n%s\nat once\n%s", slow.Bytes(), out.Bytes())
			}
		})
	}
}

// Every file that was cut off is an error that says where, after the rows of
// what is there.
func TestDumpTruncated(t *testing.T) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			if strings.Contains(tt.name, "wrong") || strings.Contains(tt.name, "sequence") || tt.format == NDJSON {
				return
			}
			in := bytes.TrimSpace(input(t, tt.format, tt.input))
			if Dump(io.Discard, bytes.NewReader(in), tt.format) != nil {
				return
			}
			for n := 1; n < len(in); n++ {
				err := Dump(io.Discard, bytes.NewReader(in[:n]), tt.format)
				var located *weft.Error
				if !errors.As(err, &located) || !errors.Is(err, weft.ErrUnexpectedEnd) || located.Offset != int64(n) {
					t.Fatalf("%s cut off at %d: got %v", tt.name, n, err)
				}
			}
		})
	}
}

// A failing disk is not a broken file.
func TestDumpReadError(t *testing.T) {
	broken := errors.New("disk on fire")
	for _, format := range []string{JSON, NDJSON, MessagePack, CBOR} {
		for _, head := range []string{"", "\x91", "[", "\"a", "[1", "{\"a\": t"} {
			err := Dump(io.Discard, io.MultiReader(strings.NewReader(head), iotest.ErrReader(broken)), format)
			var located *weft.Error
			if !errors.Is(err, broken) && !(errors.As(err, &located) && located.Err != weft.ErrUnexpectedEnd) {
				t.Errorf("%s %q: got %v", format, head, err)
			}
		}
	}
}

// Nesting is bounded, and deep nesting takes neither the stack nor long paths.
func TestDumpDepth(t *testing.T) {
	for format, unit := range map[string]string{JSON: `{"name":[`, MessagePack: "\x81\xa4name\x91", CBOR: "\xa1\x64name\x81"} {
		t.Run(format, func(t *testing.T) {
			var out bytes.Buffer
			err := Dump(&out, strings.NewReader(strings.Repeat(unit, 200_000)), format)
			if !errors.Is(err, weft.ErrDepth) {
				t.Fatalf("%s: got %v, want %v", format, err, weft.ErrDepth)
			}
			if out.Len() > 200*2*maxDepth || len(err.Error()) > 300 {
				t.Errorf("%s: %d bytes of output, error of %d bytes", format, out.Len(), len(err.Error()))
			}
		})
	}
}

// A long value takes no memory of its own.
func TestDumpMemory(t *testing.T) {
	long := func() io.Reader {
		return io.MultiReader(strings.NewReader("\"a"), io.LimitReader(repeat('x'), 64<<20), strings.NewReader("\""))
	}
	got := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if err := Dump(io.Discard, long(), JSON); err != nil {
				b.Fatal(err)
			}
		}
	})
	if got.AllocedBytesPerOp() > 256<<10 {
		t.Errorf("64 MiB of text took %d bytes of memory", got.AllocedBytesPerOp())
	}
}

// repeat is an endless reader of one byte.
type repeat byte

func (r repeat) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(r)
	}
	return len(b), nil
}

// FuzzDump checks that Dump never panics, names an offset inside the input, and
// agrees with encoding/json and packages msgpack and cboritem on what is well-formed.
func FuzzDump(f *testing.F) {
	for _, tt := range cases {
		f.Add(input(f, tt.format, tt.input), tt.format == MessagePack, tt.format == CBOR)
	}
	f.Fuzz(func(t *testing.T, in []byte, pack, item bool) {
		format := JSON
		switch {
		case pack:
			format = MessagePack
		case item:
			format = CBOR
		}
		err := Dump(io.Discard, bytes.NewReader(in), format)
		var located *weft.Error
		if err != nil && (!errors.As(err, &located) || located.Offset < 0 || located.Offset > int64(len(in))) {
			t.Fatalf("%q: error without a place: %v", in, err)
		}
		if format == JSON && (err == nil) != json.Valid(in) {
			t.Fatalf("%q: got %v, valid %v", in, err, json.Valid(in))
		}
		if format == CBOR {
			var skipped error
			for rest := in; len(rest) > 0 && skipped == nil; {
				rest, skipped = cboritem.Skip(rest)
			}
			if (err == nil) != (skipped == nil) {
				t.Fatalf("% x: got %v, package cboritem says %v", in, err, skipped)
			}
		}
		if pack {
			var skipped error
			for rest := in; len(rest) > 0 && skipped == nil; {
				rest, skipped = msgpack.Skip(rest)
			}
			if (err == nil) != (skipped == nil) && !errors.Is(err, errTimestamp) {
				t.Fatalf("% x: got %v, package msgpack says %v", in, err, skipped)
			}
		}
	})
}
