package suite

import (
	stdjson "encoding/json"
	"errors"
	"fmt"

	"github.com/weftcodec/weft/json"

	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/peers"
	"github.com/weftcodec/weft/bench/petstore"
)

// generatedName is the entry that the openapi group is about.
const generatedName = "weft generated"

// openapiGroup compares what weft generates from an OpenAPI document, with
// every check of the document in the one pass, with libraries on the plain
// struct, which check nothing.
func openapiGroup() Group {
	return Group{Name: "openapi", Modules: peers.JSONModules, Run: func(r *Runner) (string, error) {
		summary := "openapi:"
		behind, cells := 0, 0
		big, err := corpus.Result18MB()
		if err != nil {
			return "", err
		}
		for _, d := range []struct {
			key, name        string
			data             []byte
			plain, generated func() any
		}{
			{"pet", "Pet", []byte(corpus.TaggedPetJSON), func() any { return new(corpus.TaggedPet) }, func() any { return new(petstore.Pet) }},
			{"18mb", "18 MB of results", big, func() any { return new(corpus.Results) }, func() any { return new(petstore.Results) }},
		} {
			for _, op := range []string{"unmarshal", "marshal"} {
				c, err := openapiContest(d.name, op, d.data, d.plain, d.generated)
				if err != nil {
					return "", err
				}
				rows, err := r.contest(c)
				if err != nil {
					return "", err
				}
				own := find(rows, generatedName)
				summary += fmt.Sprintf(" %s-%s=%.2f", d.key, op, own.Ratio.Median)
				for i := range rows {
					rows[i].Class = "" // ranked against all
				}
				cells++
				if r.standing(withoutOwn(rows), generatedName) {
					behind++
				}
			}
		}
		return fmt.Sprintf("%s cells-behind=%d/%d", summary, behind, cells), nil
	}}
}

// withoutOwn drops weft's other entries: the standing is against peers.
func withoutOwn(rows []harness.Row) []harness.Row {
	var kept []harness.Row
	for _, r := range rows {
		switch r.Case {
		case "weft", "weft fast", "weft generated, methods", "encoding/json on generated":
			continue
		}
		kept = append(kept, r)
	}
	return kept
}

// method adapts the methods of generated types.
type method interface {
	stdjson.Unmarshaler
	AppendJSON(b []byte, f json.Flags) ([]byte, error)
}

// openapiContest makes the contest of one document and operation.
func openapiContest(name, op string, data []byte, plain, generated func() any) (*harness.Contest, error) {
	c := &harness.Contest{Group: "openapi", Corpus: name, Op: op, Bytes: len(data), Ref: "encoding/json"}
	v := plain()
	if err := stdjson.Unmarshal(data, v); err != nil {
		return nil, err
	}
	want, err := stdjson.Marshal(v)
	if err != nil {
		return nil, err
	}
	jsonOp := map[string]string{"unmarshal": "typed decode", "marshal": "typed encode"}[op]
	for _, l := range peers.AllJSON() {
		k, ok, err := jsonCase(l, jsonOp, data, v, nil)
		if err != nil {
			return nil, err
		}
		if ok {
			c.Cases = append(c.Cases, k)
		}
	}
	entries := []struct {
		name      string
		marshal   func(v any) ([]byte, error)
		unmarshal func(b []byte, v any) error
	}{
		{generatedName, json.Marshal, json.Unmarshal},
		{"weft generated, methods",
			func(v any) ([]byte, error) {
				m, ok := v.(method)
				if !ok {
					return nil, fmt.Errorf("suite: %T has no methods", v)
				}
				return m.AppendJSON(nil, json.DefaultFlags)
			},
			func(b []byte, v any) error {
				m, ok := v.(method)
				if !ok {
					return fmt.Errorf("suite: %T has no methods", v)
				}
				return m.UnmarshalJSON(b)
			}},
		{"encoding/json on generated", stdjson.Marshal, stdjson.Unmarshal},
	}
	g := generated()
	if err := json.Unmarshal(data, g); err != nil {
		return nil, fmt.Errorf("%s: the generated type refuses its document: %w", name, err)
	}
	for _, e := range entries {
		k := harness.Case{Name: e.name, Class: "generated", Note: "(checks all)"}
		if op == "marshal" {
			k.Size = len(want)
			k.Run = func() { _, _ = e.marshal(g) }
			k.Check = func() (string, error) {
				got, err := e.marshal(g)
				if err != nil {
					return "", err
				}
				return "", equalText(got, want)
			}
		} else {
			k.Run = func() { _ = e.unmarshal(data, generated()) }
			k.Check = func() (string, error) { return "", checkGenerated(e.unmarshal, data, want, generated) }
		}
		c.Cases = append(c.Cases, k)
	}
	return c, nil
}

// checkGenerated decodes, wants the value to encode to the reference's bytes,
// and wants a document without its first required member refused: a decoder
// that checks nothing would not be comparable.
func checkGenerated(unmarshal func(b []byte, v any) error, data, want []byte, generated func() any) error {
	v := generated()
	if err := unmarshal(append([]byte(nil), data...), v); err != nil {
		return err
	}
	got, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := equalText(got, want); err != nil {
		return err
	}
	if unmarshal([]byte(`{}`), generated()) == nil {
		return errors.New("accepts an object without its required members")
	}
	return nil
}
