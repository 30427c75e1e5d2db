// Command none decodes a twitter document with no library and prints how long the first call takes.
package main

import (
	"github.com/weftcodec/weft/bench/cold"
	"github.com/weftcodec/weft/bench/corpus"
)

func main() { cold.Main(new(corpus.Twitter), nil, nil) }
