// Command gojson decodes a twitter document with github.com/goccy/go-json and prints how long the first call takes.
package main

import (
	"github.com/goccy/go-json"

	"github.com/weftcodec/weft/bench/cold"
	"github.com/weftcodec/weft/bench/corpus"
)

func main() { cold.Main(new(corpus.Twitter), json.Unmarshal, json.Marshal) }
