package tagged

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/framewire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

const (
	frameRows  = 8192    // records in a frame that this package writes
	frameBytes = 4 << 20 // about where a frame of large records ends
)

// Presence of a nullable value.
const (
	isAbsent = 0
	isThere  = 1
	isNull   = 2
)

// column holds the values of one column until the frame is full.
type column struct {
	ints []int64
	strs []string
	from target // the strings where they stand in the records, instead of strs
}

// texts returns the strings of the column.
func (c *column) texts() target {
	if c.from.N > 0 {
		return c.from
	}
	return framewire.TextsOf(c.strs)
}

// frameWriter gathers records and writes them as frames.
type frameWriter struct {
	framewire.Writer
	layout  *layout
	columns []column
	rows    int
	size    int // of what is held, about
	row     int // index of the record that err is about
	at      int // of the value that it is about, in what put has been given
	err     error
	path    string
	opts    []Options
	zip     Compression // nil for none

	packed []byte
	spare  mem.Spare

	encoder *encoder // of rows, nil where there were none
	names   rowNames
	rowed   []byte // the rows
	spent   int    // values that may take no bytes
	places  framewire.Scratch
	texts   []string
}

var frameWriters = sync.Pool{New: func() any { return new(frameWriter) }}

func newFrameWriter(p *program, opts []Options) *frameWriter {
	w := frameWriters.Get().(*frameWriter)
	w.layout = layoutOf(p)
	if n := w.layout.columns; n > len(w.columns) {
		w.columns = append(w.columns, make([]column, n-len(w.columns))...)
	}
	w.opts, w.zip = opts, compressionOf(opts)
	return w
}

// release gives w back to be used again, unless it has outgrown what frames need.
func (w *frameWriter) release() {
	outgrown := w.outgrown()
	w.clear()
	w.err, w.path, w.opts, w.zip, w.row, w.Most = nil, "", nil, nil, 0, 0
	if w.encoder != nil {
		w.encoder.release()
		w.encoder = nil
	}
	w.Forget()
	if !outgrown {
		frameWriters.Put(w)
	}
}

// outgrown reports whether w has much more memory than is needed.
func (w *frameWriter) outgrown() bool {
	kept, used := cap(w.packed), len(w.packed)
	for i := range w.columns {
		c := &w.columns[i]
		kept += 8*cap(c.ints) + 16*cap(c.strs)
		used += 8*len(c.ints) + 16*len(c.strs)
	}
	k, u := w.Memory()
	kp, up := w.places.Memory()
	return w.spare.Drop(kept+k+kp+cap(w.rowed)+16*cap(w.texts), used+u+up+len(w.rowed)+16*len(w.texts))
}

// mostKept is how many slices of each sort are used again.
const mostKept = 1 << 10

// clear forgets the records.
func (w *frameWriter) clear() {
	for i := range w.columns {
		c := &w.columns[i]
		clear(c.strs)
		c.ints, c.strs, c.from = c.ints[:0], c.strs[:0], target{}
	}
	w.Reset(mostKept)
	w.places.Reset(mostKept)
	clear(w.texts)
	w.packed, w.rowed, w.texts = w.packed[:0], w.rowed[:0], w.texts[:0]
	w.names.reset()
	w.rows, w.size, w.spent = 0, 0, 0
}

// fail keeps err, without what says where it was.
func (w *frameWriter) fail(err error) {
	if w.err == nil {
		w.path, w.err = backend.Locate(err, formatName)
	}
}

// within puts a step before the path of the value that failed.
func (w *frameWriter) within(token string) {
	w.path = string(wire.AppendPointer(nil, token)) + w.path
}

// located returns the error, if there is one, with the path of the record, whose index is row and negative for a value
// that is the one record.
func (w *frameWriter) located(row int64) error {
	if w.err == nil {
		return nil
	}
	path := w.path
	if row >= 0 {
		path = "/" + strconv.FormatInt(row, 10) + path
	}
	return &weft.Error{Format: framedName, Offset: -1, Path: path, Err: w.err}
}

