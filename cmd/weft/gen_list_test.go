package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftcodec/weft/json"
)

var update = flag.Bool("update", false, "write the golden files")

// The listing of operations.yaml, as text and as JSON, is that of the golden
// file: parameters in every style, headers, cookies, bodies by media type,
// responses by status, range and default, callbacks, webhooks, links, security.
// The one in JSON names an operation once.
func TestGenListing(t *testing.T) {
	path, err := filepath.Abs("testdata/operations.golden")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("gen")
	list := func(flags ...string) string {
		status, out, errs := weft("", append([]string{"gen", "openapi", "testdata/operations.yaml", "--list"}, flags...)...)
		if status != 0 || errs != "" {
			t.Fatalf("status %d: %s", status, errs)
		}
		return out
	}
	text := list("--json")
	var api struct{ Operations, Webhooks []any }
	if err := json.Unmarshal([]byte(text), &api); err != nil {
		t.Fatal(err)
	}
	if len(api.Operations) != 3 || len(api.Webhooks) != 1 || strings.Count(text, `"operationId": "getOrder"`) != 1 {
		t.Errorf("%d operations and %d webhooks", len(api.Operations), len(api.Webhooks))
	}
	got := []byte(list() + "\n" + text)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the listing is not that of %s; look at the difference that go test -update makes", path)
	}
}
