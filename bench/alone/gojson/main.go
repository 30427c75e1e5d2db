// Command gojson serves github.com/goccy/go-json alone: see package alone.
package main

import (
	"github.com/goccy/go-json"

	"github.com/weftcodec/weft/bench/alone"
)

func main() { alone.Main(json.Marshal, json.Unmarshal) }
