package tagged

import (
	"fmt"
	"math"
	"reflect"
	"sync"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/framewire"
)

// frameReader reads the columns of one frame.
type frameReader struct {
	framewire.Reader
	body  []byte
	data  []byte // what is left of it
	base  int64  // offset of the frame in the stream
	how   byte   // compression of the frame
	plain []byte // memory for a body that was compressed
	spare mem.Spare
	opts  []Options
	flags uint64
	err   error

	maxDepth int
	spent    int       // values that may take no bytes
	boxes    mem.Boxes // for what an any has
	names    rowNames
	rowed    []byte // a row

	levels   []level             // around the column being read
	misfits  map[int]*weft.Error // what is wrong with records of the frame
	block    int                 // where in the body the column begins
	skipping bool                // the values that are read are not wanted
	noting   bool                // presence is to note in absent what is absent
	absent   []int
}

var frameReaders = sync.Pool{New: func() any { return new(frameReader) }}

func newFrameReader(opts []Options) *frameReader {
	r := frameReaders.Get().(*frameReader)
	r.opts, r.flags, r.maxDepth = opts, plan.FlagsOf(opts), plan.DepthOf(opts)
	return r
}

// release gives r back to be used again, unless it has outgrown what frames need.
func (r *frameReader) release() {
	r.Reset(16)
	kept, used := r.Memory()
	outgrown := r.spare.Drop(kept+cap(r.plain)+cap(r.rowed), used+len(r.plain)+len(r.rowed))
	r.names.reset()
	clear(r.levels)
	*r = frameReader{
		Reader: framewire.Reader{Scratch: r.Scratch}, plain: r.plain[:0], spare: r.spare, levels: r.levels[:0],
		names: r.names, rowed: r.rowed[:0],
	}
	if !outgrown {
		frameReaders.Put(r)
	}
}

// fail keeps err, and returns false.
//
//go:noinline
func (r *frameReader) fail(err error) bool {
	if r.err == nil {
		r.err = err
	}
	return false
}

// start begins with the body of a frame that has been checked.
func (r *frameReader) start(f frameAt) bool {
	r.base, r.how, r.spent = f.off, f.How, 0
	r.body = f.Body
	if f.How != framewire.Plain {
		b, err := unpack(f.Frame, r.plain[:0], r.opts)
		if err != nil {
			r.body, r.data = nil, nil
			return r.fail(err)
		}
		r.plain, r.body = b, b
	}
	r.data = r.body
	return true
}

// done checks that the whole body has been read.
func (r *frameReader) done() bool { return len(r.data) == 0 || r.fail(framewire.ErrBlock) }

// next moves behind a block if it has been read.
func (r *frameReader) next(rest []byte, ok bool) bool {
	if !ok {
		return r.fail(framewire.ErrBlock)
	}
	r.data = rest
	return true
}

// affords reports whether there can be n values.
func (r *frameReader) affords(n int) bool {
	return n <= framewire.MaxFree || n <= 8*len(r.body) || r.fail(framewire.ErrBlock)
}

// integers reads a block into a slice, which may go back by Free.
func (r *frameReader) integers(n int) ([]int64, bool) {
	if !r.affords(n) {
		return nil, false
	}
	v := r.Take(n)
	return v, r.next(framewire.ReadInts(r.data, v))
}

// below is integers where all are less than most, and returns how many are odd.
func (r *frameReader) below(n, most int) (v []int64, odd int, ok bool) {
	if v, ok = r.integers(n); !ok {
		return nil, 0, false
	}
	for _, x := range v {
		if uint64(x) >= uint64(most) {
			return nil, 0, r.fail(framewire.ErrBlock)
		}
		odd += int(x & 1)
	}
	return v, odd, true
}

// presence reads a column of presence: how many values are there.
func (r *frameReader) presence(n int) (v []int64, there int, ok bool) {
	if v, there, ok = r.below(n, isNull+1); ok && r.noting {
		r.note(v)
	}
	return v, there, ok
}

