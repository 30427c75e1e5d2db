package flow_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftcodec/weft/flow"
)

// TestCheck has a document in each row and all that is said of it. A server and a snippet that
// are right stand before the rows that begin with a dash and have no server.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("127.0.0.1:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const server = "- {kind: http, name: s, address: :1, links: {out: {name: n}}}\n"
	for _, tt := range []struct{ name, doc, want string }{
		{"empty", "", `1:1: the file is empty: expected a list of nodes, each with a kind`},
		{"scalar", "hello", `1:1: expected a list of nodes, each with a kind, got "hello"`},
		{"syntax", "- kind: http\n  - x", `2:3: not YAML: did not find expected key`},
		{"no node", "- 5", `1:3: expected a node, which has a kind and a name, got the number 5`},
		{"no kind", "- name: x",
			`1:3: the node has no kind: add kind, one of http, route, snippet, client, switch, if, map, transcode, decode, ` +
				`encode, validate, assert, split, merge, join, retry, throttle, cache, record, queue, file, stdin, stdout, nats, admin, test`},
		{"unknown kind", "- kind: snipet\n  code: x", `1:9: unknown kind "snipet": did you mean "snippet"?`},
		{"unknown field", server + "- {kind: snippet, name: n, cod: x, code: y}",
			`2:28: unknown field "cod": did you mean "code"?`},
		{"unknown field below",
			server + "- {kind: route, name: n, routes: [{path: /, prot: x, port: 'out[0]'}], links: {'out[0]': {name: s}}}",
			`2:45: unknown field "prot": did you mean "port"?`},
		{"missing field", server + "- {kind: snippet, name: n}",
			`2:3: the field "code" is missing: add code, the text, the value, or the expression that makes it`},
		{"twice", server + "- {kind: snippet, name: n, code: x, code: y}", `2:37: the field "code" stands here twice`},
		{"same name", server + "- {kind: snippet, name: n, code: x}\n- {kind: snippet, name: n, code: y}",
			`3:25: a second node called "n", the first is at f.yaml:2:10: rename one`},
		{"dangling link", server + "- {kind: snippet, name: nn, code: x}",
			`1:58: the link leads to "n", which is not a node: did you mean "nn"?
2:10: warning: no link leads to "nn": it never runs`},
		{"no such port",
			"- {kind: http, name: s, address: :1, links: {uot: {name: n}, out: {name: n, port: ni}}}\n- {kind: snippet, name: n, code: x}",
			`1:46: a node of kind http has no output port "uot": did you mean "out"?
1:74: the node "n" of kind snippet has no input port "ni": did you mean "in"?
2:10: warning: no link leads to "n": it never runs`},
		{"no link", "- {kind: http, name: s, address: :1}",
			`1:10: the port out of "s" is linked to nothing: add links: {out: [{name: NODE, port: in}]}`},
		{"no link of a route",
			server + "- {kind: route, name: n, routes: [{path: /, port: 'out[0]'}, {path: x, port: out}], links: {'out[1]': {name: s}}}",
			`2:51: the port out[0] of "n" is linked to nothing: add links: {"out[0]": [{name: NODE, port: in}]}
2:78: "out" is not an output port: expected out[0], out[1] and so on`},
		{"route never taken",
			server + "- {kind: route, name: n, routes: [{path: '/a/{x}', port: 'out[0]'}, {path: /a/:y, port: 'out[0]'}], " +
				"links: {'out[0]': {name: s}}}",
			`2:76: the route  /a/:y never gets a request: /a/{x} comes first`},
		{"route without a path", server + "- {kind: route, name: n, routes: [{port: 'out[0]'}], links: {'out[0]': {name: s}}}",
			`2:35: the field "path" is missing: add path, such as /users/:id, /users/{id} or /files/*`},
		{"route without anything", server + "- {kind: route, name: n, routes: [{}]}",
			`2:35: the field "path" is missing: add path, such as /users/:id, /users/{id} or /files/*
2:35: the field "port" is missing: add port, the output port, such as out[0]`},
		{"case without nodes", server + "- {kind: snippet, name: n, code: x}\n" +
			"- {kind: test, name: t, request: {path: x}, stubs: [{body: 1}], reach: [{times: 1}], want: {status: 200}}",
			`3:41: the path "x" has to begin with /
3:53: the field "node" is missing: add node, the node
3:73: the field "node" is missing: add node, the node`},
		{"circle", server + "- {kind: map, name: n, links: {out: {name: m}}}\n- {kind: map, name: m, links: {out: [{name: n}]}}",
			`3:45: the links lead in a circle, n -> m -> n: put a node of kind queue in it`},
		{"circle with a queue",
			server + "- {kind: map, name: n, links: {out: {name: q}}}\n- {kind: queue, name: q, links: {out: [{name: n}]}}", ``},
		{"address", "- {kind: http, name: s, address: 8080, links: {out: {name: s}}}\n" +
			"- {kind: http, name: t, port: 80a, links: {out: {name: s}}}\n- {kind: http, name: u, links: {out: {name: s}}}",
			`1:34: "8080" is not an address: expected HOST:PORT or :PORT
2:31: "80a" is not a port: expected a number up to 65535
3:10: the server has no address: add address: :8000`},
		{"same address",
			"- {kind: http, name: s, address: :1, links: {out: {name: s}}}\n- {kind: listener, name: t, port: 1, links: {io: {name: s}}}",
			`2:35: "s" also listens at :1: choose another address`},
		{"types", "- {kind: http, name: s, address: :1, timeout: 30, maxBody: 10x, maxInFlight: many, h2c: yes, links: {out: {name: s}}}",
			`1:47: expected a duration such as 30s or 250ms, got the number 30
1:60: expected a size such as 64KiB or 10MiB, got "10x"
1:78: expected an integer, got "many"
1:89: expected true or false, got "yes"`},
		{"enum", server + "- {kind: snippet, name: n, lang: jsno, code: 1}",
			`2:34: "jsno" is not possible here: did you mean "json"?`},
		{"JSON", server + "- kind: snippet\n  name: n\n  lang: json\n  code: |\n    {\n      \"a\": tru\n    }",
			`7:15: not JSON: invalid character '\n' in literal true (expecting 'e')`},
		{"YAML", server + "- {kind: snippet, name: n, lang: yaml, code: '[1'}",
			`2:46: not YAML: did not find expected ',' or ']'`},
		{"expression", server + "- {kind: snippet, name: n, lang: expr, code: body.a + bdy.b}",
			`2:55: in the expression: unknown name bdy`},
		{"expression in a block",
			server + "- kind: snippet\n  name: n\n  lang: expr\n  code: |\n    {\n      \"a\": method + 1}",
			`7:19: in the expression: invalid operation: + (mismatched types string and int)`},
		{"expression in quotes", server + "- {kind: if, name: n, when: 'status', links: {'out[0]': {name: s}}}",
			`2:30: in the expression: expected bool, but got int`},
		{"condition",
			server + "- {kind: switch, name: n, matches: [{port: 'out[0]'}, {when: 'true', port: 'out[0]'}], links: {'out[0]': {name: s}}}",
			`2:44: a match without a condition takes everything: it must be the last`},
		{"variable", "- {kind: http, name: s, address: '${NO_SUCH}', links: {out: {name: s}}}",
			`1:34: the environment has no variable NO_SUCH: set it, or write ${NO_SUCH:-VALUE}`},
		{"otherwise", "- {kind: http, name: s, address: '${NO_SUCH:-:8080}', links: {out: {name: s}}}", ``},
		{"dollar", "- {kind: http, name: s, address: '$${NO_SUCH}', links: {out: {name: s}}}",
			`1:34: "${NO_SUCH}" is not an address: expected HOST:PORT or :PORT`},
		{"file", "- {kind: http, name: s, address: '${file:secret}', links: {out: {name: s}}}", ``},
		{"no file", "- {kind: http, name: s, address: '${file:no}', links: {out: {name: s}}}",
			`1:34: the file ` + filepath.Join(dir,
				"no") + `, to which ${file:no} refers, cannot be read: no such file or directory`},
		{"secret", "- {kind: http, name: s, address: :1, timeout: '${file:secret}', links: {out: {name: s}}}",
			`1:47: expected a duration such as 30s or 250ms, got "${file:secret}"`},
		{"certificate", "- {kind: http, name: s, address: :1, tls: {cert: no, key: no}, links: {out: {name: s}}}",
			`1:50: the file ` + filepath.Join(dir, "no") + ` cannot be read: no such file or directory`},
		{"client", server + "- {kind: client, name: n, url: [127.0.0.1, 'ftp://x', 'http://a?b', 'http://ok']}",
			`2:33: expected an address such as http://127.0.0.1:9000 or https://api.example.com/v1
2:44: expected an address such as http://127.0.0.1:9000 or https://api.example.com/v1
2:55: expected an address such as http://127.0.0.1:9000 or https://api.example.com/v1`},
		{"client of today", server + "- {kind: http, name: n, url: 'http://a', adress: :1}",
			`2:42: unknown field "adress": there is url, balance, timeout, connectTimeout, maxConnections, maxIdle, idleTimeout, ` +
				`maxAnswer, preserveHost, stripPrefix, retry, breaker, name, links`},
		{"path to set", server + "- {kind: map, name: n, set: {'a[': '1'}}",
			`2:36: "a[" is not a path to set: expected one such as user.id or ["a.b"].c`},
		{"nodes and more", "x-a: 1\nnods: 1\nnodes:\n" + server + "- {kind: snippet, name: n, code: x}",
			`2:1: unknown field "nods": did you mean "nodes"?`},
		{"alias", server + "- {kind: snippet, name: n, code: &c x, links: {out: {name: m}}}\n- {kind: snippet, name: m, code: *c}", ``},
		{"two writers of a file", "- {kind: stdin, name: s, links: {out: [{name: n}, {name: m}]}}\n" +
			"- {kind: file, name: n, write: a.ndjson}\n- {kind: file, name: m, write: a.ndjson}",
			`3:32: "n" writes to the file too: link both to one node`},
		{"a file of no format", "- {kind: stdin, name: s, links: {out: {name: n}}}\n- {kind: file, name: n, write: a.txt}",
			`2:32: the name does not give a format: expected an end such as .ndjson, .msgpack or .framed.zst, or add format`},
		{"a file both ways",
			"- {kind: file, name: s, read: a.ndjson, write: b, links: {out: {name: n}}}\n- {kind: stdout, name: n, format: framed}",
			`1:41: unknown field "write": there is read, format, compress, workers, name, links
2:35: "framed" is not possible here: there is ndjson, msgpack, text`},
		{"parts", server + "- {kind: merge, name: n, parts: [{port: in}, {port: 'out[1]', at: x}]}",
			`2:41: "in" is not an output port: expected out[0], out[1] and so on
2:53: the port out[1] of "n" is linked to nothing: add links: {"out[1]": [{name: NODE, port: in}]}`},
		{"methods", server + "- {kind: route, name: n, routes: [{method: GETT, path: /a, port: 'out[0]'}, " +
			"{method: purge, path: /, port: 'out[0]'}, {method: get, path: /, port: 'out[0]'}], links: {'out[0]': {name: m}}}\n" +
			"- {kind: map, name: m, method: Post, links: {out: {name: t}}}\n- {kind: snippet, name: t, code: x}\n" +
			"- {kind: test, name: c, request: {method: DELTE}, want: {status: 200}}",
			`2:44: warning: "GETT" is an unusual method: did you mean "GET"?
3:32: warning: "Post" is an unusual method: did you mean "POST"?
5:43: warning: "DELTE" is an unusual method: did you mean "DELETE"?`},
		{"two documents", server + "---\nkind: snippet\nname: n\ncode: x\n", ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(dir, "f.yaml")
			if err := os.WriteFile(name, []byte(tt.doc), 0o600); err != nil {
				t.Fatal(err)
			}
			found, err := flow.Check([]string{name})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(strings.ReplaceAll(found.String(), name+":", ""), "at 2:10:", "at f.yaml:2:10:")
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			if _, err := flow.Load(name); (err != nil) != (len(found.Errors()) > 0) {
				t.Errorf("Load: %v", err)
			}
		})
	}
}

