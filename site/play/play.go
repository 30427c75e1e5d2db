// Package play is what the playground does: it makes Go types of JSON and of OpenAPI documents, writes a value in
// every format, and says what is wrong with it and where.
package play

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/cmd/weft/gen"
	"github.com/weftcodec/weft/cmd/weft/inspect"
	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/cmd/weft/shape"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/file"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// Play holds what the steps of one visitor need of each other. Its methods must not be called at once.
type Play struct {
	// Progress, when set, is told what is being done, and which part of 1 is done.
	Progress func(what string, done float64)

	schemas *schema.Set
	names   []string
	encoded map[string][]byte // by the name of the encoding
	formats map[string]string // for package inspect, by the same
}

// Problem is something wrong, and where it is.
type Problem struct {
	Line    int    `json:"line,omitempty"` // from 1; 0 where there is none
	Col     int    `json:"col,omitempty"`  // in bytes, from 1
	Path    string `json:"path,omitempty"`
	Warning bool   `json:"warning,omitempty"`
	Message string `json:"message"`
}

// Types are the Go types of a text.
type Types struct {
	OpenAPI  bool      `json:"openapi"` // the text is an OpenAPI document
	Code     string    `json:"code"`
	Names    []string  `json:"names"` // of the schemas that values can be checked by
	Problems []Problem `json:"problems"`
}

func (p *Play) progress(what string, done float64) {
	if p.Progress != nil {
		p.Progress(what, done)
	}
}

// Types returns the Go types of an OpenAPI document, in JSON or YAML, or of any JSON value.
func (p *Play) Types(text string) *Types {
	p.schemas, p.names = nil, nil
	t := &Types{Names: []string{}, Problems: []Problem{}}
	p.progress("Reading", 0)
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return t
	}
	var v value.Value
	err := json.Format.Unmarshal([]byte(text), &v)
	switch {
	case err == nil:
		t.OpenAPI = v.Kind() == value.KindMap && (v.Has("openapi") || v.Has("swagger"))
	case !strings.ContainsRune(`{["`, rune(trimmed[0])):
		t.OpenAPI = true // YAML, or nothing
	}
	if !t.OpenAPI && err != nil {
		t.Problems = append(t.Problems, problem(text, err))
		return t
	}
	source := text
	if !t.OpenAPI {
		source = openapiOf(v)
	}
	p.progress("Writing types", 0.4)
	doc, found := openapi.Parse("document", []byte(source))
	var code []byte
	if doc != nil && found.Err() == nil {
		files, warnings, err := gen.OpenAPI(doc, gen.Options{Package: "api"})
		found = append(found, warnings...)
		if err != nil {
			t.Problems = append(t.Problems, Problem{Message: err.Error()})
		}
		for _, f := range files {
			code = append(code, f.Data...)
		}
		if t.OpenAPI {
			p.schemas, p.names = gen.Schemas(doc)
			t.Names = append(t.Names, p.names...)
		}
	}
	t.Code = string(code)
	for _, d := range found {
		if t.OpenAPI {
			t.Problems = append(t.Problems, Problem{
				Line: d.Pos.Line(), Col: d.Pos.Col(), Warning: d.Severity == openapi.Warning, Message: d.Message,
			})
		}
	}
	p.progress("Writing types", 1)
	return t
}

// openapiOf returns an OpenAPI document whose one schema is that of a value.
func openapiOf(v value.Value) string {
	var s shape.Shape
	s.Add(v)
	head := `{"openapi":"3.1.0","info":{"title":"a JSON value","version":"1"},"paths":{},"components":{"schemas":{"Value":`
	return string(append(s.AppendSchema([]byte(head)), "}}}"...))
}

// problem finds the line and column of an error.
func problem(text string, err error) Problem {
	e, ok := errors.AsType[*weft.Error](err)
	if !ok || e.Offset < 0 || e.Offset > int64(len(text)) {
		return Problem{Message: err.Error()}
	}
	before := text[:e.Offset]
	return Problem{
		Line: strings.Count(before, "\n") + 1, Col: len(before) - strings.LastIndexByte(before, '\n'),
		Path: e.Path, Message: e.Err.Error(),
	}
}

// Encoding is a value in one format.
type Encoding struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
	Gzip  int    `json:"gzip"`
	Zstd  int    `json:"zstd"`
	Error string `json:"error,omitempty"` // why the format cannot hold the value
}

// Encodings are a value in every format.
type Encodings struct {
	As        string     `json:"as"` // "Go types" or "dynamic values"
	Valid     bool       `json:"valid"`
	Problems  []Problem  `json:"problems"`
	Encodings []Encoding `json:"encodings"`
}

// checked is a value that a schema must allow.
type checked struct{ by *schema.Schema }

// UnmarshalWeft implements [weft.Unmarshaler].
func (c checked) UnmarshalWeft(d *weft.Decoder) error {
	r := d.Reader()
	if err := c.by.Check(r); err != nil {
		r.Refuse(err)
	}
	r.Skip()
	return r.Err()
}

