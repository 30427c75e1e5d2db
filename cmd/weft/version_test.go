package main

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	for _, args := range []string{"version", "--version", "-version"} {
		status, out, errs := weft("", args)
		if status != 0 || errs != "" || !strings.HasPrefix(out, "weft ") || !strings.Contains(out, "\ngo      "+runtime.Version()+" ") {
			t.Errorf("weft %s: %d %q %q", args, status, out, errs)
		}
	}
	for _, tt := range []struct {
		name, want string
		info       debug.BuildInfo
	}{
		{"installed",
			"weft v1.2.3\nmodule  m/cmd/weft\nlibrary github.com/weftcodec/weft v1.2.2\ngo      go1.26.0 linux/arm64\n",
			debug.BuildInfo{
				GoVersion: "go1.26.0", Main: debug.Module{Path: "m/cmd/weft", Version: "v1.2.3"},
				Deps:     []*debug.Module{{Path: "a", Version: "v1"}, {Path: "github.com/weftcodec/weft", Version: "v1.2.2"}},
				Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "arm64"}}}},
		{"in a clone",
			"weft (devel)\nmodule  m\ncommit  abc of 2026-01-02T03:04:05Z, with changes\ngo      go1.26.0 linux/arm64\n",
			debug.BuildInfo{
				GoVersion: "go1.26.0", Main: debug.Module{Path: "m"},
				Settings: []debug.BuildSetting{
					{Key: "GOOS", Value: "linux"},
					{Key: "GOARCH", Value: "arm64"},
					{Key: "vcs.revision", Value: "abc"},
					{Key: "vcs.time", Value: "2026-01-02T03:04:05Z"},
					{Key: "vcs.modified", Value: "true"},
				},
			}},
	} {
		var out strings.Builder
		if err := printVersion(&out, &tt.info); err != nil || out.String() != tt.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", tt.name, err, out.String(), tt.want)
		}
	}
}
