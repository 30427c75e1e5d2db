package plan

import "github.com/weftcodec/weft/internal/mem"

// At returns the location of the field of the struct at p: the zero Ptr if an
// embedded pointer on the way is nil.
func (f *Field) At(p mem.Ptr) mem.Ptr {
	for i := range f.Embeds {
		e := &f.Embeds[i]
		if p = p.Field(e.Offset).Deref(e.Elem); p.IsNil() {
			return p
		}
	}
	return p.Field(f.Offset)
}

// Make returns the location of the field of the struct at p and allocates what
// nil embedded pointers on the way should point at. If one of them cannot be
// set Make returns it and the zero Ptr.
func (f *Field) Make(p mem.Ptr) (mem.Ptr, *Embed) {
	for i := range f.Embeds {
		e := &f.Embeds[i]
		at := p.Field(e.Offset)
		if p = at.Deref(e.Elem); !p.IsNil() {
			continue
		}
		if !e.Settable {
			return mem.Ptr{}, e
		}
		p = e.Elem.New()
		at.SetPtr(p)
	}
	return p.Field(f.Offset), nil
}
