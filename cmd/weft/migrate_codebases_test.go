package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// codeBases are modules whose tests use encoding/json much, and packages of them
// whose tests need neither a server nor files that a module's archive lacks.
var codeBases = []struct {
	module   string
	packages []string
}{
	{"github.com/guregu/null/v6@v6.0.0", []string{"./..."}},
	{"github.com/getkin/kin-openapi@v0.142.0", []string{"./..."}},
	{"github.com/labstack/echo/v4@v4.16.0", []string{"./..."}},
	{"go.uber.org/zap@v1.28.0", []string{"./zapcore/...", "./buffer/...", "./zapio/...", "./zaptest/..."}},
	{"github.com/ogen-go/ogen@v1.24.0", []string{"./conv/...", "./json/...", "./jsonschema/...", "./openapi/..."}},
	{"github.com/aws/aws-lambda-go@v1.55.1", []string{"./..."}},
	{"github.com/bwmarrin/discordgo@v0.29.0", []string{"./..."}},
	{"github.com/digitalocean/godo@v1.236.0", []string{"./..."}},
	{"github.com/evanphx/json-patch/v5@v5.9.11", []string{"./..."}},
	{"github.com/go-openapi/spec@v1.0.1", []string{"./..."}},
	{"github.com/go-telegram/bot@v1.19.0", []string{"./..."}},
	{"github.com/golang-jwt/jwt/v5@v5.3.1", []string{"./..."}},
	{"github.com/google/go-github/v82@v82.0.0", []string{"./github"}},
	{"github.com/google/jsonschema-go@v0.4.3", []string{"./..."}},
	{"github.com/hashicorp/terraform-json@v0.29.0", []string{"./..."}},
	{"github.com/invopop/jsonschema@v0.14.0", []string{"./..."}},
	{"github.com/lestrrat-go/jwx/v3@v3.3.0", []string{"./..."}},
	{"github.com/modelcontextprotocol/go-sdk@v1.8.0", []string{"./auth/...", "./jsonrpc/...", "./mcp/..."}},
	{"github.com/paulmach/orb@v0.14.0", []string{"./..."}},
	{"github.com/sashabaranov/go-openai@v1.43.0", []string{"./..."}},
	{"github.com/shopspring/decimal@v1.6.0", []string{"./..."}},
	{"github.com/tidwall/gjson@v1.20.1", []string{"./..."}},
	{"github.com/wI2L/jsondiff@v0.7.1", []string{"./..."}},
	{"go.mongodb.org/mongo-driver/v2@v2.9.3", []string{"./bson/..."}},
	{"gitlab.com/gitlab-org/api/client-go@v1.46.0", []string{"."}},
	{"github.com/compose-spec/compose-go/v2@v2.16.2", []string{"./schema/...", "./types/...", "./loader/..."}},
	{"github.com/nats-io/jwt/v2@v2.8.3", []string{"./..."}},
	{"github.com/prometheus/common@v0.74.0", []string{"./..."}},
	{"github.com/santhosh-tekuri/jsonschema/v6@v6.0.3", []string{"./..."}},
	{"github.com/swaggest/jsonschema-go@v0.3.74", []string{"./..."}},
	{"github.com/swaggest/openapi-go@v0.2.60", []string{"./..."}},
	{"github.com/zclconf/go-cty@v1.20.0", []string{"./cty/json", "./cty/function/stdlib"}},
	{"github.com/zitadel/oidc/v3@v3.52.0", []string{"./pkg/..."}},
}

// TestCodeBases changes the imports of other people's modules and runs their
// tests before and after: the same tests must pass.
//
//	WEFT_CODEBASES=1 go test -timeout 60m -v -run TestCodeBases ./cmd/weft
func TestCodeBases(t *testing.T) {
	if os.Getenv("WEFT_CODEBASES") == "" {
		t.Skip("WEFT_CODEBASES is not set: it downloads modules and takes minutes")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range codeBases {
		t.Run(c.module, func(t *testing.T) {
			dir := copyModule(t, c.module)
			goIn(t, dir, "mod", "edit", "-go=1.26") // which changes GODEBUG too
			before := testOutcomes(t, dir, c.packages)
			var out, errs strings.Builder
			if status := run([]string{"migrate", "imports", "--write", dir},
				streams{in: strings.NewReader(""), out: &out, err: &errs}); status != 0 {
				t.Fatal(errs.String())
			}
			goIn(t, dir, "mod", "edit", "-replace=github.com/weftcodec/weft="+root, "-require=github.com/weftcodec/weft@v0.0.0")
			after := testOutcomes(t, dir, c.packages)
			passed := 0
			for name, was := range before {
				if was != "pass" {
					continue
				}
				passed++
				if now := after[name]; now != was {
					t.Errorf("%s: passes, and with weft's json: %q", name, now)
				}
			}
			if passed == 0 {
				t.Error("no test passes before the change")
			}
			t.Logf("%d tests pass, before and after; %s", passed, strings.TrimSpace(errs.String()))
		})
	}
}

// copyModule returns a writable copy of a module.
func copyModule(t *testing.T, module string) string {
	var found struct{ Dir string }
	if err := json.Unmarshal(goIn(t, t.TempDir(), "mod", "download", "-json", module), &found); err != nil || found.Dir == "" {
		t.Fatal(module, err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(found.Dir)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if d.IsDir() {
			mode = 0o755
		}
		return os.Chmod(path, mode)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// ofRun are parts of names of tests that are other ones in each run: addresses, and ports.
var ofRun = regexp.MustCompile(`0x[0-9a-f]{6,}|127\.0\.0\.1:[0-9]+`)

// testOutcomes runs the tests of packages and returns how each ended.
func testOutcomes(t *testing.T, dir string, packages []string) map[string]string {
	cmd := goCommand(dir, append([]string{"test", "-json", "-vet=off", "-mod=mod"}, packages...)...)
	out, _ := cmd.Output() // some tests fail for want of files: the outcomes tell
	outcomes := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var e struct{ Action, Package, Test string }
		if err := d.Decode(&e); err != nil {
			t.Fatal(err)
		}
		if e.Test != "" && slices.Contains([]string{"pass", "fail", "skip"}, e.Action) {
			outcomes[e.Package+" "+ofRun.ReplaceAllString(e.Test, "*")] = e.Action
		}
	}
	return outcomes
}

func goIn(t *testing.T, dir string, args ...string) []byte {
	cmd := goCommand(dir, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, errs.Bytes())
	}
	return out
}

func goCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	return cmd
}