// Encode writes a JSON value in every format. Where a schema of the document that [Play.Types] has seen is named,
// it says what is wrong with the value by it.
func (p *Play) Encode(text, name string) *Encodings {
	out := &Encodings{Problems: []Problem{}, Encodings: []Encoding{}}
	p.encoded, p.formats = make(map[string][]byte), make(map[string]string)
	p.progress("Reading", 0)
	var v value.Value
	if err := json.Format.Unmarshal([]byte(text), &v); err != nil {
		out.Problems = append(out.Problems, problem(text, err))
		return out
	}
	out.Valid = true
	if name != "" && p.schemas != nil {
		p.progress("Checking", 0.05)
		if err := json.UnmarshalWith([]byte(text), &checked{p.schemas.Get(name)}); err != nil {
			out.Valid = false
			out.Problems = append(out.Problems, problem(text, err))
		}
	}
	p.progress("Finding its type", 0.1)
	var data any
	data, out.As = fit(v)
	list := []struct {
		name, inspect string
		format        weft.Format
		opts          []weft.Options
	}{
		{"JSON", inspect.JSON, json.Format, nil},
		{"MessagePack", inspect.MessagePack, msgpack.Format, nil},
		{"MessagePack, arrays", inspect.MessagePack, msgpack.Format, []weft.Options{weft.StructAsArray(true)}},
		{"CBOR", inspect.CBOR, cbor.Format, nil},
		{"tagged", inspect.Tagged, tagged.Format, []weft.Options{tagged.BoolsAsInts(true)}},
		{"framed", inspect.Framed, tagged.Framed, nil},
	}
	gzip, zstd := compress.NewGzip(), compress.NewZstd()
	for i, f := range list {
		if f.opts != nil && f.format == msgpack.Format && out.As != asTypes {
			continue
		}
		p.progress("Writing "+f.name, 0.2+0.8*float64(i)/float64(len(list)))
		e := Encoding{Name: f.name}
		b, err := f.format.MarshalAppend(nil, data, f.opts...)
		if err != nil {
			e.Error = err.Error()
		} else {
			p.encoded[f.name], p.formats[f.name] = b, f.inspect
			e.Bytes, e.Gzip, e.Zstd = len(b), sizeIn(gzip, b), sizeIn(zstd, b)
		}
		out.Encodings = append(out.Encodings, e)
	}
	p.progress("Done", 1)
	return out
}

func sizeIn(c *compress.Codec, b []byte) int {
	packed, err := c.Append(nil, b)
	if err != nil {
		return 0
	}
	return len(packed)
}

const asTypes = "Go types"

// fit returns a Go struct, or slices of structs, that hold the value exactly, and else the value.
func fit(v value.Value) (data any, as string) {
	var s shape.Shape
	s.Add(v)
	if t := s.Type(); t != reflect.TypeFor[value.Value]() {
		to := reflect.New(t)
		if err := value.Unmarshal(v, to.Interface()); err == nil {
			if back, err := value.Marshal(to.Interface()); err == nil && value.Equal(v, back) {
				return to.Elem().Interface(), asTypes
			}
		}
	}
	return v, "dynamic values"
}

// Row is a byte range of an encoding and what it means.
type Row struct {
	Start int64  `json:"start"` // -1 of a remark
	End   int64  `json:"end"`
	Bytes string `json:"bytes"` // the first, in hexadecimal
	Depth int    `json:"depth"`
	What  string `json:"what"`
	Path  string `json:"path,omitempty"`
}

// Rows are the first rows of an encoding.
type Rows struct {
	Rows    []Row    `json:"rows"`
	More    bool     `json:"more"` // there are more
	Problem *Problem `json:"problem,omitempty"`
}

// errEnough ends a reader early.
var errEnough = errors.New("enough has been read")

// enough is a reader that ends when there are rows enough.
type enough struct {
	bytes.Reader
	rows *Rows
}

func (e *enough) Read(b []byte) (int, error) {
	if e.rows.More {
		return 0, errEnough
	}
	return e.Reader.Read(b[:min(len(b), 4096)])
}

// Rows returns up to limit rows of an encoding that [Play.Encode] or [Play.Open] made.
func (p *Play) Rows(name string, limit int) *Rows {
	const shown = 8 // bytes
	b := p.encoded[name]
	out := &Rows{Rows: []Row{}}
	in := &enough{rows: out}
	in.Reset(b)
	err := inspect.Rows(in, p.formats[name], func(r inspect.Row) {
		if len(out.Rows) >= limit {
			out.More = true
			return
		}
		row := Row{Start: r.Start, End: r.End, Depth: r.Depth, What: r.What, Path: r.Path}
		if r.Start >= 0 && r.End <= int64(len(b)) && r.Start < r.End {
			row.Bytes = fmt.Sprintf("% x", b[r.Start:min(r.End, r.Start+shown)])
			if r.End-r.Start > shown {
				row.Bytes += " …"
			}
		}
		out.Rows = append(out.Rows, row)
	})
	if err != nil && !out.More {
		out.Problem = &Problem{Message: err.Error()}
	}
	return out
}

// Opened is a file in one of the formats.
type Opened struct {
	Format  string   `json:"format"`
	Bytes   int      `json:"bytes"`
	Problem *Problem `json:"problem,omitempty"`
}

// Open takes a file, whose format its name or its content tells; what is compressed is decompressed. Its rows are
// those of "file".
func (p *Play) Open(name string, data []byte) *Opened {
	p.encoded, p.formats = make(map[string][]byte), make(map[string]string)
	p.progress("Opening", 0)
	content, err := file.OpenContent(bytes.NewReader(data), name)
	if err != nil {
		return &Opened{Problem: &Problem{Message: err.Error()}}
	}
	defer content.Close()
	b, err := io.ReadAll(content)
	out := &Opened{Format: content.Format().Name(), Bytes: len(b)}
	if err != nil {
		out.Problem = &Problem{Message: err.Error()}
	}
	p.encoded["file"], p.formats["file"] = b, out.Format
	p.progress("Opening", 1)
	return out
}
