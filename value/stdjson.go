package value

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/weftcodec/weft"

	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/tree"
)

// MarshalJSON implements [encoding/json.Marshaler], for programs that use that
// package. It writes what weft's JSON writes.
func (v Value) MarshalJSON() ([]byte, error) {
	return v.appendJSON(nil, 0, setting.DefaultMaxDepth)
}

// UnmarshalJSON implements [encoding/json.Unmarshaler], for programs that use that
// package. It reads what [Value.UnmarshalWeft] reads from weft's JSON, which is
// several times faster.
func (v *Value) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	x, err := readStd(d, setting.DefaultMaxDepth)
	if err != nil {
		return fmt.Errorf("value: %w", err)
	}
	*v = x
	return nil
}

// readStd reads the next value of d, which may nest so many levels deep.
func readStd(d *json.Decoder, levels int) (Value, error) {
	token, err := d.Token()
	if err != nil {
		return Value{}, err
	}
	switch t := token.(type) {
	case bool:
		return Bool(t), nil
	case string:
		return String(t), nil
	case json.Number:
		return textValue([]byte(t)), nil
	case json.Delim:
		if levels == 0 {
			return Value{}, weft.ErrDepth
		}
		if t == '[' {
			var elems []Value
			for d.More() {
				x, err := readStd(d, levels-1)
				if err != nil {
					return Value{}, err
				}
				elems = append(elems, x)
			}
			_, err = d.Token()
			return List(elems...), err
		}
		b := newBuilder(tree.Few)
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return Value{}, err
			}
			x, err := readStd(d, levels-1)
			if err != nil {
				return Value{}, err
			}
			b.add(name.(string), x)
		}
		_, err = d.Token()
		return b.done(), err
	}
	return Value{}, nil
}
