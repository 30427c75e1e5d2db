package figures

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/weftcodec/weft/bench/harness"
)

// tables are the parts that a page may have.
var tables = map[string]func(*harness.Report) (string, error){
	"run":      run,
	"headline": headline,
	"releases": releaseTable,
	"alone":    aloneTable,
	"sdk":      sdkTable,
	"types":    typesTable,
	"others":   others,
	"behind":   behind,
	"ahead":    ahead,
	"json":     jsonTable,
	"msgpack":  msgpackTable,
	"cbor":     cborTable,
	"persist":  persistTable,
	"optional": optionalTable,
	"value":    valueTable,
	"reading":  readingTable,
	"openapi":  openapiTable,
	"article":  article,
	"cold":     coldTable,
	"schema":   schemaTable,
	"shapes":   shapesTable,
}

// grid prints a table in Markdown; its first row is the header.
func grid(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|---|" + strings.Repeat("---:|", len(row)-1) + "\n")
		}
	}
	return strings.ReplaceAll(b.String(), "|  |", "| |")
}

// sheet looks rows up and keeps the first that is missing as an error.
type sheet struct {
	*harness.Report
	err error
}

// row returns a timed row. A row of a part that was skipped, or whose check
// failed, is nil without an error where it may be missing.
func (s *sheet) row(group, corpus, op, name string, optional bool) *harness.Row {
	r := s.Find(group, corpus, op, name)
	if r != nil && r.Timed() {
		return r
	}
	if !optional && s.err == nil {
		s.err = fmt.Errorf("no row %s, %s %s, %s", group, corpus, op, name)
	}
	return nil
}

// time prints nanoseconds in the unit that suits them.
func time(ns float64) string {
	switch {
	case ns >= 1e7:
		return fmt.Sprintf("%.0f ms", ns/1e6)
	case ns >= 1e6:
		return fmt.Sprintf("%.2f ms", ns/1e6)
	case ns >= 1e4:
		return fmt.Sprintf("%.0f µs", ns/1e3)
	case ns >= 1e3:
		return fmt.Sprintf("%.2f µs", ns/1e3)
	case ns >= 10:
		return fmt.Sprintf("%.0f ns", ns)
	}
	return fmt.Sprintf("%.1f ns", ns)
}

// timeOf prints the time of a row, and of the allocations if asked; a dash for none.
func timeOf(r *harness.Row, allocs bool) string {
	if r == nil {
		return "–"
	}
	s := time(r.Ns.Median)
	if allocs {
		s += ", " + thousands(int(r.Allocs+0.5))
	}
	if r.Ahead > 0 {
		s = "**" + s + "**"
	}
	return s
}

// thousands prints an integer in groups of three digits.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// run says when, where and with what the figures were taken.
func run(r *harness.Report) (string, error) {
	if r.Date == "" || r.Env.Commit == "" {
		return "", errors.New("the results name no date or no commit")
	}
	s := fmt.Sprintf("Measured on %s at commit %s with %s on %s/%s, %s, GOMAXPROCS=%d of %d CPUs; %s; %s.\n",
		r.Date, r.Env.Commit, r.Env.Go, r.Env.OS, r.Env.Arch, r.Env.CPU, r.Env.GOMAXPROCS, r.Env.NumCPU, r.Env.Clock, r.Config)
	return s, nil
}

// Mean returns the geometric means of a library's ratios in the documents of a group, and of their quartiles; documents
// is how many of them have the library.
func Mean(r *harness.Report, group, op, name string) (m harness.Spread, documents int) {
	var ratios, q1, q3 []float64
	for i := range r.Rows {
		x := &r.Rows[i]
		if x.Group == group && x.Op == op && x.Case == name && x.Timed() && (group == "sdk" || documentsOf[x.Corpus]) {
			ratios, q1, q3 = append(ratios, x.Ratio.Median), append(q1, x.Ratio.Q1), append(q3, x.Ratio.Q3)
		}
	}
	return harness.Spread{Median: harness.GeoMean(ratios), Q1: harness.GeoMean(q1), Q3: harness.GeoMean(q3)}, len(ratios)
}

// documents are the corpora of the json group that its means are taken over.
var (
	documents = []string{"canada_geometry", "citm_catalog", "golang_source", "string_escaped", "string_unicode",
		"synthea_fhir", "twitter_status", "pet", "result_18mb"}
	documentsOf = func() map[string]bool {
		m := make(map[string]bool)
		for _, d := range documents {
			m[d] = true
		}
		return m
	}()
)

