package tagged

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/internal/wire/framewire"
)

// TestCompressed writes frames that are compressed, continues them, and reads them
// in every way.
func TestCompressed(t *testing.T) {
	zip := Compress(compress.NewZstd())
	list := make([]line, 30_000)
	for i := range list {
		list[i] = line{i * i, fmt.Sprintf("what happens %d times, and then %x times", i*i%1009, i)}
	}
	plain, err := MarshalFramed(list)
	if err != nil {
		t.Fatal(err)
	}
	b, err := MarshalFramed(list, zip)
	if err != nil || 2*len(b) > len(plain) {
		t.Fatalf("%d bytes, %d without compression: %v", len(b), len(plain), err)
	}
	var w bytes.Buffer
	if err := WriteFrames(&w, list, 3, zip); err != nil || !bytes.Equal(w.Bytes(), b) {
		t.Error("by several goroutines", err)
	}
	var back []line
	if err := UnmarshalFramed(b, &back, zip); err != nil || !reflect.DeepEqual(back, list) {
		t.Error(err)
	}
	var tree any
	if err := UnmarshalFramed(b, &tree, zip); err != nil || len(tree.([]any)) != len(list) {
		t.Error(err)
	}

	name := t.TempDir() + "/lines"
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, opts := range [][]Options{{zip}, nil, {Compress(compress.NewZstd(compress.Level(9)))}} {
		e, err := AppendFrames(f, opts...) // with compression, without, and harder
		if err != nil {
			t.Fatal(err)
		}
		more := list[:9_000]
		if err := errors.Join(e.EncodeSlice(more), e.Close()); err != nil {
			t.Fatal(err)
		}
		list = append(list, more...)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	x, err := OpenFrames(f, info.Size(), zip)
	if err != nil || x.Len() != int64(len(list)) || x.Torn() != nil {
		t.Fatal(x.Len(), err, x.Torn())
	}
	for _, n := range []int{0, 1, 8191, 8192, 29_999, 30_000, 40_000, 56_999} {
		var one line
		if err := x.Record(int64(n), &one); err != nil || one != list[n] {
			t.Error(n, one, err)
		}
	}
	if err := x.ReadAll(&back, 3); err != nil || !reflect.DeepEqual(back, list) {
		t.Error("in parallel", err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	d := NewFrameDecoder(f, zip)
	for i := range list {
		if i == 20_000 {
			d.SkipFrame() // the rest of one
			break
		}
		var one line
		if err := d.Decode(&one); err != nil || one != list[i] {
			t.Fatal(i, one, err)
		}
	}
	var one line
	if err := d.Decode(&one); err != nil || one != list[3*8192] {
		t.Error(one, err)
	}
}

// TestCompressedErrors: what cannot be read is said to be so.
func TestCompressedErrors(t *testing.T) {
	zip := Compress(compress.NewZstd())
	list := []string{strings.Repeat("ab", 500), strings.Repeat("ba", 500)}
	b, err := MarshalFramed(list, zip)
	if err != nil {
		t.Fatal(err)
	}
	var back []string
	if err := UnmarshalFramed(b, &back); !errors.Is(err, errCompression) {
		t.Error(err)
	}
	if err := UnmarshalFramed(b, &back, Compress(compress.NewGzip())); !errors.Is(err, errCompression) {
		t.Error(err)
	}
	if _, err := MarshalFramed(list, Compress(compress.NewGzip())); err == nil {
		t.Error("frames are compressed by gzip")
	}
	h, err := framewire.ParseHeader(b)
	if err != nil {
		t.Fatal(err)
	}
	f, err := framewire.ParseFrame(b[h.Size:])
	if err != nil || f.How != framewire.Zstd {
		t.Fatal(f, err)
	}
	// Bodies that say something else than they hold, with their checksums right.
	reseal := func(body []byte, rows int, how byte) []byte {
		out := append([]byte(nil), b[:h.Size]...)
		at := len(out)
		out = append(append(out, make([]byte, framewire.FrameLen)...), body...)
		framewire.Seal(out[at:], rows, how)
		return framewire.AppendEnd(out, int64(rows))
	}
	z := compress.NewZstd()
	packed := func(size int, body []byte) []byte {
		b, err := z.Append([]byte{byte(size) | 0x80, byte(size >> 7)}, body)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	bomb := make([]byte, 1<<20)
	for name, bad := range map[string][]byte{
		"more than it says":  reseal(packed(100, bomb), 2, framewire.Zstd),
		"less than it says":  reseal(packed(1000, bomb[:10]), 2, framewire.Zstd),
		"no zstd":            reseal(f.Body[1:], 2, framewire.Zstd),
		"nothing":            reseal(nil, 2, framewire.Zstd),
		"another way":        reseal(f.Body, 2, framewire.Zstd+1),
		"compressed as none": reseal(f.Body, 2, framewire.Plain),
		"a large size":       reseal([]byte{0xff, 0xff, 0xff, 0xff, 0x7f, 1}, 2, framewire.Zstd),
		"an empty frame":     reseal(f.Body, 0, framewire.Zstd),
	} {
		t.Run(name, func(t *testing.T) {
			var e *weft.Error
			if err := UnmarshalFramed(bad, &back, zip); !errors.As(err, &e) || e.Format != framedName {
				t.Error(err)
			}
			d := NewFrameDecoder(bytes.NewReader(bad), zip)
			if err := d.Decode(new(string)); err == nil || err == io.EOF {
				t.Errorf("as a stream: %v", err)
			}
		})
	}
}
