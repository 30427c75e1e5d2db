package flow

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/flow/internal/transcode"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/value"
)

// validateConfig checks messages.
type validateConfig struct {
	OpenAPI text   `flow:"openapi" doc:"the file of an OpenAPI document"`
	Schema  text   `flow:"schema" doc:"the file of a JSON Schema for the body of requests"`
	Answer  string `flow:"answer" enum:"block,pass,off" doc:"an answer that is wrong: 502, only the log, or not checked"`
	Request string `flow:"request" enum:"block,pass,off" doc:"a request that is wrong: refused, only the log, or not checked"`
	Unknown string `flow:"unknown" enum:"refuse,pass" doc:"a request that the document does not have"`
}

func newValidateConfig() config {
	return &validateConfig{Answer: "block", Request: "block", Unknown: "refuse"}
}

func (cfg *validateConfig) build(b *build) step {
	s := &validateStep{cfg: cfg, name: b.node.spec.name, out: b.out("out")}
	switch {
	case cfg.OpenAPI.s != "" && cfg.Schema.s != "":
		b.errorf(cfg.Schema.at, "a schema beside an OpenAPI document: use two nodes")
	case cfg.OpenAPI.s != "":
		s.contract = b.contract(cfg.OpenAPI)
	case cfg.Schema.s != "":
		s.schema = b.jsonSchema(cfg.Schema)
	case !b.has("openapi") && !b.has("schema"):
		b.errorf(b.node.spec.pos, "nothing to check against: add openapi: FILE or schema: FILE")
	}
	return s
}

// contract reads an OpenAPI document.
func (b *build) contract(at text) *contract {
	_, name, err := b.doc.readFile(b.node.spec.file, at.s)
	if err != nil {
		b.errorf(at.at, "the file %s cannot be read: %v", name, err)
		return nil
	}
	doc, found := openapi.Load(name, openapi.ReadFile(b.doc.read))
	for _, d := range found.Errors() {
		b.errorf(at.at, "%s", d)
	}
	if doc == nil || len(found.Errors()) > 0 {
		return nil
	}
	b.doc.reads = append(b.doc.reads, doc.Files...)
	var k *contract
	b.guard(at, func() {
		k = newContract(doc, func(format string, args ...any) { b.doc.diags.warnf(at.at, format, args...) })
	})
	return k
}

// guard reports a schema that is not valid.
func (b *build) guard(at text, compile func()) {
	defer func() {
		if v := recover(); v != nil {
			b.errorf(at.at, "%v", v)
		}
	}()
	compile()
}

// jsonSchema reads a JSON Schema, in JSON or YAML.
func (b *build) jsonSchema(at text) *schema.Schema {
	v, name, ok := b.schemaFile(at)
	if !ok {
		return nil
	}
	return b.compileSchema(v, name, at)
}

// schemaFile reads the file of a JSON Schema.
func (b *build) schemaFile(at text) (v value.Value, name string, ok bool) {
	data, name, err := b.doc.readFile(b.node.spec.file, at.s)
	if err != nil {
		b.errorf(at.at, "the file %s cannot be read: %v", name, err)
		return v, name, false
	}
	if strings.HasSuffix(name, ".json") {
		err = json.Format.Unmarshal(data, &v, decodeOptions...)
	} else {
		v = b.yaml(code{string(data), b.node.spec.yaml})
	}
	if err != nil {
		b.errorf(at.at, "%s: %v", name, err)
	}
	return v, name, err == nil
}

// compileSchema makes a schema of a document.
func (b *build) compileSchema(v value.Value, name string, at text) *schema.Schema {
	t := &refTable{root: v, done: make(map[string]bool)}
	var made *schema.Schema
	b.guard(at, func() {
		t.add("#")
		if t.wrong != "" {
			b.errorf(at.at, "%s: the reference %q leads to nothing in the file", name, t.wrong)
			return
		}
		made = schema.New(t.pairs...).Get("#")
		_ = json.UnmarshalWith([]byte("null"), &checker{schema: made}) // it is parsed when it is first used
	})
	return made
}

