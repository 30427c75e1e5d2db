// Command jsoniter serves github.com/json-iterator/go, configured as encoding/json, alone: see package alone.
package main

import (
	jsoniter "github.com/json-iterator/go"

	"github.com/weftcodec/weft/bench/alone"
)

func main() {
	alone.Main(jsoniter.ConfigCompatibleWithStandardLibrary.Marshal, jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal)
}
