package flow

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/value"
	"go.yaml.in/yaml/v4"
)

// snippetConfig makes a body of a text, a value or an expression.
type snippetConfig struct {
	Lang     string            `flow:"lang" enum:"text,json,yaml,expr" doc:"the language of code"`
	Language string            `flow:"language" enum:"text,json,yaml,expr" doc:"the same as lang"`
	Code     code              `flow:"code,required" doc:"the text, the value, or the expression that makes it"`
	Status   int               `flow:"status" doc:"the status of the answer"`
	Header   map[string]string `flow:"header" doc:"headers of the answer"`
	Type     string            `flow:"type" doc:"the Content-Type, else that of the language"`
}

func newSnippetConfig() config { return new(snippetConfig) }

func (cfg *snippetConfig) build(b *build) step {
	s := &snippetStep{out: b.out("out"), status: cfg.Status, header: make(http.Header), mediaType: cfg.Type}
	if s.status != 0 && (s.status < 200 || s.status > 599) {
		b.errorf(b.node.spec.pos, "%d is not a status of an answer: expected 200 to 599", s.status)
	}
	for name, v := range cfg.Header {
		s.header.Set(name, v)
	}
	lang := cfg.Lang
	if lang == "" {
		lang = cfg.Language
	}
	if s.mediaType == "" && lang != "text" && lang != "" {
		s.mediaType = mediaJSON.types[0]
	} else if s.mediaType == "" {
		s.mediaType = "text/plain; charset=utf-8"
	}
	if cfg.Code.node == nil {
		return s
	}
	switch lang {
	case "json":
		if err := json.Format.Unmarshal([]byte(cfg.Code.s), &s.val, decodeOptions...); err != nil {
			line, col, msg := jsonPlace(cfg.Code.s, err)
			b.errorf(b.node.spec.file.within(cfg.Code.node, line, col), "not JSON: %s", msg)
		}
	case "yaml":
		s.val = b.yaml(cfg.Code)
	case "expr":
		s.program = b.expr(expression{cfg.Code})
		return s
	default:
		s.val = value.String(cfg.Code.s)
	}
	s.encode(b)
	return s
}

// encode encodes the value once for all messages.
func (s *snippetStep) encode(b *build) {
	c := &call{}
	m := body{mediaType: s.mediaType, val: s.val, hasVal: true}
	raw, err := m.bytes(c)
	if err != nil {
		b.errorf(b.node.spec.pos, "the value cannot be written as %s: %v", s.mediaType, err)
	}
	s.raw = append([]byte{}, raw...)
}

// yaml reads a text that is YAML.
func (b *build) yaml(c code) value.Value {
	var n yaml.Node
	file := b.node.spec.file
	loader, err := yaml.NewLoader(strings.NewReader(c.s))
	if err == nil {
		err = load(loader, &n)
	}
	if err == io.EOF || err == nil && len(n.Content) == 0 {
		return value.Null()
	}
	if err != nil {
		line, col, msg := yamlPlace(err)
		b.errorf(file.within(c.node, line, col), "not YAML: %s", msg)
		return value.Null()
	}
	d := &decoder{doc: b.doc, spec: b.node.spec, verbatim: true}
	v, _ := d.literal(n.Content[0], 0)
	return v
}

// jsonPlace returns the place of an error in a text, counted from 1, and what is wrong.
func jsonPlace(text string, err error) (line, col int, msg string) {
	e := errorOf("", err)
	before := text[:min(max(int(e.Offset), 0), len(text))]
	return 1 + strings.Count(before, "\n"), len(before) - strings.LastIndexByte(before,
		'\n'), strings.TrimPrefix(e.Err.Error(), "json: ")
}

// snippetStep answers with, or goes on with, a body that is always the same or what an expression makes.
type snippetStep struct {
	out       *port
	status    int
	header    http.Header
	mediaType string
	val       value.Value
	raw       []byte
	program   program
}

// run implements step.
func (s *snippetStep) run(c *call, m *message) error {
	if s.program == nil {
		m.body.done()
		m.body = body{mediaType: s.mediaType, raw: s.raw, val: s.val, hasVal: true, max: m.body.max}
	} else {
		v, err := s.program.value(c, m)
		if err != nil {
			return fmt.Errorf("%w", err)
		}
		m.body.done()
		m.body = body{mediaType: s.mediaType, val: v, hasVal: true, max: m.body.max}
	}
	if s.out.linked() {
		return s.out.send(c, m)
	}
	status := s.status
	if status == 0 {
		if status = http.StatusOK; m.err != nil { // the answer to an error is one
			status = m.err.Status
		}
	}
	m.answer(status)
	for name, v := range s.header {
		m.set(name, v[0])
	}
	return nil
}