// put adds the n values at off in the elements of a. With whole they are all of
// the frame, which is written before they can change. After an error at is the index
// of the value that failed.
func (w *frameWriter) put(nd *node, a mem.Array, t *mem.Type, off mem.Field, n int, whole bool) {
	if !nd.nullable {
		switch nd.kind {
		case framewire.Struct:
			for i := range nd.fields {
				f := &nd.fields[i]
				if f.f.flags == 0 {
					w.put(f.n, a, t, off.Then(f.f.off), n, whole)
				} else {
					for i := 0; i < n && w.err == nil; i++ {
						w.member(f, a.At(t, i).Field(off))
						w.at = i
					}
				}
				if w.err != nil {
					w.within(f.f.f.Name)
					return
				}
			}
			return
		case framewire.String:
			if nd.p.enc != plan.String {
				break
			}
			c := &w.columns[nd.column]
			if whole {
				c.from = target{A: a, T: t, Off: off, N: n}
				return
			}
			l := len(c.strs)
			if cap(c.strs)-l < n {
				c.strs = append(make([]string, 0, max(2*cap(c.strs), l+n)), c.strs...)
			}
			c.strs = c.strs[:l+n]
			to := c.strs[l:]
			for i := range to {
				to[i] = *mem.At[string](a.At(t, i).Field(off))
				w.size += len(to[i])
			}
			return
		case framewire.Int:
			c, kind := &w.columns[nd.column], nd.p.enc.Integer()
			for i := range n {
				c.ints = append(c.ints, mem.LoadInt(a.At(t, i).Field(off), kind))
			}
			return
		}
	}
	for i := 0; i < n && w.err == nil; i++ {
		w.one(nd, a.At(t, i).Field(off))
		w.at = i
	}
}

// member adds the member of the struct at q that f, which may be absent, is of.
func (w *frameWriter) member(f *nodeField, q mem.Ptr) {
	c := &w.columns[f.n.column]
	at, null, ok := special(f.f, q)
	switch {
	case !ok:
		c.ints = append(c.ints, isAbsent)
		return
	case null:
		c.ints = append(c.ints, isNull)
		return
	}
	here, at := w.behind(f.n.via, f.n.p, at)
	if here == isAbsent {
		here = isNull // of an option in an option that is there
	}
	if c.ints = append(c.ints, here); here == isThere {
		w.one(f.n.elem, at)
	}
}

// behind reports whether the value at q is there, and where it is, which the way through it says.
func (w *frameWriter) behind(through byte, p *program, q mem.Ptr) (here int64, at mem.Ptr) {
	switch through {
	case throughPointer:
		if at = q.Deref(p.elem.mem); !at.IsNil() {
			return isThere, at
		}
		if p.typ.NoNull {
			w.fail(plan.NilError(p.typ.Rtype))
		}
		return isNull, q
	case throughBytes:
		if q.SliceIsNil() && !p.typ.NoNull {
			return isNull, q
		}
	case throughOption:
		o := p.typ.Option
		return presence[o.StateAt(q)], q.Field(o.V)
	}
	return isThere, q
}

// presence is that of options by their states.
var presence = [...]int64{plan.OptionAbsent: isAbsent, plan.OptionNull: isNull, plan.OptionSet: isThere}

// one adds the value at q.
func (w *frameWriter) one(nd *node, q mem.Ptr) {
	if nd.nullable {
		c := &w.columns[nd.column]
		here, q := w.behind(nd.through, nd.p, q)
		if here == isAbsent && nd.p.typ.NoNull {
			w.fail(plan.NilError(nd.p.typ.Rtype))
		}
		c.ints = append(c.ints, here)
		if here == isThere {
			w.one(nd.elem, q)
		}
		return
	}
	if nd.kind == framewire.Struct {
		for i := range nd.fields {
			f := &nd.fields[i]
			if f.f.flags == 0 {
				w.one(f.n, q.Field(f.f.off))
			} else {
				w.member(f, q)
			}
			if w.err != nil {
				w.within(f.f.f.Name)
				return
			}
		}
		return
	}
	c := &w.columns[nd.column]
	w.size += 8
	switch nd.kind {
	case framewire.Bool:
		v := int64(0)
		if *mem.At[bool](q) {
			v = 1
		}
		c.ints = append(c.ints, v)
	case framewire.Int, framewire.Uint:
		c.ints = append(c.ints, mem.LoadInt(q, nd.p.enc.Integer()))
	case framewire.Float32:
		c.ints = append(c.ints, int64(math.Float32bits(*mem.At[float32](q))))
	case framewire.Float64:
		c.ints = append(c.ints, int64(math.Float64bits(*mem.At[float64](q))))
	case framewire.Time:
		t := *mem.At[time.Time](q)
		_, zone := t.Zone()
		c.ints = append(c.ints, t.Unix())
		w.columns[nd.column+1].ints = append(w.columns[nd.column+1].ints, int64(t.Nanosecond()))
		w.columns[nd.column+2].ints = append(w.columns[nd.column+2].ints, int64(zone))
	case framewire.List:
		w.list(nd, q)
	case framewire.Map:
		w.mapping(nd, q)
	case framewire.Dynamic:
		w.dynamic(nd, q)
	default:
		s := w.text(nd, q)
		c = &w.columns[nd.column]
		c.strs = append(c.strs, s)
		w.size += len(s) + 8
	}
}

