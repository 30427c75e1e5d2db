package tagged

import (
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/framewire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// bound says how the columns of a schema's node become values of a Go type.
type bound struct {
	s       *framewire.Schema // without its being nullable
	how     how
	null    bool // a column for presence comes first
	p       *program
	rules   *plan.Rules // of the type of the values
	fields  []boundField
	without []string // required members that the file does not have
	fill    []int    // fields with defaults that it does not have
	elem    *bound
	key     *bound
}

// how is the way from columns to values.
type how uint8

const (
	bySkip    how = iota // they are skipped
	byColumn             // column to field
	byPointer            // to what pointers point at
	byOption
	byMessage // one by one, as messages
)

// boundField is a field of a file's struct; f is nil where the Go type has none.
type boundField struct {
	f      *field
	b      *bound
	needed bool // the member must be there
}

// bind finds out how values of p are read from columns of s under flags.
func bind(s *framewire.Schema, p *program, flags uint64) *bound {
	b := &bound{s: s, null: s.Nullable, p: p, how: byMessage}
	if p == nil {
		b.how = bySkip
		return b
	}
	ruled := p
	if p.dec == cRuled {
		b.rules = p.typ.Rules
		p = p.unruled
		b.p = p
	}
	inner := s
	if s.Nullable {
		in := *s
		in.Nullable = false
		inner = &in
	}
	switch {
	case s.Kind == framewire.Message || s.Kind == framewire.Dynamic || b.rules != nil && b.rules.Schema != nil:
		b.s, b.p, b.rules = inner, ruled, nil
		return b
	case p.dec == plan.Pointer:
		b.how, b.elem = byPointer, bind(inner, p.elem, flags)
		return b
	case p.dec == plan.Option:
		b.how, b.elem = byOption, bind(inner, p.elem, flags)
		return b
	}
	b.s = inner
	c := p.dec
	isNumber := c >= plan.Int && c <= plan.Float64
	direct := int(c) < len(kindOf) && kindOf[c] == s.Kind
	switch s.Kind {
	case framewire.Int, framewire.Uint:
		direct = isNumber
	case framewire.Float32, framewire.Float64:
		direct = isNumber && c >= plan.Float32
	case framewire.Bytes:
		direct = c == plan.Bytes || c == plan.ByteSlice || c == plan.ByteArray
	case framewire.Struct:
		if direct = c == plan.Struct && p.rest == nil; !direct {
			break
		}
		for i, name := range s.Names {
			k := p.slotNamed(tagwire.Hash(name), name)
			if k < 0 && flags&setting.FoldNames != 0 && !p.typ.Strict {
				k = p.fold(name)
			}
			var f *field
			var to *program
			if k >= 0 {
				f = &p.fields[k]
				to = f.p
				if f.flags&fOption != 0 { // the field itself, not its value
					to = &program{enc: plan.Option, dec: plan.Option, mem: f.f.Type.Mem, typ: f.f.Type, elem: f.p}
				}
			}
			b.fields = append(b.fields, boundField{f, bind(s.Nodes[i], to, flags), f != nil && f.f.Needed(flags)})
		}
		b.bindRequired(flags)
	case framewire.List:
		if direct = c == plan.Slice || c == plan.Array; direct {
			b.elem = bind(s.Nodes[0], p.elem, flags)
		}
	case framewire.Map:
		if c != plan.Map {
			break
		}
		switch p.typ.KeyUnmarshal {
		case plan.KeyString:
			direct = s.Nodes[0].Kind == framewire.String
		case plan.KeyInt, plan.KeyUint:
			direct = s.Nodes[0].Kind == framewire.Int || s.Nodes[0].Kind == framewire.Uint
		}
		if direct {
			b.key, b.elem = bind(s.Nodes[0], keyProgram(p.typ), flags), bind(s.Nodes[1], p.elem, flags)
		}
	}
	if direct {
		b.how = byColumn
	} else if ruled != p {
		b.p, b.rules = ruled, nil // messages look at the rules themselves
	}
	return b
}
