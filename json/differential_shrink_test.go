package json_test

import (
	"bytes"
	"reflect"
	"time"
)

// shrink returns a smaller case that differs in the same way, and its
// difference.
func shrink(c *diffCase, d string) (*diffCase, string) {
	end := time.Now().Add(3 * time.Second)
	kind := signature(d)
	// try keeps a smaller case when it still differs.
	try := func(smaller diffCase) bool {
		if time.Now().After(end) {
			return false
		}
		if e := smaller.diff(); e != "" && (signature(e)[:min(12, len(signature(e)))] == kind[:min(12, len(kind))]) {
			c, d = &smaller, e
			return true
		}
		return false
	}
	with := func(change func(c *diffCase)) bool {
		s := *c
		change(&s)
		return try(s)
	}
	for changed := true; changed && time.Now().Before(end); {
		changed = false
		if c.variant && with(func(c *diffCase) { c.variant = false }) {
			changed = true
		}
		if c.filled && with(func(c *diffCase) { c.filled = false }) {
			changed = true
		}
		if c.op == opMarshal || c.op == opEncoder || c.filled {
			if shrinkValue(c, with) {
				changed = true
			}
		}
		if c.op == opEncoder && with(func(c *diffCase) { c.op = opMarshal }) {
			changed = true
		}
		if c.op == opDecoder && with(func(c *diffCase) { c.op = opUnmarshal }) {
			changed = true
		}
		if shrinkText(&c, with) {
			changed = true
		}
		if c.op != opTokens && c.op != opText {
			for _, t := range simpler(c.typ) {
				if with(func(c *diffCase) { c.typ = t }) {
					changed = true
					break
				}
			}
		}
	}
	return c, d
}

// shrinkText removes pieces of the text, large ones first.
func shrinkText(c **diffCase, with func(func(c *diffCase)) bool) bool {
	changed := false
	for n := len((*c).text); n > 0; n /= 2 {
		for i := 0; i+n <= len((*c).text); {
			if !with(func(c *diffCase) { c.text = append(bytes.Clone(c.text[:i]), c.text[i+n:]...) }) {
				i += max(1, n/2)
			} else {
				changed = true
			}
		}
	}
	return changed
}

// shrinkValue looks for a seed that makes a smaller value.
func shrinkValue(c *diffCase, with func(func(c *diffCase)) bool) bool {
	size := len(dump(freshTarget(c.typ, c.seed, true)))
	for s := range uint64(200) {
		if s == c.seed || len(dump(freshTarget(c.typ, s, true))) >= size {
			continue
		}
		if with(func(c *diffCase) { c.seed = s }) {
			return true
		}
	}
	return false
}

// simpler returns types that are smaller than t and may show the same.
func simpler(t reflect.Type) []reflect.Type {
	var list []reflect.Type
	add := func(make func() reflect.Type) {
		defer func() { _ = recover() }() // reflect refuses some combinations
		if s := make(); s != t {
			list = append(list, s)
		}
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		if t.Name() == "" {
			list = append(list, t.Elem())
			for _, e := range simpler(t.Elem()) {
				add(func() reflect.Type { return rebuild(t, e) })
			}
		}
	case reflect.Struct:
		if t.Name() != "" {
			return nil
		}
		var fields []reflect.StructField
		for i := range t.NumField() {
			fields = append(fields, t.Field(i))
			if t.Field(i).IsExported() {
				list = append(list, t.Field(i).Type)
			}
		}
		if n := len(fields); n > 3 {
			add(func() reflect.Type { return reflect.StructOf(fields[:n/2]) })
			add(func() reflect.Type { return reflect.StructOf(fields[n/2:]) })
		}
		for i := range fields {
			add(func() reflect.Type {
				return reflect.StructOf(append(append([]reflect.StructField(nil), fields[:i]...), fields[i+1:]...))
			})
		}
		for i := range fields {
			change := func(f func(f *reflect.StructField)) {
				add(func() reflect.Type {
					g := append([]reflect.StructField(nil), fields...)
					f(&g[i])
					return reflect.StructOf(g)
				})
			}
			if fields[i].Tag != "" {
				change(func(f *reflect.StructField) { f.Tag = "" })
			}
			if !fields[i].Anonymous {
				for _, e := range simpler(fields[i].Type) {
					change(func(f *reflect.StructField) { f.Type = e })
				}
				if fields[i].Type != reflect.TypeFor[int]() {
					change(func(f *reflect.StructField) { f.Type = reflect.TypeFor[int]() })
				}
			}
		}
	}
	return list
}

// rebuild makes a composite type like t with another element.
func rebuild(t, elem reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Pointer:
		return reflect.PointerTo(elem)
	case reflect.Slice:
		return reflect.SliceOf(elem)
	case reflect.Array:
		return reflect.ArrayOf(t.Len(), elem)
	}
	return reflect.MapOf(t.Key(), elem)
}
