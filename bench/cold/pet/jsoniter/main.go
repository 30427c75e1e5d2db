// Command jsoniter decodes a pet document with github.com/json-iterator/go and prints how long the first call takes.
package main

import (
	jsoniter "github.com/json-iterator/go"

	"github.com/weftcodec/weft/bench/cold"
)

func main() {
	cold.Main(new(cold.Pet), jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal, jsoniter.ConfigCompatibleWithStandardLibrary.Marshal)
}
