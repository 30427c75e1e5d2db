package openapi

import (
	"fmt"
	"strings"
	"testing"
)

const pathDoc = `{"a": [{"n": 1, "s": "x"}, {"n": 2}, {"n": 3, "s": "y\r"}], "o": {"a b": null, "ü": [[1, 2], [3]]}, "t": "é"}`

// Queries, the values they select, and those that are not valid (RFC 9535).
var pathRows = []struct{ path, want string }{
	{`$`, `[` + strings.ReplaceAll(strings.ReplaceAll(pathDoc, ": ", ":"), ", ", ",") + `]`},
	{`$.a[0].n`, `[1]`},
	{`$.a[-1]['n']`, `[3]`},
	{`$ .a [ 0 , 1 ] .n`, `[1,2]`},
	{`$.a[*].n`, `[1,2,3]`},
	{`$.a[::2].n`, `[1,3]`},
	{`$.a[::-1].n`, `[3,2,1]`},
	{`$.a[1:].n`, `[2,3]`},
	{`$.a[-2:-1].n`, `[2]`},
	{`$.a[::0]`, `[]`},
	{`$.a[9]`, `[]`},
	{`$..n`, `[1,2,3]`},
	{`$..[0][0]`, `[1]`},
	{`$.o["a b"]`, `[null]`},
	{`$.o.ü[0][1]`, `[2]`},
	{`$['t']`, `["é"]`},
	{`$['\u0074']`, `["é"]`},
	{`$.a[?@.s].n`, `[1,3]`},
	{`$.a[?!@.s].n`, `[2]`},
	{`$.a[?@.n > 1 && @.n <= 3].n`, `[2,3]`},
	{`$.a[?@.n == 1 || (@.s == 'y\r')].n`, `[1,3]`},
	{`$.a[?@.none == @.nothing].n`, `[1,2,3]`},
	{`$.a[?@.n != $.a[0].n].n`, `[2,3]`},
	{`$.a[?match(@.s, 'x|z')].n`, `[1]`},
	{`$.a[?search(@.s, 'y.')].n`, `[]`},
	{`$.a[?length(@) == 2].n`, `[1,3]`},
	{`$[?length(@) == 1]`, `["é"]`},
	{`$[?count(@.*) == 3][0].n`, `[1]`},
	{`$.a[?value(@..n) == 2].n`, `[2]`},
	{`$.a[?@.n == 1e0].n`, `[1]`},
	{`a`, `at "a": '$' is expected`},
	{``, `at the end: '$' is expected`},
	{`$.`, `at the end: a name or * is expected: names with other characters stand in ['…']`},
	{`$.a[`, `at the end: a name in quotes, a number, *, : or ? is expected`},
	{`$.a[01]`, `at "01]": 01 is not an index`},
	{`$.a[0`, `at the end: a comma or ] is expected`},
	{`$['a`, `the path ends inside a string`},
	{`$['\x']`, `at "\\x']": no escape of a string`},
	{`$.a[?@.n = 1]`, `at "= 1]": a comma or ] is expected`},
	{`$.a[?@.* == 1]`, `at "]": only values can be compared: literals, paths to one node, length(), count() and value()`},
	{`$.a[?1]`, `at "]": a value is not a condition: compare it`},
	{`$.a[?foo(@)]`, `at "foo(@)]": there is no function "foo": expected length, count, value, match or search`},
	{`$.a[?length(@.*) == 1]`, `at ") == 1]": not what the function length takes`},
	{`$.a[?` + strings.Repeat("(", 1000), `: nested too deep`},
}

func TestPath(t *testing.T) {
	var rep reporter
	root := readJSON(&file{}, pathDoc, &rep)
	for _, row := range pathRows {
		t.Run(fmt.Sprintf("%.80s", row.path), func(t *testing.T) {
			q, err := parsePath(row.path)
			if err != nil {
				if !strings.HasSuffix(err.Error(), row.want) {
					t.Errorf("%v, want %s", err, row.want)
				}
				return
			}
			var got []string
			list, ok := q.find(root)
			for _, f := range list {
				got = append(got, string(AppendJSON(nil, f.node)))
			}
			if text := "[" + strings.Join(got, ",") + "]"; text != row.want || !ok {
				t.Errorf("%s, want %s", text, row.want)
			}
		})
	}
}

// A query that visits everything again and again stops.
func TestPathBomb(t *testing.T) {
	text := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	var rep reporter
	root := readJSON(&file{}, text, &rep)
	q, err := parsePath(fmt.Sprintf("$%s", strings.Repeat("..*", 5)))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := q.find(root); ok {
		t.Error("a query of 300^5 nodes ended")
	}
}
