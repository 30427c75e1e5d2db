package figures

import (
	"fmt"
	"strings"

	"github.com/weftcodec/weft/bench/harness"
)

// shape is a statement of an article: one row is faster than another, by about so
// much.
type shape struct {
	article, says          string
	group, corpus, op      string
	fast, slow, slowCorpus string
	least                  float64 // times that the statement holds from
}

// shapes are what the tables of the articles show.
var shapes = []shape{
	{"MessagePack, 2018", "shamaton's array is written faster than its map", "msgpack", "record as array", "encode", "shamaton", "shamaton", "record as map", 1.05},
	{"MessagePack, 2018", "shamaton writes faster than vmihailenco", "msgpack", "record as map", "encode", "shamaton", "vmihailenco", "", 1.3},
	{"MessagePack, 2018", "shamaton reads faster than vmihailenco", "msgpack", "record as map", "decode", "shamaton", "vmihailenco", "", 1.3},
	{"MessagePack, 2018", "shamaton writes faster than encoding/json", "msgpack", "record as map", "encode", "shamaton", "encoding/json", "", 1.3},
	{"MessagePack, 2018", "generated code (msgp) is faster than reflection (shamaton)", "msgpack", "record as map", "encode", "msgp", "shamaton", "", 1.3},
	{"saving records, 2016", "MessagePack is saved faster than JSON", "persist", "20000 ModuleIDs, disk", "save", "msgp map", "encoding/json", "", 1.3},
	{"saving records, 2016", "and loaded faster", "persist", "20000 ModuleIDs, disk", "load", "msgp map", "encoding/json", "", 1.3},
	{"saving records, 2016", "gzip makes saving JSON slower", "persist", "20000 ModuleIDs, disk", "save", "encoding/json", "encoding/json + gzip", "", 1.3},
	{"optional values", "values are filled faster than pointers", "optional", "big", "fill", "values", "pointers", "", 5},
	{"optional values", "nan's form is filled faster than pointers", "optional", "big", "fill", "nan's form", "pointers", "", 5},
	{"optional values", "jsoniter reads nan's form faster than pointers", "optional", "small", "jsoniter decode", "nan's form", "pointers", "", 1.05},
	{"optional values", "under encoding/json pointers are written faster than nan's form", "optional", "small", "encoding/json encode", "pointers", "nan's form", "", 1.3},
	{"dynamic values", "a struct is turned into a value faster than by way of JSON", "value", "struct of two strings", "marshal", "weft", "encoding/json", "", 2},
	{"OpenAPI", "7.0.0 reads at the speed of the plain struct", "openapi", "Pet", "unmarshal", "encoding/json", "openapi-generator 7.0.0", "", 0.8},
	{"OpenAPI", "and writes much slower", "openapi", "Pet", "marshal", "encoding/json", "openapi-generator 7.0.0", "", 3},
	{"OpenAPI", "7.1.0 reads slower than 7.0.0", "openapi", "Pet", "unmarshal", "openapi-generator 7.0.0", "openapi-generator 7.1.0", "", 1.3},
	{"OpenAPI", "7.1.0 writes faster than 7.0.0", "openapi", "Pet", "marshal", "openapi-generator 7.1.0", "openapi-generator 7.0.0", "", 1.3},
}

// reasons say why a shape that an article shows does not hold.
var reasons = map[string]string{
	"jsoniter reads nan's form faster than pointers": "nan's jsoniter extension needs unsafe and is left out, so jsoniter calls its methods",
	"7.1.0 writes faster than 7.0.0":                 "the article measured an empty struct: its benchmark ignores the error of the decode before",
}

// shapesTable says of each statement whether it holds.
func shapesTable(r *harness.Report) (string, error) {
	rows := [][]string{{"article", "what it shows", "here", ""}}
	s := &sheet{Report: r}
	for _, c := range shapes {
		slowCorpus := c.slowCorpus
		if slowCorpus == "" {
			slowCorpus = c.corpus
		}
		fast, slow := s.row(c.group, c.corpus, c.op, c.fast, true), s.row(c.group, slowCorpus, c.op, c.slow, true)
		if fast == nil || slow == nil {
			rows = append(rows, []string{c.article, c.says, "–", "not measured"})
			continue
		}
		ratio := slow.Ns.Median / fast.Ns.Median
		verdict := "holds"
		if ratio < c.least {
			verdict = "does not hold"
			if why := reasons[c.says]; why != "" {
				verdict += ": " + why
			}
		}
		rows = append(rows, []string{c.article, c.says, fmt.Sprintf("x%.2f", ratio), verdict})
	}
	return strings.Replace(grid(rows), "|---|---:|---:|---:|", "|---|---|---:|---|", 1), s.err
}
