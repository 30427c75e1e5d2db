package tagged

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
)

// TestWriteFrames writes and reads with several goroutines what one writes and
// reads.
func TestWriteFrames(t *testing.T) {
	ids := moduleIDs(t)
	var long []struct{ Text string }
	text := strings.Repeat("0123456789abcdef", 4<<10) // 64 KiB
	for i := range 300 {
		long = append(long, struct{ Text string }{fmt.Sprint(i*7919%1000, "/", text[i:])})
	}
	for _, v := range []any{ids, wides(8_300), long, ids[:3], ids[:0], []moduleID(nil), 7, []*moduleID{&ids[1], nil}} {
		want, err := MarshalFramed(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{0, 3} {
			var w bytes.Buffer
			if err := WriteFrames(&w, v, workers); err != nil || !bytes.Equal(w.Bytes(), want) {
				t.Errorf("%T with %d workers: %v, %d bytes, want %d", v, workers, err, w.Len(), len(want))
			}
		}
		rt := reflect.TypeOf(v)
		if rt.Kind() != reflect.Slice {
			continue
		}
		f, err := OpenFrames(bytes.NewReader(want), int64(len(want)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Frames() {
			if _, size, _, n := f.Frame(i); size > 2*frameBytes+frameBytes && n > 1 {
				t.Errorf("%T: frame %d of %d records has %d bytes", v, i, n, size)
			}
		}
		one, many := reflect.New(rt), reflect.New(rt)
		if err := errors.Join(f.ReadAll(one.Interface(), 1), f.ReadAll(many.Interface(), 3)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(one.Interface(), many.Interface()) || one.Elem().Len() != reflect.ValueOf(v).Len() {
			t.Errorf("%T: not the same in order", v)
		}
		if reflect.ValueOf(v).Len() > 0 && !reflect.DeepEqual(one.Elem().Interface(), v) {
			t.Errorf("%T: other records", v)
		}
	}
	if n := frameCount(t, long); n < 4 {
		t.Errorf("%d frames of 19 MB", n)
	}
}

func frameCount(t *testing.T, v any) int {
	b, err := MarshalFramed(v)
	if err != nil {
		t.Fatal(err)
	}
	f, err := OpenFrames(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f.Frames()
}

// wordy fails where it says so.
type wordy string

func (w wordy) MarshalText() ([]byte, error) {
	if w == "bad" {
		return nil, errors.New("a bad word")
	}
	return []byte(w), nil
}

func (w *wordy) UnmarshalText(b []byte) error { *w = wordy(b); return nil }

// TestWriteFramesErrors finds the first record that cannot be written, whoever
// writes it, and stops when the writer fails.
func TestWriteFramesErrors(t *testing.T) {
	flat := make([]struct{ W wordy }, 30_000)
	deep := make([]struct {
		N []int
		W []wordy
	}, 30_000)
	for i := range deep {
		deep[i].W = make([]wordy, 2)
	}
	flat[20_123].W, flat[28_000].W = "bad", "bad"
	deep[20_123].W[1], deep[28_000].W[0] = "bad", "bad"
	for _, v := range []any{flat, deep} {
		_, err := MarshalFramed(v)
		var want *weft.Error
		if !errors.As(err, &want) || !strings.HasPrefix(want.Path, "/20123") {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 4} {
			var w bytes.Buffer
			if got := WriteFrames(&w, v, workers); got == nil || got.Error() != err.Error() {
				t.Errorf("%d workers: %v, want %v", workers, got, err)
			}
			full := errors.New("disk is full")
			if err := WriteFrames(&failingWriter{20, full}, moduleIDs(t), workers); err != full {
				t.Errorf("%d workers: %v", workers, err)
			}
		}
	}
	if _, err := MarshalFramed(wordy("bad")); err == nil || strings.Contains(err.Error(), "/0") {
		t.Error(err)
	}
}

// failingWriter fails when its bytes are used up.
type failingWriter struct {
	left int
	err  error
}

func (w *failingWriter) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, w.err
	}
	return len(b), nil
}