// refTable gathers what references in a schema lead to, by the references.
type refTable struct {
	root  value.Value
	done  map[string]bool
	pairs []string
	wrong string
}

func (t *refTable) add(ref string) {
	if t.done[ref] {
		return
	}
	t.done[ref] = true
	pointer, err := url.PathUnescape(strings.TrimPrefix(ref, "#"))
	v, ok := t.root.Pointer(pointer)
	if err != nil || !ok || !strings.HasPrefix(ref, "#") {
		t.wrong = ref
		return
	}
	text, err := json.Format.MarshalAppend(nil, v, json.EscapeForHTML(false))
	if err != nil {
		panic(err)
	}
	t.pairs = append(t.pairs, ref, string(text))
	t.walk(v)
}

func (t *refTable) walk(v value.Value) {
	switch v.Kind() {
	case value.KindMap:
		for name, x := range v.Members() {
			if ref, ok := x.Text(); ok && name == "$ref" {
				t.add(ref)
			} else {
				t.walk(x)
			}
		}
	case value.KindList:
		for x := range v.Values() {
			t.walk(x)
		}
	}
}

// validateStep checks requests on their way in, and answers on their way back.
type validateStep struct {
	cfg      *validateConfig
	name     string
	out      *port
	contract *contract
	schema   *schema.Schema
}

// run implements step.
func (s *validateStep) run(c *call, m *message) error {
	if s.contract == nil {
		if s.cfg.Request != "off" {
			if err := s.wrong(c, s.body(c, &m.body, s.schema, false), s.cfg.Request); err != nil {
				return err
			}
		}
		return s.out.send(c, m)
	}
	var at match
	op := s.contract.find(&at, m.method, m.path)
	if op == nil {
		if s.cfg.Unknown == "pass" {
			return s.out.send(c, m)
		}
		return at.refusal(m)
	}
	if s.cfg.Request != "off" {
		if err := s.wrong(c, s.request(c, m, op, &at), s.cfg.Request); err != nil {
			return err
		}
	}
	if err := s.out.send(c, m); err != nil {
		return err
	}
	if s.cfg.Answer == "off" {
		return nil
	}
	err := s.answer(c, m, op)
	if err != nil && statusOf(err) < http.StatusInternalServerError {
		e := errorOf(s.name, err)
		e.Status = http.StatusBadGateway
		err = e
	}
	return s.wrong(c, err, s.cfg.Answer)
}

// wrong returns err, or reports it where it is not to be blocked.
func (s *validateStep) wrong(c *call, err error, what string) error {
	if err == nil || what == "block" {
		return err
	}
	e := errorOf(s.name, err)
	if e.Status == statusClientClosed || e.Status == http.StatusRequestEntityTooLarge {
		return e
	}
	c.flow.settings.log.Warn("invalid", "node", s.name, "error", e.Error())
	return nil
}

// expects returns the schema by which the body of a request, in a format, will be checked, or nil.
func (s *validateStep) expects(m *message, mediaType string) *schema.Schema {
	if s.cfg.Request == "off" {
		return nil
	}
	if s.contract == nil {
		return s.schema
	}
	var at match
	op := s.contract.find(&at, m.method, m.path)
	if op == nil || op.body == nil {
		return nil
	}
	content, ok := contentFor(op.body, mediaType)
	if !ok {
		return nil
	}
	return content.schema
}

