package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// Source is where a configuration comes from.
type Source struct{ read func(*loader) }

// File reads a file of JSON or YAML. It must be there, unless optional.
func File(name string) Source { return Source{func(l *loader) { l.file(name, false) }} }

// Optional reads a file of JSON or YAML if there is one.
func Optional(name string) Source { return Source{func(l *loader) { l.file(name, true) }} }

// Text reads JSON or YAML, such as an embedded file. The name stands in errors.
func Text(name string, text []byte) Source { return Source{func(l *loader) { l.text(name, text) }} }

// Options are options of [Load]: those of package json, and of weft. RejectUnknown(false) lets members that the type does
// not have pass.
func Options(opts ...weft.Options) Source {
	return Source{func(l *loader) { l.opts = weft.Join(l.opts, weft.Join(opts...)) }}
}

// Env reads environment variables: the one called PREFIX_SERVER_MAX_SIZE, or PREFIX_SERVER_MAXSIZE, sets the member
// maxSize of the member server. Its text is taken as the type of the field asks: as it is for strings and what has a text,
// with commas between the elements of a list, and as YAML otherwise. An empty variable sets a string alone. Others with
// the prefix are ignored.
func Env(prefix string) Source {
	return Source{func(l *loader) {
		env := os.Environ()
		slices.Sort(env)
		for _, e := range env {
			name, text, _ := strings.Cut(e, "=")
			if rest, ok := strings.CutPrefix(name, prefix+"_"); ok {
				l.set("environment variable "+name, rest, func(f leaf) (*openapi.Node, error) { return f.node(text) })
			}
		}
	}}
}

// Flags reads the flags that are given on the command line: --server-max-size, --server.maxSize or --serverMaxSize sets the
// member maxSize of the member server. Defaults of flags do not count, and flags without a member, such as --help, are
// ignored. The flags of a command of cobra are cmd.Flags().
func Flags(flags *pflag.FlagSet) Source {
	return Source{func(l *loader) {
		flags.Visit(func(f *pflag.Flag) {
			l.set("flag --"+f.Name, f.Name, func(to leaf) (*openapi.Node, error) {
				if list, ok := f.Value.(pflag.SliceValue); ok {
					return to.list(list.GetSlice())
				}
				return to.node(f.Value.String())
			})
		})
	}}
}

func (l *loader) file(name string, optional bool) {
	text, err := os.ReadFile(name)
	switch {
	case err == nil:
		l.text(name, text)
	case !optional || !errors.Is(err, fs.ErrNotExist):
		var e *fs.PathError
		if errors.As(err, &e) {
			err = e.Err
		}
		l.fault(name, "", err)
	}
}

func (l *loader) text(name string, text []byte) {
	n, found := openapi.ParseNode(name, text)
	for _, d := range found.Errors() {
		l.fault(d.Pos.String(), "", errors.New(d.Message))
	}
	switch {
	case n == nil || n.Kind == openapi.Null: // empty
	case n.Kind != openapi.Object:
		err := fmt.Errorf("expected an object with the members of the configuration, got %v", n.Kind)
		l.fault(n.Pos.String(), "", err)
	default:
		l.root = merge(l.root, n)
	}
}

// set sets the member that a name stands for, if there is one.
func (l *loader) set(place, name string, node func(leaf) (*openapi.Node, error)) {
	found := l.leaf(name)
	if len(found) == 0 {
		return
	}
	if len(found) > 1 {
		l.fault(place, "", fmt.Errorf("it stands for several members, %s and %s", found[0].pointer(), found[1].pointer()))
		return
	}
	n, err := node(found[0])
	if err != nil {
		l.fault(place, found[0].pointer(), err)
		return
	}
	if n == nil {
		return
	}
	l.mark(n, place)
	path := found[0].path
	for i := len(path) - 1; i >= 0; i-- {
		n = &openapi.Node{Kind: openapi.Object, Members: []openapi.Member{{Name: path[i], Value: n}}}
		if i > 0 {
			l.places[n] = place
		}
	}
	l.root = merge(l.root, n)
}

// mark notes the place of all that n consists of.
func (l *loader) mark(n *openapi.Node, place string) {
	l.places[n] = place
	for _, x := range n.Items {
		l.mark(x, place)
	}
	for _, m := range n.Members {
		l.mark(m.Value, place)
	}
}
