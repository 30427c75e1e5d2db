package config_test

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/contrib/config"
	"github.com/weftcodec/weft/opt"
)

type server struct {
	Addr    netip.Addr     `json:"addr"`
	Port    int            `json:"port" check:"minimum=1,maximum=65535"`
	MaxSize opt.Val[int64] `json:"maxSize,omitzero"`
	Timeout time.Duration  `json:"timeout"`
	Hosts   []string       `json:"hosts,omitempty" check:"items.minLength=2"`
	Ports   []int          `json:"ports,omitempty"`
	TLS     *tls           `json:"tls,omitempty"`
	Debug   bool           `json:"debug"`
	Limits  map[string]int `json:"limits,omitempty"`
	Next    *server        `json:"next,omitempty"`
}

type tls struct {
	Cert string `json:"cert" check:"required"`
	Key  string `json:"key" check:"required"`
}

type Common struct {
	Name string `json:"name" check:"required,minLength=1"`
}

type app struct {
	Common
	Server server `json:"server"`
	Level  string `json:"level" check:"enum=debug|info"`
}

func defaults() app {
	return app{Server: server{Port: 80, Timeout: time.Second}, Level: "info"}
}

// load loads texts in order, by their names.
func load(t *testing.T, texts []string, more ...config.Source) (app, error) {
	t.Helper()
	var list []config.Source
	for i, text := range texts {
		ext := ".yaml"
		if strings.HasPrefix(text, "{") {
			ext = ".json"
		}
		list = append(list, config.Text(fmt.Sprint(i, ext), []byte(text)))
	}
	cfg := defaults()
	return cfg, config.Load(&cfg, append(list, more...)...)
}

