package file

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
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
