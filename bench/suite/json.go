package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/peers"
)

// The operations of the json group, in the order of its summary.
var jsonOps = []string{"typed decode", "typed encode", "any decode", "any encode", "valid", "typed append"}

// jsonGroup compares JSON libraries on the nine corpora and a tweet.
func jsonGroup() Group {
	return Group{Name: "json", Modules: peers.JSONModules, Run: func(r *Runner) (string, error) {
		s := newScore()
		for _, c := range corpus.All() {
			if err := r.jsonCorpus(c, s); err != nil {
				return "", err
			}
		}
		summary := s.summary()
		for _, c := range corpus.Small() {
			if err := r.jsonCorpus(c, newScore()); err != nil {
				return "", err
			}
		}
		s.print(r)
		return summary, nil
	}}
}

// score gathers the ratios of every library by operation.
type score struct {
	ratios map[[2]string][]float64 // operation and library
	names  []string
	behind []string // cells where weft is behind
	cells  int
}

func newScore() *score { return &score{ratios: map[[2]string][]float64{}} }

// add takes in the rows of one contest.
func (s *score) add(op string, rows []harness.Row, behind bool) {
	for i := range rows {
		if !rows[i].Timed() {
			continue
		}
		k := [2]string{op, rows[i].Case}
		s.ratios[k] = append(s.ratios[k], rows[i].Ratio.Median)
		if !contains(s.names, rows[i].Case) {
			s.names = append(s.names, rows[i].Case)
		}
	}
	if op != "typed append" {
		s.cells++
		if behind {
			s.behind = append(s.behind, rows[0].Corpus+" "+op)
		}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// weftName is the name of the entry that the summary is about.
const weftName = "weft"

// summary returns the machine-readable line.
func (s *score) summary() string {
	mean := func(op string) float64 { return harness.GeoMean(s.ratios[[2]string{op, weftName}]) }
	if len(s.ratios[[2]string{jsonOps[0], weftName}]) == 0 {
		return "json: no entry of weft"
	}
	floor := harness.GeoMean(s.ratios[[2]string{jsonOps[1], memoryName}])
	return fmt.Sprintf("json: decode=%.2f encode=%.2f encode-floor=%.2f any-decode=%.2f any-encode=%.2f valid=%.2f cells-behind=%d/%d",
		mean(jsonOps[0]), mean(jsonOps[1]), floor, mean(jsonOps[2]), mean(jsonOps[3]), mean(jsonOps[4]), len(s.behind), s.cells)
}

// print prints the geometric means of all libraries. A library that is
// missing from a corpus has a mean over fewer, which is marked.
func (s *score) print(r *Runner) {
	fmt.Fprintf(r.Out, "\ngeometric means over the corpora, times faster than encoding/json (in brackets: corpora, where not all)\n")
	fmt.Fprintf(r.Out, "  %-16s", "")
	for _, op := range jsonOps {
		fmt.Fprintf(r.Out, " %14s", op)
	}
	fmt.Fprintln(r.Out)
	for _, n := range s.names {
		fmt.Fprintf(r.Out, "  %-16s", n)
		for _, op := range jsonOps {
			v := s.ratios[[2]string{op, n}]
			cell := "-"
			if len(v) > 0 {
				cell = fmt.Sprintf("%.2f", harness.GeoMean(v))
				if all := len(s.ratios[[2]string{op, "encoding/json"}]); len(v) != all {
					cell += fmt.Sprintf(" (%d)", len(v))
				}
			}
			fmt.Fprintf(r.Out, " %14s", cell)
		}
		fmt.Fprintln(r.Out)
	}
	for _, cell := range s.behind {
		fmt.Fprintf(r.Out, "behind: %s\n", cell)
	}
}

// jsonCorpus runs every operation on one corpus.
func (r *Runner) jsonCorpus(c corpus.Corpus, s *score) error {
	data, err := c.Data()
	if err != nil {
		return err
	}
	libs := peers.AllJSON()
	for _, op := range jsonOps {
		// Made anew for each operation and only as far as it is needed: a
		// large heap beside the measured one would blur the collector's cost.
		var untyped any
		typed := c.New()
		into := typed
		if strings.HasPrefix(op, "any") {
			into = &untyped
		}
		if err := json.Unmarshal(data, into); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		contest := &harness.Contest{Group: "json", Corpus: c.Name, Op: op, Bytes: len(data), Ref: "encoding/json"}
		for _, l := range libs {
			if k, ok, err := jsonCase(l, op, data, typed, untyped); err != nil {
				return err
			} else if ok {
				contest.Cases = append(contest.Cases, k)
			}
		}
		if strings.HasSuffix(op, "encode") {
			contest.Cases = append(contest.Cases, memoryAlone(contest.Cases[0].Size))
		}
		typed, untyped = nil, nil
		rows, err := r.contest(contest)
		if err != nil {
			return err
		}
		behind := r.standing(rows, weftName)
		r.standing(rows, "weft fast")
		r.standing(rows, "weft v2")
		s.add(op, rows, behind)
	}
	return nil
}

// memoryAlone is the case of an encoder that takes no time but for the memory
// of its result, n bytes, which it hands out: no other can be faster.
func memoryAlone(n int) harness.Case {
	var result []byte
	return harness.Case{Name: memoryName, Class: harness.Floor, Size: n, Note: "(no encoding)", Run: func() { result = make([]byte, n) },
		Check: func() (string, error) {
			if result = make([]byte, n); len(result) != n {
				return "", errors.New("too short")
			}
			return "", nil
		}}
}

// memoryName is the name of the case of memory alone.
const memoryName = "memory alone"

// jsonCase makes the case of one library for one operation; ok is false when
// the library does not offer it.
func jsonCase(l peers.JSON, op string, data []byte, typed, untyped any) (k harness.Case, ok bool, err error) {
	k = harness.Case{Name: l.Name, Class: l.Class}
	switch op {
	case "typed decode":
		if l.Takes != nil && !l.Takes(typed) {
			return k, false, nil
		}
		typ := reflect.TypeOf(typed).Elem() // the reference value itself must not stay
		k.Run = func() { _ = l.Unmarshal(data, reflect.New(typ).Interface()) }
		k.Check = func() (string, error) { return checkDecode(l, data, typed) }
	case "any decode":
		if l.Takes != nil {
			return k, false, nil
		}
		k.Run = func() {
			var v any
			_ = l.Unmarshal(data, &v)
		}
		k.Check = func() (string, error) { return checkDecode(l, data, &untyped) }
	case "typed encode", "any encode":
		v := typed
		if op == "any encode" {
			v = untyped
		}
		if l.Takes != nil && !l.Takes(v) {
			return k, false, nil
		}
		want, err := json.Marshal(v)
		if err != nil {
			return k, false, err
		}
		k.Size = len(want)
		k.Run = func() { _, _ = l.Marshal(v) }
		k.Check = func() (string, error) {
			got, err := l.Marshal(v)
			if err != nil {
				return "", err
			}
			return checkText(l, got, want, v)
		}
	case "typed append":
		if l.Append == nil {
			if l.Name != "encoding/json" {
				return k, false, nil
			}
			// The reference has no such function: its row is Marshal.
			k.Note = "(Marshal)"
			l.Append = func(_ []byte, v any) ([]byte, error) { return l.Marshal(v) }
		}
		want, err := json.Marshal(typed)
		if err != nil {
			return k, false, err
		}
		k.Size = len(want)
		var buf []byte
		k.Run = func() { buf, _ = l.Append(buf[:0], typed) }
		k.Check = func() (string, error) {
			got, err := l.Append(nil, typed)
			if err != nil {
				return "", err
			}
			return checkText(l, got, want, typed)
		}
	case "valid":
		if l.Valid == nil {
			return k, false, nil
		}
		k.Run = func() { l.Valid(data) }
		k.Check = func() (string, error) {
			if !l.Valid(data) {
				return "", errors.New("calls the corpus invalid")
			}
			if l.Valid(bytes.TrimSpace(data)[:len(bytes.TrimSpace(data))-1]) {
				return "", errors.New("calls a truncated corpus valid")
			}
			if l.Valid([]byte("[\"a\tb\"]")) {
				return "(accepts control characters)", nil
			}
			return "", nil
		}
	}
	return k, true, nil
}

// checkDecode decodes once and compares with the reference value, which want
// points at. The data is cloned first: a library may alias or spoil it.
func checkDecode(l peers.JSON, data []byte, want any) (string, error) {
	got := fresh(want)
	if err := l.Unmarshal(append([]byte(nil), data...), got); err != nil {
		return "", err
	}
	if !reflect.DeepEqual(got, want) {
		return "", errors.New("decodes another value")
	}
	return "", nil
}

// checkText compares an encoding with the reference: the same bytes, or, with
// a note, at least the same value.
func checkText(l peers.JSON, got, want []byte, v any) (string, error) {
	diff := equalText(got, want)
	if diff == nil {
		return "", nil
	}
	back, again := reflect.New(reflect.TypeOf(v)), reflect.New(reflect.TypeOf(v))
	if err := json.Unmarshal(got, back.Interface()); err != nil {
		return "", fmt.Errorf("writes text that encoding/json refuses: %w", err)
	}
	if err := json.Unmarshal(want, again.Interface()); err != nil {
		return "", err
	}
	if !reflect.DeepEqual(back.Interface(), again.Interface()) {
		return "", diff
	}
	if l.Class == peers.Compatible {
		return "(same value, other bytes)", nil
	}
	return fmt.Sprintf("(%d bytes)", len(got)), nil
}