// lengths reads the lengths of lists: how many elements there are in all.
func (r *frameReader) lengths(n int) (v []int64, total int, ok bool) {
	if v, ok = r.integers(n); !ok {
		return nil, 0, false
	}
	for _, x := range v {
		if x < 0 || x-1 > math.MaxInt32 || total > math.MaxInt32 {
			return nil, 0, r.fail(framewire.ErrBlock)
		}
		total += int(max(x-1, 0))
	}
	return v, total, r.affords(total)
}

// scalars reads the columns of n values of the kind of c, which holds no others.
func (r *frameReader) scalars(c *cells, n int) (ok bool) {
	if r.skipping {
		for range columnsOf[c.kind] {
			if !r.next(framewire.SkipBlock(r.data)) {
				return false
			}
		}
		return true
	}
	switch c.kind {
	case 0:
		return true
	case framewire.String, framewire.Bytes, framewire.Number, framewire.Message:
		c.texts, ok = r.take(n)
	case framewire.Float32, framewire.Float64:
		c.ints = r.Take(n)
		ok = r.next(framewire.ReadFloats(r.data, c.ints, c.kind == framewire.Float32))
	case framewire.Bool:
		c.ints, _, ok = r.below(n, 2)
	case framewire.Time:
		for _, v := range []*[]int64{&c.ints, &c.nsec, &c.zone} {
			if *v, ok = r.integers(n); !ok {
				return false
			}
		}
		for i := range c.nsec {
			if uint64(c.nsec[i]) > 999999999 || int64(int32(c.zone[i])) != c.zone[i] {
				return r.fail(framewire.ErrBlock)
			}
		}
	default:
		c.ints, ok = r.integers(n)
	}
	return ok
}

// drop gives back what scalars has taken.
func (r *frameReader) drop(c *cells) {
	for _, v := range [...][]int64{c.ints, c.nsec, c.zone} {
		if v != nil {
			r.Free(v)
		}
	}
}

// take reads n strings into a slice.
func (r *frameReader) take(n int) ([]string, bool) {
	if !r.affords(n) {
		return nil, false
	}
	v := make([]string, n)
	return v, r.strings(framewire.TextsOf(v))
}

// strings reads strings into to.
func (r *frameReader) strings(to target) bool {
	if to.N == 0 {
		return r.next(framewire.SkipBlock(r.data))
	}
	return r.next(r.Strings(r.data, to, true))
}

type target = framewire.Target

// newTarget returns new memory for n values.
func newTarget(t *mem.Type, n int) target {
	st := reflect.SliceOf(t.Rtype)
	return target{A: mem.Of(reflect.New(st)).Make(st, t, n), T: t, N: n}
}

// read reads values of b into the target.
func (r *frameReader) read(b *bound, to target) bool {
	if !r.affords(to.N) {
		return false
	}
	r.block = len(r.body) - len(r.data)
	switch {
	case b.how == bySkip:
		return r.skip(b.s, to.N)
	case b.how == byMessage:
		return r.messages(b, to)
	case b.null || b.how != byColumn:
		return r.optional(b, to, nil)
	}
	return r.column(b, to)
}

