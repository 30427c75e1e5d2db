// Package config fills a struct from JSON or YAML files, environment variables and flags. Every error has a file,
// line and column.
//
//	cfg := Config{Port: 8080} // defaults
//	err := config.Load(&cfg, config.File("app.yaml"), config.Env("APP"), config.Flags(cmd.Flags()))
//
// Member names are those of package json, and the rules of the type are checked. An unknown member is an error.
package config

import (
	"errors"
	"strconv"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cmd/weft/openapi"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/schema"
)

// Error is a fault of the configuration.
type Error struct {
	Place string // "app.yaml:3:7", "environment variable APP_PORT", "flag --port"; "" for what no source sets
	Path  string // JSON pointer (RFC 6901) of the value, "" for all of it
	Err   error
}

// Error returns the place, the path and what is wrong.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("config: ")
	for _, s := range []string{e.Place, e.Path} {
		if s != "" {
			b.WriteString(s + ": ")
		}
	}
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// Load fills the struct that cfg points to from the sources. A later source wins over an earlier one: members of objects
// one by one, lists as a whole. What no source sets stays as it is, which is how defaults are given; it must obey the
// rules of the type, too.
//
// The error joins, as [errors.Join] does, an [*Error] for each fault that was found. Some members of cfg may have been
// set by then.
func Load(cfg any, sources ...Source) error {
	l := &loader{cfg: cfg, root: &openapi.Node{Kind: openapi.Object}, places: make(map[*openapi.Node]string)}
	for _, s := range sources {
		s.read(l)
	}
	if l.faults != nil {
		return errors.Join(l.faults...)
	}
	opts := weft.Join(weft.RejectUnknown(true), weft.AllViolations(true), weft.FoldNames(false),
		json.FormatDuration("units"), l.opts)
	err := json.UnmarshalWith(openapi.AppendJSON(nil, l.root), cfg, opts)
	if err == nil {
		err = schema.Validate(cfg)
	}
	return l.located(err)
}

// loader joins what sources say.
type loader struct {
	cfg    any
	opts   weft.Options
	root   *openapi.Node
	places map[*openapi.Node]string // of what stands in no file
	leaves map[string][]leaf        // see loader.leaf
	faults []error
}

func (l *loader) fault(place, path string, err error) {
	l.faults = append(l.faults, &Error{place, path, err})
}

// located returns err as faults at the places of their values.
func (l *loader) located(err error) error {
	var all *weft.ValidationError
	var one *weft.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &all):
		for _, v := range all.Violations {
			l.fault(l.place(v.Path), v.Path, v.Err)
		}
	case errors.As(err, &one):
		l.fault(l.place(one.Path), one.Path, one.Err)
	default:
		l.fault("", "", err)
	}
	return errors.Join(l.faults...)
}

// place returns where the value at a path stands, or the object that lacks it; "" if no source has set anything there.
func (l *loader) place(path string) string {
	n := l.root
	if path != "" {
		for token := range strings.SplitSeq(path[1:], "/") {
			token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
			next := n.Get(token)
			if i, err := strconv.Atoi(token); err == nil && n.Kind == openapi.Array && i >= 0 && i < len(n.Items) {
				next = n.Items[i]
			}
			if next == nil {
				return ""
			}
			n = next
		}
	}
	if p, ok := l.places[n]; ok {
		return p
	}
	return n.Pos.String()
}

// merge returns what there is when n comes over old.
func merge(old, n *openapi.Node) *openapi.Node {
	if old == nil || old.Kind != openapi.Object || n.Kind != openapi.Object {
		return n
	}
	if !old.Pos.IsValid() {
		old.Pos = n.Pos
	}
	for _, m := range n.Members {
		put(old, m.Name, merge(old.Get(m.Name), m.Value))
	}
	return old
}

// put makes v the member of an object.
func put(n *openapi.Node, name string, v *openapi.Node) {
	for i := range n.Members {
		if n.Members[i].Name == name {
			n.Members[i].Value = v
			return
		}
	}
	n.Members = append(n.Members, openapi.Member{Name: name, Pos: v.Pos, Value: v})
}
