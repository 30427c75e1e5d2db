package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/tagged"
)

// weft runs the tool in this process.
func weft(in string, args ...string) (status int, out, errs string) {
	var stdout, stderr bytes.Buffer
	status = run(args, streams{in: strings.NewReader(in), out: &stdout, err: &stderr})
	return status, stdout.String(), stderr.String()
}

// scratch is a folder with files in it.
func scratch(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Each wrong call is answered with what is wrong and what would be right.
func TestMisuse(t *testing.T) {
	dir := scratch(t, map[string]string{
		"ok.json":     `{"a":1}`,
		"broken.json": `{"a":[1,2,}`,
		"odd.data":    `{"a":1}`,
		"big.json":    `{"a":[18446744073709551616]}`,
	})
	tests := []struct {
		args   string // DIR stands for the folder
		status int
		want   []string // on the standard error
	}{
		{"", 2, []string{"usage: weft COMMAND", "convert", "inspect", "weft help COMMAND"}},
		{"nonsense", 2, []string{`no command "nonsense"`, "the commands are", "convert", "Run `weft help`"}},
		{"help nonsense", 2, []string{`no command "nonsense"`}},

		{"convert", 2, []string{"expected two arguments, IN and OUT; got 0", "usage: weft convert IN OUT", "Run `weft help convert`"}},
		{"convert DIR/ok.json", 2, []string{"got 1"}},
		{"convert DIR/ok.json DIR/a.mp DIR/b.mp", 2, []string{"got 3"}},
		{"convert --form json DIR/ok.json DIR/a.mp", 2, []string{"-form", "usage: weft convert"}},
		{"convert DIR/ok.json DIR/a.mp --from", 2, []string{"-from", "usage: weft convert"}},
		{"convert DIR/ok.json DIR/a.mp --from xml", 2, []string{"--from xml: no such format", "json, ndjson, msgpack, cbor, tagged and framed"}},
		{"convert DIR/odd.data DIR/a.mp", 2, []string{"odd.data: the name does not select a format", "--from"}},
		{"convert DIR/ok.json DIR/a.data", 2, []string{"a.data: the name does not select a format", "--to"}},
		{"convert - DIR/a.mp", 2, []string{"a standard stream has no name", "--from"}},
		{"convert DIR/ok.json -", 2, []string{"--to"}},
		{"convert DIR DIR/a.mp --from json", 1, []string{"is a folder: name a file in it"}},
		{"convert DIR/ok.json DIR --to msgpack", 1, []string{"is a folder: name a file in it"}},
		{"convert DIR/ok.json DIR/none/a.mp", 1, []string{"none does not exist: create it first"}},
		{"convert DIR/broken.json DIR/a.mp", 1, []string{"broken.json: json: at /a", "offset 10"}},
		{"convert DIR/big.json DIR/a.mp", 1, []string{"big.json: json: at /a/0, offset 6", "18446744073709551616", "64 bits"}},

		{"gen", 2, []string{"expected openapi and the name of one document", "usage: weft gen openapi DOC --out DIR"}},
		{"gen openapi DIR/ok.json", 2, []string{"--out is missing"}},
		{"gen openapi DIR/none.yaml --out DIR/gen", 1, []string{"none.yaml: there is no such file"}},
		{"inspect DIR/none.json", 1, []string{"weft inspect: ", "none.json: there is no such file: check the path"}},
		{"convert DIR/none.json DIR/none.msgpack", 1, []string{"weft convert: ", "none.json: there is no such file: check the path"}},
		{"migrate imports DIR/none", 1, []string{"weft migrate: ", "none: there is no such file: check the path"}},
		{"migrate nan DIR", 1, []string{"run this in the folder of a module"}},
		{"gen openapi DIR/broken.json --out DIR/gen", 1, []string{"broken.json:1:"}},
		{"gen openapi ../../examples/petstore/openapi.yaml --out DIR/ok.json/gen", 1,
			[]string{"the folder cannot be made", "ok.json", "choose another one"}},

		{"compare", 2, []string{"expected one file, got 0", "usage: weft compare FILE", "Run `weft help compare`"}},
		{"compare DIR/ok.json DIR/ok.json", 2, []string{"got 2"}},
		{"compare DIR/ok.json --sort colour", 2, []string{"--sort colour: no such order", "size, save, load, time and name"}},
		{"compare DIR/ok.json --time soon", 2, []string{"-time"}},
		{"compare DIR/ok.json --time=-1s", 2, []string{"--time -1s"}},
		{"compare DIR/ok.json --format xml", 2, []string{`no format "xml"`, "json, ndjson, msgpack, cbor, framed and tagged"}},
		{"compare DIR/none.json", 1, []string{"weft compare: ", "none.json: there is no such file: check the path"}},
		{"compare DIR", 1, []string{"is a folder: name a file in it"}},
		{"compare DIR/broken.json", 1, []string{"broken.json: ", "json: at ", "offset 10"}},
		{"compare DIR/ok.json --time 0s --html DIR/none/a.html", 1, []string{"none does not exist: create it first"}},

		{"inspect", 2, []string{"expected one file, got 0", "usage: weft inspect FILE"}},
		{"inspect DIR/ok.json DIR/ok.json", 2, []string{"got 2"}},
		{"inspect --colour DIR/ok.json", 2, []string{"-colour"}},
		{"inspect DIR/ok.json --format xml", 2, []string{`no format "xml"`, "json, ndjson, msgpack, cbor, tagged and framed"}},
		{"inspect DIR", 1, []string{"is a folder: name a file in it"}},
		{"inspect DIR/broken.json", 1, []string{"broken.json: json: at /a/2, offset 10", "where a value is expected"}},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			status, out, errs := weft("", strings.Fields(strings.ReplaceAll(tt.args, "DIR", dir))...)
			if status != tt.status {
				t.Errorf("status %d, want %d\n%s", status, tt.status, errs)
			}
			for _, want := range tt.want {
				if !strings.Contains(errs, want) {
					t.Errorf("stderr %q\ndoes not say %q", errs, want)
				}
			}
			if out != "" && !strings.HasPrefix(tt.args, "inspect DIR/broken") {
				t.Errorf("stdout %q", out)
			}
		})
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 4 {
		t.Errorf("files were left behind: %v", left)
	}
}

