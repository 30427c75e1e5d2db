package figures

import (
	"fmt"
	"slices"

	"github.com/weftcodec/weft/bench/harness"
)

// jsonTable has weft and the fastest compatible library on each document.
func jsonTable(r *harness.Report) (string, error) { return against(r, "json", documents, jsonOps) }

// typesTable has the same on the types of each SDK.
func typesTable(r *harness.Report) (string, error) {
	var documents []string
	for i := range r.Rows {
		if x := &r.Rows[i]; x.Group == "sdk" && !slices.Contains(documents, x.Corpus) {
			documents = append(documents, x.Corpus)
		}
	}
	if documents == nil {
		return orNone("")
	}
	return against(r, "sdk", documents, sdkOps)
}

// against has weft and the fastest compatible library on each document of a group.
func against(r *harness.Report, group string, documents, ops []string) (string, error) {
	s := &sheet{Report: r}
	rows := [][]string{{"times encoding/json's speed; in brackets the fastest other"}}
	for _, op := range ops {
		rows[0] = append(rows[0], opTitles[op])
	}
	for _, d := range documents {
		row := []string{d}
		for _, op := range ops {
			own := s.row(group, d, op, "weft", false)
			if own == nil {
				return "", s.err
			}
			var best *harness.Row
			for _, lib := range compatible[1:] {
				if x := s.row(group, d, op, lib[0], true); x != nil && (best == nil || x.Ns.Median < best.Ns.Median) {
					best = x
				}
			}
			cell := fmt.Sprintf("%.2f", own.Ratio.Median)
			if best != nil {
				other := fmt.Sprintf("%s %.2f", best.Case, best.Ratio.Median)
				if best.Ahead > 0 {
					other = "**" + other + "**"
				}
				cell += " (" + other + ")"
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return grid(rows), s.err
}

// table prints rows of a group: cases down, contests across.
func (s *sheet) table(group, corner string, cases, contests [][2]string, titles []string, cell func(*harness.Row) string) string {
	rows := [][]string{append([]string{corner}, titles...)}
	for _, c := range cases {
		title := c[1]
		if title == "" {
			title = c[0]
		}
		row := []string{title}
		found := false
		for _, k := range contests {
			x := s.row(group, k[0], k[1], c[0], true)
			found = found || x != nil
			if x == nil {
				row = append(row, "–")
			} else {
				row = append(row, cell(x))
			}
		}
		if found {
			rows = append(rows, row)
		}
	}
	if len(rows) < 3 && s.err == nil {
		s.err = fmt.Errorf("no rows of %s", group)
	}
	return grid(rows)
}

// named makes cases that are titled by their names.
func named(names ...string) (cases [][2]string) {
	for _, n := range names {
		cases = append(cases, [2]string{n, ""})
	}
	return cases
}

func withAllocs(r *harness.Row) string { return timeOf(r, true) }

// msgpackTable has the struct of 2018.
func msgpackTable(r *harness.Report) (string, error) {
	s := &sheet{Report: r}
	text := s.table("msgpack", "time, allocations", [][2]string{{"weft", "**weft**"}, {"msgp", "msgp, generated"}, {"shamaton", ""}, {"vmihailenco", ""}, {"ugorji", ""}, {"hashicorp", ""},
		{"fxamacker/cbor", "fxamacker/cbor"}, {"encoding/json", ""}, {"gob", ""}, {"protobuf", "protobuf, generated"}},
		[][2]string{{"record as map", "encode"}, {"record as map", "decode"}, {"record as array", "encode"}, {"record as array", "decode"}},
		[]string{"map, encode", "map, decode", "array, encode", "array, decode"}, withAllocs)
	return text, s.err
}

// cborTable has the values of the cbor group.
func cborTable(r *harness.Report) (string, error) {
	rows := [][]string{{"time, allocations", "weft", "weft, strict", "fxamacker/cbor", "ugorji", "weft's MessagePack"}}
	s := &sheet{Report: r}
	for i := range r.Rows {
		x := &r.Rows[i]
		if x.Group != "cbor" || x.Case != "weft" || !x.Timed() {
			continue
		}
		row := []string{x.Corpus + ", " + x.Op, timeOf(x, true)}
		for _, name := range []string{"weft strict", "fxamacker", "ugorji", "weft msgpack"} {
			row = append(row, timeOf(s.row("cbor", x.Corpus, x.Op, name, true), true))
		}
		rows = append(rows, row)
	}
	if len(rows) == 1 {
		return orNone("")
	}
	return grid(rows), nil
}

// persistTable has the 20,000 records.
func persistTable(r *harness.Report) (string, error) {
	s := &sheet{Report: r}
	corpus := "20000 ModuleIDs, tmpfs"
	if r.Find("persist", corpus, "save", "weft json") == nil {
		corpus = "20000 ModuleIDs, disk"
	}
	rows := [][]string{{"", "bytes", "save", "load"}}
	for i := range r.Rows {
		save := &r.Rows[i]
		if save.Group != "persist" || save.Corpus != corpus || save.Op != "save" || !save.Timed() {
			continue
		}
		title := save.Case
		if save.Ours() {
			title = "**" + title + "**"
		}
		rows = append(rows, []string{title, thousands(save.Size), timeOf(save, false), timeOf(s.row("persist", corpus, "load", save.Case, true), false)})
	}
	if len(rows) == 1 {
		return "", fmt.Errorf("no rows of persist")
	}
	return grid(rows), nil
}

// optionalTable has the struct of six fields and the big one.
func optionalTable(r *harness.Report) (string, error) {
	s := &sheet{Report: r}
	forms := named("values", "pointers", "opt.Null", "nan's form", "sql.Null's form")
	text := s.table("optional", "six fields; time, allocations", forms,
		[][2]string{{"small", "weft json encode"}, {"small", "weft json decode"}, {"small", "encoding/json encode"}, {"small", "encoding/json decode"}, {"small", "jsoniter encode"}, {"small", "jsoniter decode"}},
		[]string{"weft encode", "weft decode", "encoding/json encode", "decode", "jsoniter encode", "decode"}, withAllocs)
	text += "\n" + s.table("optional", "1,000 fields; time, allocations", forms,
		[][2]string{{"big", "fill"}, {"big", "copy"}, {"big", "weft json encode"}, {"big", "weft json decode"}},
		[]string{"fill", "copy", "weft encode", "weft decode"}, withAllocs)
	return text, s.err
}

// valueTable has the conversions of dynamic values.
func valueTable(r *harness.Report) (string, error) {
	s := &sheet{Report: r}
	rows := [][]string{{"time, allocations", "weft", "by hand", "encoding/json by way of text", "mapstructure"}}
	for _, c := range []struct{ corpus, into, from string }{
		{"struct of two strings", "struct of two strings -> Value", "Value -> struct of two strings"},
		{"map of two strings", "map[string]string -> Value", "Value -> map[string]string"},
		{"ten fields", "struct of ten fields -> Value", "Value -> struct of ten fields"},
	} {
		rows = append(rows, s.values(c.corpus, "marshal", c.into), s.values(c.corpus, "unmarshal", c.from))
	}
	return grid(rows), s.err
}

// values is a row of [valueTable].
func (s *sheet) values(corpus, op, title string) []string {
	row := []string{title, timeOf(s.row("value", corpus, op, "weft", false), true)}
	for _, name := range []string{"by hand", "encoding/json", "mapstructure"} {
		row = append(row, timeOf(s.row("value", corpus, op, name, true), true))
	}
	return row
}

// readingTable has the nine documents read into a Value, and passed on.
func readingTable(r *harness.Report) (string, error) {
	s := &sheet{Report: r}
	rows := [][]string{{"", "JSON -> Value: times go-json's speed into any", "of its bytes", "JSON -> MessagePack: of the time by way of any", "of its bytes"}}
	var columns [4][]float64
	for _, d := range documents {
		read, into := s.row("value", d, "read json", "weft", false), s.row("value", d, "read json", "go-json into any", false)
		pass, any := s.row("value", d, "json to msgpack", "weft", false), s.row("value", d, "json to msgpack", "weft any", false)
		if s.err != nil {
			return "", s.err
		}
		v := [4]float64{read.Ratio.Median, read.BOp / into.BOp, 1 / pass.Ratio.Median, pass.BOp / any.BOp}
		for i := range v {
			columns[i] = append(columns[i], v[i])
		}
		rows = append(rows, reading(d, v))
	}
	var means [4]float64
	for i := range means {
		means[i] = harness.GeoMean(columns[i])
	}
	return grid(append(rows, reading("geometric mean", means))), nil
}

func reading(title string, v [4]float64) []string {
	return []string{title, fmt.Sprintf("%.1f", v[0]), fmt.Sprintf("%.0f %%", 100*v[1]), fmt.Sprintf("%.0f %%", 100*v[2]), fmt.Sprintf("%.0f %%", 100*v[3])}
}

// openapiTable has generated models.
func openapiTable(r *harness.Report) (string, error) {
	s := &sheet{Report: r}
	text := s.table("openapi", "time, allocations",
		[][2]string{{"weft generated", "**weft gen**; checks everything"}, {"openapi-generator 7.0.0", "openapi-generator 7.0.0; checks nothing"}, {"openapi-generator 7.1.0", "openapi-generator 7.1.0; checks required members"},
			{"openapi-generator 7.25.0", "openapi-generator 7.25.0; checks required members"}, {"oapi-codegen 2.8.2", "oapi-codegen 2.8.2; checks nothing"}, {"ogen 1.24.0", "ogen 1.24.0; checks required members and enums"},
			{"ogen 1.24.0 + Validate", "ogen 1.24.0 and `Validate`; checks everything"}, {"sonic default", "plain struct, sonic; checks nothing"}, {"encoding/json", "plain struct, encoding/json; checks nothing"}},
		[][2]string{{"Pet", "unmarshal"}, {"Pet", "marshal"}, {"18 MB of results", "unmarshal"}, {"18 MB of results", "marshal"}},
		[]string{"pet, unmarshal", "marshal", "18 MB, unmarshal", "marshal"}, withAllocs)
	for _, line := range r.Skipped {
		text += "\n" + line + "\n"
	}
	s.row("openapi", "Pet", "marshal", "weft generated", false)
	return text, s.err
}

// article has the marshal of an empty struct beside that of the pet.
func article(r *harness.Report) (string, error) {
	const release = "openapi-generator 7.1.0"
	s := &sheet{Report: r}
	wrong, right := s.row("openapi", "Pet", "marshal", release+", error ignored", true), s.row("openapi", "Pet", "marshal", release, true)
	if wrong == nil || right == nil {
		return "The run that these pages have their figures of had no openapi-generator.\n", nil
	}
	return fmt.Sprintf("Measured here the same way %s takes %s, for %d bytes; marshaling the pet takes it %s, for %d bytes.\n",
		release, time(wrong.Ns.Median), wrong.Size, time(right.Ns.Median), right.Size), nil
}

// coldTable has fresh processes.
func coldTable(r *harness.Report) (string, error) {
	s := &sheet{Report: r}
	libs := [][2]string{{"weft", "**weft**"}, {"encoding/json", ""}, {"go-json", ""}, {"sonic std", ""}, {"jsoniter", ""}, {"segmentio", ""}}
	rows := [][]string{{"", "pet, first read", "first write", "tweets, first read", "first write", "binary grows by"}}
	for _, l := range libs {
		title := l[1]
		if title == "" {
			title = l[0]
		}
		row := []string{title}
		for _, k := range [][2]string{{"pet", "first decode"}, {"pet", "first encode"}, {"twitter", "first decode"}, {"twitter", "first encode"}} {
			row = append(row, timeOf(s.row("cold", k[0], k[1], l[0], true), false))
		}
		if x := s.row("cold", "pet", "first decode", l[0], true); x != nil {
			rows = append(rows, append(row, fmt.Sprintf("%.2f MB", float64(x.Size)/1e6)))
		}
	}
	if len(rows) < 3 {
		return "", fmt.Errorf("no rows of cold")
	}
	return grid(rows), s.err
}

// schemaTable has the struct of ten years of comparisons.
func schemaTable(r *harness.Report) (string, error) {
	const corpus = "person of six fields"
	rows := [][]string{{"time, allocations", "bytes", "marshal", "unmarshal"}}
	s := &sheet{Report: r}
	for i := range r.Rows {
		x := &r.Rows[i]
		if x.Group != "schema" || x.Op != "marshal" || !x.Timed() {
			continue
		}
		title := x.Case
		if x.Ours() {
			title = "**" + title + "**"
		}
		rows = append(rows, []string{title, thousands(x.Size), timeOf(x, true), timeOf(s.row("schema", corpus, "unmarshal", x.Case, true), true)})
	}
	if len(rows) < 3 {
		return "", fmt.Errorf("no rows of schema")
	}
	return grid(rows), nil
}
