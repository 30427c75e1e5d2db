package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/weftcodec/weft/cmd/weft/gen"
	"github.com/weftcodec/weft/cmd/weft/gen/ir"
	"github.com/weftcodec/weft/cmd/weft/openapi"
)

// genFlags are the flags of weft gen openapi.
type genFlags struct {
	out, name, only, config  string
	strict, check            bool
	list, asJSON             bool
	overlays, ignore, rename []string
	types                    []string
	enums, unknown, layout   string
	selection                openapi.Selection
	methods                  ir.Methods
	input                    input
}

func newGenFlags(flags *flag.FlagSet) *genFlags {
	g := new(genFlags)
	list := func(name, usage string, into *[]string) {
		flags.Func(name, usage, func(value string) error {
			*into = append(*into, value)
			return nil
		})
	}
	gone := func(name, says string) { // without a usage it is not shown
		flags.Func(name, "", func(string) error { return errors.New("the flag was removed: " + says) })
	}
	flags.StringVar(&g.out, "out", "", "folder of the package")
	flags.StringVar(&g.name, "package", "", "name of the package")
	flags.StringVar(&g.only, "only", "models", "what to write")
	flags.StringVar(&g.config, "config", "", "file of options")
	flags.BoolVar(&g.strict, "strict", false, "warnings are errors")
	flags.BoolVar(&g.check, "check", false, "write nothing, compare")
	flags.BoolVar(&g.list, "list", false, "print the operations")
	flags.BoolVar(&g.asJSON, "json", false, "print them as JSON")
	list("overlay", "changes to the document", &g.overlays)
	list("ignore", "file of what is left out", &g.ignore)
	list("rename", "Go name", &g.rename)
	list("type", "Go type", &g.types)
	list("tag", "write operations with this tag", &g.selection.Tags)
	list("path", "write operations of this path", &g.selection.Paths)
	list("schema", "write this schema", &g.selection.Schemas)
	list("no-tag", "leave out", &g.selection.NoTags)
	list("no-path", "leave out", &g.selection.NoPaths)
	list("no-schema", "leave out", &g.selection.NoSchemas)
	flags.StringVar(&g.enums, "enum-prefix", "type", "prefix of constants")
	flags.StringVar(&g.unknown, "unknown", "ignore", "members that are not described")
	flags.BoolVar(&g.methods.NoMarshal, "no-marshal", false, "no MarshalJSON")
	flags.BoolVar(&g.methods.NoUnmarshal, "no-unmarshal", false, "no UnmarshalJSON")
	flags.StringVar(&g.layout, "layout", "one", "files of the package")
	gone("format", "the types serve every format")
	gone("file-size", "--layout tags writes several files")
	return g
}

// options returns what the generator is told.
func (g *genFlags) options() (gen.Options, error) {
	opts := gen.Options{
		Package: g.name, Select: g.selection, Methods: g.methods, Rename: make(map[string]string),
	}
	switch {
	case g.only != "models":
		return opts, misuse("--only %s: expected models", g.only)
	case g.name == "":
		if opts.Package = packageName(g.out); opts.Package == "" {
			return opts, misuse("the name of %s is not a valid package name: use --package", g.out)
		}
	case !token.IsIdentifier(g.name) || g.name == "_":
		return opts, misuse("--package %s: expected a Go identifier", g.name)
	}
	switch g.layout {
	case "one":
	case "tags":
		opts.ByTag = true
	default:
		return opts, misuse("--layout %s: expected one or tags", g.layout)
	}
	switch g.enums {
	case "type":
	case "none":
		opts.BareEnums = true
	default:
		return opts, misuse("--enum-prefix %s: expected type or none", g.enums)
	}
	switch g.unknown {
	case "ignore":
	case "keep":
		opts.Unknown = gen.KeepUnknown
	case "refuse":
		opts.Unknown = gen.RefuseUnknown
	default:
		return opts, misuse("--unknown %s: expected ignore, keep or refuse", g.unknown)
	}
	for _, r := range g.rename {
		old, name, ok := strings.Cut(r, "=")
		if !ok || old == "" || !token.IsIdentifier(name) || !token.IsExported(name) {
			return opts, misuse("--rename %s: expected OLD=NEW, where NEW is an exported Go name", r)
		}
		opts.Rename[old] = name
	}
	for _, t := range g.types {
		format, typ, ok := strings.Cut(t, "=")
		if !ok || format == "" || gen.GoType(typ) == "" {
			return opts, misuse("--type %s: expected FORMAT=IMPORT.TYPE, such as number=encoding/json.Number or ipv4=netip.Addr", t)
		}
		if opts.Types == nil {
			opts.Types = make(map[string]string)
		}
		opts.Types[format] = gen.GoType(typ)
	}
	for _, name := range g.ignore {
		if err := g.readIgnore(name, &opts.Select); err != nil {
			return opts, err
		}
	}
	return opts, nil
}

