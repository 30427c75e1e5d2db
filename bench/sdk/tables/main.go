// Command tables is the program of the group sdk. Its arguments are the configuration as JSON and the file that it
// writes its report to; it prints the tables.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"

	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/sdk/sdktypes"
	"github.com/weftcodec/weft/bench/suite"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: "+os.Args[0]+" CONFIG OUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(config, out string) error {
	runtime.GOMAXPROCS(1)
	r := &suite.Runner{Out: os.Stdout, Report: new(harness.Report)}
	if err := json.Unmarshal([]byte(config), &r.Config); err != nil {
		return err
	}
	if err := r.SDK(sdktypes.All()); err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := r.Report.WriteJSON(f); err != nil {
		return err
	}
	return f.Close()
}
