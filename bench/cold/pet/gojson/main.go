// Command gojson decodes a pet document with github.com/goccy/go-json and prints how long the first call takes.
package main

import (
	"github.com/goccy/go-json"

	"github.com/weftcodec/weft/bench/cold"
)

func main() { cold.Main(new(cold.Pet), json.Unmarshal, json.Marshal) }
