package json

import (
	"strconv"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// any appends the value in an interface: the common types directly, the others by their programs.
func (e *encoder) any(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case string:
		return wire.AppendJSONString(b, v, e.flags.escapes()), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case map[string]any:
		return e.anyMap(b, v)
	case []any:
		return e.anySlice(b, v)
	case float64:
		if v-v == 0 && e.flags&flagStringNumbers == 0 {
			return wire.AppendFloat64(b, v), nil
		}
	case int:
		if e.flags&flagStringNumbers == 0 {
			return wire.AppendInt(b, int64(v)), nil
		}
	case int64:
		if e.flags&flagStringNumbers == 0 {
			return wire.AppendInt(b, v), nil
		}
	case uint64:
		if e.flags&flagStringNumbers == 0 {
			return wire.AppendUint(b, v), nil
		}
	case Number:
		if e.flags&flagStringNumbers == 0 && e.set.in == nil {
			return appendNumber(b, string(v))
		}
	case time.Time:
		if e.set.in != nil {
			break
		}
		if b, err := appendTime(b, v); err == nil {
			return b, nil
		}
	}
	return e.root(b, v, e.set.lookup(v, e.flags))
}

// anySlice appends a slice of interfaces.
func (e *encoder) anySlice(b []byte, s []any) ([]byte, error) {
	if len(s) == 0 {
		return e.emptyList(b, s == nil), nil
	}
	if e.level >= startCycles {
		return e.deepAnySlice(b, s)
	}
	e.level++
	start := len(b)
	var err error
	for i, v := range s {
		if b, err = e.any(append(b, ','), v); err != nil {
			return b, e.inside(err, strconv.Itoa(i))
		}
	}
	e.level--
	b[start] = '['
	return append(b, ']'), nil
}

// deepAnySlice is the way of slices of interfaces beyond startCycles.
func (e *encoder) deepAnySlice(b []byte, s []any) ([]byte, error) {
	return e.close(e.deepSlice(e.open(b), e.set.lookup(s, e.flags), mem.To(&s)))
}

// anyMap appends a map of interfaces.
func (e *encoder) anyMap(b []byte, m map[string]any) ([]byte, error) {
	if len(m) == 0 {
		return e.emptyMap(b, m == nil), nil
	}
	if e.level >= startCycles {
		return e.deepMap(b, m)
	}
	return e.anyEntries(b, m)
}

// anyEntries appends the entries of a map that has some.
func (e *encoder) anyEntries(b []byte, m map[string]any) ([]byte, error) {
	e.level++
	start := len(b)
	b, err := e.anyMembers(b, m)
	if err != nil {
		return b, err
	}
	e.level--
	b[start] = '{'
	return append(b, '}'), nil
}

// anyMembers appends the entries of a map that has some, each with a comma before it.
func (e *encoder) anyMembers(b []byte, m map[string]any) ([]byte, error) {
	if 1 < len(m) && len(m) <= mostShape {
		// Sorted is as good an order as any where none is asked for.
		out, done, err := e.anyShape(b, m)
		if done {
			return out, err
		}
	}
	if len(m) == 1 {
		for k, v := range m {
			return e.anyMember(b, k, v)
		}
	}
	w := e.scratch()
	f := w.mark()
	for k, v := range m {
		w.names = append(w.names, k)
		w.anys = append(w.anys, v)
	}
	w.arrange(f, e.flags)
	var err error
	for i := f.order; i < f.order+len(m); i++ {
		j := int(w.order[i].i)
		if b, err = e.anyMember(b, w.names[f.names+j], w.anys[f.anys+j]); err != nil {
			return b, err
		}
	}
	w.drop(f)
	return b, nil
}

// anyMember appends a comma and an entry of a map.
func (e *encoder) anyMember(b []byte, name string, v any) ([]byte, error) {
	var err error
	if e.set.mode == nil {
		b, err = e.any(append(e.stringElem(b, name, e.flags.escapes()), ':'), v)
	} else if b, err = e.text(append(b, ','), name); err == nil {
		b, err = e.anyMode(append(b, ':'), v)
	} else {
		b[len(b)-1] = '{' // as [levelsOf] reads it: there is no name yet
	}
	if err != nil {
		return b, e.inside(err, name)
	}
	return b, nil
}