// readIgnore adds what the lines of a file leave out.
func (g *genFlags) readIgnore(name string, s *openapi.Selection) error {
	data, err := g.input.read(name)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		kind, pattern, _ := strings.Cut(line, " ")
		pattern = strings.TrimSpace(pattern)
		into := map[string]*[]string{"tag": &s.NoTags, "path": &s.NoPaths, "schema": &s.NoSchemas}[kind]
		if into == nil || pattern == "" {
			return fmt.Errorf("%s:%d: expected tag, path or schema, and a name", shownName(name), n)
		}
		*into = append(*into, pattern)
	}
	return lines.Err()
}

// readConfig sets the flags that the file of --config has and the call has not,
// and returns the arguments with the document it names.
func (g *genFlags) readConfig(flags *flag.FlagSet, args []string) ([]string, error) {
	if g.config == "" {
		return args, nil
	}
	data, err := g.input.read(g.config)
	if err != nil {
		return nil, err
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, fmt.Errorf("%s: %w", shownName(g.config), err)
	}
	if len(root.Content) == 0 {
		return args, nil
	}
	given := make(map[string]bool)
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	body := root.Content[0]
	if body.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s:%d: expected options and their values", shownName(g.config), body.Line)
	}
	for i := 0; i+1 < len(body.Content); i += 2 {
		key, value := body.Content[i], body.Content[i+1]
		values, err := configValues(key.Value, value)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", shownName(g.config), value.Line, err)
		}
		if slices.Contains([]string{"document", "out", "overlay", "ignore"}, key.Value) {
			for i, v := range values {
				if !filepath.IsAbs(v) && v != "-" {
					values[i] = filepath.Join(filepath.Dir(g.config), v)
				}
			}
		}
		switch {
		case key.Value == "document" && len(values) == 1:
			if len(args) < 2 {
				args = []string{"openapi", values[0]}
			}
			continue
		case flags.Lookup(key.Value) == nil || key.Value == "config":
			return nil, fmt.Errorf("%s:%d: unknown option %s", shownName(g.config), key.Line, key.Value)
		case given[key.Value]:
			continue
		}
		for _, v := range values {
			if err := flags.Set(key.Value, v); err != nil {
				return nil, fmt.Errorf("%s:%d: %s: %w", shownName(g.config), value.Line, key.Value, err)
			}
		}
	}
	return args, nil
}

// configValues returns the values of an option in a file: one, a list, or for
// rename and type a mapping.
func configValues(key string, n *yaml.Node) ([]string, error) {
	var out []string
	switch {
	case n.Kind == yaml.ScalarNode:
		return []string{n.Value}, nil
	case n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return nil, errors.New("expected a list of strings")
			}
			out = append(out, item.Value)
		}
		return out, nil
	case n.Kind == yaml.MappingNode && (key == "rename" || key == "type"):
		for i := 0; i+1 < len(n.Content); i += 2 {
			out = append(out, n.Content[i].Value+"="+n.Content[i+1].Value)
		}
		return out, nil
	}
	return nil, errors.New("expected a value or a list of values")
}
