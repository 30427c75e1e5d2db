package suite

import (
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/weftcodec/weft/json"

	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/bench/generators"
	"github.com/weftcodec/weft/bench/generators/child"
	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/peers"
	"github.com/weftcodec/weft/bench/petstore"
)

// generatedName is the entry that the openapi group is about.
const generatedName = "weft generated"

// newestName is the entry that it is to be measured by.
const newestName = "openapi-generator 7.25.0"

// openapiDoc is a document of the openapi group.
type openapiDoc struct {
	key, name        string
	model            string // its name in the OpenAPI document
	data             []byte
	plain, generated func() any
}

// brokenPet is a pet whose tag is not what the OpenAPI document says: the decode
// of it fails, which the article's benchmark did not look at.
const brokenPet = `{"id":40177,"name":"Fluffy","tag":"kind"}`

// openapiGroup compares what weft generates from an OpenAPI document, with
// every check of the document in the one pass, with the models of other
// generators, and with libraries on the plain struct, which check nothing.
func openapiGroup() Group {
	return Group{Name: "openapi", Modules: peers.JSONModules, Run: func(r *Runner) (string, error) {
		big, err := corpus.Result18MB()
		if err != nil {
			return "", err
		}
		dir, err := os.MkdirTemp("", "weft-openapi-")
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(dir)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var programs []generators.Program
		skipped := []string{"skipped: the models of other generators, as --no-generate says"}
		if r.Generate {
			programs, skipped = generators.Build(ctx, dir)
		}
		for _, line := range skipped {
			fmt.Fprintln(r.Out, line)
		}
		r.Report.Skipped = append(r.Report.Skipped, skipped...)
		sum := openapiSummary{}
		for _, d := range []openapiDoc{
			{"pet", "Pet", generators.Pet, []byte(corpus.TaggedPetJSON), func() any { return new(corpus.TaggedPet) }, func() any { return new(petstore.Pet) }},
			{"18mb", "18 MB of results", generators.Results, big, func() any { return new(corpus.Results) }, func() any { return new(petstore.Results) }},
		} {
			for _, op := range []string{child.Unmarshal, child.Marshal} {
				rows, err := r.openapi(ctx, &d, op, programs)
				if err != nil {
					return "", err
				}
				if err := sum.add(r, d.key+"-"+op, rows); err != nil {
					return "", err
				}
			}
		}
		rules, err := petRatios(r)
		if err != nil {
			return "", err
		}
		return sum.String() + " " + strings.Join(rules, " "), nil
	}}
}

// openapi runs one contest.
func (r *Runner) openapi(ctx context.Context, d *openapiDoc, op string, programs []generators.Program) (rows []harness.Row, err error) {
	c, err := openapiContest(d.name, op, d.data, d.plain, d.generated)
	if err != nil {
		return nil, err
	}
	processes, err := modelCases(ctx, c, d, op, programs)
	defer func() {
		for _, p := range processes {
			err = errors.Join(err, p.Close())
		}
	}()
	if err != nil {
		return nil, err
	}
	return r.contest(c)
}

// modelCases adds the models of other generators to a contest, each in a process
// of its own.
func modelCases(ctx context.Context, c *harness.Contest, d *openapiDoc, op string, programs []generators.Program) (processes []*generators.Process, err error) {
	ref := d.plain()
	if err := stdjson.Unmarshal(d.data, ref); err != nil {
		return nil, err
	}
	want, err := stdjson.Marshal(ref)
	if err != nil {
		return nil, err
	}
	for i := range programs {
		for k := range programs[i].Rows {
			row := &programs[i].Rows[k]
			if row.Unmarshal && op != child.Unmarshal || row.Wrong && (op != child.Marshal || d.model != generators.Pet) {
				continue
			}
			h := harness.Case{Name: row.Name, Class: peers.Generated, Note: row.Note}
			asked, document := op, d.data
			if row.Wrong {
				h.Class, asked, document = harness.Wrong, child.MarshalIgnoring, []byte(brokenPet)
			}
			p, err := programs[i].Start(ctx, row, d.model, asked, document)
			if err != nil {
				h.Check = func() (string, error) { return "", err }
				c.Cases = append(c.Cases, h)
				continue
			}
			processes = append(processes, p)
			if op == child.Marshal {
				h.Size = len(p.Out)
			}
			h.Measure = p.Measure
			h.Check = func() (string, error) {
				out := p.Out
				p.Out = nil
				if row.Wrong {
					return checkWrong(out, want, p.Hello.Ignored)
				}
				return sameJSON(out, want)
			}
			c.Cases = append(c.Cases, h)
		}
	}
	return processes, nil
}

// sameJSON wants the same text, or at least the same value.
func sameJSON(got, want []byte) (string, error) {
	diff := equalText(got, want)
	if diff == nil {
		return "", nil
	}
	var a, b any
	if err := errors.Join(stdjson.Unmarshal(got, &a), stdjson.Unmarshal(want, &b)); err != nil {
		return "", err
	}
	if !reflect.DeepEqual(a, b) {
		return "", diff
	}
	return "(same value, other bytes)", nil
}

// checkWrong wants the text of a row that measures other work to be another one,
// and says what it is.
func checkWrong(got, want []byte, ignored string) (string, error) {
	if _, err := sameJSON(got, want); err == nil || ignored == "" {
		return "", errors.New("the decode did not fail, so there is nothing wrong")
	}
	return fmt.Sprintf("WRONG, as once published: the decode failed, and this marshals the empty struct that it left: %s", got), nil
}

// openapiSummary is what the group's last line is made of.
type openapiSummary struct {
	ratios, newest []string
	behind, cells  int
}

// add takes in a contest: how many times faster than encoding/json on the plain
// struct the generated code is, and than the newest openapi-generator's models.
func (s *openapiSummary) add(r *Runner, key string, rows []harness.Row) error {
	own := find(rows, generatedName)
	if own == nil || !own.Timed() {
		return fmt.Errorf("%s: no row of generated code", key)
	}
	s.ratios = append(s.ratios, fmt.Sprintf("%s=%.2f", key, own.Ratio.Median))
	if n := find(rows, newestName); n != nil && n.Timed() {
		ratio, _ := own.Versus(n)
		s.newest = append(s.newest, fmt.Sprintf("%s-to-7.25=%.1f", key, ratio.Median))
	}
	var peers []harness.Row
	for _, row := range rows {
		row.Class = "" // ranked against all
		if row.Case == generatedName || !strings.HasPrefix(row.Case, "weft") && row.Case != stdOnGenerated && find(rows, row.Case).Class != harness.Wrong {
			peers = append(peers, row)
		}
	}
	s.cells++
	if r.standing(peers, generatedName) {
		s.behind++
	}
	return nil
}

func (s *openapiSummary) String() string {
	if len(s.newest) == 0 {
		s.newest = []string{"to-7.25=skipped"}
	}
	return fmt.Sprintf("openapi: %s %s cells-behind=%d/%d", strings.Join(s.ratios, " "), strings.Join(s.newest, " "), s.behind, s.cells)
}

// stdOnGenerated is encoding/json, which calls the methods of generated types.
const stdOnGenerated = "encoding/json on generated"

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
		{stdOnGenerated, stdjson.Marshal, stdjson.Unmarshal},
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