func TestHelp(t *testing.T) {
	for _, args := range []string{"help", "--help", "-h"} {
		status, out, errs := weft("", args)
		if status != 0 || !strings.HasPrefix(out, "usage: weft COMMAND") || errs != "" {
			t.Errorf("weft %s: %d %q %q", args, status, out, errs)
		}
	}
	for _, cmd := range commands() {
		for _, args := range [][]string{{"help", cmd.name}, {cmd.name, "--help"}, {cmd.name, "-h"}} {
			status, out, errs := weft("", args...)
			if status != 0 || !strings.HasPrefix(out, "usage: weft "+cmd.name) || errs != "" {
				t.Errorf("weft %q: %d %q %q", args, status, out, errs)
			}
		}
	}
}

func TestInspect(t *testing.T) {
	packed := func(c *compress.Codec, b []byte, err error) string {
		t.Helper()
		out, failed := c.Append(nil, b)
		if err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		return string(out)
	}
	message, err := tagged.Marshal(map[string]any{"a": 1})
	frames, err2 := tagged.MarshalFramed([]string{strings.Repeat("ab", 999), strings.Repeat("ba", 999)}, tagged.Compress(compress.NewZstd()))
	dir := scratch(t, map[string]string{
		"a.json.gz":     packed(compress.NewGzip(), []byte("{\"a\":1}\n"), nil),
		"a.msgpack.zst": packed(compress.NewZstd(), []byte("\x81\xa1a\x01"), nil),
		"a.tagged.zst":  packed(compress.NewZstd(), message, err),
		"a.framed":      string(frames),
		"a.framed.gz":   packed(compress.NewGzip(), frames, err2),
		"packed":        packed(compress.NewGzip(), []byte("[{}]"), nil),

		"a.json":     "{\"a\":1}\n",
		"a.msgpack":  "\x81\xa1a\x01",
		"a.jsonl":    "1\n2\n",
		"-plain":     " [1]",
		"plain":      "\x91\x01",
		"empty.json": "",
	})
	tests := []struct {
		in, args, want string
	}{
		{"", "inspect DIR/a.json", `name "a"`},
		{"", "inspect DIR/a.msgpack", "fixmap, 1 member"},
		{"", "inspect DIR/a.jsonl", "2 values in 4 bytes"},
		{"", "inspect DIR/plain", "fixarray, 1 element"},
		{"", "inspect DIR/a.json.gz", "gzip, of whose content the offsets are\n"},
		{"", "inspect DIR/a.json.gz", `name "a"`},
		{"", "inspect DIR/a.msgpack.zst", "fixmap, 1 member"},
		{"", "inspect DIR/a.tagged.zst", "874496 int64 a 1"},
		{"", "inspect DIR/a.framed", "frame of 2 records, zstd"},
		{"", "inspect DIR/a.framed.gz", "frame of 2 records, zstd"},
		{"", "inspect DIR/packed", "array"},
		{"", "inspect --format msgpack -- DIR/-plain", "fixint 32"},
		{"", "inspect DIR/-plain", "array"},
		{`{"a":1}`, "inspect -", `name "a"`},
		{"\x81\xa1a\x01", "inspect - --format msgpack", "fixmap"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			status, out, errs := weft(tt.in, strings.Fields(strings.ReplaceAll(tt.args, "DIR", dir))...)
			if status != 0 || errs != "" || !strings.Contains(out, tt.want) {
				t.Errorf("weft %s: %d %q %q, want %q", tt.args, status, out, errs, tt.want)
			}
		})
	}
	if status, _, errs := weft("", "inspect", filepath.Join(dir, "empty.json")); status != 1 ||
		!strings.Contains(errs, "unexpected end of input") {
		t.Errorf("empty file: %d %q", status, errs)
	}
}

