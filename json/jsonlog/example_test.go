package jsonlog_test

import (
	"log/slog"
	"os"

	"github.com/weftcodec/weft/json/jsonlog"
)

func ExampleNew() {
	log := slog.New(jsonlog.New(os.Stdout, &slog.HandlerOptions{ReplaceAttr: terse}))
	log.With("service", "pets").WithGroup("request").Info("served", "path", "/pets", "tags", []string{"a", "b"})
	// Output: {"msg":"served","service":"pets","request":{"path":"/pets","tags":["a","b"]}}
}
