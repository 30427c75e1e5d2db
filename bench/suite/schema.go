package suite

import (
	"fmt"
	"time"

	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/peers"
	"github.com/weftcodec/weft/bench/records"
)

// person is the struct of alecthomas/go_serialization_benchmarks.
type person struct {
	Name     string
	BirthDay time.Time
	Phone    string
	Siblings int
	Spouse   bool
	Money    float64
}

// equal compares by what the formats keep of a time.
func (p *person) equal(q *person) bool {
	a, b := *p, *q
	a.BirthDay, b.BirthDay = time.Time{}, time.Time{}
	return a == b && p.BirthDay.Equal(q.BirthDay)
}

// schemaGroup compares what needs no schema and no generated code on the struct that comparisons of
// serialization libraries have used for ten years. Ratios refer to encoding/json.
func schemaGroup() Group {
	modules := append(append([]string(nil), peers.JSONModules...), peers.PackModules...)
	return Group{Name: "schema", Modules: modules, Run: func(r *Runner) (string, error) {
		summary := "schema:"
		behind, cells := 0, 0
		for _, op := range []string{"marshal", "unmarshal"} {
			rows, err := r.contest(schemaContest(op))
			if err != nil {
				return "", err
			}
			for _, name := range []string{"weft json", "weft msgpack map", "weft msgpack array"} {
				own := find(rows, name)
				if own == nil || !own.Timed() {
					return "", fmt.Errorf("%s: no row of %s", op, name)
				}
				cells++
				if r.standing(rows, name) {
					behind++
				}
				summary += fmt.Sprintf(" %s-%s=%.2f", hyphens(name[len("weft "):]), op, own.Ratio.Median)
			}
		}
		return fmt.Sprintf("%s cells-behind=%d/%d", summary, behind, cells), nil
	}}
}

// hyphens replaces spaces.
func hyphens(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c == ' ' {
			b[i] = '-'
		}
	}
	return string(b)
}

// schemaContest makes the contest of one operation.
func schemaContest(op string) *harness.Contest {
	v := &person{
		Name: "Amelie Katherine", BirthDay: time.Date(1987, 6, 5, 4, 3, 2, 0, time.UTC), Phone: "555-0142-88",
		Siblings: 3, Spouse: true, Money: 1234.5678,
	}
	c := &harness.Contest{Group: "schema", Corpus: "person of six fields", Op: op, Ref: "encoding/json"}
	add := func(name, class string, marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) {
		data, err := marshal(v)
		k := harness.Case{Name: name, Class: class, Size: len(data), Check: func() (string, error) {
			if err != nil {
				return "", err
			}
			var got person
			if err := unmarshal(data, &got); err != nil {
				return "", err
			}
			if !got.equal(v) {
				return "", fmt.Errorf("decodes %+v", got)
			}
			return "", nil
		}}
		k.Run = func() { _, _ = marshal(v) }
		if op == "unmarshal" {
			k.Run = func() { _ = unmarshal(data, new(person)) }
		}
		c.Cases = append(c.Cases, k)
	}
	for _, p := range peers.AllJSON() {
		if p.Class == peers.Compatible {
			name := p.Name
			if name == weftName {
				name = "weft json"
			}
			add(name, "json", p.Marshal, p.Unmarshal)
		}
	}
	s := &records.Sample{Plain: v}
	for _, p := range peers.AllPacks() {
		if p.Class == peers.Generated || p.Value(s) == nil || p.Name == "encoding/json" {
			continue
		}
		name, class := p.Name, "msgpack "+p.Layout
		if p.Class == peers.Other {
			class = "other"
		} else if name == weftName {
			name = "weft msgpack"
		}
		if p.Layout != "" {
			name += " " + p.Layout
		}
		add(name, class, p.Marshal, p.Unmarshal)
	}
	return c
}
