package openapi

import (
	"encoding/json"
	"io/fs"
)

// noFiles reads no file.
func noFiles(path string) ([]byte, error) {
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

// appendNode writes n as JSON.
func appendNode(b []byte, n *Node) []byte {
	switch n.Kind {
	case String:
		s, _ := json.Marshal(n.Text)
		return append(b, s...)
	case Array:
		b = append(b, '[')
		for i, x := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendNode(b, x)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		for i, m := range n.Members {
			if i > 0 {
				b = append(b, ',')
			}
			s, _ := json.Marshal(m.Name)
			b = append(append(append(b, '\n'), s...), ':')
			b = appendNode(b, m.Value)
		}
		return append(b, '}')
	}
	return append(b, n.Text...)
}
