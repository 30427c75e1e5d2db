package compare

import (
	"bytes"
	"io"
	"os"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/file"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
	"github.com/weftcodec/weft/value"
)

// readObject reads a JSON text that is an object, or its beginning until it has the size: what is open there
// is closed. It returns nil for any other file, and for one with an error, which the reader of records reports.
func readObject(name string, size int, opts []weft.Options) *sample {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	content, err := file.OpenContent(f, name, opts...)
	if err != nil {
		return nil
	}
	defer content.Close()
	dec := jsontext.NewDecoder(content, jsontext.AllowDuplicateNames(true))
	if dec.PeekKind() != '{' {
		return nil
	}
	var text bytes.Buffer
	enc := jsontext.NewEncoder(&text, jsontext.AllowDuplicateNames(true))
	s := new(sample)
	for first := true; first || dec.StackDepth() > 0; first = false {
		kind, n := dec.StackIndex(dec.StackDepth())
		if s.part = dec.InputOffset() >= int64(size) && (kind == '[' || n%2 == 0); s.part { // no member waits for its value
			break
		}
		switch dec.PeekKind() {
		case '{', '}', '[', ']':
			var t jsontext.Token
			if t, err = dec.ReadToken(); err == nil {
				err = enc.WriteToken(t)
			}
		default:
			var v jsontext.Value
			if v, err = dec.ReadValue(); err == nil {
				err = enc.WriteValue(v)
			}
		}
		if err != nil {
			return nil
		}
	}
	for enc.StackDepth() > 0 {
		end := jsontext.EndArray
		if kind, _ := enc.StackIndex(enc.StackDepth()); kind == '{' {
			end = jsontext.EndObject
		}
		if enc.WriteToken(end) != nil {
			return nil
		}
	}
	if !s.part {
		if _, err := dec.ReadToken(); err != io.EOF {
			return nil
		}
	}
	var v value.Value
	if json.Unmarshal(text.Bytes(), &v) != nil {
		return nil
	}
	s.list, s.lines = []value.Value{v}, []int{0}
	return s
}
