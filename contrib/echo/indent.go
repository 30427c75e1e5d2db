package echo

import (
	"bytes"

	"github.com/weftcodec/weft/json"
)

// indented returns text on lines that are indented.
func indented(text []byte, indent string) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", indent); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
