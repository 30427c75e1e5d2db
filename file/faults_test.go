package file

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/weftcodec/weft/msgpack"
)

// TestFaults flips a bit of each byte of a file that has checksums, and cuts it at
// each length: what is loaded is all or an error, and what is read of frames one
// by one is a prefix.
func TestFaults(t *testing.T) {
	var want []version
	for i := range 12 {
		want = append(want, version{i, 12, fmt.Sprintf("%d of what is written again and again, and again", i)})
	}
	for _, name := range []string{"a.framed", "packed.framed", "a.framed.zst", "a.ndjson.gz", "a.json.zst", "a.msgpack.gz", "a.tagged.zst"} {
		path := filepath.Join(t.TempDir(), name)
		if err := SaveFile(path, want, packedOf(path)...); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, n int, b []byte) {
			t.Helper()
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			var got []version
			if err := LoadFile(path, &got); err == nil && !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, %s %d: %v", name, what, n, got)
			} else if err != nil && got != nil {
				t.Fatalf("%s, %s %d: %v beside the error %v", name, what, n, got, err)
			} else if what == "cut at" && !errors.Is(err, ErrTorn) {
				t.Fatalf("%s, %s %d: %v, which is not ErrTorn", name, what, n, err)
			}
			if filepath.Ext(name) != ".framed" {
				return // which gives values before it comes to the checksum
			}
			i := 0
			for v, err := range All[version](path) {
				if err != nil {
					return
				}
				if i == len(want) || v != want[i] {
					t.Fatalf("%s, %s %d: record %d is %v", name, what, n, i, v)
				}
				i++
			}
			t.Fatalf("%s, %s %d: no error from %d records", name, what, n, i)
		}
		for n := range b {
			b[n] ^= 1 << (n % 8)
			check("flipped", n, b)
			b[n] ^= 1 << (n % 8)
			if n > 0 { // lines may also be none
				check("cut at", n, b[:n])
			}
		}
	}
}

// TestTorn cuts a file at each length, in every format and compression: LoadFile says
// that it is torn, whatever it is loaded into, unless what is left are whole records.
func TestTorn(t *testing.T) {
	var want []version
	for i := range 5 {
		want = append(want, version{i, -12, "text"})
	}
	for _, ext := range []string{"", ".gz", ".zst"} {
		for _, kind := range []string{"a.json", "a.ndjson", "a.msgpack", "records.mp", "a.tagged", "a.framed"} {
			name := kind + ext
			t.Run(name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), name)
				var opts []Options
				records := kind == "a.ndjson" || kind == "records.mp"
				first := 0 // cut; zero bytes are a file without records
				if kind == "a.msgpack" {
					first = 1
				}
				if kind == "records.mp" {
					f := Records(msgpack.Format)
					if _, c := formatOfName(name); c != nil {
						f = c.Format(f)
					}
					opts = append(opts, As(f))
				}
				if err := SaveFile(path, want, opts...); err != nil {
					t.Fatal(err)
				}
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				torn := 0
				for n := first; n < len(b); n++ {
					if err := os.WriteFile(path, b[:n], 0o600); err != nil {
						t.Fatal(err)
					}
					var list []version
					var all any
					errs := []error{LoadFile(path, &list)}
					if kind != "records.mp" { // which are not one value
						errs = append(errs, LoadFile(path, &all))
					}
					for _, err := range errs {
						switch {
						case errors.Is(err, ErrTorn):
							torn++
							var e *Error
							if !errors.As(err, &e) || e.Name != path || strings.Count(err.Error(), ErrTorn.Error()) != 1 {
								t.Errorf("cut at %d: %v", n, err)
							}
						case err != nil || !records || len(list) > 0 && !slices.Equal(list, want[:len(list)]):
							t.Fatalf("cut at %d of %d: %v, %v, %v", n, len(b), list, all, err)
						}
					}
				}
				if torn < len(b)/2 {
					t.Errorf("%d of %d are torn", torn, len(b))
				}
				if records {
					return
				}
				if err := SaveFile(path, want[0]); err != nil {
					t.Fatal(err)
				}
				if b, err = os.ReadFile(path); err != nil {
					t.Fatal(err)
				}
				for n := range b {
					if err := os.WriteFile(path, b[:n], 0o600); err != nil {
						t.Fatal(err)
					}
					for _, v := range []any{new(version), new(any), new(map[string]any)} {
						if err := LoadFile(path, v); !errors.Is(err, ErrTorn) {
							t.Fatalf("one record, cut at %d of %d, into %T: %v", n, len(b), v, err)
						}
					}
				}
			})
		}
	}
}