// jsonOps are the columns of the headline, untypedOps those of the documents that are also read into any, and sdkOps
// those of types of SDKs, which have no form in any.
var (
	jsonOps    = []string{"typed decode", "typed encode", "typed append", "any decode", "any encode", "valid"}
	untypedOps = []string{"typed decode", "typed encode", "any decode", "any encode"}
	sdkOps     = []string{"typed decode", "typed decode, other order", "typed encode"}
	opTitles   = map[string]string{"typed decode": "read a struct", "typed decode, other order": "read it in another order",
		"typed encode": "write it", "typed append": "append it", "any decode": "read into any", "any encode": "write that",
		"valid": "Valid"}
)

// libraries are the rows of means: those that do what encoding/json does, and the others.
var (
	compatible = [][2]string{{"weft", "**weft**"}, {"go-json", "goccy/go-json"}, {"sonic std", "sonic, `ConfigStd`"},
		{"jsoniter", "jsoniter"}, {"segmentio", "segmentio"}}
	version2     = [][2]string{{"weft v2", "**weft**, `V2()`"}, {"encoding/json/v2", "encoding/json/v2"}}
	incompatible = [][2]string{{"weft fast", "**weft**, `Fastest()`; what is read is checked"},
		{"sonic default", "sonic, default; unchecked"}, {"sonic fastest", "sonic, `ConfigFastest`; unchecked"},
		{"go-json unsafe", "goccy/go-json, without copies and sorting"}, {"easyjson", "easyjson, generated"}}
	floor = [][2]string{{"memory alone", "memory for the result, without encoding"}}
)

// means has the geometric means of libraries over the documents of a group; it is empty where the group was not run.
func means(r *harness.Report, group string, ops []string, libraries ...[][2]string) string {
	rows := [][]string{{"times encoding/json's speed"}}
	for _, op := range ops {
		rows[0] = append(rows[0], opTitles[op])
	}
	_, all := Mean(r, group, ops[0], "weft")
	if all == 0 {
		return ""
	}
	for _, lib := range slices.Concat(libraries...) {
		row, found := []string{lib[1]}, 0
		for _, op := range ops {
			v, n := Mean(r, group, op, lib[0])
			found += n
			switch {
			case n == 0:
				row = append(row, "–")
			case n < all:
				row = append(row, fmt.Sprintf("%.2f (of %d)", v.Median, n))
			default:
				row = append(row, fmt.Sprintf("%.2f", v.Median))
			}
		}
		if found > 0 {
			rows = append(rows, row)
		}
	}
	return grid(rows)
}

// headline has the geometric means of the JSON libraries.
func headline(r *harness.Report) (string, error) {
	if _, n := Mean(r, "json", "typed decode", "weft"); n != len(documents) {
		return "", fmt.Errorf("%d documents of %d", n, len(documents))
	}
	return means(r, "json", jsonOps, compatible, version2, incompatible, floor), nil
}

// orNone says that a table is empty.
func orNone(text string) (string, error) {
	if text == "" {
		text = "The recorded run does not contain this table.\n"
	}
	return text, nil
}

// releaseTable has the same of another release of Go, which [Add] gives the results.
func releaseTable(r *harness.Report) (string, error) {
	var text string
	for _, group := range groups(r) {
		if release, ok := strings.CutPrefix(group, "json, "); ok {
			text += means(r, group, jsonOps, compatible, version2)
			text = strings.Replace(text, "times encoding/json's speed", "times encoding/json's speed, "+release, 1)
		}
	}
	return orNone(text)
}

// aloneTable has the geometric means of the libraries that have programs of their own.
func aloneTable(r *harness.Report) (string, error) {
	return orNone(means(r, "alone", untypedOps, compatible, floor))
}

// sdkTable has the geometric means on types of SDKs.
func sdkTable(r *harness.Report) (string, error) {
	return orNone(means(r, "sdk", sdkOps, compatible, version2, incompatible[:len(incompatible)-1]))
}

