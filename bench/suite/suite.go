// Package suite holds the contests behind each group of tables.
package suite

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/weftcodec/weft/bench/harness"
)

// Runner runs contests and prints each table as soon as it is there.
type Runner struct {
	Config harness.Config
	// Generate has the models of other generators made and measured, where
	// their tools are to be had.
	Generate bool
	Out      io.Writer
	Report   *harness.Report
}

// Group is a named set of contests.
type Group struct {
	Name    string
	Modules []string
	// Run runs the contests and returns the machine-readable summary.
	Run func(r *Runner) (summary string, err error)
}

// Groups returns all groups in the order in which they run.
func Groups() []Group {
	return []Group{jsonGroup(), sdkGroup(), aloneGroup(), msgpackGroup(), cborGroup(), persistGroup(), openapiGroup(), valueGroup(), coldGroup(),
		schemaGroup(), optionalGroup(), scaleGroup()}
}

// contest runs one contest, prints it and keeps its rows.
func (r *Runner) contest(c *harness.Contest) ([]harness.Row, error) {
	rows := c.Run(r.Config)
	harness.MarkAhead(rows)
	r.Report.Rows = append(r.Report.Rows, rows...)
	return rows, harness.WriteText(r.Out, rows)
}

// find returns the row of a case, or nil.
func find(rows []harness.Row, name string) *harness.Row {
	for i := range rows {
		if rows[i].Case == name {
			return &rows[i]
		}
	}
	return nil
}

// best returns the fastest row of a class other than the named case, or nil.
func best(rows []harness.Row, class, except string) *harness.Row {
	var b *harness.Row
	for i := range rows {
		r := &rows[i]
		if r.Timed() && r.Class == class && r.Case != except && (b == nil || r.Ns.Median < b.Ns.Median) {
			b = r
		}
	}
	return b
}

// standing prints how a case of ours stands against the fastest peer of its
// class, and reports whether it is behind by more than 5 %.
func (r *Runner) standing(rows []harness.Row, ours string) (behind bool) {
	own := find(rows, ours)
	if own == nil || !own.Timed() {
		return own != nil
	}
	peer := best(rows, own.Class, ours)
	if peer == nil {
		return false
	}
	ratio, tie := own.Versus(peer)
	verdict := "ahead of"
	switch {
	case tie:
		verdict = "ties with"
	case ratio.Median < 1:
		verdict = "BEHIND"
	}
	fmt.Fprintf(r.Out, "  %s: x%.2f (%.2f..%.2f), %s %s\n", ours, ratio.Median, ratio.Q1, ratio.Q3, verdict, peer.Case)
	return ratio.Median < 0.95
}

// equalText compares two encodings. Compatible libraries owe the same bytes;
// of the others the caller asks for the same value instead.
func equalText(got, want []byte) error {
	if bytes.Equal(got, want) {
		return nil
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	lo := max(0, i-20)
	return fmt.Errorf("bytes differ at %d: got …%s, want …%s", i, clip(got[lo:]), clip(want[lo:]))
}

// clip shortens a text for an error.
func clip(b []byte) string {
	if len(b) > 40 {
		b = b[:40]
	}
	return strings.ToValidUTF8(string(b), "?")
}

// fresh returns a pointer to a new zero value of the type p points at.
func fresh(p any) any { return reflect.New(reflect.TypeOf(p).Elem()).Interface() }
