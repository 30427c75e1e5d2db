package openapi

import (
	"bytes"
	"path/filepath"
	"strings"
)

// emptyFile is what is said of a file without a value.
const emptyFile = "the file is empty: an OpenAPI document is expected"

// ParseNode reads any text of JSON or YAML, which one by its name and its first character, into nodes. The name also
// stands in diagnostics. It returns nil for a text that cannot be read, and without a diagnostic for one without a value.
func ParseNode(name string, data []byte) (*Node, Diagnostics) {
	r := newReader(nil)
	n := readTree(r.addFile(name, name, ""), data, r.rep)
	found := r.finish()
	if n == nil && len(found) == 1 && found[0].Message == emptyFile {
		found = nil
	}
	return n, found
}

// readTree reads the text of a file, JSON or YAML by its name and its first
// character.
func readTree(f *file, data []byte, rep *reporter) *Node {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	rest := bytes.TrimLeft(data, " \t\r\n")
	if len(rest) == 0 {
		rep.errorf(Pos{file: f, line: 1, col: 1}, emptyFile)
		return nil
	}
	ext := strings.ToLower(filepath.Ext(f.path))
	if rest[0] == '{' || ext == ".json" && (rest[0] == '[' || rest[0] == '"' || rest[0] == '/') {
		if ext != ".yaml" && ext != ".yml" {
			return readJSON(f, string(data), rep)
		}
		// Flow YAML is a superset of JSON, and slower to read.
		var quiet reporter
		if n := readJSON(f, string(data), &quiet); n != nil && len(quiet.list) == 0 {
			return n
		}
	}
	return readYAML(f, data, rep)
}

// equalNodes reports whether a and b are the same JSON value by their texts.
func equalNodes(a, b *Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.Items {
		if !equalNodes(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for i := range a.Members {
		if a.Members[i].Name != b.Members[i].Name || !equalNodes(a.Members[i].Value, b.Members[i].Value) {
			return false
		}
	}
	return true
}
