package cbor

import (
	"errors"
	"strconv"
	"sync"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

type shared = entry.Reader

// reader is a cursor over one document. Errors are sticky: after the first one every method returns zero values
// or the end, and Err returns it.
type reader struct {
	shared
	b   []byte // the document; nil after an error, so that nothing more is read
	i   int    // next byte to read
	err error
	all []byte // the document after an error
	ill bool   // it is not well-formed

	top   frame   // the innermost container that Begin methods have opened
	stack []frame // those around it
	last  int     // offset of the container closed last
	prev  int     // offset of the value read last
	key   int     // offset of the current member's key, -1 for none

	flags               uint64
	rules               cborwire.Rules
	order               int  // that members are expected in
	mapSteps, listSteps bool // structs that are maps, or arrays, may be read by steps
	depth               int  // levels open in the engine and in stack
	maxDepth            int
	checked             int   // up to here the document is known to be well-formed
	reserved            int   // bytes that the elements still to come in open containers need at least
	base                int64 // offset of b in the stream

	programs *registry
	normal   func(text string) bool // of Normalized
	carver   mem.Carver
	tail     steps.Tail
	slabs    mem.Slabs
	boxes    mem.Boxes
	boxed    bool // boxes have been used
	dec      weft.Decoder
}

// frame is an open container.
type frame struct {
	left  int  // elements or pairs still to come, or isOpen
	pos   int  // elements begun
	start int  // offset of the container
	each  int  // items of an element
	array bool // an object laid out as an array
	last  keySpan
}

var readers = sync.Pool{New: func() any {
	r := new(reader)
	entry.Bind(&r.shared, r, entry.Source{
		Format: "cbor", Flags: &r.flags, Base: &r.base, Last: &r.last, Fail: r.fail,
		Places: func() entry.Place { return entry.Places(grammar, r.b) },
	})
	r.dec.Over(r)
	return r
}}

// newReader returns a pooled reader over b.
func newReader(b []byte, opts []Options) *reader {
	r := readers.Get().(*reader)
	r.b, r.i, r.checked, r.reserved, r.depth, r.base, r.ill = b, 0, 0, 0, 0, 0, false
	r.maxDepth, r.flags, r.rules, r.order = setting.DefaultMaxDepth, 0, 0, declared
	r.mapSteps, r.listSteps = true, true
	if r.programs != &programs { // to store a pointer costs while the collector runs, here and in release
		r.programs = &programs
	}
	if len(opts) > 0 {
		var ok bool
		if r.flags, ok = plan.OnlyFlags(opts); !ok {
			o := weft.Join(opts...)
			r.flags, r.maxDepth, r.programs, r.normal = o.Flags(0), o.Depth(), registryOf(opts), normalOf(o)
		}
		r.rules, r.order = rulesOf(r.flags), orderOf(r.flags)
		r.allowSteps()
		if r.flags&setting.AliasInput != 0 {
			r.carver = mem.Carver{} // where it has no room, the strings of steps are parts of the document
		}
	}
	return r
}

// release gives the reader back, unless it has outgrown what documents need.
func (r *reader) release() {
	r.b = nil
	if r.err != nil || r.normal != nil {
		r.all, r.err, r.normal = nil, nil, nil
	}
	entry.Forget(&r.shared)
	if r.boxed {
		r.boxes, r.boxed = mem.Boxes{}, false
	}
	r.top, r.stack = frame{}, r.stack[:0]
	if cap(r.stack) < 1<<10 {
		readers.Put(r)
	}
}

// finish checks that nothing is left, releases the reader and returns its error.
func (r *reader) finish() error {
	if r.err == nil && r.i != len(r.b) {
		r.fail(r.i, weft.ErrTrailingData)
	}
	err := r.err
	if err == nil {
		err = entry.Violated(&r.shared)
	} else if e, ok := err.(*weft.Error); ok && e.Path == "" {
		e.Path = grammar.Path(r.all, int(e.Offset-r.base))
	}
	r.release()
	return err
}

// fail sets the sticky error, at offset i, and returns -1. Its path is found when the reader is released:
// until then it may still be forgotten.
//
//go:noinline
func (r *reader) fail(i int, err error) int {
	if r.err == nil {
		r.err = &weft.Error{Format: "cbor", Offset: r.base + int64(i), Err: err}
		r.all = r.b
	}
	r.b, r.i, r.top.left = nil, 0, 0
	return -1
}

var (
	errMalformed = errors.New("byte cannot begin a value here")
	errTime      = errors.New("number is not a time")
)

// faults are the errors for what breaks a rule.
var faults = map[int]error{
	cborwire.NotShortest: errors.New("value is not in its shortest form"),
	cborwire.NotDefinite: errors.New("value has an indefinite length"),
	cborwire.NotSorted:   errors.New("key is not in order"),
	cborwire.Twice:       weft.ErrDuplicateName,
	cborwire.Tagged:      errors.New("value has a tag"),
	cborwire.BadSimple:   errors.New("simple value is not false, true or null"),
	cborwire.NotFinite:   errFinite,
	cborwire.NotUTF8:     errUTF8,
	cborwire.NotReduced:  errors.New("number without a fraction is not an integer"),
}

// broke fails at the item at i, which breaks a rule, or is none.
func (r *reader) broke(i, fault int) int {
	if err := faults[fault]; err != nil {
		return r.fail(i, err)
	}
	return r.illFormed(i, fault)
}

// bad fails at the value at i, which cborwire has refused with end, where a value of the Go type is expected.
//
//go:noinline
func (r *reader) bad(i, end int, typ string) int {
	switch {
	case r.err != nil:
		return -1
	case end == cborwire.Short || i >= len(r.b):
		// Where the document ends too early that is the place, rather than a container that is too short.
		if stop, at := cborwire.Skip(r.b, 0, r.maxDepth); stop < 0 {
			return r.illFormed(at, stop)
		}
		return r.illFormed(i, cborwire.Short)
	}
	n, next := cborwire.Head(r.b, i)
	if next < 0 || end == cborwire.Malformed || end == cborwire.Deep || r.b[i] == cborwire.Break {
		return r.illFormed(i, min(end, cborwire.Malformed))
	}
	e := &weft.TypeError{Kind: r.kindAt(i), Type: typ}
	if end == cborwire.Range {
		switch c := r.b[i]; {
		case c < cborwire.Nint:
			e.Text = strconv.FormatUint(n, 10)
		case c < cborwire.Bytes:
			e.Text = string(appendKey(nil, r.b, i)[1:])
		case c >= cborwire.Half:
			v, _ := cborwire.ReadFloat(r.b, i)
			e.Text = strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	return r.fail(i, e)
}

// illFormed fails at the place where cborwire has found, and said with end, that the document is not well-formed.
func (r *reader) illFormed(at, end int) int {
	r.ill = true
	err := errMalformed
	switch end {
	case cborwire.Short:
		err = weft.ErrUnexpectedEnd
	case cborwire.Deep:
		err = weft.ErrDepth
	}
	return r.fail(at, err)
}

// Err returns the first error.
func (r *reader) Err() error { return r.err }

// FailLast makes the reader fail with err about the value that was read last.
func (r *reader) FailLast(err error) {
	if r.err == nil && err != nil {
		r.fail(r.prev, err)
	}
}

// Offset returns the offset of the next byte to read.
func (r *reader) Offset() int { return r.i }

// Mark returns the position.
func (r *reader) Mark() backend.Mark {
	return backend.Mark{
		Offset: r.i, Depth: len(r.stack), Level: r.depth, Rest: r.reserved,
		State: uint64(uint32(r.top.left))<<32 | uint64(uint32(r.top.pos)),
	}
}

// Reset returns to a position within the containers that are still open, forgetting an error met since.
func (r *reader) Reset(m backend.Mark) {
	if len(r.stack) > m.Depth {
		r.top, r.stack = r.stack[m.Depth], r.stack[:m.Depth]
	}
	if r.err != nil {
		r.b, r.all, r.err = r.all, nil, nil
	}
	r.i, r.depth, r.reserved = m.Offset, m.Level, m.Rest
	r.top.left, r.top.pos = int(int32(m.State>>32)), int(int32(m.State))
	if r.top.last.at >= m.Offset {
		r.top.last = keySpan{} // of a key that comes again
	}
}

// Kind returns the kind of the next value and consumes nothing.
func (r *reader) Kind() weft.Kind {
	if r.i >= len(r.b) {
		return weft.KindInvalid
	}
	return r.kindAt(r.i)
}

var majorKinds = [8]weft.Kind{
	weft.KindInt, weft.KindInt, weft.KindBytes, weft.KindString,
	weft.KindArray, weft.KindObject, weft.KindExt, weft.KindExt,
}

// kindAt returns the kind of the value at i, of its content where a tag says nothing.
func (r *reader) kindAt(i int) weft.Kind {
	for {
		n, next := cborwire.Head(r.b, i)
		if next < 0 {
			return weft.KindInvalid
		}
		switch c := r.b[i]; {
		case c < cborwire.Nint && n>>63 != 0:
			return weft.KindUint
		case c < cborwire.Bytes && n>>63 != 0:
			return weft.KindNumber
		case c&0xe0 == cborwire.Bytes && r.flags&flagByteText != 0:
			return weft.KindString
		case c == cborwire.Break:
			return weft.KindInvalid
		case c >= cborwire.Half:
			return weft.KindFloat
		case c == cborwire.Null || c == cborwire.Undefined && r.rules&cborwire.FewSimple == 0:
			return weft.KindNull
		case c|1 == cborwire.True:
			return weft.KindBool
		case c&0xe0 != cborwire.Tag:
			return majorKinds[c>>5]
		}
		switch n {
		case tagText, tagEpoch, tagDays, tagDate:
			return weft.KindTime
		case tagPositive, tagNegative, tagDecimal, tagBigFloat:
			return weft.KindNumber
		case tagBase64:
			return weft.KindBytes
		}
		i = next
	}
}

// enter opens the container at r.i, of n elements or pairs, whose first stands at next.
func (r *reader) enter(f frame, next int) bool {
	if !r.deeper(r.i) {
		return false
	}
	f.start = r.i
	r.stack = append(r.stack, r.top)
	r.top, r.i = f, next
	return true
}

// more begins the next element or pair of the innermost container, or leaves it.
func (r *reader) more() bool {
	if r.err != nil {
		return false
	}
	f := &r.top
	if f.left == 0 || r.ends(&r.i, f.left, f.each) {
		if n := len(r.stack) - 1; n >= 0 {
			r.last, r.prev = f.start, f.start
			r.top, r.stack = r.stack[n], r.stack[:n]
			r.depth--
		}
		return false
	}
	if f.left > 0 {
		f.left--
	}
	return true
}

// BeginObject enters a map, or an array of the members of f in their order, and returns its first member as
// Member does.
func (r *reader) BeginObject(f *weft.Fields) int {
	major := byte(cborwire.Map)
	if at := r.content(r.i); at >= 0 && at < len(r.b) && r.b[at]&0xe0 == cborwire.Array {
		major = cborwire.Array
	}
	if !r.begin(major, "object", f.Len()) {
		return backend.End
	}
	return r.Member(f, 0)
}

// begin enters a container; an array is an object of so many members, unless that is negative.
func (r *reader) begin(major byte, what string, members int) bool {
	if r.err != nil {
		return false
	}
	if r.null(r.i) {
		r.bad(r.i, cborwire.Mismatch, what)
		return false
	}
	n, next := r.count(r.i, major)
	if next < 0 {
		return false
	}
	array := major == cborwire.Array && members >= 0
	if array && r.flags&flagExactArrays != 0 && n >= 0 && n != members {
		r.fail(r.i, lengthError(n, members))
		return false
	}
	return r.enter(frame{left: n, array: array, each: pick(major == cborwire.Map, 2, 1)}, next)
}

// Member moves to the next member: it returns the index of its name in f, [backend.Unknown], or [backend.End] when
// there is none.
func (r *reader) Member(f *weft.Fields, _ int) int {
	if r.top.array {
		return r.element(f)
	}
	if !r.more() {
		return backend.End
	}
	r.key = r.i
	if c := r.peek(); c&0xe0 > cborwire.Text {
		if end := r.skip(r.i); end >= 0 && r.ordered(&r.top.last, r.key, end) {
			r.i = end
			return r.stranger(end)
		}
		return backend.End
	}
	text, end := r.keyText(r.i)
	if end < 0 || !r.ordered(&r.top.last, r.key, end) {
		return backend.End
	}
	r.i = end
	if i := f.Index(text); i >= 0 {
		return i
	}
	return r.stranger(end)
}

// stranger is what Member returns for a key that is not a name.
func (r *reader) stranger(end int) int {
	if r.flags&setting.RejectUnknown != 0 && !r.ignores(r.key) {
		r.fail(end, weft.ErrUnknownMember)
		return backend.End
	}
	return backend.Unknown
}

// peek returns the next byte, 0xff at the end.
func (r *reader) peek() byte {
	if r.i < len(r.b) {
		return r.b[r.i]
	}
	return cborwire.Break
}

// element moves to the next member of an object laid out as an array, where a null stands for one that is
// absent.
func (r *reader) element(f *weft.Fields) int {
	r.key = -1
	for r.more() {
		i := r.top.pos
		r.top.pos++
		if r.null(r.i) {
			r.i++
			continue
		}
		if i >= f.Len() {
			return backend.Unknown
		}
		return i
	}
	return backend.End
}

// Name returns the name of the current member, "" for one by position.
func (r *reader) Name() string {
	if r.key < 0 || r.key >= len(r.b) || r.b[r.key]&0xe0 > cborwire.Text {
		return ""
	}
	s, _ := r.keyText(r.key)
	return s
}

// BeginMap enters an object with open names; NextKey reads them. It reports whether there was one.
func (r *reader) BeginMap() bool { return r.begin(cborwire.Map, "object", -1) }

// NextKey returns the next name of an object entered by BeginMap. An integer key is returned as its decimal
// digits.
func (r *reader) NextKey() (string, bool) {
	if !r.more() {
		return "", false
	}
	r.key = r.i
	s, end := r.keyText(r.i)
	if end < 0 || !r.ordered(&r.top.last, r.key, end) {
		return "", false
	}
	r.i = end
	return s, true
}

// BeginArray enters an array and reports whether it has a first element.
func (r *reader) BeginArray() bool { return r.begin(cborwire.Array, "array", -1) && r.more() }

// More reports whether the array has another element.
func (r *reader) More() bool { return r.more() }

// ignores reports whether the member whose key stands at i is ignored.
func (r *reader) ignores(i int) bool {
	m := entry.Ignored(&r.shared)
	if r.depth != m.Depth {
		return false
	}
	if m.All || m.Name == "" {
		return m.All
	}
	body, end := cborwire.AppendString(nil, r.b, i)
	return end >= 0 && string(body) == m.Name
}
