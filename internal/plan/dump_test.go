package plan

import (
	"fmt"
	"strings"

	"github.com/weftcodec/weft/internal/setting"
)

// Dump describes n and the types that it refers to, one line for each type
// and each field, for people to read.
func (n *Type) Dump() string {
	d := dumper{seen: map[*Type]bool{n: true}, queue: []*Type{n}}
	for len(d.queue) > 0 {
		next := d.queue[0]
		d.queue = d.queue[1:]
		d.dump(next)
	}
	return d.b.String()
}

type dumper struct {
	b     strings.Builder
	seen  map[*Type]bool
	queue []*Type
}

// ref names a type by its ID and queues it.
func (d *dumper) ref(t *Type) string {
	if !d.seen[t] {
		d.seen[t] = true
		d.queue = append(d.queue, t)
	}
	return fmt.Sprintf("#%d", t.ID)
}

func (d *dumper) dump(t *Type) {
	fmt.Fprintf(&d.b, "#%d %v", t.ID, t)
	switch {
	case t.Key != nil:
		fmt.Fprintf(&d.b, " [%s %s/%s] %s", d.ref(t.Key), t.KeyMarshal, t.KeyUnmarshal, d.ref(t.Elem))
	case t.Elem != nil:
		fmt.Fprintf(&d.b, " of %s", d.ref(t.Elem))
	case t.Option != nil:
		fmt.Fprintf(&d.b, " %s of %s", optionNames[t.Option.Kind], d.ref(t.Option.Value))
	}
	if t.Kind == Raw {
		d.b.WriteString(" " + t.RawFormat)
	}
	if t.NoPointers {
		d.b.WriteString(" nopointers")
	}
	if t.ZeroBytes {
		d.b.WriteString(" zerobytes")
	}
	if t.Hooks != (Hooks{}) {
		fmt.Fprintf(&d.b, " hooks %b/%b %b/%b", t.Hooks.Marshal, t.Hooks.MarshalAddr, t.Hooks.Unmarshal, t.Hooks.UnmarshalAddr)
	}
	d.b.WriteByte('\n')
	members := t.Members()
	for i := range members {
		d.field(&members[i])
	}
	if t.Rest() != nil {
		d.field(t.Rest())
	}
	for i := range t.Problems() {
		fmt.Fprintf(&d.b, "\t! %s\n", t.Problems()[i].Error())
	}
}

var optionNames = [...]string{
	setting.OptionNullable: "nullable",
	setting.OptionOptional: "optional",
	setting.OptionField:    "field",
}

func (d *dumper) field(f *Field) {
	fmt.Fprintf(&d.b, "\t%q %s %s %v", f.Name, f.Path(), d.ref(f.Type), f.Index)
	for _, o := range []struct {
		on   bool
		name string
	}{
		{f.Tagged, "tagged"}, {f.OmitEmpty, "omitempty"}, {f.OmitZero, "omitzero"}, {f.Required, "required"},
		{f.Quoted, "string"}, {f.Inline, "inline"}, {f.Unknown, "unknown"}, {f.Unexported, "unexported"},
	} {
		if o.on {
			d.b.WriteString(" " + o.name)
		}
	}
	for _, a := range f.Alternates {
		d.b.WriteString(" alias:" + a)
	}
	if f.Format != "" {
		d.b.WriteString(" format:" + f.Format)
	}
	for _, e := range f.Embeds {
		d.b.WriteString(" via *" + e.Elem.Rtype.String())
		if !e.Settable {
			d.b.WriteString("(unsettable)")
		}
	}
	d.b.WriteByte('\n')
}
