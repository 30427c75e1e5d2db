package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftcodec/weft/compress"
)

// TestContradiction checks that convert, inspect and compare refuse content that is
// not what the name says, with one error that names the file once, and what it
// looks like.
func TestContradiction(t *testing.T) {
	gz, _ := compress.NewGzip().Append(nil, []byte("[1,2]"))
	empty, _ := compress.NewGzip().Append(nil, nil)
	for _, tt := range []struct{ name, content, want string }{
		{"a.json", "<html>502 Bad Gateway</html>", "json: at offset 0: the content looks like HTML"},
		{"a.json", "\xef\xbb\xbf[1]", "looks like text with a byte order mark"},
		{"a.json", string(gz), "looks like gzip"},
		{"a.json", "\x91\x01", "looks like MessagePack"},
		{"a.json.gz", "[1]", "gzip: at offset 0: the content looks like JSON"},
		{"a.ndjson", "<html>502 Bad Gateway</html>", "ndjson: at offset 0: the content looks like HTML"},
		{"a.mp", "<html>502 Bad Gateway</html>", "msgpack: at offset 0: the content looks like HTML"},
		{"a.msgpack", `{"a":1}`, "looks like JSON"},
		{"a.tagged", "[1,2]", "tagged: at offset 0: the content looks like JSON"},
		{"a.framed", "[1,2]", "framed: at offset 0: the content looks like JSON"},
		{"a.json", "", "json: "},
		{"a.json.gz", "", "json: "},
		{"a.json.gz", string(empty), "json: "},
		{"a.framed", "", "framed: "},
		{"a.tagged", "", "tagged: "},
	} {
		t.Run(fmt.Sprintf("%s %.20q", tt.name, tt.content), func(t *testing.T) {
			dir := scratch(t, map[string]string{tt.name: tt.content})
			path := filepath.Join(dir, tt.name)
			for _, args := range [][]string{
				{"convert", path, filepath.Join(dir, "out.ndjson")}, {"convert", path, filepath.Join(dir, "out.mp")},
				{"inspect", path}, {"compare", path, "--time", "0s"},
			} {
				status, out, errs := weft("", args...)
				if status != 1 || !strings.HasPrefix(errs, "weft "+args[0]+": "+path+": ") || !strings.Contains(errs, tt.want) ||
					strings.Count(errs, path) != 1 || out != "" && args[0] != "inspect" {
					t.Errorf("%s %s %.20q: %d %q %q, want %q", args[0], tt.name, tt.content, status, out, errs, tt.want)
				}
			}
			if left, _ := os.ReadDir(dir); len(left) != 1 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
