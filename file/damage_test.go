package file

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// damagedOrder begins like the versions in it, as nested records do.
type damagedOrder struct {
	Save, Of int
	Text     string
	Parts    []version
}

// TestRepairLaw damages files in each place. Repair removes nothing that was complete and is unchanged, and it always
// removes what a writer that was killed has left.
func TestRepairLaw(t *testing.T) {
	pack, item := Records(msgpack.Format), Records(cbor.Format)
	gzip, zstd := compress.NewGzip(), compress.NewZstd()
	for _, tt := range []struct {
		name string
		opts []Options
	}{
		{"a.framed", nil},
		{"packed.framed", []Options{tagged.Compress(zstd)}},
		{"a.framed.gz", nil},
		{"a.framed.zst", nil},
		{"a.ndjson", nil},
		{"a.ndjson.gz", nil},
		{"a.ndjson.zst", nil},
		{"a.mp", []Options{As(pack)}},
		{"a.mp.gz", []Options{As(gzip.Format(pack))}},
		{"a.mp.zst", []Options{As(zstd.Format(pack))}},
		{"a.cbor", []Options{As(item)}},
		{"a.cbor.gz", []Options{As(gzip.Format(item))}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), tt.name)
			a, err := OpenAppender(path, tt.opts...)
			if err != nil {
				t.Fatal(err)
			}
			ends := []int64{0} // of what one call of Sync has written
			for i := range 4 {
				v := damagedOrder{i, 20 - i, fmt.Sprintf("%d of what is written again and again", 1<<(20*i)), []version{{i, 1, "a"}, {i, 2, "b"}}}
				if err := errors.Join(a.Encode(v), a.Sync()); err != nil {
					t.Fatal(err)
				}
				ends = append(ends, a.size)
			}
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if f, err := tagged.OpenFrames(bytes.NewReader(whole), int64(len(whole))); err == nil {
				header, _, _, _ := f.Frame(0)
				ends = append([]int64{0, header}, ends[1:]...)
			}
			check := func(what string, at, n int, b []byte) {
				t.Helper()
				if err := os.WriteFile(path, b, 0o600); err != nil {
					t.Fatal(err)
				}
				kept := int64(0) // the end of the last one that is as it was
				for i, end := range ends[1:] {
					if end <= int64(len(b)) && (int64(at+n) <= ends[i] || end <= int64(at)) {
						kept = end
					}
				}
				opened, err := OpenAppender(path, append(tt.opts, Repair(true))...)
				if err == nil {
					opened.file.Close()
				} else if what == "cut" && (int64(at) > ends[1] || !errors.Is(err, ErrDamaged)) { // else nested records may be found
					t.Fatalf("cut at %d: %v", at, err)
				} else if errors.Is(err, ErrTorn) {
					t.Fatalf("%s at %d: torn, and not repaired: %v", what, at, err)
				}
				now, _ := os.ReadFile(path)
				if int64(len(now)) < kept || !bytes.Equal(now[:kept], b[:kept]) || err != nil && !bytes.Equal(now, b) {
					t.Errorf("%s at %d: %d bytes of %d remain, and %d were complete: %v", what, at, len(now), len(b), kept, err)
				}
				if what == "cut" && err == nil && int64(len(now)) > kept && string(now) != string(b)+"\n" {
					t.Errorf("%s at %d: %d bytes remain, and %d were complete", what, at, len(now), kept)
				}
			}
			closed := whole
			if a.frames != nil {
				if err := a.Close(); err != nil {
					t.Fatal(err)
				}
				closed, _ = os.ReadFile(path)
			} else {
				defer a.Close()
			}
			for _, b := range [][]byte{whole, closed}[:1+min(1, len(closed)-len(whole))] {
				for n := range b {
					for what, bytes := range map[string]string{
						"flip": string([]byte{b[n] ^ 1<<(n%8)}), "flip all": string([]byte{^b[n]}),
						"huge": "\xff\xff\xff\x7f", "small": "\x01\x00\x00\x00", "zero": "\x00\x00\x00\x00",
					} {
						if testing.Short() && n%4 != 0 {
							break
						}
						bad := append([]byte(nil), b...)
						check(what, n, copy(bad[n:], bytes), bad)
					}
					if len(b) == len(whole) {
						check("cut", n, 0, b[:n])
					}
				}
			}
		})
	}
}

// TestSkipDamaged damages a file of frames in each place, behind its header. All records of frames that are whole are
// read, by each way, and what is left out has the damage in it.
func TestSkipDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.framed")
	a, err := OpenAppender(path)
	if err != nil {
		t.Fatal(err)
	}
	nested, err := tagged.MarshalFramed([]version{{1, 2, "nested"}})
	if err != nil {
		t.Fatal(err)
	}
	frame := []int64{} // where each begins
	for i := range 5 {
		v := version{i, len(nested), string(nested)}
		frame = append(frame, a.size)
		if err := errors.Join(a.Encode(v), a.Sync()); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := tagged.OpenFrames(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	frame[0], _, _, _ = f.Frame(0)
	frame = append(frame, a.size)
	check := func(what string, at, end int, b []byte) {
		t.Helper()
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		var want []int
		for i, from := range frame[:5] {
			if int64(end) <= from || int64(at) >= frame[i+1] {
				want = append(want, i)
			}
		}
		for name, read := range map[string]func(opt Options) ([]version, error){
			"load": func(opt Options) (list []version, err error) {
				return list, LoadFile(path, &list, opt, Workers(2), pieces(1))
			},
			"all": func(opt Options) (list []version, err error) {
				for v, err := range All[version](path, opt) {
					if err != nil {
						return list, err
					}
					list = append(list, v)
				}
				return list, nil
			},
		} {
			covered, last := false, int64(0)
			list, err := read(SkipDamaged(func(from, to int64) {
				covered = covered || from <= int64(at) && int64(at) < to
				if from >= to || from < last || to > int64(len(b)) {
					t.Errorf("%s at %d: %s: bytes %d to %d are lost", what, at, name, from, to)
				}
				last = to
			}))
			var got []int
			for _, v := range list {
				got = append(got, v.Save)
			}
			if err != nil || !slices.Equal(got, want) || covered != (at < len(b)) {
				t.Errorf("%s at %d: %s gives %v, %v, want %v; the damage was reported: %v", what, at, name, got, err, want, covered)
			}
		}
	}
	check("nothing", len(whole), len(whole), whole)
	for at := int(frame[0]); at < len(whole); at++ {
		bad := append([]byte(nil), whole...)
		bad[at] ^= 1 << (at % 8)
		check("flip", at, at+1, bad)
		check("cut", at, len(whole), whole[:at])
	}
}
