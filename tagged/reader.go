package tagged

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/namewire"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

type shared = entry.Reader

// reader is the cursor over one message, which a type's UnmarshalWeft reads
// through. Errors are sticky: after the first one every method returns zero
// values or the end, and Err returns it.
type reader struct {
	shared
	b   []byte // the message; nil after an error, so that nothing more is read
	i   int    // next byte to read
	wt  uint32 // wire type of the value there
	err error
	all []byte // the message after an error

	allTableAt int // tableAt before it

	lone     bool // the message is one value, not the members of an object
	nameless bool // it ends without a table of names
	tableAt  int  // where its names are
	names    []nameEntry
	parsed   bool // names is there
	nextName int  // index of the name that is expected next
	checked  []checked
	message  uint64       // counts the messages, for checked
	fields   *weft.Fields // checked last
	listed   uint64       // which of the first 64 of them stand in the table
	exact    bool         // the message is a row
	known    []nameEntry  // its names, by number

	top   frame   // the innermost container that Begin methods have opened
	stack []frame // those around it
	last  int     // offset of the container closed last
	tag   uint32  // of the current member

	flags    uint64
	depth    int // containers open in the engine and in stack
	maxDepth int

	base     int64 // offset of the message in the stream
	programs *registry

	carver mem.Carver // of strings
	slabs  mem.Slabs
	boxes  mem.Boxes
	boxed  bool
	dec    weft.Decoder
}

// frame is an open container.
type frame struct {
	end   int
	pos   int // elements begun
	start int // offset of the container
}

// checked is what is known of the fields of a program in a message.
type checked struct {
	message uint64 // the message that it is of
	listed  uint64 // which of the first 64 fields stand in its table of names
}

var readers sync.Pool // of *reader

func makeReader() *reader {
	r := new(reader)
	entry.Bind(&r.shared, r, entry.Source{
		Format: formatName, Flags: &r.flags, Base: &r.base, Last: &r.last, Fail: r.fail, Places: r.places,
	})
	r.dec.Over(r)
	return r
}

// ignores reports whether the member with the tag, of the object being read, is
// ignored.
func (r *reader) ignores(tag uint32) bool {
	in := entry.Ignored(&r.shared)
	if r.exact && in.Name != "" {
		return r.depth == in.Depth && (in.All || r.known[tag>>8].name == in.Name)
	}
	return r.depth == in.Depth && (in.All || in.Name != "" && tag&^0xff == tagwire.Hash(in.Name))
}

// newReader returns a pooled reader over b.
func newReader(b []byte, opts []Options) *reader {
	r, ok := readers.Get().(*reader)
	if !ok {
		r = makeReader()
	}
	r.maxDepth, r.flags, r.programs = setting.DefaultMaxDepth, 0, &programs
	if len(opts) > 0 {
		r.flags, r.maxDepth, r.programs = plan.FlagsOf(opts), plan.DepthOf(opts), registryOf(opts)
	}
	r.message++
	r.open(b)
	return r
}

// open finds out what b consists of.
func (r *reader) open(b []byte) {
	r.b, r.i = b, 0
	r.lone, r.wt = false, tagwire.Object
	at := 0
	if len(b) > tagwire.TagSize {
		if tag := tagwire.Tag(b, 0); tag < 16 && tag != tagwire.Names {
			r.lone, r.wt, r.i = true, tag, tagwire.TagSize
			at = tagwire.Pass(b, r.i, len(b), tag)
		}
	}
	for !r.lone && at >= 0 && at < len(b) {
		if len(b)-at <= tagwire.TagSize {
			at = -1
			break
		}
		tag := tagwire.Tag(b, at)
		if tag == tagwire.Names {
			break
		}
		at = tagwire.Pass(b, at+tagwire.TagSize, len(b), tag&15)
	}
	r.nameless = at == len(b)
	if at < 0 {
		at = len(b) // reading tells what is wrong
	}
	r.tableAt = at
	r.top = frame{end: at}
	if len(b) > 0 && len(b) <= tagwire.TagSize {
		r.fail(len(b), weft.ErrUnexpectedEnd) // whatever it was to be read into
	}
}

