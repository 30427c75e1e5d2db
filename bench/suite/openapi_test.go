package suite

import (
	"strings"
	"testing"

	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/bench/generators/child"
	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/petstore"
)

// TestOpenAPIChecks runs the checks of every library on a pet.
func TestOpenAPIChecks(t *testing.T) {
	for _, op := range []string{child.Unmarshal, child.Marshal} {
		c, err := openapiContest("Pet", op, []byte(corpus.TaggedPetJSON), func() any { return new(corpus.TaggedPet) },
			func() any { return new(petstore.Pet) })
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range c.Cases {
			if _, err := k.Check(); err != nil {
				t.Errorf("%s, %s: %v", op, k.Name, err)
			}
		}
	}
}

// TestPetChecks runs the checks of the page of pets with rules and without.
func TestPetChecks(t *testing.T) {
	list, err := petContests()
	if err != nil || len(list) != 4 {
		t.Fatal(len(list), err)
	}
	for _, c := range list {
		for _, k := range c.Cases {
			if _, err := k.Check(); err != nil {
				t.Errorf("%s, %s: %v", c.Op, k.Name, err)
			}
		}
	}
}

// TestSameJSON checks that models are compared by what they wrote.
func TestSameJSON(t *testing.T) {
	want := []byte(`{"id":1,"tag":["a"]}`)
	for text, note := range map[string]string{`{"id":1,"tag":["a"]}`: "", `{"tag":["a"],"id":1}`: "(same value, other bytes)"} {
		if got, err := sameJSON([]byte(text), want); err != nil || got != note {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{`{"id":1,"tag":[]}`, `{"id":1}`, `{`} {
		if _, err := sameJSON([]byte(text), want); err == nil {
			t.Errorf("%s is taken for %s", text, want)
		}
	}
	empty := []byte(`{"id":0,"tag":null}`)
	if note, err := checkWrong(empty, want, "a type error"); err != nil || !strings.Contains(note, string(empty)) {
		t.Errorf("%q, %v", note, err)
	}
	for _, c := range []struct{ got, ignored string }{{string(want), "a type error"}, {string(empty), ""}} {
		if _, err := checkWrong([]byte(c.got), want, c.ignored); err == nil {
			t.Errorf("%s with the error %q is not wrong", c.got, c.ignored)
		}
	}
}

// TestOpenAPISummary has the newest generator's row in the line, or says that it is missing.
func TestOpenAPISummary(t *testing.T) {
	run := func(ns float64) harness.Row { return harness.RowOf([]float64{ns, ns, ns}, []float64{100, 100, 100}) }
	rows := []harness.Row{run(100), run(10), run(200), run(1)}
	for i, name := range []string{"encoding/json", generatedName, newestName, "published"} {
		rows[i].Case = name
	}
	rows[3].Class = harness.Wrong
	var out strings.Builder
	r := &Runner{Out: &out}
	var s openapiSummary
	if err := s.add(r, "pet-marshal", rows); err != nil {
		t.Fatal(err)
	}
	if want := "openapi: pet-marshal=10.00 pet-marshal-to-7.25=20.0 cells-behind=0/1"; s.String() != want {
		t.Errorf("got %q, want %q", s.String(), want)
	}
	s = openapiSummary{}
	if err := s.add(r, "pet-marshal", rows[:2]); err != nil || !strings.Contains(s.String(), "to-7.25=skipped") {
		t.Errorf("%q, %v", s.String(), err)
	}
}
