package file

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

const page = "<html>502 Bad Gateway</html>"

func packed(c *compress.Codec, text string) string {
	b, _ := c.Append(nil, []byte(text))
	return string(b)
}

func encoded(f weft.Format, v any) string {
	b, _ := f.MarshalAppend(nil, v)
	return string(b)
}

// TestContradiction checks that no entry point reads content that is not what the
// name says, and that the error says what it looks like.
func TestContradiction(t *testing.T) {
	gz, zst := compress.NewGzip(), compress.NewZstd()
	object := map[string]any{"id": 1, "name": "x"}
	tests := []struct {
		name, content string
		want          string // in the error; "" where there is none
	}{
		{"h.json", page, "json: at offset 0: the content looks like HTML: name the file by what it holds"},
		{"h.json", "  \n<!DOCTYPE html>\n<title>", "looks like HTML"},
		{"h.json", "<?xml version=\"1.0\"?><a/>", "looks like XML"},
		{"h.json", "\xef\xbb\xbf[1,2]", "looks like text with a byte order mark, which has to be removed"},
		{"h.json", "\xff\xfe[\x00]\x00", "looks like text in UTF-16"},
		{"h.json", "NaN", `looks like text, "NaN"`},
		{"h.json", "// a comment\n[1]", `looks like text, "// a comment\n[1]"`},
		{"h.json", "not found", `looks like text, "not found"`},
		{"h.json", "502 Bad Gateway", "json: "},
		{"h.json", packed(gz, "[1]"), "json: at offset 0: the content looks like gzip"},
		{"h.json", packed(zst, "[1]"), "looks like zstd"},
		{"h.json", "\x93\x01\x02\x03", "looks like MessagePack"},
		{"h.json", encoded(tagged.Framed, []int{1}), "looks like framed"},
		{"h.json", encoded(tagged.Format, object), "looks like a message of hashed tags"},
		{"h.json", "\x00\x01\x02", `looks like binary data, "\x00\x01\x02"`},
		{"h.ndjson", page, "ndjson: at offset 0: the content looks like HTML"},
		{"h.jsonl", "\x81\xa1a\x01", "looks like MessagePack"},
		{"h.json.gz", page, "gzip: at offset 0: the content looks like HTML"},
		{"h.json.gz", "[1]", "gzip: at offset 0: the content looks like JSON"},
		{"h.json.gz", packed(zst, "[1]"), "gzip: at offset 0: the content looks like zstd"},
		{"h.json.gz", packed(gz, page), "json: at offset 0: the content looks like HTML"},
		{"h.json.zst", packed(gz, "[1]"), "zstd: at offset 0: the content looks like gzip"},
		{"h.gz", "[1]", "gzip: at offset 0: the content looks like JSON"},
		{"h.mp", page, "msgpack: at offset 0: the content looks like HTML"},
		{"h.mp", `{"a":1}`, "looks like JSON"},
		{"h.mp", "[1,2]\n", "looks like JSON"},
		{"h.mp", "502 Bad Gateway", "looks like text"},
		{"h.mp", "1,2,3\n4,5,6\n7,8,9\n", "looks like text"},
		{"h.msgpack", packed(gz, "\x91\x01"), "looks like gzip"},
		{"h.msgpack.gz", packed(gz, page), "msgpack: at offset 0: the content looks like HTML"},
		{"h.msgpack", encoded(tagged.Framed, []int{1}), "looks like framed"},
		{"h.framed", page, "framed: at offset 0: the content looks like HTML"},
		{"h.framed", "[1]", "looks like JSON"},
		{"h.tagged", page, "tagged: at offset 0: the content looks like HTML"},
		{"h.tagged", "\x91\x01", "looks like MessagePack"},
		{"h.cbor", page, "cbor: at offset 0: the content looks like HTML"},
		{"h.cbor", `{"a":1}`, "looks like JSON"},
		{"h.mp", "\xd9\xd9\xf7\x81\x01", "looks like CBOR"},
		{"h.json", "\xa1aa\x01", "looks like CBOR"},
		{"h.tagged", "[1]", "looks like JSON"},
		// Names that say nothing.
		{"h.dat", page, "neither JSON, MessagePack, CBOR, framed nor tagged: it looks like HTML"},
		{"h", "2026-01-02 a line of a log\n", `it looks like text, "2026-01-02 a line of a l"`},
		{"h", "nothing here", "it looks like text"},
		{"h", "[section]\nkey=1\n", "it looks like text"},
		{"h", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "it looks like text"}, // Hebrew, which begins as an extension
		{"h", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR", "it looks like an image"},
		{"h", "\x01\x02\x03", "it looks like binary data"}, // MessagePack or not
		{"h", "\xa3abc", "it looks like binary data"},
		{"h", "\x01\x00\x00\x00\x02\x00\x00\x00", "it looks like binary data"},
		{"h", "", "the file is empty, and its name does not select a format"},
		{"h", "[1,2]", ""},
		{"h", "1\n2\n", ""},
		{"h", "\x92\x01\x02", ""},
		{"h", "\x82\x01\x02", ""},
		{"h", "\x9f\x01\x02\xff", ""},
		{"h", "\xd9\xd9\xf7\x82\x01\x02", ""},
		{"h.cbor", "\x82\x01\x02", ""},
		{"h.cbor", "\x01\x02", ""},
		{"h.gz", packed(gz, "[1,2]"), ""},
		{"h", packed(zst, "\x92\x01\x02"), ""},
		{"h", encoded(tagged.Framed, []int{1, 2}), ""},
		{"h", encoded(tagged.Format, []int{1, 2}), ""},
		// Small numbers that are text as well.
		{"h.mp", "[]", ""},
		{"h.mp", "<a", ""},
		{"h.mp", "AZAZAZAZ", ""},
		{"h.mp", "\x09\x0a\x01", ""},
		{"h.mp", "\xff\xfe", ""},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), tt.name)
		if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Run(tt.name+" "+tt.content[:min(len(tt.content), 20)], func(t *testing.T) {
			ints := []int{7}
			errs := map[string]error{"a slice": LoadFile(path, &ints)}
			if tt.want != "" {
				errs["an any"] = LoadFile(path, new(any))
				for _, err := range All[int](path) {
					errs["records"] = err
				}
			}
			for what, err := range errs {
				var e *Error
				if tt.want == "" && err != nil {
					t.Errorf("%s: %v", what, err)
				} else if tt.want != "" && (!errors.As(err, &e) || e.Name != path || !strings.Contains(err.Error(), tt.want)) {
					t.Errorf("%s: %v, want %q", what, err, tt.want)
				}
			}
			if tt.want != "" && len(ints) != 1 {
				t.Errorf("the slice became %v", ints)
			}
			a, err := OpenAppender(path)
			if err == nil {
				a.Close()
			}
			if tt.want != "" && err == nil {
				t.Errorf("opened to append to")
			}
			if now, _ := os.ReadFile(path); string(now) != tt.content && tt.want != "" {
				t.Errorf("became %q", now)
			}
		})
	}
}