// release gives the reader back. What is left of a small slab serves the next
// document.
func (r *reader) release() {
	r.b = nil
	entry.Forget(&r.shared)
	if r.err != nil {
		r.place()
		r.all, r.err = nil, nil
		r.stack, r.depth = r.stack[:0], 0
	}
	if r.boxed {
		r.boxes, r.boxed = mem.Boxes{}, false
	}
	if len(r.carver.Chunk) > mem.ChunkSize {
		r.carver = mem.Carver{}
	}
	if r.parsed {
		clear(r.names)
		r.names, r.parsed, r.nextName = r.names[:0], false, 0
	}
	r.fields = nil
	r.exact, r.known = false, nil
	r.base = 0
	readers.Put(r)
}

// wellFormed fails unless the message is well-formed, and reports whether it is.
func (r *reader) wellFormed() bool {
	if next := r.skip(r.i, r.tableAt, r.wt); next >= 0 && next != r.tableAt {
		r.fail(next, weft.ErrTrailingData)
	}
	r.table()
	return r.err == nil
}

// end fails if anything is left behind the value.
func (r *reader) end() {
	if r.err == nil {
		if r.i != r.tableAt {
			r.fail(r.i, weft.ErrTrailingData)
		} else if r.tableAt < len(r.b) {
			r.table()
		}
	}
}

// finish checks that nothing is left, releases the reader and returns its error.
func (r *reader) finish() error {
	r.end()
	err := r.err
	if err == nil {
		err = entry.Violated(&r.shared)
	}
	r.release()
	return err
}

var (
	errMalformed = errors.New("message is not well-formed")
	errWireType  = errors.New("wire type does not exist")
	errTag       = errors.New("tag is not valid")
	errOrder     = errors.New("array element is out of order")
	errNoName    = errors.New("the message does not have the name of a member")
	errNoTable   = fmt.Errorf("%w: the message ends before its table of names", weft.ErrUnexpectedEnd)
	errTwice     = errors.New("two members of one tag: their names may collide")
	errTarget    = errors.New("expected a non-nil pointer to unmarshal into")
	errHook      = errors.New("the value has not been read to its end")
)

// fail sets the sticky error, at offset i, and returns -1. Its path is found
// when the reader is released: until then it may still be forgotten.
//
//go:noinline
func (r *reader) fail(i int, err error) int {
	if r.err == nil {
		r.err = &weft.Error{Format: formatName, Offset: r.base + int64(i), Err: err}
		r.all, r.allTableAt = r.b, r.tableAt
	}
	r.b, r.i, r.top.end, r.tableAt = nil, 0, 0, 0
	return -1
}

// bad fails at the value at i of the wire type wt, which has been refused with
// end, where a value of the Go type is expected.
//
//go:noinline
func (r *reader) bad(i int, wt uint32, end int, typ string) int {
	switch {
	case r.err != nil:
		return -1
	case wt > tagwire.Number && !r.exact || wt == tagwire.Names:
		return r.fail(i, errWireType)
	case end == tagwire.Short || i >= len(r.b):
		return r.fail(i, weft.ErrUnexpectedEnd)
	case end == tagwire.Broken:
		return r.fail(i, errMalformed)
	case end == tagwire.Deep:
		return r.fail(i, weft.ErrDepth)
	}
	e := &weft.TypeError{Kind: r.kindAt(i, wt), Type: typ}
	if end == tagwire.Range {
		e.Text = r.text(i, wt)
	}
	return r.fail(i, e)
}

// text is the number at i, for errors.
func (r *reader) text(i int, wt uint32) (text string) {
	r.number(i, len(r.b), wt, &text)
	return strings.Clone(text[:min(len(text), 40)])
}

// Err returns the first error.
func (r *reader) Err() error { return r.err }

// Offset returns the offset of the next byte to read.
func (r *reader) Offset() int { return r.i }

// Mark returns the position.
func (r *reader) Mark() backend.Mark {
	return backend.Mark{
		Offset: r.i,
		Depth:  len(r.stack),
		Level:  r.depth,
		Rest:   r.top.end,
		State:  uint64(r.top.pos)<<8 | uint64(r.wt),
	}
}

// Reset returns to a position within the containers that are still open,
// forgetting an error met since.
func (r *reader) Reset(m backend.Mark) {
	if len(r.stack) > m.Depth {
		r.top, r.stack = r.stack[m.Depth], r.stack[:m.Depth]
	}
	if r.err != nil {
		r.b, r.tableAt, r.all, r.err = r.all, r.allTableAt, nil, nil
	}
	r.i, r.depth = m.Offset, m.Level
	r.top.end, r.top.pos, r.wt = m.Rest, int(m.State>>8), uint32(m.State&15)
}

