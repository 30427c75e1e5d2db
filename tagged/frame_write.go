package tagged

import (
	"cmp"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// The parts of a stream of frames.
const (
	frameMagic   = "\xf7wft"
	frameVersion = 2  // the last that is known
	frameHead    = 12 // bytes before the body: its length, the number of records, a checksum

	flagSingle = 1 // the one record is the value itself
	flagNull   = 2 // the list of records is null

	frameRows  = 8192    // records in a frame that this package writes
	frameBytes = 4 << 20 // about where a frame of large records ends
	maxRows    = 1 << 16 // records in a frame
)

// Presence of a nullable value.
const (
	isAbsent = 0
	isThere  = 1
	isNull   = 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// column holds the values of one column until the frame is full.
type column struct {
	ints []int64
	strs []string
	from target // the strings where they stand in the records, instead of strs
}

// texts returns the strings of the column.
func (c *column) texts() target {
	if c.from.n > 0 {
		return c.from
	}
	return stringTarget(c.strs)
}

// frameWriter gathers records and writes them as frames.
type frameWriter struct {
	layout  *layout
	columns []column
	rows    int
	size    int // of what is held, about
	most    int // bytes that a block of strings may have, 0 for any number
	row     int // index of the record that err is about
	at      int // of the value that it is about, in what put has been given
	err     error
	path    string
	opts    []Options
	zip     Compression // nil for none

	ints   [][]int64 // scratch
	index  map[string]int64
	shape  shape
	packed []byte
	spare  mem.Spare

	encoder *encoder // of rows, nil where there were none
	names   rowNames
	rowed   []byte // the rows
	spent   int    // values that may take no bytes
	places  [][]int64
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
	w.err, w.path, w.opts, w.zip, w.row, w.most = nil, "", nil, nil, 0, 0
	if w.encoder != nil {
		w.encoder.release()
		w.encoder = nil
	}
	clear(w.shape.text)
	if !outgrown {
		frameWriters.Put(w)
	}
}

// outgrown tells that w has much more memory than is needed.
func (w *frameWriter) outgrown() bool {
	kept, used := cap(w.packed), len(w.packed)
	for i := range w.columns {
		c := &w.columns[i]
		kept += 8*cap(c.ints) + 16*cap(c.strs)
		used += 8*len(c.ints) + 16*len(c.strs)
	}
	k, u := memoryOf(w.ints)
	kp, up := memoryOf(w.places)
	return w.spare.Drop(kept+k+kp+cap(w.rowed)+16*cap(w.texts), used+u+up+len(w.rowed)+16*len(w.texts))
}

// memoryOf returns how many bytes the lists of integers have, and how many have been
// in use when they were last.
func memoryOf(lists [][]int64) (kept, used int) {
	for _, s := range lists {
		kept += 8 * cap(s)
		used += 8 * len(s)
	}
	return kept, used
}

// empty makes the lists empty, for memoryOf.
func empty(lists [][]int64) {
	for i := range lists {
		lists[i] = lists[i][:0]
	}
}

// clear forgets the records.
func (w *frameWriter) clear() {
	for i := range w.columns {
		c := &w.columns[i]
		clear(c.strs)
		c.ints, c.strs, c.from = c.ints[:0], c.strs[:0], target{}
	}
	empty(w.ints)
	empty(w.places)
	clear(w.texts)
	w.packed, w.rowed, w.texts = w.packed[:0], w.rowed[:0], w.texts[:0]
	w.names.reset()
	w.rows, w.size, w.spent = 0, 0, 0
}

func (w *frameWriter) scratch(n int) []int64 {
	if k := len(w.ints) - 1; k >= 0 {
		s := w.ints[k]
		w.ints = w.ints[:k]
		if cap(s) >= n {
			return s[:n]
		}
	}
	return make([]int64, max(n, 1024))[:n]
}

func (w *frameWriter) free(s []int64) {
	w.ints = append(w.ints, s)
}

func (w *frameWriter) fail(err error) {
	if w.err == nil {
		w.err = err
		var in *weft.Error
		if errors.As(err, &in) && in.Format == formatName && in.Offset < 0 {
			w.err, w.path = in.Err, in.Path
		}
	}
}

// within puts a step before the path of the value that failed.
func (w *frameWriter) within(token string) {
	w.path = string(wire.AppendPointer(nil, token)) + w.path
}

// located returns the error with the path of the record, whose index is row and
// negative for a value that is the one record.
func (w *frameWriter) located(row int64) error {
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
		case kStruct:
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
		case kString:
			if nd.p.enc != cString {
				break
			}
			c := &w.columns[nd.column]
			if whole {
				c.from = target{a, t, off, n}
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
		case kInt:
			if nd.p.enc != cInt && nd.p.enc != cInt64 {
				break
			}
			c := &w.columns[nd.column]
			if nd.p.enc == cInt {
				for i := range n {
					c.ints = append(c.ints, int64(*mem.At[int](a.At(t, i).Field(off))))
				}
			} else {
				for i := range n {
					c.ints = append(c.ints, *mem.At[int64](a.At(t, i).Field(off)))
				}
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
	switch f.n.via {
	case throughPointer:
		if w.nilPointer(f.n.p, at) {
			c.ints = append(c.ints, isNull)
			return
		}
		at = at.Deref(f.n.p.elem.mem)
	case throughBytes:
		if at.SliceIsNil() && !f.n.p.typ.NoNull {
			c.ints = append(c.ints, isNull)
			return
		}
	case throughOption:
		o := f.n.p.typ.Option
		if s := optionState(o, at); s != optionSet {
			c.ints = append(c.ints, presence(s))
			return
		}
		at = at.Field(o.V)
	}
	c.ints = append(c.ints, isThere)
	w.one(f.n.elem, at)
}

func presence(state uint8) int64 {
	switch state {
	case optionSet:
		return isThere
	case optionNull:
		return isNull
	}
	return isAbsent
}

// one adds the value at q.
func (w *frameWriter) one(nd *node, q mem.Ptr) {
	if nd.nullable {
		c := &w.columns[nd.column]
		here := int64(isThere)
		switch nd.through {
		case throughPointer:
			if w.nilPointer(nd.p, q) {
				here = isNull
			}
			q = q.Deref(nd.p.elem.mem)
		case throughBytes:
			if q.SliceIsNil() && !nd.p.typ.NoNull {
				here = isNull
			}
		case throughOption:
			o := nd.p.typ.Option
			here = presence(optionState(o, q))
			q = q.Field(o.V)
		}
		c.ints = append(c.ints, here)
		if here == isThere {
			w.one(nd.elem, q)
		}
		return
	}
	if nd.kind == kStruct {
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
	case kBool:
		v := int64(0)
		if *mem.At[bool](q) {
			v = 1
		}
		c.ints = append(c.ints, v)
	case kInt, kUint:
		c.ints = append(c.ints, intOf(nd.p.enc, q))
	case kFloat32:
		c.ints = append(c.ints, int64(math.Float32bits(*mem.At[float32](q))))
	case kFloat64:
		c.ints = append(c.ints, int64(math.Float64bits(*mem.At[float64](q))))
	case kTime:
		t := *mem.At[time.Time](q)
		_, zone := t.Zone()
		c.ints = append(c.ints, t.Unix())
		w.columns[nd.column+1].ints = append(w.columns[nd.column+1].ints, int64(t.Nanosecond()))
		w.columns[nd.column+2].ints = append(w.columns[nd.column+2].ints, int64(zone))
	case kList:
		w.list(nd, q)
	case kMap:
		w.mapping(nd, q)
	case kDynamic:
		w.dynamic(nd, q)
	default:
		s := w.text(nd, q)
		c = &w.columns[nd.column]
		c.strs = append(c.strs, s)
		w.size += len(s) + 8
	}
}

// intOf returns the integer of the kind c at q.
func intOf(c code, q mem.Ptr) int64 {
	switch c {
	case cInt8:
		return int64(*mem.At[int8](q))
	case cInt16:
		return int64(*mem.At[int16](q))
	case cInt32:
		return int64(*mem.At[int32](q))
	case cInt64:
		return *mem.At[int64](q)
	case cUint:
		return int64(*mem.At[uint](q))
	case cUint8:
		return int64(*mem.At[uint8](q))
	case cUint16:
		return int64(*mem.At[uint16](q))
	case cUint32:
		return int64(*mem.At[uint32](q))
	case cUint64:
		return int64(*mem.At[uint64](q))
	case cUintptr:
		return int64(*mem.At[uintptr](q))
	}
	return int64(*mem.At[int](q))
}

// text returns the value at q as text, bytes or a message.
func (w *frameWriter) text(nd *node, q mem.Ptr) string {
	switch p := nd.p; {
	case nd.kind == kMessage:
		return w.message(p, q)
	case nd.kind == kBytes:
		return string(q.Value(p.mem).Bytes())
	case p.enc == cText:
		text, err := q.Addr(p.mem).(encoding.TextMarshaler).MarshalText()
		if err != nil {
			w.fail(err)
		}
		return string(text)
	}
	s := *mem.At[string](q)
	if nd.kind == kNumber && s != "" && !tagwire.IsNumber(mem.View(s)) {
		w.fail(errNumber)
	}
	return s
}

// message returns the value at q as a message of the hashed-tag format.
func (w *frameWriter) message(p *program, q mem.Ptr) string {
	s := newEncoder(w.opts)
	defer s.release()
	b := s.value(append(s.buf[:0], 0, 0, 0, 0), p, q)
	if s.err == nil {
		b = s.finish(s.strip(b, 0))
	}
	s.buf = b
	if s.err != nil {
		w.fail(s.located())
		return ""
	}
	return string(b)
}

// list adds the slice or array at q: its length and one, 0 for nil.
func (w *frameWriter) list(nd *node, q mem.Ptr) {
	c := &w.columns[nd.column]
	n, a := nd.p.typ.Len, mem.Array{}
	if nd.p.enc == cArray {
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
	flags := flagsOf(w.opts)
	if flags&setting.Deterministic != 0 {
		keys := m.MapKeys()
		sortKeys(keys)
		e := mem.NewEntry(nd.p.typ.Rtype)
		for _, k := range keys {
			e.KeyValue().Set(k)
			e.Load(m)
			w.entry(nd, e)
		}
		return
	}
	e := nd.p.entries.Get().(*mem.Entry)
	e.Range(m)
	for e.Next() {
		w.entry(nd, e)
	}
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
	if nd.kind == kStruct && !nd.nullable {
		if len(nd.fields) == 0 && n > maxFree {
			w.fail(errTooMany)
		}
		for i := range nd.fields {
			b = w.emit(b, nd.fields[i].n, n)
		}
		return b
	}
	c := &w.columns[nd.column]
	if nd.nullable {
		b = appendInts(b, c.ints)
		n = 0
		for _, x := range c.ints {
			n += int(x & 1)
		}
		return w.emit(b, nd.elem, n)
	}
	switch nd.kind {
	case kList, kMap:
		b = appendInts(b, c.ints)
		total := 0
		for _, l := range c.ints {
			if l > 0 {
				total += int(l - 1)
			}
		}
		if nd.kind == kMap {
			b = w.emit(b, nd.key, total)
		}
		return w.emit(b, nd.elem, total)
	case kBool, kInt, kUint:
		return appendInts(b, c.ints)
	case kFloat32, kFloat64:
		return w.appendFloats(b, c.ints, nd.kind == kFloat32)
	case kTime:
		return appendInts(appendInts(appendInts(b, c.ints), w.columns[nd.column+1].ints), w.columns[nd.column+2].ints)
	case kDynamic:
		b = block(b, 0)
		head := len(b) - 1
		return end(w.values(b, c.ints), head)
	}
	return w.appendStrings(b, c.texts(), true)
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
	b = append(b, make([]byte, frameHead)...)
	b = w.emit(b, w.layout.root, w.rows)
	if w.err == nil && uint64(len(b)-head-frameHead) > math.MaxUint32 {
		w.fail(errTooMany)
	}
	how := byte(bodyPlain)
	if w.err == nil {
		b, how = w.pack(b, head+frameHead)
	}
	seal(b[head:], w.rows, how)
	w.clear()
	return b
}

// seal fills in the head of a frame.
func seal(f []byte, rows int, how byte) {
	binary.LittleEndian.PutUint32(f, uint32(len(f)-frameHead))
	binary.LittleEndian.PutUint32(f[4:], uint32(rows)|uint32(how)<<24)
	binary.LittleEndian.PutUint32(f[8:], frameSum(f))
}

// frameSum is the checksum of a frame: of its length, its number of records and
// its body.
func frameSum(f []byte) uint32 {
	return crc32.Update(crc32.Checksum(f[:8], castagnoli), castagnoli, f[frameHead:])
}

// appendEnd appends the frame that ends a stream of the given number of records.
func appendEnd(b []byte, records int64) []byte {
	head := len(b)
	b = append(b, make([]byte, frameHead)...)
	b = tagwire.AppendUvarint(b, uint64(records))
	seal(b[head:], 0, bodyPlain)
	return b
}

// appendHeader appends the header of a stream.
func appendHeader(b []byte, flags byte, s *schema) []byte {
	head := len(b)
	b = append(append(b, frameMagic...), s.version(), flags)
	text := s.append(nil)
	b = append(tagwire.AppendUvarint(b, uint64(len(text))), text...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[head:], castagnoli))
}

// records appends the n elements of a as frames. After an error row is the index
// of the element that it is about.
func (w *frameWriter) records(b []byte, a mem.Array, t *mem.Type, n int) []byte {
	for i := 0; i < n && w.err == nil; {
		from := i
		if w.layout.flat {
			k := min(frameRows, n-i)
			b = w.chunk(b, a.From(t, i), t, k)
			i += k
		} else {
			i = w.gather(a, t, i, n)
			b = w.frame(b)
		}
		if w.err != nil {
			w.row += from
		}
	}
	return b
}

// gather adds elements of a from the i-th on, until there are enough for a frame.
// It returns the index of the next.
func (w *frameWriter) gather(a mem.Array, t *mem.Type, i, n int) int {
	from := i
	for ; i < n && w.rows < frameRows && w.size < frameBytes; i++ {
		w.one(w.layout.root, a.At(t, i))
		if w.err != nil {
			w.row = i - from
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
		w.most = 2 * frameBytes
	}
	w.put(w.layout.root, a, t, mem.Field{}, n, true)
	w.rows = n
	b = w.frame(b)
	w.most = 0
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
			from := i
			if i = w.gather(a, t, i, n); w.err != nil {
				w.row += from
			}
		}
		if w.err == nil {
			w.err, w.path = err, path
		}
	}
	return b
}

// flat reports whether a record takes no more memory than the struct that it is.
func (n *node) flat() bool {
	if n.nullable || n.kind == kStruct && len(n.fields) == 0 {
		return false
	}
	for i := range n.fields {
		if !n.fields[i].n.flat() {
			return false
		}
	}
	return n.kind == kStruct || n.kind <= kString || n.kind == kTime
}

// sortKeys sorts the keys of a map.
func sortKeys(keys []reflect.Value) {
	less := func(a, b reflect.Value) int {
		switch {
		case a.CanInt():
			return cmp.Compare(a.Int(), b.Int())
		case a.CanUint():
			return cmp.Compare(a.Uint(), b.Uint())
		}
		return cmp.Compare(a.String(), b.String())
	}
	slices.SortFunc(keys, less)
}