// TestCheckFileTwice gives one file twice.
func TestCheckFileTwice(t *testing.T) {
	found, err := flow.Check([]string{"testdata/ping.yaml", "testdata/../testdata/ping.yaml"})
	const want = "testdata/../testdata/ping.yaml:1:1: the file is given twice: give it once"
	if err != nil || found.String() != want {
		t.Errorf("got %v, %v, want %s", found, err, want)
	}
}

// FuzzCheck checks that no document makes it panic, and that everything it finds is at a place.
func FuzzCheck(f *testing.F) {
	for _, name := range []string{"testdata/ping.yaml", "testdata/ping_today.yaml"} {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("- kind: map\n  set: {a: body.b[0].c?.d, \"[\": 'let body = 1; body.x'}\n  links: {out: [{name: map, port: out}]}\n")
	f.Add("- {kind: route, name: n, routes: [{port: 'out[0]'}], links: {'out[0]': {name: n}}}")
	f.Add("- &a [*a]\n- {kind: snippet, lang: yaml, code: \"&a [*a]\"}")
	f.Fuzz(func(t *testing.T, text string) {
		nowhere := flow.Env(func(string) (string, bool) { return "1", true })
		if strings.Contains(text, "file:") || strings.Contains(text, "tls") {
			return // reads no files of the machine
		}
		if _, err := flow.Parse("f.yaml", []byte(text), nowhere); err != nil && !strings.HasPrefix(err.Error(), "f.yaml:") {
			t.Errorf("%v", err)
		}
	})
}
