// Command memory serves the memory of results alone, with nothing written to it: see package alone.
package main

import (
	"encoding/json"
	"errors"

	"github.com/weftcodec/weft/bench/alone"
)

func main() {
	size := 0
	alone.Main(func(v any) ([]byte, error) {
		if size == 0 {
			text, err := json.Marshal(v)
			if err != nil {
				return nil, err
			}
			size = len(text)
		}
		return make([]byte, size), nil
	}, func([]byte, any) error { return errors.ErrUnsupported })
}
