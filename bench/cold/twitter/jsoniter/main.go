// Command jsoniter decodes a twitter document with github.com/json-iterator/go and prints how long the first call takes.
package main

import (
	jsoniter "github.com/json-iterator/go"

	"github.com/weftcodec/weft/bench/cold"
	"github.com/weftcodec/weft/bench/corpus"
)

func main() {
	cold.Main(new(corpus.Twitter), jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal, jsoniter.ConfigCompatibleWithStandardLibrary.Marshal)
}
