package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
)

func versionCommand() command {
	return command{
		name:  "version",
		line:  "",
		short: "print the version, the commit and the Go release of this program",
		run:   runVersion,
		help: `
The first line has the name weft and the version of its module. The other lines have
the module, the version of the library, the commit and the Go release. A build in a
clone has the version (devel); the commit identifies it.`,
	}
}

func runVersion(args []string, std streams) error {
	rest, err := parse(flag.NewFlagSet("version", flag.ContinueOnError), args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return misuse("expected no arguments, got %d", len(rest))
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("the program was built without modules and does not know its version")
	}
	return printVersion(std.out, info)
}

// printVersion prints what is known of a build.
func printVersion(w io.Writer, info *debug.BuildInfo) error {
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	text := fmt.Sprintf("weft %s\nmodule  %s\n", version, info.Main.Path)
	for _, m := range info.Deps {
		if m.Path == "github.com/weftcodec/weft" {
			text += fmt.Sprintf("library %s %s\n", m.Path, m.Version)
		}
	}
	if commit := settings["vcs.revision"]; commit != "" {
		text += "commit  " + commit + " of " + settings["vcs.time"]
		if settings["vcs.modified"] == "true" {
			text += ", with changes"
		}
		text += "\n"
	}
	text += fmt.Sprintf("go      %s %s/%s\n", info.GoVersion, settings["GOOS"], settings["GOARCH"])
	_, err := io.WriteString(w, text)
	return err
}
