// Command segmentio decodes a pet document with github.com/segmentio/encoding/json and prints how long the first call takes.
package main

import (
	"github.com/segmentio/encoding/json"

	"github.com/weftcodec/weft/bench/cold"
)

func main() { cold.Main(new(cold.Pet), json.Unmarshal, json.Marshal) }
