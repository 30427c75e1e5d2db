// Command std serves encoding/json alone: see package alone.
package main

import (
	"encoding/json"

	"github.com/weftcodec/weft/bench/alone"
)

func main() { alone.Main(json.Marshal, json.Unmarshal) }