// table returns the names of the message in the order of their tags.
func (r *reader) table() []nameEntry {
	if r.parsed || r.err != nil || r.exact {
		return r.names
	}
	r.parsed = true
	i, stop := r.tableAt, 0
	switch rest := r.b[min(i, len(r.b)):]; {
	case len(rest) == 0:
	case strings.HasPrefix("\x0a\x00\x00\x00", string(rest)):
		r.fail(len(r.b), weft.ErrUnexpectedEnd)
	case len(rest) <= tagwire.TagSize || tagwire.Tag(rest, 0) != tagwire.Names:
		r.fail(i, weft.ErrTrailingData)
	default:
		if i, stop = tagwire.Span(r.b, i+tagwire.TagSize, len(r.b)); stop < 0 {
			r.fail(r.tableAt, weft.ErrUnexpectedEnd)
		} else if stop != len(r.b) {
			r.fail(stop, weft.ErrTrailingData)
		}
	}
	sorted := true
	for r.err == nil && i < stop {
		start, end := tagwire.Span(r.b, min(i+tagwire.TagSize, stop), stop)
		if end < 0 {
			r.fail(i, weft.ErrUnexpectedEnd)
			r.names = nil
			break
		}
		tag := tagwire.Tag(r.b, i)
		if n := len(r.names); n > 0 && int32(r.names[n-1].tag) >= int32(tag) {
			sorted = false
		}
		r.names = append(r.names, nameEntry{tag: tag, name: r.carve(start, end)})
		i = end
	}
	if !sorted {
		sortNames(r.names)
	}
	return r.names
}