// request checks a request.
func (s *validateStep) request(c *call, m *message, op *operation, at *match) error {
	var query url.Values
	for i := range op.params {
		p := &op.params[i]
		var values []string
		switch p.in {
		case "path":
			if j := slices.Index(at.leaf.names, p.name); j >= 0 {
				v, err := url.PathUnescape(at.values[j])
				if err != nil {
					return refuse(http.StatusBadRequest, err)
				}
				values = []string{v}
			}
		case "query":
			if query == nil {
				var err error
				if query, err = url.ParseQuery(m.query); err != nil {
					return refuse(http.StatusBadRequest, fmt.Errorf("the query: %w", err))
				}
			}
			values = query[p.name]
		case "header":
			values = m.header[http.CanonicalHeaderKey(p.name)]
		}
		if err := p.check(c, values); err != nil {
			return refuse(http.StatusBadRequest, fmt.Errorf("the parameter %s of the %s %w", p.name, p.in, err))
		}
	}
	if m.body.empty() {
		if op.needsBody {
			return refuse(http.StatusBadRequest, errors.New("the body is missing"))
		}
		return nil
	}
	if op.body == nil {
		return nil
	}
	content, ok := contentFor(op.body, m.body.mediaType)
	if !ok {
		return refuse(http.StatusUnsupportedMediaType, fmt.Errorf("a body of type %q: expected %s", m.body.mediaType,
			ranges(op.body)))
	}
	return s.body(c, &m.body, content.schema, false)
}

func ranges(all []content) string {
	var names []string
	for _, c := range all {
		names = append(names, c.mediaRange)
	}
	return strings.Join(names, " or ")
}

// check checks the texts of a parameter.
func (p *parameter) check(c *call, values []string) error {
	if len(values) == 0 {
		if p.required {
			return errors.New("is missing")
		}
		return nil
	}
	if p.schema == nil {
		return nil
	}
	k := &checker{schema: p.schema}
	err := json.UnmarshalWith(p.text(nil, values), k)
	if k.wrong != nil {
		return k.wrong.Err
	}
	return err
}

// answer checks an answer.
func (s *validateStep) answer(c *call, m *message, op *operation) error {
	a, ok := op.answerFor(m.status)
	if !ok {
		return refuse(http.StatusBadGateway, fmt.Errorf("the document has no answer %d for %s", m.status, op.name))
	}
	if m.body.empty() || a.body == nil {
		return nil
	}
	content, ok := contentFor(a.body, m.body.mediaType)
	if !ok {
		if len(a.body) == 0 {
			return nil
		}
		return refuse(http.StatusBadGateway,
			fmt.Errorf("an answer %d of type %q for %s: expected %s", m.status, m.body.mediaType, op.name, ranges(a.body)))
	}
	return s.body(c, &m.body, content.schema, true)
}

// body checks a body by a schema, and that two readers of it see the same.
func (s *validateStep) body(c *call, b *body, schema *schema.Schema, answer bool) error {
	if schema == nil || b.valid == schema {
		return nil
	}
	format := mediaOf(b.mediaType)
	if format == nil && isText(b.mediaType) {
		return nil
	}
	text, err := b.text(c)
	if err != nil {
		return err
	}
	begin := now()
	defer func() { c.codec(begin) }()
	if s.quick(c, b, format, text, schema, answer) {
		return nil
	}
	k := &checker{schema: schema}
	options := checkOptions
	if b.strict { // who turned it into this format has looked
		options = checkOptions[:1]
	}
	switch format {
	case mediaJSON:
		err = json.UnmarshalWith(text, k, options...)
	case mediaMsgpack:
		err = msgpack.Read(text, k, options...)
	case nil:
		return refuse(http.StatusUnsupportedMediaType, fmt.Errorf("a body of type %q cannot be checked", b.mediaType))
	default: // a format with a reader of another shape: by way of the value
		var v value.Value
		if err = format.format.Unmarshal(text, &v, decodeOptions...); err == nil {
			if text, err = json.Format.MarshalAppend(nil, v); err == nil {
				err = json.UnmarshalWith(text, k)
			}
		}
	}
	switch {
	case k.wrong != nil:
		return refuse(http.StatusUnprocessableEntity, k.wrong)
	case err != nil:
		return refuse(http.StatusBadRequest, err)
	}
	return nil
}