// text returns the value at q as text, bytes or a message.
func (w *frameWriter) text(nd *node, q mem.Ptr) string {
	switch p := nd.p; {
	case nd.kind == framewire.Message:
		b, err := Marshal(Raw(*mem.At[[]byte](q)), w.opts...)
		if err != nil {
			w.fail(err)
		}
		return mem.String(b)
	case nd.kind == framewire.Bytes:
		return string(q.Value(p.mem).Bytes())
	case p.enc == cText:
		text, err := q.Addr(p.mem).(encoding.TextMarshaler).MarshalText()
		if err != nil {
			w.fail(err)
		}
		return string(text)
	}
	s := *mem.At[string](q)
	if nd.kind == framewire.Number && s != "" && !tagwire.IsNumber(mem.View(s)) {
		w.fail(errNumber)
	}
	return s
}

// list adds the slice or array at q: its length and one, 0 for nil.
func (w *frameWriter) list(nd *node, q mem.Ptr) {
	c := &w.columns[nd.column]
	n, a := nd.p.typ.Len, mem.Array{}
	if nd.p.enc == plan.Array {
		a = q.Array()
	} else if q.SliceIsNil() && !nd.p.typ.NoNull {
		c.ints = append(c.ints, 0)
		return
	} else {
		n, a = q.SliceLen(), q.Slice()
	}
	c.ints = append(c.ints, int64(n)+1)
	w.size += 8 * n
	if w.put(nd.elem, a, nd.p.elem.mem, mem.Field{}, n, false); w.err != nil {
		w.within(strconv.Itoa(w.at))
	}
}

// mapping adds the map at q in the same way.
func (w *frameWriter) mapping(nd *node, q mem.Ptr) {
	m := q.Value(nd.p.mem)
	if m.IsNil() && !nd.p.typ.NoNull {
		w.columns[nd.column].ints = append(w.columns[nd.column].ints, 0)
		return
	}
	w.columns[nd.column].ints = append(w.columns[nd.column].ints, int64(m.Len())+1)
	e := nd.p.entries.Get().(*mem.Entry)
	if plan.FlagsOf(w.opts)&setting.Deterministic != 0 {
		keys := m.MapKeys()
		slices.SortFunc(keys, plan.CompareKeys)
		for _, k := range keys {
			e.KeyValue().Set(k)
			e.Load(m)
			w.entry(nd, e)
		}
	} else {
		e.Range(m)
		for e.Next() {
			w.entry(nd, e)
		}
	}
	e.Clear() // who takes it next would read into what the last element points at
	nd.p.entries.Put(e)
}

// entry adds a key and a value of a map.
func (w *frameWriter) entry(nd *node, e *mem.Entry) {
	if w.err != nil {
		return
	}
	w.one(nd.key, e.Key)
	if w.one(nd.elem, e.Elem); w.err != nil {
		w.within(fmt.Sprint(e.KeyValue()))
	}
}

