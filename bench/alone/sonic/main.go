// Command sonic serves github.com/bytedance/sonic, configured as encoding/json, alone: see package alone.
package main

import (
	"github.com/bytedance/sonic"

	"github.com/weftcodec/weft/bench/alone"
)

func main() { alone.Main(sonic.ConfigStd.Marshal, sonic.ConfigStd.Unmarshal) }
