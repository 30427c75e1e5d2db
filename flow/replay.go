package flow

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/value"
)

// Replay sends the requests of a recording, a file that a node of kind record or a server ([Record]) has written, to
// the document in the given files again. Each request goes to the node that recorded it, which now records nothing.
// Real services are called. An answer with another status or body than recorded is a failure, with the line of the
// recording.
func Replay(file string, files []string, opts ...Option) ([]TestResult, error) {
	f, doc, err := readFiles(files, opts)
	if err != nil {
		return nil, err
	}
	text, err := f.settings.read(file)
	if err != nil {
		return nil, fmt.Errorf("flow: %w", err)
	}
	g := f.compile(doc, nil)
	f.current.Store(g)
	defer g.release()
	if err := doc.diags.sort(doc.files).Err(); err != nil {
		return nil, err
	}
	g.recordNothing()
	for _, start := range g.starters {
		start()
	}
	var results []TestResult
	for i, line := range bytes.Split(text, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		begin, at := time.Now(), Pos{file, i + 1, 1}
		r := &caseRun{}
		name := r.replay(f, g, line, at)
		results = append(results, TestResult{name, at, r.out, time.Since(begin)})
	}
	return results, nil
}

// replay sends one request, and returns its name.
func (r *caseRun) replay(f *Flow, g *graph, line []byte, at Pos) string {
	var was recording
	if err := json.Unmarshal(line, &was); err != nil {
		r.out.errorf(at, "the line is truncated or not a recording: %v", err)
		return "line"
	}
	q := &was.Request
	path := q.Path
	if q.Query != "" {
		path += "?" + q.Query
	}
	name := q.Method + " " + path
	if q.Long {
		r.out.errorf(at, "the body of the request was too long to be recorded: increase maxBody of %q", was.Node)
		return name
	}
	var to *node
	for _, n := range g.nodes {
		switch n.step.(type) {
		case *recordStep, *httpStep:
			if n.spec.name == was.Node {
				to = n
			}
		}
	}
	if to == nil {
		r.out.errorf(at, "the document has no node %q of kind record or http", was.Node)
		return name
	}
	header := q.Header.Clone()
	if header == nil {
		header = make(map[string][]string)
	}
	for field, v := range map[string]string{"Content-Type": q.Type, "Content-Encoding": q.Encoding, "Host": q.Host} {
		if v != "" {
			header.Set(field, v)
		}
	}
	got, err := exchange(f, entry(to), q.Method, path, header, q.raw())
	if err != nil {
		r.out.errorf(at, "%v", err)
		return name
	}
	r.equal("the status", literal{value.Int(int64(was.Answer.Status)), true, at}, value.Int(int64(got.status)), "")
	if was.Answer.Long || was.Answer.Error != "" {
		return name
	}
	want := body{mediaType: was.Answer.Type, encoding: was.Answer.Encoding, raw: was.Answer.raw(), max: 1 << 62}
	if bytes.Equal(want.raw, got.body.raw) {
		return name
	}
	c := &call{flow: f, ctx: context.Background()}
	x, err := want.value(c)
	y, failed := got.body.value(c)
	if err != nil || failed != nil {
		x, y = value.String(string(want.raw)), value.String(string(got.body.raw))
	}
	r.equal("the body", literal{x, true, at}, y, "")
	return name
}

// raw returns the body.
func (m *recordedMessage) raw() []byte {
	if m.Bytes != nil {
		return m.Bytes
	}
	return []byte(m.Text)
}
