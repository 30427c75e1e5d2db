// Command std decodes a pet document with encoding/json and prints how long the first call takes.
package main

import (
	"encoding/json"

	"github.com/weftcodec/weft/bench/cold"
)

func main() { cold.Main(new(cold.Pet), json.Unmarshal, json.Marshal) }