// optional reads values that may be null or absent, are behind pointers, in options, or of a field behind embedded
// pointers, which are made where the value is there.
func (r *frameReader) optional(b *bound, to target, embedded *field) bool {
	in := *b
	in.null = false
	inner, t := &in, b.p.mem
	switch {
	case embedded != nil:
		t = embedded.f.Type.Mem
	case b.how != byColumn:
		inner, t = b.elem, b.p.elem.mem
	}
	var v []int64
	there := to.N
	if b.null {
		var ok bool
		if v, there, ok = r.presence(to.N); !ok {
			return false
		}
		defer r.Free(v)
		if there == to.N && inner != b.elem && embedded == nil {
			return r.column(b, to)
		}
		r.enter(level{v: v})
	}
	from := newTarget(t, there)
	if ok := r.read(inner, from); !ok || v != nil && !r.leave(ok) {
		return false
	}
	k := 0
	for i := range to.N {
		if v != nil && v[i] != isThere {
			if v[i] == isNull && embedded == nil {
				b.setNull(to.At(i))
				r.refuseNull(b, i)
			}
			continue
		}
		q, x := to.At(i), from.At(k)
		k++
		switch {
		case embedded != nil:
			at, blocked := embedded.f.Make(q)
			if blocked != nil {
				r.misfit(i, fmt.Errorf("cannot set embedded pointer to unexported struct: %v", blocked.Elem.Rtype))
				continue
			}
			t.Copy(at, x)
		case b.how == byPointer:
			q.SetPtr(x)
		case b.how == byOption:
			o := b.p.typ.Option
			t.Copy(q.Field(o.V), x)
			o.SetState(q, plan.OptionSet)
		default:
			t.Copy(q, x)
		}
	}
	return true
}

// setNull makes the value at q null.
func (b *bound) setNull(q mem.Ptr) {
	switch b.how {
	case byPointer:
		q.SetNil()
	case byOption:
		b.p.typ.Option.SetNull(q)
	default:
		b.p.mem.Clear(q)
	}
}

// column reads values that are all there, and checks them by the rules of their type.
func (r *frameReader) column(b *bound, to target) bool {
	ok := false
	switch b.s.Kind {
	case framewire.Struct:
		ok = r.structs(b, to)
	case framewire.List:
		ok = r.lists(b, to)
	case framewire.Map:
		ok = r.maps(b, to)
	case framewire.String:
		if b.p.dec == plan.String {
			ok = r.strings(to)
			break
		}
		fallthrough
	default:
		c := cells{kind: b.s.Kind}
		if ok = r.scalars(&c, to.N); ok {
			r.store(b, &c, to)
		}
		r.drop(&c)
	}
	for i := 0; ok && b.rules != nil && i < to.N; i++ {
		r.check(b.rules, i, to.At(i))
	}
	return ok
}

// structs reads the columns of the members of structs.
func (r *frameReader) structs(b *bound, to target) bool {
	if len(b.fields) == 0 && to.N > framewire.MaxFree {
		return r.fail(framewire.ErrBlock)
	}
	lacks := make(map[int][]string) // the required members that values do not have
	for i := range b.fields {
		f := &b.fields[i]
		at, ok, mark := to, false, len(r.absent)
		strange := f.f == nil && b.p.typ.Closed && b.p.rest == nil && r.flags&setting.AllowUnknown == 0
		r.noting = f.requires() || f.b.null && (f.ruled() || f.fills() || strange)
		r.enter(level{name: b.s.Names[i]})
		if f.f != nil && f.f.flags&fEmbedded != 0 {
			ok = r.optional(f.b, to, f.f)
		} else {
			if f.f != nil {
				at.Off = to.Off.Then(f.f.off)
			}
			ok = r.read(f.b, at)
		}
		switch {
		case !ok:
		case f.ruled():
			r.obeyField(f.f.f, to, r.absent[mark:])
		case strange:
			present(to.N, r.absent[mark:], func(i int) { r.misfit(i, weft.ErrUnknownMember) })
		}
		if ok && f.fills() {
			for _, k := range r.absent[mark:] {
				b.p.typ.Fill(b.p.typ.Index(f.f.f), to.At(k))
			}
		}
		if !r.leave(ok) {
			return false
		}
		if f.requires() {
			for _, k := range r.absent[mark:] {
				lacks[k] = append(lacks[k], f.f.f.Name)
			}
		}
		r.noting, r.absent = false, r.absent[:mark]
	}
	for _, k := range b.fill {
		for i := range to.N {
			b.p.typ.Fill(k, to.At(i))
		}
	}
	r.missing(b, to.N, lacks)
	return true
}
