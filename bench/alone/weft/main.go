// Command weft serves github.com/weftcodec/weft/json alone: see package alone.
package main

import (
	"github.com/weftcodec/weft/json"

	"github.com/weftcodec/weft/bench/alone"
)

func main() { alone.Main(json.Marshal, json.Unmarshal) }
