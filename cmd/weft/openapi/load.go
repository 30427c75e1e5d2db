package openapi

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxFileSize bounds a file, maxFiles the number of files of a document.
const (
	maxFileSize = 256 << 20
	maxFiles    = 10_000
)

// Option changes how a document is read.
type Option func(*options)

type options struct {
	readFile func(path string) ([]byte, error)
	strict   bool
	overlays []string
}

// ReadFile reads the files of a document with read instead of os.ReadFile.
func ReadFile(read func(path string) ([]byte, error)) Option {
	return func(o *options) { o.readFile = read }
}

// Strict makes errors of the warnings.
func Strict(on bool) Option { return func(o *options) { o.strict = on } }

// Load reads the document in the file called path and the files it refers to.
// It returns a document, maybe incomplete, unless the text is not one at all;
// check the diagnostics' [Diagnostics.Err] before using it.
func Load(path string, opts ...Option) (*Document, Diagnostics) {
	r := newReader(opts)
	f := r.addFile(path, path, "")
	data, err := r.read(path)
	if err != nil {
		r.rep.errorf(Pos{file: f}, "%s", err)
		return nil, r.finish()
	}
	return r.run(f, data)
}

// Parse reads a document from data. The name stands for the file in positions;
// references to other files are relative to it.
func Parse(name string, data []byte, opts ...Option) (*Document, Diagnostics) {
	r := newReader(opts)
	f := r.addFile(name, name, "")
	if len(data) > maxFileSize {
		r.rep.errorf(Pos{file: f}, "the file is larger than %d bytes", maxFileSize)
		return nil, r.finish()
	}
	return r.run(f, data)
}

// reader builds the model of one document.
type reader struct {
	opts     options
	rep      *reporter
	doc      *Document
	version  Version
	files    map[string]*file // by cleaned path
	list     []*file
	made     map[*Node]any // the part read from a node, for references to it
	pending  []pendingRef
	looked   map[refKey]place
	chains   []func()                   // checks of references for circles
	way      map[*Node]bool             // parts being read through a $ref that stands in their place
	moved    int                        // how many have been
	layers   []*file                    // of overlays
	overlaid int                        // nodes they have added
	resource *Schema                    // the schema with an $id that is being read
	defs     *defsScope                 // the schema with definitions of its own that is being read
	anchors  map[*Schema]dynamicScope   // of $dynamicAnchor, by resource
	texts    int                        // files read for the place of a string
	mapped   []*Discriminator           // those with a mapping
	full     bool                       // maxOperations is reached
	refItems []*PathItem                // those with a $ref
	children map[*Node]map[string]*Node // of large objects
	ops      []*Operation               // all of them, in the order of reading
}

func newReader(opts []Option) *reader {
	r := &reader{rep: new(reporter), files: map[string]*file{}, made: map[*Node]any{}, way: map[*Node]bool{}, looked: map[refKey]place{}, children: map[*Node]map[string]*Node{}}
	r.opts.readFile = readFile
	for _, o := range opts {
		o(&r.opts)
	}
	return r
}

// readFile reads a file if it is not too large.
func readFile(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err == nil && st.Size() > maxFileSize {
		return nil, errors.New("the file is too large")
	}
	return os.ReadFile(path)
}

// read reads a file, with a short error.
func (r *reader) read(path string) ([]byte, error) {
	data, err := r.opts.readFile(path)
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("there is no such file: check the path")
	case errors.As(err, &pe):
		return nil, errors.New("the file cannot be read: " + pe.Err.Error())
	case err != nil:
		return nil, errors.New("the file cannot be read: " + err.Error())
	case len(data) > maxFileSize:
		return nil, errors.New("the file is too large")
	}
	return data, nil
}

func (r *reader) addFile(name, path, prefix string) *file {
	f := &file{name: name, path: path, prefix: prefix, index: len(r.list)}
	r.files[filepath.Clean(path)] = f
	r.list = append(r.list, f)
	return f
}

func (r *reader) finish() Diagnostics {
	d := r.rep.sorted()
	if r.opts.strict {
		for i := range d {
			d[i].Severity = Error
		}
	}
	return d
}

func (r *reader) run(f *file, data []byte) (*Document, Diagnostics) {
	f.root = readTree(f, data, r.rep)
	if f.root == nil {
		return nil, r.finish()
	}
	if f.root.Kind != Object {
		r.rep.errorf(f.root.Pos, "%s where an OpenAPI document is expected: write an object with the members openapi, info and paths", f.root.Kind)
		return nil, r.finish()
	}
	r.overlay(f)
	r.doc = &Document{Pos: f.root.Pos, Node: f.root, Info: new(Info), Components: new(Components)}
	if !r.readVersion(f.root) {
		return nil, r.finish()
	}
	if r.version == V20 {
		r.document2(f.root)
	} else {
		r.document(f.root)
	}
	r.resolve()
	r.dynamics()
	r.check()
	for _, f := range r.list {
		r.doc.Files = append(r.doc.Files, f.path)
	}
	for _, f := range r.layers {
		r.doc.Files = append(r.doc.Files, f.path)
	}
	return r.doc, r.finish()
}

// readVersion finds out which OpenAPI the document is written in.
func (r *reader) readVersion(root *Node) bool {
	m, name := root.member("openapi"), "openapi"
	if m == nil {
		m, name = root.member("swagger"), "swagger"
	}
	if m == nil {
		hint := `add openapi: "3.0.3" (or the version it is written in)`
		for _, x := range root.Members {
			if n := nearest(x.Name, func(y func(string) bool) { _ = y("openapi") && y("swagger") }); n != "" {
				r.rep.errorf(x.Pos, "%s is not a member of an OpenAPI document: did you mean %q?", quote(x.Name), n)
				return false
			}
		}
		r.rep.errorf(root.Pos, "the version is missing: %s", hint)
		return false
	}
	v := m.Value
	if v.Kind != String && v.Kind != NumberKind {
		r.rep.errorf(v.Pos, "%s is %s, but must be a version such as \"3.0.3\"", name, v.Kind)
		return false
	}
	text := strings.TrimSpace(v.Text)
	major, ok := versionOf(name, text)
	if !ok {
		r.rep.errorf(v.Pos, "%s %s is not a supported version: expected 2.0, 3.0, 3.1 or 3.2", name, quote(text))
		return false
	}
	if v.Kind == NumberKind {
		r.rep.warnf(v.Pos, "%s is a number, but must be a string: put it in quotes", name)
	}
	r.version, r.doc.Version, r.doc.VersionText = major, major, text
	return true
}

func versionOf(name, text string) (Version, bool) {
	is := func(v string) bool {
		return text == v || strings.HasPrefix(text, v+".") || strings.HasPrefix(text, v+"-")
	}
	switch {
	case name == "swagger":
		return V20, is("2.0") || text == "2"
	case is("3.0") || text == "3":
		return V30, true
	case is("3.1"):
		return V31, true
	case is("3.2"):
		return V32, true
	}
	return 0, false
}
