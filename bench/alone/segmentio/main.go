// Command segmentio serves github.com/segmentio/encoding/json alone: see package alone.
package main

import (
	"github.com/segmentio/encoding/json"

	"github.com/weftcodec/weft/bench/alone"
)

func main() { alone.Main(json.Marshal, json.Unmarshal) }
