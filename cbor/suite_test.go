package cbor_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/cbor/cboritem"
)

// suite returns the texts of the files of a public suite whose names end so, by name. It is not part of the project:
// WEFT_CBOR_SUITES names the folder that has cbor/test-vectors as test-vectors, cose-wg/Examples as cose and
// laurencelundblade/QCBOR as qcbor.
func suite(t *testing.T, name, ending string) map[string][]byte {
	t.Helper()
	root, files := os.Getenv("WEFT_CBOR_SUITES"), map[string][]byte{}
	if root == "" {
		t.Skip("WEFT_CBOR_SUITES names no folder: .ci/run suites fetches one")
	}
	filepath.WalkDir(filepath.Join(root, name), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ending) {
			files[path], err = os.ReadFile(path)
		}
		return err
	})
	if len(files) == 0 {
		t.Skip("the folder has no such suite")
	}
	return files
}

// TestSuiteVectors: the vectors of cbor/test-vectors are read as what they are, and those that can be are written so.
func TestSuiteVectors(t *testing.T) {
	total := 0
	for name, text := range suite(t, "test-vectors", ".json") {
		var vectors []struct {
			Hex        string
			Roundtrip  bool
			Decoded    *json.RawMessage
			Diagnostic *string
		}
		if err := json.Unmarshal(text, &vectors); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, v := range vectors {
			b, err := hex.DecodeString(v.Hex)
			if err != nil {
				t.Fatal(err)
			}
			if v.Hex == "f818" { // which RFC 7049 had, and RFC 8949 has not
				if cbor.Valid(b) {
					t.Errorf("%s is valid", v.Hex)
				}
				continue
			}
			total++
			var got any
			if err := cbor.Unmarshal(b, &got); err != nil {
				t.Errorf("%s: %v", v.Hex, err)
				continue
			}
			back, err := cbor.Marshal(got)
			var again any
			if err == nil {
				err = cbor.Unmarshal(back, &again)
			}
			twice, failed := cbor.Marshal(again, cbor.Core.Strict())
			once, failed2 := cbor.Marshal(got, cbor.Core.Strict())
			if err != nil || failed != nil || failed2 != nil || !bytes.Equal(once, twice) {
				t.Errorf("%s became %x, then %x: %v %v %v", v.Hex, once, twice, err, failed, failed2)
			}
			if d, _, err := cboritem.AppendDiagnostic(nil, b); err != nil {
				t.Errorf("%s: %v", v.Hex, err)
			} else if parsed, err := cboritem.ParseDiagnostic(string(d)); err != nil || !bytes.Equal(parsed, b) {
				t.Errorf("%s as %s is %x: %v", v.Hex, d, parsed, err)
			}
		}
	}
	t.Logf("%d vectors", total)
}

// TestSuiteCOSE: each item of cose-wg/Examples is written back byte for byte, by way of Go values, tokens and
// diagnostic notation.
func TestSuiteCOSE(t *testing.T) {
	total, values := 0, 0
	for name, text := range suite(t, "cose", ".json") {
		var doc any
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		each(doc, func(b []byte) {
			total++
			text, rest, err := cboritem.AppendDiagnostic(nil, b)
			if err != nil || len(rest) > 0 {
				t.Errorf("%s: %x: %v", name, b, err)
				return
			}
			if back, err := cboritem.ParseDiagnostic(string(text)); err != nil || !bytes.Equal(back, b) {
				t.Errorf("%s: %x as %s is %x: %v", name, b, text, back, err)
			}
			if !cbor.Valid(b, cbor.Core.Strict()) && !cbor.Valid(b, cbor.LengthFirst.Strict()) {
				return
			}
			var v any
			if err := cbor.Unmarshal(b, &v); err != nil {
				t.Errorf("%s: %x: %v", name, b, err)
				return
			}
			mode := cbor.Core
			if !cbor.Valid(b, mode.Strict()) {
				mode = cbor.LengthFirst
			}
			if back, err := cbor.Marshal(v, mode.Strict()); err != nil || !bytes.Equal(back, b) {
				t.Errorf("%s: %x became %x: %v", name, b, back, err)
			}
			values++
		})
	}
	if total < 651 {
		t.Errorf("only %d items", total)
	}
	t.Logf("%d items, %d of them deterministic", total, values)
}

var (
	malformed = regexp.MustCompile(`\{\(uint8_t\[\]\)\{([^}]*)\}, (\d+)\}`)
	number    = regexp.MustCompile(`0x[0-9a-fA-F]{2}`)
)

// TestSuiteQCBOR: the items of QCBOR that are not well-formed are refused, whatever reads them.
func TestSuiteQCBOR(t *testing.T) {
	total := 0
	for name, text := range suite(t, "qcbor", "not_well_formed_cbor.h") {
		for _, m := range malformed.FindAllSubmatch(text, -1) {
			var b []byte
			for _, digits := range number.FindAll(m[1], -1) {
				b, _ = hex.AppendDecode(b, digits[2:])
			}
			if n, _ := strconv.Atoi(string(m[2])); n > 0 && n < len(b) {
				b = b[:n]
			}
			total++
			var v any
			if err := cbor.Unmarshal(b, &v); err == nil || v != nil || cbor.Valid(b) {
				t.Errorf("%s: %s: %x is read as %v: %v", name, m[0], b, v, err)
			}
			d, err := cbor.NewDecoder(bytes.NewReader(b)), error(nil)
			for n := 0; err == nil; n++ {
				if err = d.Decode(&v); err == io.EOF && len(b) > 0 {
					t.Errorf("%s: %s: %x is read from a stream as %d items", name, m[0], b, n)
				}
			}
			if text, rest, err := cboritem.AppendDiagnostic(nil, b); err == nil && len(rest) == 0 {
				t.Errorf("%s: %s: %x is %s", name, m[0], b, text)
			}
		}
	}
	if total < 90 {
		t.Errorf("only %d items", total)
	}
	t.Logf("%d items", total)
}

// items are the members of cose-wg/Examples that are CBOR, in hexadecimal digits.
var items = []string{"cbor", "Context_hex", "AAD_hex", "ToMac_hex", "ToBeSign_hex"}

// each calls f for all items.
func each(v any, f func(b []byte)) {
	switch v := v.(type) {
	case map[string]any:
		for name, m := range v {
			text, ok := m.(string)
			if b, err := hex.DecodeString(text); ok && err == nil && len(b) > 0 && slices.Contains(items, name) {
				f(b)
			}
			each(m, f)
		}
	case []any:
		for _, e := range v {
			each(e, f)
		}
	}
}
