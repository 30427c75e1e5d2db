package msgpack

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weftcodec/weft"
)

// everyFormat is a document with each format of the specification, in its
// shortest form.
func everyFormat() []byte {
	b := AppendArrayHeader(nil, 4)
	b = AppendArrayHeader(b, 16)
	for _, v := range []int64{0, 127, 128, 255, 256, 65535, 65536, 1<<32 - 1, 1 << 32, -1, -32, -33, -128, -129, -32769, -1 << 40} {
		b = AppendInt(b, v)
	}
	b = AppendMapHeader(b, 16)
	for i, n := range []int{0, 31, 32, 255, 256, 65535, 65536, 1, 2, 3, 4, 8, 16, 17, 300, 70000} {
		b = AppendString(AppendInt(b, int64(i)), strings.Repeat("s", n))
	}
	b = AppendArrayHeader(b, 10)
	for _, n := range []int{0, 1, 2, 4, 8, 16, 255, 256, 65536, 3} {
		b = AppendExt(b, 5, make([]byte, n))
	}
	b = AppendMapHeader(b, 4)
	b = AppendFloat64(AppendFloat32(b, 1.5), 2.5)
	b = AppendBool(AppendBool(b, true), false)
	b = AppendBytes(AppendNil(b), make([]byte, 300))
	return AppendExt(AppendUint(b, 1<<64-1), -1, []byte{0, 0, 0, 1})
}

func TestTokens(t *testing.T) {
	in := everyFormat()
	if !Valid(in) {
		t.Fatal("the document is not valid")
	}
	var out []byte
	seen := map[weft.Kind]int{}
	for rest := in; len(rest) > 0; {
		tok, next, err := ReadToken(rest)
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(rest) - len(next) {
			if _, _, err := ReadToken(rest[:min(n, 20)]); n <= 20 && !errors.Is(err, weft.ErrUnexpectedEnd) {
				t.Fatalf("%.8x cut at %d: %v", rest, n, err)
			}
		}
		seen[tok.Kind]++
		if out, err = AppendToken(out, tok); err != nil {
			t.Fatal(err)
		}
		rest = next
	}
	if string(out) != string(in) {
		t.Error("tokens written again are other bytes")
	}
	if len(seen) != 11 {
		t.Errorf("kinds seen: %v", seen)
	}
	if _, _, err := ReadToken([]byte{0xc1}); !errors.Is(err, errNeverUsed) {
		t.Errorf("c1: %v", err)
	}
	for _, bad := range []Token{{}, {Kind: weft.KindNumber}, {Kind: weft.KindArray, Len: -1}} {
		if b, err := AppendToken([]byte("x"), bad); err == nil || string(b) != "x" {
			t.Errorf("%+v is written: %x", bad, b)
		}
	}
}

func TestTokenStream(t *testing.T) {
	in := everyFormat()
	for name, src := range map[string]io.Reader{
		"whole":    strings.NewReader(string(in)),
		"bytewise": iotest.OneByteReader(strings.NewReader(string(in))),
	} {
		d := NewDecoder(src)
		var out []byte
		for {
			tok, err := d.ReadToken()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			out, _ = AppendToken(out, tok)
		}
		if string(out) != string(in) || d.InputOffset() != int64(len(in)) {
			t.Errorf("%s: other bytes", name)
		}
	}
	// The elements of an array that is never in memory at once.
	d := NewDecoder(strings.NewReader("\x93\x01\x02\x03\xa1x"))
	tok, err := d.ReadToken()
	if err != nil || tok.Kind != weft.KindArray || tok.Len != 3 {
		t.Fatal(tok, err)
	}
	sum := 0
	for range tok.Len {
		var n int
		if err := d.Decode(&n); err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	if tok, err := d.ReadToken(); err != nil || string(tok.Data) != "x" || sum != 6 {
		t.Error(sum, tok, err)
	}
	for in, want := range map[string]error{
		"\x01\xc1":                   errNeverUsed,
		"\x01\xda\x00":               weft.ErrUnexpectedEnd,
		"\x01\xdb\xff\xff\xff\xffab": weft.ErrUnexpectedEnd,
	} {
		t.Run(in, func(t *testing.T) {
			d := NewDecoder(strings.NewReader(in))
			if _, err := d.ReadToken(); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				_, err := d.ReadToken()
				var e *weft.Error
				if !errors.As(err, &e) || !errors.Is(err, want) || e.Offset != 1 {
					t.Errorf("%x: %v", in, err)
				}
			}
		})
	}
}

// TestNextPair reads a map whose keys are of many kinds without reflection.
func TestNextPair(t *testing.T) {
	b := AppendMapHeader(nil, 3)
	b = AppendString(AppendArrayHeader(b, 0), "list")
	b = AppendInt(AppendFloat64(b, 1.5), 2)
	b = AppendNil(AppendBool(b, true))
	var got []weft.Kind
	err := Read(b, ReaderFunc(func(r *Reader) error {
		for ok := r.BeginMap() && r.NextPair(); ok; ok = r.NextPair() {
			got = append(got, r.Kind())
			r.Skip()
			r.Skip()
		}
		return r.Err()
	}))
	if err != nil || len(got) != 3 || got[0] != weft.KindArray || got[1] != weft.KindFloat || got[2] != weft.KindBool {
		t.Error(got, err)
	}
	empty := Read([]byte{0x80}, ReaderFunc(func(r *Reader) error {
		if r.BeginMap() && r.NextPair() {
			t.Error("a pair in an empty map")
		}
		return r.Err()
	}))
	if empty != nil {
		t.Error(empty)
	}
}

// TestTokensOfAnything: tokens of a random document, cut anywhere, never panic.
func TestTokensOfAnything(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 64)
	for range 20000 {
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		for rest := b; len(rest) > 0; {
			tok, next, err := ReadToken(rest)
			if err != nil {
				break
			}
			if len(tok.Data) > len(rest) || len(next) >= len(rest) {
				t.Fatalf("%x: %+v", rest, tok)
			}
			rest = next
		}
	}
}