// lowest returns the index of the first name whose tag is not below tag.
func lowest(list []nameEntry, tag uint32) int {
	lo, hi := 0, len(list)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if int32(list[m].tag) < int32(tag) {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// nameOf returns the name of the member with the given tag, which stands at i.
func (r *reader) nameOf(i int, tag uint32) (string, bool) {
	if r.exact {
		return r.known[tag>>8].name, true
	}
	list := r.table()
	if r.nextName < len(list) && list[r.nextName].tag == tag {
		r.nextName++
		return list[r.nextName-1].name, true
	}
	if tag&^0xff == 0 {
		return "*", true
	}
	k := lowest(list, tag)
	if k == len(list) || list[k].tag != tag {
		if k = lowest(list, tag&^0xff); k == len(list) || list[k].tag>>8 != tag>>8 {
			r.fail(i, errNoName)
			return "", false
		}
	}
	r.nextName = k + 1
	return list[k].name, true
}

// check makes sure that the names of p's fields mean what the message says.
func (r *reader) check(i int, p *program) bool {
	if p.id < len(r.checked) && r.checked[p.id].message == r.message {
		return true
	}
	if p.id >= len(r.checked) {
		r.checked = append(r.checked, make([]checked, p.id+1-len(r.checked))...)
	}
	c := &r.checked[p.id]
	*c = checked{message: r.message}
	if r.exact {
		c.listed = math.MaxUint64
		return true
	}
	list := r.table()
	k := 0
	for j := range p.names {
		f := &p.names[j]
		for k < len(list) && int32(list[k].tag) < int32(f.tag) {
			k++
		}
		if k == len(list) || list[k].tag>>8 != f.tag>>8 {
			continue
		}
		if list[k].name != f.name {
			r.fail(i, &CollisionError{f.name, list[k].name})
		}
		c.listed |= 1 << uint(f.slot) // none for those beyond 63
	}
	return r.err == nil
}

// lists reports whether the table has the name of a member with the given tag.
// That of the hash 0 is always known.
func (r *reader) lists(tag uint32) bool {
	if tag>>8 == 0 || r.exact {
		return true
	}
	list := r.table()
	k := lowest(list, tag&^0xff)
	return k < len(list) && list[k].tag>>8 == tag>>8
}

// parts yields the tags of the members or elements in b[i:stop] and where their values begin, up to the first that is
// not whole.
func (r *reader) parts(i, stop int) iter.Seq2[uint32, int] {
	return func(yield func(tag uint32, at int) bool) {
		for i >= 0 && stop-i > tagwire.TagSize {
			tag, at := tagwire.Tag(r.b, i), i+tagwire.TagSize
			if !yield(tag, at) {
				break
			}
			i = r.pass(at, stop, tag&15)
		}
	}
}

// named fails if b[i:stop] has members with names, but the message none. Of what
// is not well-formed it says nothing.
func (r *reader) named(i, stop int) bool {
	for tag := range r.parts(i, stop) {
		if !r.nameThere(tag) {
			return false
		}
	}
	return true
}

// nameThere fails for the tag of a member that has a name in a message without a table of names.
func (r *reader) nameThere(tag uint32) bool {
	if tag>>8 != 0 {
		r.fail(len(r.b), errNoTable)
	}
	return r.err == nil
}

// eachName calls visit with the tags of the members in the value of wire type wt at i, which is well-formed, and in all
// that it holds, until visit returns false.
func (r *reader) eachName(i, stop int, wt uint32, visit func(tag uint32) bool) bool {
	if wt != tagwire.Object && wt != tagwire.Array {
		return true
	}
	i, stop = r.content(i, stop)
	for tag, at := range r.parts(i, stop) {
		if wt == tagwire.Object && !visit(tag) || !r.eachName(at, stop, tag&15, visit) {
			return false
		}
	}
	return true
}

// checkFields is check for the members of a table.
func (r *reader) checkFields(f *weft.Fields) bool {
	if r.fields == f || r.exact {
		return true
	}
	r.fields, r.listed = f, 0
	list := r.table()
	for j, tag := range namewire.Of(f.Names()).Tags() {
		k := lowest(list, tag)
		if k == len(list) || list[k].tag>>8 != tag>>8 {
			continue
		}
		if list[k].name != f.Name(j) {
			r.fail(r.i, &CollisionError{f.Name(j), list[k].name})
		}
		r.listed |= 1 << uint(j) // none for those beyond 63
	}
	return r.err == nil
}

// content returns where the content of the object or array at i begins and ends.
func (r *reader) content(i, end int) (start, stop int) {
	if i == 0 && !r.lone {
		return 0, r.tableAt
	}
	return tagwire.Span(r.b, i, end)
}

// Kind returns the kind of the next value and consumes nothing. Booleans are
// integers in messages, though not in frames.
func (r *reader) Kind() weft.Kind {
	if r.err != nil || r.i >= r.top.end && (r.lone || r.i > 0 || len(r.stack) > 0) {
		return weft.KindInvalid
	}
	return r.kindAt(r.i, r.wt)
}

var kinds = [16]weft.Kind{
	tagwire.Null: weft.KindNull, tagwire.Int32: weft.KindInt, tagwire.Uint32: weft.KindUint, tagwire.Int64: weft.KindInt,
	tagwire.Double: weft.KindFloat, tagwire.Fixed32: weft.KindInt, tagwire.Fixed64: weft.KindInt,
	tagwire.String: weft.KindString, tagwire.Object: weft.KindObject, tagwire.Array: weft.KindArray,
	tagwire.Bool: weft.KindBool, tagwire.Single: weft.KindFloat, tagwire.Bytes: weft.KindBytes,
	tagwire.Time: weft.KindTime,
}

func (r *reader) kindAt(i int, wt uint32) weft.Kind {
	switch {
	case wt == tagwire.Fixed64 && r.exact:
		return weft.KindUint
	case wt > tagwire.Number && !r.exact:
		return weft.KindInvalid
	case wt == tagwire.Number:
		start, stop := tagwire.Span(r.b, i, len(r.b))
		if stop < 0 {
			return weft.KindFloat
		}
		text := string(r.b[start:stop])
		valid := wire.NumberLen(text) == len(text)
		if valid && r.exact {
			return weft.KindNumber
		}
		// -0 is a float.
		if i, err := strconv.ParseInt(text, 10, 64); err == nil && (i != 0 || text[0] != '-') {
			return weft.KindInt
		}
		if _, err := strconv.ParseUint(text, 10, 64); err == nil {
			return weft.KindUint
		}
		if valid && !wire.FloatHas(text) {
			return weft.KindNumber
		}
		return weft.KindFloat
	}
	return kinds[wt&15]
}

// enter opens the container at the next value.
func (r *reader) enter(wt uint32, typ string) bool {
	if r.err != nil {
		return false
	}
	if r.wt != wt {
		r.bad(r.i, r.wt, tagwire.Mismatch, typ)
		return false
	}
	start, stop := r.content(r.i, r.top.end)
	switch {
	case stop < 0:
		r.bad(r.i, wt, stop, typ)
		return false
	case r.depth >= r.maxDepth:
		r.fail(r.i, weft.ErrDepth)
		return false
	}
	r.depth++
	r.stack = append(r.stack, r.top)
	r.top = frame{end: stop, start: r.i}
	r.i = start
	return true
}

// leave closes the innermost container, if there was no error.
func (r *reader) leave() {
	if n := len(r.stack) - 1; r.err == nil && n >= 0 {
		r.i, r.last = r.top.end, r.top.start
		r.top, r.stack = r.stack[n], r.stack[:n]
		r.depth--
	}
}

// next moves to the next member, and reports whether there is one.
func (r *reader) next() bool {
	if r.err != nil {
		return false
	}
	if r.i >= r.top.end {
		r.leave()
		return false
	}
	if r.top.end-r.i <= tagwire.TagSize {
		r.fail(r.i, weft.ErrUnexpectedEnd)
		return false
	}
	r.tag = tagwire.Tag(r.b, r.i)
	if r.tag&0xf0 != 0 {
		r.fail(r.i, errTag)
		return false
	}
	if r.nameless && !r.nameThere(r.tag) {
		return false
	}
	r.wt = r.tag & 15
	r.i += tagwire.TagSize
	return true
}

// BeginObject enters an object and returns its first member as Member does.
func (r *reader) BeginObject(f *weft.Fields) int {
	if !r.checkFields(f) || !r.enter(tagwire.Object, "object") {
		return backend.End
	}
	return r.Member(f, 0)
}

// Member moves to the next member: it returns the index of its name in f,
// [backend.Unknown], or [backend.End] when there is none.
func (r *reader) Member(f *weft.Fields, want int) int {
	if !r.next() {
		return backend.End
	}
	tag := r.tag &^ 0xff
	tags := namewire.Of(f.Names()).Tags()
	i := want
	if r.exact {
		i = r.index(f, want)
	} else if uint(want) >= uint(len(tags)) || tags[want] != tag {
		i = slices.Index(tags, tag)
	}
	if i >= 0 {
		if (r.fields != f || r.listed>>uint(i)&1 == 0) && !r.lists(tag) {
			r.fail(r.i, errNoName)
			return backend.End
		}
		return i
	}
	if r.flags&setting.RejectUnknown != 0 && !r.ignores(r.tag) {
		r.fail(r.i, weft.ErrUnknownMember)
		return backend.End
	}
	return backend.Unknown
}

// Name returns the name of the current member.
func (r *reader) Name() string {
	if r.err != nil {
		return ""
	}
	s, _ := r.nameOf(r.i, r.tag)
	return s
}

// BeginMap enters an object with open names; NextKey reads them. It reports
// whether there was one.
func (r *reader) BeginMap() bool { return r.enter(tagwire.Object, "object") }

// NextKey returns the next name of an object entered by BeginMap.
func (r *reader) NextKey() (string, bool) {
	if !r.next() {
		return "", false
	}
	return r.nameOf(r.i, r.tag)
}

// BeginArray enters an array and reports whether it has a first element.
func (r *reader) BeginArray() bool { return r.enter(tagwire.Array, "array") && r.More() }

// More reports whether the array has another element.
func (r *reader) More() bool {
	if r.err != nil {
		return false
	}
	if r.i >= r.top.end {
		r.leave()
		return false
	}
	wt, ok := r.element(r.i, r.top.end, r.top.pos)
	if !ok {
		return false
	}
	r.top.pos++
	r.wt = wt
	r.i += tagwire.TagSize
	return true
}

// element reads the tag of the k-th element of an array.
func (r *reader) element(i, stop, k int) (wt uint32, ok bool) {
	if stop-i <= tagwire.TagSize {
		r.fail(i, weft.ErrUnexpectedEnd)
		return 0, false
	}
	tag := tagwire.Tag(r.b, i)
	if tag>>4 != uint32(k+1) {
		r.fail(i, errOrder)
		return 0, false
	}
	return tag & 15, true
}
