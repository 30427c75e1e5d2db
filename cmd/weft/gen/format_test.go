package gen

import (
	"bytes"
	"go/format"
	"path/filepath"
	"testing"

	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// Printed files are as gofmt has them.
func TestFormat(t *testing.T) {
	files := []string{"testdata/shapes.yaml", "testdata/operations.yaml", "testdata/semantics.yaml"}
	if testing.Short() {
		files = files[:1]
	} else if dir := specsDir(); dir != "" {
		for _, name := range []string{"figma.yaml", "discord.json", "twilio_api_v2010.json", "telegram_bot_api.json"} {
			files = append(files, filepath.Join(dir, name))
		}
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			doc, diags := openapi.Load(file)
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			printed, _, err := OpenAPI(doc, Options{Package: "api"})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range printed {
				want, err := format.Source(f.Data)
				if err != nil {
					t.Fatalf("%s: %v", f.Name, err)
				}
				if bytes.Equal(f.Data, want) {
					continue
				}
				a, b := bytes.Split(f.Data, []byte("\n")), bytes.Split(want, []byte("\n"))
				for i := range min(len(a), len(b)) {
					if !bytes.Equal(a[i], b[i]) {
						t.Fatalf("%s:%d:\n%s\n%q, gofmt has\n%q", f.Name, i+1, bytes.Join(a[max(0, i-6):i], []byte("\n")), a[i], b[i])
					}
				}
			}
		})
	}
}