// TestAsDecides checks that a format that is given is that of content that looks like
// another, and takes it out of the compression it is in.
func TestAsDecides(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.json")
	for _, tt := range []struct {
		content string
		as      weft.Format
		n       int // elements; -1 for an error
	}{
		{page, Records(msgpack.Format), len(page)},
		{packed(compress.NewGzip(), "[1,2]"), json.Format, 2},
		{packed(compress.NewZstd(), "1\n2\n"), NDJSON, 2},
		{"[1,2]", compress.Gzip(json.Format), -1},
		{packed(compress.NewZstd(), "[1,2]"), compress.Gzip(json.Format), -1},
	} {
		t.Run(tt.content, func(t *testing.T) {
			os.WriteFile(path, []byte(tt.content), 0o600)
			var got []int
			err := LoadFile(path, &got, As(tt.as))
			if (err != nil) != (tt.n < 0) || err == nil && len(got) != tt.n {
				t.Errorf("%.20q as %s: %v, %v", tt.content, tt.as.Name(), got, err)
			}
		})
	}
}

// TestEmptyFile checks that a file that holds nothing is an error into every target,
// but where its format is a stream of records.
func TestEmptyFile(t *testing.T) {
	gz, zst := packed(compress.NewGzip(), ""), packed(compress.NewZstd(), "")
	tests := []struct {
		name, content string
		records       bool // there may be none
	}{
		{"a.json", "", false},
		{"a.json", " \n\t\r\n", false},
		{"a.json.gz", "", false},
		{"a.json.gz", gz, false},
		{"a.json.zst", "", false},
		{"a.json.zst", zst, false},
		{"a.framed", "", false},
		{"a.framed.gz", gz, false},
		{"a.tagged", "", false},
		{"a.tagged.zst", zst, false},
		{"a.dat", "", false},
		{"a.gz", gz, false},
		{"a.ndjson", "", true},
		{"a.ndjson", "\n\n", true},
		{"a.jsonl.gz", "", true},
		{"a.jsonl.gz", gz, true},
		{"a.ndjson.zst", zst, true},
		{"a.mp", "", true},
		{"a.cbor", "", true},
		{"a.cbor.gz", "", true},
		{"a.msgpack.gz", "", true},
		{"a.msgpack.zst", zst, true},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), tt.name)
		os.WriteFile(path, []byte(tt.content), 0o600)
		t.Run(tt.name+" "+tt.content[:min(len(tt.content), 4)], func(t *testing.T) {
			check := func(what string, err error, legal bool) {
				t.Helper()
				if (err == nil) != legal {
					t.Errorf("%s: %v", what, err)
				}
				if err != nil && tt.name != "a.dat" && tt.name != "a.gz" && !strings.Contains(err.Error(), "cannot read records into") &&
					(!errors.Is(err, ErrTorn) || !errors.Is(err, weft.ErrUnexpectedEnd)) {
					t.Errorf("%s: %v, which is not ErrTorn", what, err)
				}
			}
			list := []order{{ID: 7}}
			check("a slice", LoadFile(path, &list), tt.records)
			if want := 1; !tt.records && len(list) != want || tt.records && len(list) != 0 {
				t.Errorf("the slice became %v", list)
			}
			check("a struct", LoadFile(path, new(order)), false)
			check("a map", LoadFile(path, new(map[string]any)), false)
			check("a number", LoadFile(path, new(int)), false)
			check("a pointer", LoadFile(path, new(*order)), false)
			check("an any", LoadFile(path, new(any)), tt.records && strings.Contains(tt.name, "json"))
			check("a raw value", LoadFile(path, new(json.RawMessage)), false)
			var err error
			for _, err = range All[order](path) {
			}
			if !strings.Contains(tt.name, "tagged") {
				check("records", err, tt.records)
			}
		})
	}
	// An empty object of hashed tags has no bytes, but a file of it has.
	path := filepath.Join(t.TempDir(), "a.tagged")
	var got struct{}
	if err := errors.Join(SaveFile(path, struct{}{}), LoadFile(path, &got), LoadFile(path, new(map[string]int))); err != nil {
		t.Error(err)
	}
}