func TestLoad(t *testing.T) {
	cfg := defaults()
	t.Setenv("WEFTAPP_SERVER_MAX_SIZE", "1000")
	t.Setenv("WEFTAPP_SERVER_TLS_KEY", "007")
	t.Setenv("WEFTAPP_SERVER_HOSTS", `aa,"b,b"`)
	t.Setenv("WEFTAPP_SERVER_PORTS", "[1, 2]")
	t.Setenv("WEFTAPP_SERVER_LIMITS", "{a: 1}")
	t.Setenv("WEFTAPP_SERVER_DEBUG", "")
	t.Setenv("WEFTAPP_SERVER_ADDR", "::1")
	t.Setenv("WEFTAPP_OTHER", "ignored")
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.Int("server-port", 1, "")
	flags.Duration("server.timeout", 0, "")
	flags.StringSlice("serverHosts", nil, "")
	flags.Bool("help", false, "")
	flags.Bool("server-debug", false, "")
	flags.String("level", "nonsense", "")
	if err := flags.Parse([]string{
		"--server-port=8080", "--help", "--server.timeout=1m30s", "--server-debug", "--serverHosts=cc,dd",
	}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	yaml, json := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.json")
	write(t, yaml, "# the base\nname: pets\nx: &x {port: 5}\nserver:\n  port: 81\n  timeout: 5s\n  limits: {a: 5, b: 6}\n"+
		"  tls: {cert: c.pem, key: k.pem}\n  next: {<<: *x}\n")
	write(t, json, `{"server": {"port": 82, "next": {"debug": true}}}`)
	err := config.Load(&cfg, config.File(yaml), config.File(json), config.Optional(filepath.Join(dir, "none.yaml")),
		config.Text("empty.yaml", []byte("# nothing\n")),
		config.Env("WEFTAPP"), config.Flags(flags), config.Options(weft.RejectUnknown(false)))
	want := app{Common{"pets"}, server{
		Addr: netip.IPv6Loopback(), Port: 8080, MaxSize: opt.ValOf[int64](1000), Timeout: 90 * time.Second,
		Hosts: []string{"cc", "dd"}, Ports: []int{1, 2},
		TLS: &tls{"c.pem", "007"}, Debug: true, Limits: map[string]int{"a": 1, "b": 6}, Next: &server{Port: 5, Debug: true},
	}, "info"}
	if err != nil || !reflect.DeepEqual(cfg, want) {
		t.Errorf("%v\n%+v\n%+v\n%+v %+v", err, cfg, want, cfg.Server.TLS, cfg.Server.Next)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestErrors(t *testing.T) {
	const base = "name: pets\n"
	for _, tt := range []struct {
		name  string
		texts []string
		want  []string // the lines of the error
	}{
		{"none", []string{base}, nil},
		{"rule", []string{base + "server:\n  port: 99999\n"}, []string{"config: 0.yaml:3:9: /server/port: must be at most 65535, not 99999"}},
		{"rule in JSON", []string{base, "{\n \"server\": {\"port\": 0}}"},
			[]string{"config: 1.json:2:21: /server/port: must be at least 1, not 0"}},
		{"rules", []string{base + "level: none\nserver: {hosts: [aa, b]}"}, []string{
			"config: 0.yaml:2:8: /level: must be one of \"debug\", \"info\", not \"none\"",
			"config: 0.yaml:3:22: /server/hosts/1: must have at least 2 characters, not 1"}},
		{"type", []string{base + "server: {port: x}"}, []string{`config: 0.yaml:2:16: /server/port: `}},
		{"text", []string{"name: 1.0"}, []string{`config: 0.yaml:1:7: /name: `}},
		{"duration", []string{base + "server: {timeout: 5}"}, []string{"config: 0.yaml:2:19: /server/timeout: "}},
		{"unknown", []string{base + "server:\n  prot: 1\n"}, []string{"config: 0.yaml:3:9: /server/prot: unknown member"}},
		{"case", []string{base + "Level: info\n"}, []string{"config: 0.yaml:2:8: /Level: unknown member"}},
		{"missing", []string{"level: info\n"}, []string{`config: 0.yaml:1:1: missing required member "name"`}},
		{"missing below", []string{base + "server: {tls: {cert: c}}"},
			[]string{`config: 0.yaml:2:15: /server/tls: missing required member "key"`}},
		{"twice", []string{base + "name: other\n"}, []string{"config: 0.yaml:2:1: "}},
		{"twice in JSON", []string{`{"name":"a","name":"b"}`}, []string{"config: 0.json:1:13: "}},
		{"YAML", []string{base + "server: [1\n"}, []string{"config: 0.yaml:"}},
		{"JSON", []string{"{\"name\": }"}, []string{"config: 0.json:1:10: "}},
		{"two files", []string{"{", base + "x: {"}, []string{"config: 0.json:1:2: ", "config: 1.yaml:"}},
		{"list", []string{"- a\n"}, []string{"config: 0.yaml:1:1: expected an object with the members of the configuration, got a list"}},
		{"two documents", []string{base + "---\nname: x\n"}, []string{"config: 0.yaml:3:1: a second document"}},
		{"last wins", []string{base + "server: {port: 0}", "server: {port: 1}"}, nil},
		{"last fails", []string{base + "server: {port: 1}", "server:\n  port: 0"},
			[]string{"config: 1.yaml:2:9: /server/port: must be at least 1, not 0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := load(t, tt.texts)
			var lines []string
			if err != nil {
				lines = strings.Split(err.Error(), "\n")
			}
			for i := range max(len(lines), len(tt.want)) {
				if i >= len(lines) || i >= len(tt.want) || !strings.HasPrefix(lines[i], tt.want[i]) {
					t.Fatalf("%v\nwant %q", err, tt.want)
				}
			}
		})
	}
}

func TestSources(t *testing.T) {
	t.Setenv("WEFTAPP_SERVER_PORT", "0")
	t.Setenv("WEFTAPP_SERVER_PORTS", `"a`)
	_, err := load(t, []string{"name: pets"}, config.Env("WEFTAPP"))
	if err == nil || !strings.HasPrefix(err.Error(), "config: environment variable WEFTAPP_SERVER_PORTS: /server/ports: ") {
		t.Error(err)
	}
	t.Setenv("WEFTAPP_SERVER_PORTS", "1")
	_, err = load(t, []string{"name: pets"}, config.Env("WEFTAPP"))
	if err == nil || err.Error() != "config: environment variable WEFTAPP_SERVER_PORT: /server/port: must be at least 1, not 0" {
		t.Error(err)
	}
	t.Setenv("WEFTAPP_SERVER_PORT", "1")
	t.Setenv("WEFTAPP_SERVER_PORTS", "1,x")
	_, err = load(t, []string{"name: pets"}, config.Env("WEFTAPP"))
	if err == nil || !strings.HasPrefix(err.Error(), "config: environment variable WEFTAPP_SERVER_PORTS: /server/ports/1: ") {
		t.Error(err)
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.Int("server-port", 1, "")
	if err := flags.Parse([]string{"--server-port=-1"}); err != nil {
		t.Fatal(err)
	}
	_, err = load(t, []string{"name: pets"}, config.Env("WEFTAPP"), config.Flags(flags))
	if err == nil || err.Error() != "config: flag --server-port: /server/port: must be at least 1, not -1" {
		t.Error(err)
	}

	// What no source sets obeys the rules, too.
	cfg := app{Common: Common{"x"}, Level: "info"}
	err = config.Load(&cfg, config.Text("a.yaml", []byte("name: x")))
	if err == nil || err.Error() != "config: /server/port: must be at least 1, not 0" {
		t.Error(err)
	}
	if err := config.Load(&cfg, config.File("none.yaml")); err == nil || err.Error() != "config: none.yaml: no such file or directory" {
		t.Error(err)
	}
	if err := config.Load(cfg, config.Text("a.yaml", []byte("name: x"))); err == nil {
		t.Error("a struct that is no variable has been loaded")
	}
	var both struct {
		AB struct{ C int }
		A  struct{ BC int }
	}
	t.Setenv("WEFTBOTH_A_B_C", "1")
	err = config.Load(&both, config.Env("WEFTBOTH"))
	if err == nil || err.Error() != "config: environment variable WEFTBOTH_A_B_C: it stands for several members, /AB/C and /A/BC" {
		t.Error(err)
	}
}

// Flags of a command of cobra override files.
func Example() {
	var cfg struct {
		Name   string `json:"name" check:"required"`
		Server struct {
			Port    int           `json:"port" check:"minimum=1,maximum=65535"`
			Timeout time.Duration `json:"timeout"`
		} `json:"server"`
	}
	file := []byte("name: pets\nserver:\n  port: 80\n  timeout: 5s\n") // or config.File("app.yaml")
	cmd := &cobra.Command{Use: "pets", SilenceErrors: true, SilenceUsage: true, RunE: func(cmd *cobra.Command, _ []string) error {
		cfg.Server.Port = 1 // a default
		return config.Load(&cfg, config.Text("app.yaml", file), config.Env("PETS"), config.Flags(cmd.Flags()))
	}}
	cmd.Flags().Int("server-port", 0, "the port to listen at")

	cmd.SetArgs([]string{"--server-port", "8080"})
	fmt.Println(cmd.Execute(), cfg.Name, cfg.Server.Port, cfg.Server.Timeout)
	cmd.SetArgs([]string{"--server-port", "-1"})
	fmt.Println(cmd.Execute())
	// Output:
	// <nil> pets 8080 5s
	// config: flag --server-port: /server/port: must be at least 1, not -1
}

func ExampleLoad() {
	var cfg struct {
		Port int    `json:"port" check:"maximum=65535"`
		Host string `json:"host"`
	}
	fmt.Println(config.Load(&cfg, config.Text("app.yaml", []byte("host: example.com\nport: 99999\n"))))
	// Output: config: app.yaml:2:7: /port: must be at most 65535, not 99999
}

func ExampleFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "app.json")
	if err := os.WriteFile(name, []byte(`{"port": 80, "comment": "of a newer version"}`), 0o600); err != nil {
		fmt.Println(err)
	}
	var cfg struct {
		Port int `json:"port"`
	}
	err = config.Load(&cfg, config.File(name), config.Optional(filepath.Join(dir, "local.json")),
		config.Options(weft.RejectUnknown(false)))
	fmt.Println(cfg.Port, err)
	// Output: 80 <nil>
}
