// Command std decodes a twitter document with encoding/json and prints how long the first call takes.
package main

import (
	"encoding/json"

	"github.com/weftcodec/weft/bench/cold"
	"github.com/weftcodec/weft/bench/corpus"
)

func main() { cold.Main(new(corpus.Twitter), json.Unmarshal, json.Marshal) }