// emit appends the columns of nd, each of n values.
func (w *frameWriter) emit(b []byte, nd *node, n int) []byte {
	if nd.kind == framewire.Struct && !nd.nullable {
		if len(nd.fields) == 0 && n > framewire.MaxFree {
			w.fail(errTooMany)
		}
		for i := range nd.fields {
			b = w.emit(b, nd.fields[i].n, n)
		}
		return b
	}
	c := &w.columns[nd.column]
	if nd.nullable {
		b = framewire.AppendInts(b, c.ints)
		n = 0
		for _, x := range c.ints {
			n += int(x & 1)
		}
		return w.emit(b, nd.elem, n)
	}
	switch nd.kind {
	case framewire.List, framewire.Map:
		b = framewire.AppendInts(b, c.ints)
		total := 0
		for _, l := range c.ints {
			if l > 0 {
				total += int(l - 1)
			}
		}
		if nd.kind == framewire.Map {
			b = w.emit(b, nd.key, total)
		}
		return w.emit(b, nd.elem, total)
	case framewire.Bool, framewire.Int, framewire.Uint:
		return framewire.AppendInts(b, c.ints)
	case framewire.Float32, framewire.Float64:
		return w.AppendFloats(b, c.ints, nd.kind == framewire.Float32)
	case framewire.Time:
		b = framewire.AppendInts(framewire.AppendInts(b, c.ints), w.columns[nd.column+1].ints)
		return framewire.AppendInts(b, w.columns[nd.column+2].ints)
	case framewire.Dynamic:
		b = framewire.BeginBlock(b, 0)
		head := len(b) - 1
		return tagwire.End(w.values(b, c.ints), head)
	}
	return w.AppendStrings(b, c.texts(), true)
}

var (
	errTooMany = errors.New("more values without content than a frame can hold")
	errLarge   = errors.New("the frame is large")
)

// frame appends the records gathered as a frame, and forgets them.
func (w *frameWriter) frame(b []byte) []byte {
	if w.rows == 0 || w.err != nil {
		return b
	}
	head := len(b)
	b = append(b, make([]byte, framewire.FrameLen)...)
	b = w.emit(b, w.layout.root, w.rows)
	if w.TooLarge {
		w.TooLarge = false
		w.fail(errLarge)
	}
	if w.err == nil && uint64(len(b)-head-framewire.FrameLen) > math.MaxUint32 {
		w.fail(errTooMany)
	}
	how := byte(framewire.Plain)
	if w.err == nil {
		b, how = w.pack(b, head+framewire.FrameLen)
	}
	framewire.Seal(b[head:], w.rows, how)
	w.clear()
	return b
}

// next appends a frame of elements of a from the i-th on, of which there are n. It returns the index of the next one.
// After an error row is the index of the element that it is about.
func (w *frameWriter) next(b []byte, a mem.Array, t *mem.Type, i, n int) ([]byte, int) {
	if !w.layout.flat {
		i = w.gather(a, t, i, n)
		return w.frame(b), i
	}
	k := min(frameRows, n-i)
	if b = w.chunk(b, a.From(t, i), t, k); w.err != nil {
		w.row += i
	}
	return b, i + k
}

// gather adds elements of a from the i-th on, until there are enough for a frame.
// It returns the index of the next.
func (w *frameWriter) gather(a mem.Array, t *mem.Type, i, n int) int {
	for ; i < n && w.rows < frameRows && w.size < frameBytes; i++ {
		w.one(w.layout.root, a.At(t, i))
		if w.err != nil {
			w.row = i
			break
		}
		w.rows++
	}
	return i
}

// chunk appends the n elements of a, flat ones, as a frame, or as two chunks where
// that would be large.
func (w *frameWriter) chunk(b []byte, a mem.Array, t *mem.Type, n int) []byte {
	head := len(b)
	if n > 1 {
		w.Most = 2 * frameBytes
	}
	w.put(w.layout.root, a, t, mem.Field{}, n, true)
	w.rows = n
	b = w.frame(b)
	w.Most = 0
	switch w.err {
	case nil:
	case errLarge:
		w.err = nil
		w.clear()
		b = w.chunk(b[:head], a, t, n/2)
		if w.err == nil {
			if b = w.chunk(b, a.From(t, n/2), t, n-n/2); w.err != nil {
				w.row += n / 2
			}
		}
	default: // of which element?
		err, path := w.err, w.path
		w.err, w.path = nil, ""
		for i := 0; i < n && w.err == nil; w.clear() {
			i = w.gather(a, t, i, n)
		}
		if w.err == nil {
			w.err, w.path = err, path
		}
	}
	return b
}

// flat reports whether a record takes no more memory than the struct that it is.
func (n *node) flat() bool {
	if n.nullable || n.kind == framewire.Struct && len(n.fields) == 0 {
		return false
	}
	for i := range n.fields {
		if !n.fields[i].n.flat() {
			return false
		}
	}
	return n.kind == framewire.Struct || n.kind <= framewire.String || n.kind == framewire.Time
}
