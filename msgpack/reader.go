package msgpack

import (
	"errors"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/tree"
	"github.com/weftcodec/weft/internal/wire/namewire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

type shared = entry.Reader

// Reader is a cursor over one document. Errors are sticky: after the first error every method returns zero values or
// reports the end, and Err returns the error. A Reader comes from [Read] or as the argument of ReadMsgpack, and must
// not be retained.
type Reader struct {
	shared
	b   []byte // the document; nil after an error, so that nothing more is read
	i   int    // next byte to read
	err error
	all []byte // the document after an error

	top    frame   // the innermost container that Begin methods have opened
	stack  []frame // those around it
	last   int     // offset of the container closed last
	within int     // containers around the value that Check has refused, -1: none has been
	key    int     // offset of the current member's name, -1 for none

	flags    uint64
	depth    int // containers open in the engine and in stack
	maxDepth int
	reserved int   // bytes that the elements still to come in open arrays need at least
	base     int64 // offset of b in the stream

	programs *registry

	slab  mem.Carver // where strings and short lists of integers are carved from
	was   uint8      // the state of an option while its value is read
	boxes mem.Boxes
	boxed bool // boxes have been used
	noNil bool // nil is an error as a key, an element or a member of a list or map of plain types
	tree  *tree.Builder
	spare mem.Spare
	dec   weft.Decoder

	slabs mem.Slabs
	tail  steps.Tail

	guesses     *plan.Guesses // of unions, nil before the first one
	guessing    uint8         // guessFree, guessOn or guessOff
	unconfirmed bool          // the discriminator of a guess may not be what its member in the value says
}

// frame is an open container.
type frame struct {
	left  int  // elements or pairs still to come
	pos   int  // elements begun
	start int  // offset of the container
	array bool // an object laid out as an array
}

var readers = sync.Pool{New: func() any {
	r := new(Reader)
	entry.Bind(&r.shared, r, entry.Source{
		Format: "msgpack", Flags: &r.flags, Base: &r.base, Last: &r.last, Fail: r.fail,
		Places: r.places,
	})
	r.dec.Over(r)
	return r
}}

// places returns how places are found. Nobody is told those of a guess.
func (r *Reader) places() entry.Place {
	if r.guessing == guessOn {
		return func(i int, _ string) (string, int) { return "", i }
	}
	return entry.Places(grammar, r.b)
}

// newReader returns a pooled Reader over b.
func newReader(b []byte, opts []Options) *Reader {
	r := readers.Get().(*Reader)
	r.b, r.i = b, 0
	r.maxDepth, r.flags = setting.DefaultMaxDepth, 0
	if r.programs != &programs { // to store a pointer costs while the collector runs
		r.programs = &programs
	}
	if len(opts) > 0 {
		var ok bool
		if r.flags, ok = plan.OnlyFlags(opts); !ok {
			r.flags, r.maxDepth, r.programs = plan.FlagsOf(opts), plan.DepthOf(opts), registryOf(opts)
		}
		if r.flags&setting.AliasInput != 0 {
			r.slab = mem.Carver{} // where it has no room, the strings of steps are parts of the document
		}
	}
	return r
}

// release gives the Reader back, unless it has outgrown what documents need. What
// is left of a small slab serves the next document.
func (r *Reader) release() {
	r.b = nil
	entry.Forget(&r.shared)
	if r.err != nil {
		r.place()
		r.all, r.err = nil, nil
		r.stack, r.depth, r.reserved = r.stack[:0], 0, 0
	}
	if r.boxed {
		r.boxes, r.boxed = mem.Boxes{}, false
	}
	if len(r.slab.Chunk) > mem.ChunkSize {
		r.slab.Chunk, r.slab.Used = nil, 0
	}
	r.top.left, r.base = 0, 0
	if !r.outgrown() {
		readers.Put(r)
	}
}

// outgrown reports whether r has much more memory than is needed.
func (r *Reader) outgrown() bool {
	kept, used := frameSize*cap(r.stack), 0
	if r.tree != nil {
		size, last := r.tree.Memory()
		kept, used = kept+size, last
	}
	return r.spare.Drop(kept, used)
}

const frameSize = 32

// Read reads the one value of b into v.
func Read(b []byte, v ReaderFrom, opts ...Options) error {
	r := newReader(b, opts)
	if r.flags&setting.RejectDuplicates != 0 {
		r.duplicates(true)
	}
	if r.err == nil {
		if err := v.ReadMsgpack(r); err != nil {
			r.Fail(err)
		}
	}
	return r.finish()
}

// ignores reports whether the member whose name stands at i is ignored.
func (r *Reader) ignores(i int) bool {
	m := entry.Ignored(&r.shared)
	if m.All && r.depth == m.Depth {
		return true
	}
	if m.Name == "" || r.depth != m.Depth {
		return false
	}
	from, to := packwire.ReadString(r.b, i)
	return to >= 0 && string(r.b[from:to]) == m.Name
}

// finish checks that nothing is left, releases the Reader and returns its error.
func (r *Reader) finish() error {
	if r.err == nil && r.i != len(r.b) {
		r.fail(r.i, weft.ErrTrailingData)
	}
	err := r.err
	if err == nil {
		err = entry.Violated(&r.shared)
	}
	r.release()
	return err
}

var (
	errNeverUsed = errors.New("byte c1 is not the start of a value")
	errTimestamp = errors.New("timestamp is not valid")
	errRange     = errors.New("number does not fit complex64")
	errUTF8      = errors.New("string is not UTF-8")
	errKey       = errors.New("value cannot be a map key")
)

// fail sets the sticky error, at offset i, and returns -1. Its path is found
// when the Reader is released: until then it may still be forgotten.
//
//go:noinline
func (r *Reader) fail(i int, err error) int {
	if r.err == nil {
		if v, ok := err.(weft.Violation); ok { // it says where it is
			if err = v.Err; v.Offset >= 0 {
				i = int(v.Offset)
			} else {
				i = grammar.Below(r.b, i, v.Path)
			}
		}
		r.err = &weft.Error{Format: "msgpack", Offset: r.base + int64(i), Err: err}
		r.all, r.within = r.b, -1
	}
	r.b, r.i, r.top.left = nil, 0, 0
	return -1
}

// bad fails at the value at i, which packwire has refused with end, where a
// value of the Go type is expected.
//
//go:noinline
func (r *Reader) bad(i, end int, typ string) int {
	switch {
	case r.err != nil:
		return -1
	case r.guessing == guessOn:
		return r.fail(i, errGuess)
	case end == packwire.Short || i >= len(r.b):
		return r.ended(i)
	case r.b[i] == packwire.NeverUsed:
		return r.fail(i, errNeverUsed)
	}
	e := &weft.TypeError{Kind: r.kindAt(i), Type: typ}
	if end == packwire.Range {
		switch e.Kind {
		case weft.KindTime:
			return r.fail(i, errTimestamp)
		case weft.KindInt, weft.KindUint:
			e.Text, _ = integerText(r.b, i)
		case weft.KindFloat:
			v, _ := packwire.ReadFloat64(r.b, i)
			e.Text = strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	return r.fail(i, e)
}

// ended fails because the value at i is not whole. Where the document ends too early the
// place is that of the first value that is not there, or not whole, rather than that
// of an array around it which is too short.
func (r *Reader) ended(i int) int {
	if end, _ := packwire.Skip(r.b, 0, deepest); end < 0 {
		if i = endOf(r.b); i < len(r.b) && r.b[i] == packwire.NeverUsed {
			return r.fail(i, errNeverUsed)
		}
	}
	return r.fail(i, weft.ErrUnexpectedEnd)
}

// Err returns the first error.
func (r *Reader) Err() error { return r.err }

// Fail sets the sticky error, located at the next value.
func (r *Reader) Fail(err error) {
	if err != nil {
		r.fail(r.i, err)
	}
}

// Missing fails with a [weft.MissingError] that names every member of f whose
// bit is set in want and not in seen. The object is the one closed last.
func (r *Reader) Missing(f *weft.Fields, seen, want uint64) {
	r.shared.Missing(f, seen, want)
}

// Done ends the reading of an object. It fails like Missing unless every bit of want is set in seen, and returns the
// result of Err.
//
//go:noinline
func (r *Reader) Done(f *weft.Fields, seen, want uint64) error {
	if seen&want != want {
		r.Missing(f, seen, want)
	}
	return r.err
}

// Offset returns the offset of the next byte to read.
func (r *Reader) Offset() int { return r.i }

// Mark returns the position.
func (r *Reader) Mark() backend.Mark {
	return backend.Mark{
		Offset: r.i,
		Depth:  len(r.stack),
		Level:  r.depth,
		Rest:   r.reserved,
		State:  uint64(r.top.left)<<32 | uint64(uint32(r.top.pos)),
	}
}

// Reset returns to a position within the containers that are still open, and clears an error that occurred since.
func (r *Reader) Reset(m backend.Mark) {
	if len(r.stack) > m.Depth {
		r.top, r.stack = r.stack[m.Depth], r.stack[:m.Depth]
	}
	if r.err != nil {
		r.b, r.all, r.err = r.all, nil, nil
	}
	r.i = m.Offset
	r.depth, r.reserved = m.Level, m.Rest
	r.top.left, r.top.pos = int(m.State>>32), int(int32(m.State))
}

// Kind returns the kind of the next value and consumes nothing.
func (r *Reader) Kind() weft.Kind {
	if r.i >= len(r.b) {
		return weft.KindInvalid
	}
	return r.kindAt(r.i)
}

var classKinds = [...]weft.Kind{
	packwire.ClassInvalid: weft.KindInvalid,
	packwire.ClassNil:     weft.KindNull,
	packwire.ClassBool:    weft.KindBool,
	packwire.ClassInt:     weft.KindInt,
	packwire.ClassUint:    weft.KindUint,
	packwire.ClassFloat:   weft.KindFloat,
	packwire.ClassStr:     weft.KindString,
	packwire.ClassBin:     weft.KindBytes,
	packwire.ClassExt:     weft.KindExt,
	packwire.ClassArray:   weft.KindArray,
	packwire.ClassMap:     weft.KindObject,
}

func (r *Reader) kindAt(i int) weft.Kind {
	c, next, _ := packwire.Head(r.b, i)
	if c == packwire.ClassExt && next > 0 && r.b[next-1] == 0xff {
		return weft.KindTime
	}
	return classKinds[c]
}

// enter opens a container of n elements or pairs.
func (r *Reader) enter(f frame) bool {
	if r.depth >= r.maxDepth {
		r.fail(r.i, weft.ErrDepth)
		return false
	}
	r.depth++
	f.start = r.i
	r.stack = append(r.stack, r.top)
	r.top = f
	return true
}

// leave closes the innermost container, if there was no error.
func (r *Reader) leave() {
	if n := len(r.stack) - 1; r.err == nil && n >= 0 {
		r.last = r.top.start
		r.top, r.stack = r.stack[n], r.stack[:n]
		r.depth--
	}
}

// BeginObject enters a map, or an array of the members of f in their order, and
// returns its first member as Member does.
func (r *Reader) BeginObject(f *weft.Fields) int {
	n, next := packwire.ReadMap(r.b, r.i)
	array := false
	if next == packwire.Mismatch {
		array = true
		n, next = packwire.ReadArray(r.b, r.i)
	}
	if next < 0 {
		r.bad(r.i, next, "object")
		return backend.End
	}
	if array && r.flags&flagStrictLen != 0 && n != f.Len() {
		r.fail(r.i, lengthError(n, f.Len()))
		return backend.End
	}
	if !r.enter(frame{left: n, array: array}) {
		return backend.End
	}
	r.i = next
	return r.Member(f, 0)
}

// Member moves to the next member. It returns the index of its name in f, [backend.Unknown], or [backend.End] if
// there is no other member. It tries the name with the index want first.
func (r *Reader) Member(f *weft.Fields, want int) int {
	if r.top.left <= 0 {
		r.leave()
		return backend.End
	}
	r.top.left--
	if r.top.array {
		return r.element(f)
	}
	keys := namewire.Of(f.Names()).Pack()
	r.key = r.i
	if uint(want) < uint(keys.Len()) {
		if end, ok := keys.At(want).Match(r.b, r.i); ok {
			r.i = end
			return want
		}
	}
	start := r.i
	i, next := r.name(start, keys)
	if next < 0 {
		return backend.End
	}
	r.i = next
	if i < 0 {
		if r.flags&setting.RejectUnknown != 0 && !r.ignores(start) {
			r.fail(next, weft.ErrUnknownMember)
			return backend.End
		}
		return backend.Unknown
	}
	return i
}

// element moves to the next member of an object laid out as an array, where a
// nil stands for one that is absent.
func (r *Reader) element(f *weft.Fields) int {
	r.key = -1
	for r.null(r.i) {
		r.i++
		r.top.pos++
		if r.top.left == 0 {
			r.leave()
			return backend.End
		}
		r.top.left--
	}
	i := r.top.pos
	r.top.pos++
	if i >= f.Len() {
		return backend.Unknown
	}
	return i
}

// name reads the key of a pair and finds it in keys: its index or -1, and the
// index after it. An integer stands for its decimal digits; a key of another
// sort is not a name of a member.
func (r *Reader) name(i int, keys *packwire.Keys) (index, next int) {
	start, end := packwire.ReadString(r.b, i)
	if end >= 0 {
		if r.flags&flagUTF8 != 0 && !utf8.Valid(r.b[start:end]) {
			return -1, r.fail(i, errUTF8)
		}
		return keys.Find(r.b[start:end]), end
	}
	if end == packwire.Short {
		return -1, r.bad(i, end, "member name")
	}
	if k := r.kindAt(i); k == weft.KindInt || k == weft.KindUint {
		text, next := r.keyText(i)
		if next < 0 {
			return -1, next
		}
		return keys.Index(text), next
	}
	return -1, r.skip(i)
}

// keyText reads a string or an integer as a name.
func (r *Reader) keyText(i int) (string, int) {
	start, end := packwire.ReadString(r.b, i)
	if end >= 0 {
		return mem.String(r.b[start:end]), end
	}
	s, next := integerText(r.b, i)
	if next < 0 {
		return "", r.bad(i, end, "member name")
	}
	return s, next
}

// integerText reads an integer as its decimal digits.
func integerText(b []byte, i int) (string, int) {
	if s, end := packwire.ReadInt(b, i); end >= 0 {
		return strconv.FormatInt(s, 10), end
	}
	u, end := packwire.ReadUint(b, i)
	if end < 0 {
		return "", end
	}
	return strconv.FormatUint(u, 10), end
}

// Name returns the name of the current member, "" for one by position. It is
// valid until the next call.
func (r *Reader) Name() string {
	if r.key < 0 || r.key >= len(r.b) {
		return ""
	}
	switch k := r.kindAt(r.key); {
	case k == weft.KindString, k == weft.KindBytes, k == weft.KindInt, k == weft.KindUint:
		s, _ := r.keyText(r.key)
		return s
	}
	return ""
}

// BeginMap enters an object with arbitrary names, which NextKey reads. It reports whether there is one.
func (r *Reader) BeginMap() bool {
	n, next := packwire.ReadMap(r.b, r.i)
	return r.begin(n, next, "object")
}

// begin enters an array or map of n elements or pairs, which begin at next.
func (r *Reader) begin(n, next int, typ string) bool {
	if next < 0 {
		r.bad(r.i, next, typ)
		return false
	}
	if !r.enter(frame{left: n}) {
		return false
	}
	r.i = next
	return true
}

// NextKey returns the next name of an object entered by BeginMap. An integer
// key is returned as its decimal digits.
func (r *Reader) NextKey() (string, bool) {
	if r.top.left <= 0 {
		r.leave()
		return "", false
	}
	r.top.left--
	r.key = r.i
	if start, end := packwire.ReadString(r.b, r.i); end >= 0 {
		if r.flags&flagUTF8 != 0 && !utf8.Valid(r.b[start:end]) {
			r.fail(r.i, errUTF8)
			return "", false
		}
		r.i = end
		return r.carve(start, end), true
	}
	s, next := r.keyText(r.i)
	if next < 0 {
		return "", false
	}
	r.i = next
	return s, true
}

// NextPair moves to the next pair of a map entered by BeginMap, whose keys may
// be of any kind: the next value read is the key, the one after it the value.
func (r *Reader) NextPair() bool {
	if r.top.left <= 0 {
		r.leave()
		return false
	}
	r.top.left--
	r.key = -1
	return true
}

// BeginArray enters an array and reports whether it has a first element.
func (r *Reader) BeginArray() bool {
	n, next := packwire.ReadArray(r.b, r.i)
	return r.begin(n, next, "array") && r.More()
}

// More reports whether the array has another element.
func (r *Reader) More() bool {
	if r.top.left <= 0 {
		r.leave()
		return false
	}
	r.top.left--
	return true
}

// Left returns how many elements or pairs of the innermost open container follow the current one. There is at least
// one byte of input for each.
func (r *Reader) Left() int { return r.top.left }
