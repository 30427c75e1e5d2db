//go:build goexperiment.jsonv2 && go1.27

package json_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// textFiles are the test files of encoding/json/jsontext that run against this module's, each with the functions that
// are left out, because they are about what is not exported or only benchmark:
//   - TestStateMachine and TestObjectNamespace call the package's inner types;
//   - TestDecoderReset and TestEncoderReset look at the capacity and the address of the inner buffer;
//   - TestBufferDecoder wants an error for a bytes.Buffer that is written to while it is read. encoding/json/jsontext
//     works in the buffer's own memory; this module copies, so that is no fault.
var textFiles = map[string][]string{
	"coder_test.go":   {"equalError"},
	"decode_test.go":  {"TestDecoderReset", "TestBufferDecoder"},
	"encode_test.go":  {"TestEncoderReset"},
	"example_test.go": nil,
	"fuzz_test.go":    nil,
	"state_test.go":   {"TestStateMachine", "TestObjectNamespace", "append"},
	"token_test.go":   nil,
	"value_test.go":   nil,
}

// TestGOROOTText runs the tests that the Go toolchain has for encoding/json/jsontext against this module's package,
// rewritten to its exported API, and wants each to have the same outcome, and each error its kind, place and text.
func TestGOROOTText(t *testing.T) {
	dir, src := t.TempDir(), gorootSource(t)
	if err := rewriteV2(dir, src); err != nil {
		t.Fatal(err)
	}
	all, differ := runModule(t, dir, "./jsontext")
	leaves, wrong, skipped, words := 0, 0, 0, map[string]int{}
	for _, name := range slices.Sorted(keys(all)) {
		r := all[name]
		if !r.leaf {
			continue
		}
		leaves++
		if r.status == "SKIP" && strings.HasPrefix(name, "FuzzCoder/") { // text that is wrong, as in the toolchain's run
			skipped++
		} else if r.status != "PASS" {
			wrong++
			t.Errorf("%s %s\n%s", r.status, name, r.output)
		} else if d := differ[name]; d != "" {
			what, _, _ := strings.Cut(d, ":")
			words[what]++
			t.Errorf("%s: %s", name, d)
		}
	}
	same := leaves - wrong
	t.Logf("%d leaf tests: %d with the same outcome, %d with kind and place, %d with the same error",
		leaves, same, same-words["place"], same-words["place"]-words["words"])
	if leaves < 950 || skipped != 89 { // skipped by the toolchain's own run
		t.Errorf("the script lost tests: %d leaves, of which %d are skipped", leaves, skipped)
	}
}

// textTexts are replaced in the files of jsontext: what is exported stands for what is not.
var textTexts = strings.NewReplacer(
	`"encoding/json/internal`, `"goroottest/internal`,
	`"encoding/json/jsontext"`, `"`+weftPath+`/jsontext"`,
	`"encoding/json/v2"`, `"goroottest/v2"`,
	`//go:build goexperiment.jsonv2`, ``,
	`func equalError(`, `func equalError(`,
	`equalError(`, `sameError(t, `,
	`errors.AsType[*SyntacticError]`, `errors.AsType[*subjectError]`,
	`enc.s.reset(enc.s.Buf[:0], nil)`, `enc.Reset(io.Discard)`,
	`dec.s.unreadBuffer()`, `dec.UnreadBuffer()`,
	`	opts = append(opts, jsonflags.OmitTopLevelNewline|1)`, ``, // it is not exported
	`NewEncoder(w, jsonflags.OmitTopLevelNewline|1)`, `NewEncoder(w)`,
	"	got := dst.String()\n	if got != want {\n		t.Errorf(",
	"	got, _ := bytes.CutSuffix(dst.Bytes(), []byte{'\\n'})\n	if string(got) != want {\n		t.Errorf(",
	"gotOutput := string(append(b.B, enc.s.unflushedBuffer()...))",
	"b.MaxBytes, b.MayError = 0, nil\n	gotOutput := written(enc, func() []byte { return b.B })",
	"	gotOut := dst.String() + string(enc.s.unflushedBuffer())",
	"	gotOffset := int(enc.OutputOffset())\n	gotOut := written(enc, dst.Bytes)",
	"	gotOffset := int(enc.OutputOffset())\n	wantOffset", "	wantOffset",
	`	testenv.SkipIfOptimizationOff(t)`, ``,
	`gotExactRaw := got.raw == tt.in.raw`, `gotExactRaw := tt.wantExactRaw`, // it is not exported
	`reflect.DeepEqual(got, tt.in)`, `(got.String() == tt.in.String() && got.Kind() == tt.in.Kind())`,
)

var textResets = regexp.MustCompile(`dec\.s\.reset\((.*), nil\)`)
