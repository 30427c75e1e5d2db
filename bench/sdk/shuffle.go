package sdk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
)

// Shuffled returns a document whose objects have their members in another order, which is the same for
// all objects, as a server has it that knows nothing of the Go type.
func Shuffled(data []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	out, err := shuffled(nil, d)
	if err != nil {
		return nil, fmt.Errorf("sdk: %w", err)
	}
	return out, nil
}

// shuffled appends the next value of d with the members of its objects by the hashes of their names.
func shuffled(b []byte, d *json.Decoder) ([]byte, error) {
	token, err := d.Token()
	if err != nil {
		return b, err
	}
	if token != json.Delim('{') && token != json.Delim('[') {
		text, err := json.Marshal(token)
		return append(b, text...), err
	}
	type part struct {
		order uint64
		text  []byte
	}
	var parts []part
	for d.More() {
		var p part
		if token == json.Delim('{') {
			name, err := d.Token()
			if err != nil {
				return b, err
			}
			h := fnv.New64a()
			h.Write([]byte(name.(string)))
			p.order = h.Sum64()
			if p.text, err = json.Marshal(name); err != nil {
				return b, err
			}
			p.text = append(p.text, ':')
		}
		if p.text, err = shuffled(p.text, d); err != nil {
			return b, err
		}
		parts = append(parts, p)
	}
	last, err := d.Token()
	if err != nil {
		return b, err
	}
	slices.SortStableFunc(parts, func(x, y part) int {
		switch {
		case x.order < y.order:
			return -1
		case x.order > y.order:
			return 1
		}
		return 0
	})
	b = append(b, token.(json.Delim).String()...)
	for i, p := range parts {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, p.text...)
	}
	return append(b, last.(json.Delim).String()...), nil
}
