package tagged

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/framewire"
)

// level is a step from the values of one column to those of a column in it.
type level struct {
	name  string           // of a member, where v is nil
	v     []int64          // presence, or the lengths of lists and maps, plus one
	lists bool             // they are lengths
	key   func(int) string // the name of the i-th value of maps

	parent, at int // where origin has ended, and the first value that belongs there
}

// origin returns which value of the column around the i-th value of this one
// belongs to, and the step of the path between them.
func (l *level) origin(i int) (parent int, token string, named bool) {
	if l.v == nil {
		return i, l.name, true
	}
	if i < l.at { // else it is behind the one that was asked for before, as mostly
		l.parent, l.at = 0, 0
	}
	for ; l.parent < len(l.v); l.parent++ {
		x := l.v[l.parent]
		n := int(x & 1)
		if l.lists {
			n = int(max(x-1, 0))
		}
		if i >= l.at+n {
			l.at += n
			continue
		}
		switch {
		case l.key != nil:
			return l.parent, l.key(i), true
		case l.lists:
			return l.parent, strconv.Itoa(i - l.at), true
		}
		return l.parent, "", false
	}
	return 0, "", false
}

func (r *frameReader) enter(l level) { r.levels = append(r.levels, l) }

// leave ends what enter began, and returns ok.
func (r *frameReader) leave(ok bool) bool {
	if ok { // else the levels say where it was
		r.levels = r.levels[:len(r.levels)-1]
	}
	return ok
}

// misfit says that the i-th value of the column being read does not fit. Its record
// does not count, unlike the rest of the frame.
func (r *frameReader) misfit(i int, err error) {
	path := ""
	if in, ok := err.(*weft.Error); ok && in.Format == formatName {
		path, err = in.Path, in.Err
	}
	for k := len(r.levels) - 1; k >= 0; k-- {
		parent, token, named := r.levels[k].origin(i)
		if i = parent; named {
			path = string(wire.AppendPointer(nil, token)) + path
		}
	}
	if _, ok := r.misfits[i]; ok {
		return
	}
	if r.misfits == nil {
		r.misfits = make(map[int]*weft.Error)
	}
	r.misfits[i] = &weft.Error{Format: framedName, Offset: r.offset(r.block), Path: path, Err: err}
}

// columnKinds are the kinds of values in columns, for errors.
var columnKinds = [framewire.Kinds]weft.Kind{
	framewire.Bool: weft.KindBool, framewire.Int: weft.KindInt, framewire.Uint: weft.KindUint,
	framewire.Bytes: weft.KindBytes, framewire.Float32: weft.KindFloat, framewire.Float64: weft.KindFloat,
	framewire.Number: weft.KindNumber,
}

// unfit says that the i-th value, of the given text, does not fit the type of b.
func (r *frameReader) unfit(b *bound, i int, text string) {
	r.misfit(i, &weft.TypeError{Kind: columnKinds[b.s.Kind], Type: b.p.typ.Rtype.String(), Text: text})
}

// offset returns where the i-th byte of the body stands in the stream: where its
// frame begins, if that is compressed.
func (r *frameReader) offset(i int) int64 {
	if r.how != framewire.Plain {
		return r.base
	}
	return r.base + int64(framewire.FrameLen+i)
}

// located returns the error that ended the reading of a frame.
func (r *frameReader) located() error {
	path, err := "", r.err
	for i := range r.levels {
		if r.levels[i].v == nil {
			path = string(wire.AppendPointer([]byte(path), r.levels[i].name))
		}
	}
	if path != "" && errors.Is(err, framewire.ErrBlock) {
		err = fmt.Errorf("column %s: %w", path, err)
	}
	return &weft.Error{Format: framedName, Offset: r.offset(len(r.body) - len(r.data)), Err: err}
}

// frame reads the records of f, which has been checked.
func (r *frameReader) frame(f frameAt, b *bound, to target) error {
	if !r.start(f) || !r.read(b, to) || !r.done() {
		return r.located()
	}
	return nil
}

// records is frame that returns what is wrong with the first record that does not fit, too.
func (r *frameReader) records(f frameAt, b *bound, to target, single bool) error {
	if err := r.frame(f, b, to); err != nil || len(r.misfits) == 0 {
		return err
	}
	i := slices.Min(slices.Collect(maps.Keys(r.misfits)))
	if single {
		return r.misfits[i]
	}
	return inRecord(r.misfits[i], f.first+int64(i))
}

// inRecord returns e with the number of its record before the path.
func inRecord(e *weft.Error, n int64) error {
	e.Path = "/" + strconv.FormatInt(n, 10) + e.Path
	return e
}