// Every command that takes a file takes - for the standard input.
func TestStandardInput(t *testing.T) {
	packed, err := compress.NewGzip().Append(nil, []byte("{\"a\":1}\n{\"a\":2}\n"))
	if err != nil {
		t.Fatal(err)
	}
	dir := scratch(t, map[string]string{
		"doc.yaml":     goodDoc,
		"overlay.yaml": "overlay: 1.0.0\ninfo: {title: t, version: '1'}\nactions: [{target: $, update: {}}]\n",
	})
	for _, tt := range []struct {
		in, args string
		status   int
		want     string // on the standard output, on the standard error where it fails
	}{
		{`[{"a":1},{"a":2}]`, "compare - --time 0s", 0, "standard input: 2 records of json, 17 bytes, measured as Go structs"},
		{`[{"a":1},{"a":2}]`, "compare - --time 0s --json", 0, `"file": "standard input"`},
		{`[{"a":1},{"a":2}]`, "compare - --time 0s --html -", 0, "<title>weft compare: standard input<"},
		{string(packed), "compare - --time 0s", 0, "standard input: 2 records of json in gzip"},
		{"\x81\xa1a\x01", "compare --format msgpack --time 0s -", 0, "standard input: 1 record"},
		{`[{"a":1},`, "compare -", 1, "weft compare: standard input: "},
		{`[]`, "compare -", 1, "weft compare: standard input: there are no records"},
		{``, "compare -", 1, "weft compare: standard input: "},
		{`{"a":1}`, "inspect -", 0, `name "a"`},
		{string(packed), "inspect -", 0, "gzip, of whose content"},
		{`{"a":1}`, "convert - - --from json --to ndjson", 0, `{"a":1}`},
		{string(packed), "convert - - --from ndjson --to json", 0, "[{\"a\":1},\n{\"a\":2}]"},
		{"(", "convert - - --from json --to ndjson", 1, "standard input: json: "},
		{goodDoc, "gen openapi - --list", 0, ""},
		{goodDoc, "gen openapi - --out DIR/api", 0, ""},
		{goodDoc, "gen openapi - --out DIR/api --check", 0, ""},
		{"[", "gen openapi - --out DIR/api", 1, "standard input:2:1: "},
		{"package: named\nno-marshal: true\n", "gen openapi DIR/doc.yaml --out DIR/named --config -", 0, ""},
		{"pack: named\n", "gen openapi DIR/doc.yaml --out DIR/none --config -", 1, "standard input:1: unknown option pack"},
		{"format: json\n", "gen openapi DIR/doc.yaml --out DIR/none --config -", 1,
			"standard input:1: format: the flag was removed: the types serve every format"},
		{goodDoc, "gen openapi - --out DIR/none --format json,msgpack", 2, "flag -format: the flag was removed: the types serve every format"},
		{goodDoc, "gen openapi - --out DIR/none --file-size 100", 2, "flag -file-size: the flag was removed: --layout tags writes several files"},
		{"document: '-'\n", "gen openapi --out DIR/none --config -", 1, "- is given twice: the standard input can be read only once"},
		{"schema Pet\n", "gen openapi DIR/doc.yaml --out DIR/less --ignore -", 0, ""},
		{"other Pet\n", "gen openapi DIR/doc.yaml --out DIR/none --ignore -", 1, "standard input:1: expected tag, path or schema"},
		{"overlay: 1.0.0\ninfo: {title: t, version: '1'}\nactions: [{target: $.components.schemas.Pet, remove: true}]\n",
			"gen openapi DIR/doc.yaml --out DIR/over --overlay -", 0, ""},
		{"package a\n\nimport \"encoding/json\"\n\nvar _ = json.Valid\n", "migrate imports -", 0,
			"package a\n\nimport \"github.com/weftcodec/weft/json\"\n\nvar _ = json.Valid\n"},
		{"package a\n", "migrate imports -", 0, "package a\n"},
		{"package a\n\nimport \"encoding/json\"\n\nfunc (\n", "migrate imports -", 1, "weft migrate: standard input:5:"},
		{"", "migrate nan -", 2, "not the standard input"},
		{"", "migrate imports - DIR", 2, "- stands alone"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			status, out, errs := weft(tt.in, strings.Fields(strings.ReplaceAll(tt.args, "DIR", dir))...)
			if said := map[bool]string{true: out, false: errs}[status == 0]; status != tt.status || !strings.Contains(said, tt.want) {
				t.Errorf("%d %.300q %.300q, want %d %q", status, out, errs, tt.status, tt.want)
			}
		})
	}
	if text, err := os.ReadFile(filepath.Join(dir, "api", "models.go")); err != nil ||
		!strings.Contains(string(text), "// Source: standard input\n") {
		t.Errorf("%v: %.200s", err, text)
	}
}