// others has a line for each of the other groups.
func others(r *harness.Report) (string, error) {
	s := &sheet{Report: r}
	const ids, record = "20000 ModuleIDs, tmpfs", "record as map"
	place := ids
	if r.Find("persist", ids, "save", "weft json") == nil {
		place = "20000 ModuleIDs, disk"
	}
	type entry struct{ title, corpus, op, name string }
	line := func(title, group string, own entry, peers ...entry) []string {
		a := s.row(group, own.corpus, own.op, own.name, false)
		cell := timeOf(a, false)
		var with []string
		for _, p := range peers {
			if b := s.row(group, p.corpus, p.op, p.name, true); b != nil {
				t := timeOf(b, false)
				if p.title == "" {
					p.title = p.name
				}
				with = append(with, p.title+" "+t)
			}
		}
		return []string{title, cell, strings.Join(with, ", ")}
	}
	each := func(corpus, op string, names ...string) (list []entry) {
		for _, n := range names {
			list = append(list, entry{"", corpus, op, n})
		}
		return list
	}
	rows := [][]string{{"", "weft", "others"}}
	for _, op := range []string{"encode", "decode"} {
		rows = append(rows, line("MessagePack, a record of 152 bytes, "+op, "msgpack", entry{"", record, op, "weft"},
			each(record, op, "msgp", "shamaton", "vmihailenco", "ugorji")...))
	}
	for _, op := range []string{"encode", "decode"} {
		if r.Find("cbor", record, op, "weft") != nil {
			rows = append(rows, line("CBOR, a record of 152 bytes, "+op, "cbor", entry{"", record, op, "weft"},
				each(record, op, "fxamacker", "ugorji")...))
		}
	}
	for _, op := range []string{"save", "load"} {
		rows = append(rows, line("20,000 records to a file, "+op, "persist", entry{"", place, op, "weft framed + zstd"},
			each(place, op, "msgp tuple", "go-json", "encoding/json")...))
	}
	for _, op := range []string{"unmarshal", "marshal"} {
		rows = append(rows, line("a pet of an OpenAPI document, "+op, "openapi", entry{"", "Pet", op, "weft generated"},
			each("Pet", op, "openapi-generator 7.25.0", "ogen 1.24.0", "oapi-codegen 2.8.2")...))
	}
	rows = append(rows, line("first read of a pet in a fresh process", "cold", entry{"", "pet", "first decode", "weft"},
		each("pet", "first decode", "encoding/json", "go-json", "sonic std")...))
	var sizes string
	if a, b := s.row("persist", place, "save", "weft framed + zstd", false), s.row("persist", place, "save", "msgp tuple", false); a != nil && b != nil {
		sizes = fmt.Sprintf("\nThe records take %s bytes in weft's format and %s in msgp's.\n", thousands(a.Size), thousands(b.Size))
	}
	return strings.Replace(grid(rows), "|---|---:|---:|", "|---|---:|---|", 1) + sizes, s.err
}

// groups returns the groups of a run that compare weft with others, in order.
func groups(r *harness.Report) (names []string) {
	for i := range r.Rows {
		if x := &r.Rows[i]; x.Ours() && !slices.Contains(names, x.Group) {
			names = append(names, x.Group)
		}
	}
	return names
}

// mainGroups is groups without those of other releases of Go, see [Add].
func mainGroups(r *harness.Report) []string {
	return slices.DeleteFunc(groups(r), func(g string) bool { return strings.Contains(g, ", ") })
}

// count returns how many rows of others a group has, and those that are ahead.
func count(r *harness.Report, group string) (all int, ahead []*harness.Row) {
	for i := range r.Rows {
		x := &r.Rows[i]
		if x.Group != group || x.Ours() || !x.Timed() || x.Class == harness.Wrong || x.Class == harness.Floor {
			continue
		}
		all++
		if x.Ahead > 0 {
			ahead = append(ahead, x)
		}
	}
	return all, ahead
}

// behind says how many rows of other libraries are faster than weft's.
func behind(r *harness.Report) (string, error) {
	var parts []string
	sum, of := 0, 0
	for _, g := range mainGroups(r) {
		all, rows := count(r, g)
		sum, of = sum+len(rows), of+all
		if all > 0 {
			parts = append(parts, fmt.Sprintf("%s %d of %d", g, len(rows), all))
		}
	}
	return fmt.Sprintf("Of %s rows of other libraries, %d are faster than weft's: %s.\n", thousands(of), sum, strings.Join(parts, ", ")), nil
}

// ahead lists the rows that are faster than weft's.
func ahead(r *harness.Report) (string, error) {
	rows := [][]string{{"table", "faster than weft"}}
	for _, g := range mainGroups(r) {
		_, list := count(r, g)
		for len(list) > 0 {
			n := 1
			for n < len(list) && list[n].Corpus == list[0].Corpus && list[n].Op == list[0].Op {
				n++
			}
			var names []string
			for _, x := range list[:n] {
				names = append(names, fmt.Sprintf("%s x%.2f", x.Case, x.Ahead))
			}
			rows = append(rows, []string{g + ": " + list[0].Corpus + ", " + list[0].Op, strings.Join(names, ", ")})
			list = list[n:]
		}
	}
	return strings.Replace(grid(rows), "|---|---:|", "|---|---|", 1), nil
}
