// Command tables is the program of the group sdk, and of what the group cbor has of its types. Its arguments are the
// configuration as JSON, the file that it writes its report to, and cbor for that group; it prints the tables.
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
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: "+os.Args[0]+" CONFIG OUT GROUP")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(config, out, group string) error {
	runtime.GOMAXPROCS(1)
	r := &suite.Runner{Out: os.Stdout, Report: new(harness.Report)}
	if err := json.Unmarshal([]byte(config), &r.Config); err != nil {
		return err
	}
	measure := r.SDK
	if group == "cbor" {
		measure = r.CBORPods
	}
	if err := measure(sdktypes.All()); err != nil {
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
