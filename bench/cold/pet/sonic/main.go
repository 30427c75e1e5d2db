// Command sonic decodes a pet document with github.com/bytedance/sonic and prints how long the first call takes.
package main

import (
	"github.com/bytedance/sonic"

	"github.com/weftcodec/weft/bench/cold"
)

func main() { cold.Main(new(cold.Pet), sonic.ConfigStd.Unmarshal, sonic.ConfigStd.Marshal) }
