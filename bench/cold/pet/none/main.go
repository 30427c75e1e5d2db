// Command none decodes a pet document with no library and prints how long the first call takes.
package main

import (
	"github.com/weftcodec/weft/bench/cold"
)

func main() { cold.Main(new(cold.Pet), nil, nil) }
