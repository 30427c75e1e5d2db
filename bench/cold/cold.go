// Package cold is what the programs below it share. Each decodes one document with one library, as the first
// thing it does, and prints how long that took: package suite builds and runs them for the group cold.
package cold

import (
	"fmt"
	"os"

	"github.com/weftcodec/weft/bench/clock"
)

// Pet is a small document's type.
type Pet struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	Category  *Category `json:"category"`
	PhotoURLs []string  `json:"photoUrls"`
	Tags      []string  `json:"tags"`
	Status    string    `json:"status"`
}

// Category is part of a [Pet].
type Category struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// Main decodes the file that the first argument names into v, in the first call of unmarshal, encodes v in the
// first call of marshal, and prints the CPU time that each took in nanoseconds. Without functions it prints the
// CPU time that it takes to read the clock.
func Main(v any, unmarshal func([]byte, any) error, marshal func(any) ([]byte, error)) {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: "+os.Args[0]+" FILE")
		os.Exit(2)
	}
	data, err := os.ReadFile(os.Args[1])
	check(err)
	start := clock.CPU()
	if unmarshal != nil {
		check(unmarshal(data, v))
	}
	decoded := clock.CPU()
	if marshal != nil {
		_, err = marshal(v)
		check(err)
	}
	fmt.Println(decoded-start, clock.CPU()-decoded)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