// quick reports whether a body is valid. It is not sure that it is not. An answer that will be turned into another format
// is turned in the same pass.
func (s *validateStep) quick(c *call, b *body, format *media, text []byte, schema *schema.Schema, answer bool) bool {
	to := mediaMsgpack
	switch format {
	case mediaJSON:
	case mediaMsgpack:
		to = mediaJSON
	default:
		return false
	}
	if by := c.back.by; answer && by != nil && by.target(c.back.accept, format, b.mediaType) == to {
		o := by.options(format, to)
		out, ok := checked(c, &o, text, schema)
		if ok {
			b.turned, b.turnedTo = out, to
		}
		return ok
	}
	if format == mediaJSON {
		out, ok := transcode.Valid(c.buffer(0), text, schema.Walk())
		c.keep(out)
		return ok
	}
	o := transcode.Options{From: format.format, To: to.format}
	_, ok := checked(c, &o, text, schema)
	return ok
}

// checkOptions spare the copies of strings, which nobody keeps, and a first pass over the text, since nobody looks at a
// checker after an error of the text.
var checkOptions = append([]weft.Options{weft.Join(weft.AliasInput(true), weft.Options{}.Decide(setting.Scratch, true))}, decodeOptions...)

// checker reads a document by checking it.
type checker struct {
	schema *schema.Schema
	wrong  *weft.Error // what the schema says of the document, nil for nothing
}

var errWrong = errors.New("the document is wrong")

// UnmarshalWeft checks the value that d is at, in JSON. That names stand once and text is UTF-8 has been seen to, by the options.
func (k *checker) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	if err := k.check(r); err != nil {
		return err
	}
	r.Skip()
	return r.Err()
}

// ReadMsgpack checks the value that r is at, and that text is UTF-8, which is found when it is read.
func (k *checker) ReadMsgpack(r *msgpack.Reader) error {
	if err := k.check(r); err != nil {
		return err
	}
	walk(r)
	return r.Err()
}

func (k *checker) check(r backend.Reader) error {
	if err := k.schema.Check(r); err != nil {
		e := &weft.Error{Offset: int64(r.Offset()), Err: err}
		var v weft.Violation
		if errors.As(err, &v) {
			e.Path, e.Err = v.Path, v.Err
			m := r.Mark()
			e.Offset = offsetOf(r, v.Path)
			r.Reset(m)
		}
		k.wrong = e
		return errWrong
	}
	return nil
}

// walk reads a value, and fails where text is none.
func walk(r backend.Reader) {
	switch r.Kind() {
	case weft.KindArray:
		for ok := r.BeginArray(); ok; ok = r.More() {
			walk(r)
		}
	case weft.KindObject:
		if !r.BeginMap() {
			return
		}
		for {
			if _, ok := r.NextKey(); !ok {
				return
			}
			walk(r)
		}
	case weft.KindString:
		_ = r.String()
	default:
		r.Skip()
	}
}

// offsetOf returns the offset of what a JSON pointer leads to from the value that r is at, or of the last on the
// way that there is.
func offsetOf(r backend.Reader, pointer string) int64 {
	for pointer != "" {
		token, rest, _ := strings.Cut(pointer[1:], "/")
		if pointer = ""; rest != "" {
			pointer = "/" + rest
		}
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		at := int64(r.Offset())
		found := false
		switch r.Kind() {
		case weft.KindArray:
			i := 0
			for ok := r.BeginArray(); ok; ok = r.More() {
				if found = fmt.Sprint(i) == token; found {
					break
				}
				r.Skip()
				i++
			}
		case weft.KindObject:
			for ok := r.BeginMap(); ok; {
				var name string
				if name, ok = r.NextKey(); !ok {
					break
				}
				if found = name == token; found {
					break
				}
				r.Skip()
			}
		}
		if !found || r.Err() != nil {
			return at
		}
	}
	at := r.Offset()
	if raw := r.Raw(); r.Err() == nil {
		at = r.Offset() - len(raw) // behind blanks
	}
	return int64(at)
}
