// Command sonic decodes a twitter document with github.com/bytedance/sonic and prints how long the first call takes.
package main

import (
	"github.com/bytedance/sonic"

	"github.com/weftcodec/weft/bench/cold"
	"github.com/weftcodec/weft/bench/corpus"
)

func main() { cold.Main(new(corpus.Twitter), sonic.ConfigStd.Unmarshal, sonic.ConfigStd.Marshal) }
