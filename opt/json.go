package opt

import (
	"bytes"
	"encoding/json"
)

// marshal returns the JSON of v, or null when there is none.
func marshal[T any](v T, ok bool) ([]byte, error) {
	if !ok {
		return []byte("null"), nil
	}
	return json.Marshal(v)
}

func unmarshal[T any](b []byte) (v T, err error) {
	err = json.Unmarshal(b, &v)
	return v, err
}

func isNull(b []byte) bool { return string(bytes.TrimSpace(b)) == "null" }
