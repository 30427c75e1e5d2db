package tagged

import (
	"fmt"
	"math"
	"reflect"
	"sync"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
)

// frameReader reads the columns of one frame.
type frameReader struct {
	stringReader
	body  []byte
	data  []byte // what is left of it
	base  int64  // offset of the frame in the stream
	how   byte   // compression of the frame
	plain []byte // memory for a body that was compressed
	spare mem.Spare
	opts  []Options
	err   error

	maxDepth int
	spent    int       // values that may take no bytes
	boxes    mem.Boxes // for what an any has
	names    rowNames
	rowed    []byte // a row

	levels  []level             // around the column being read
	misfits map[int]*weft.Error // what is wrong with records of the frame
	block   int                 // where in the body the column begins
	noting  bool                // presence is to note in absent what is absent
	absent  []int
}

var frameReaders = sync.Pool{New: func() any { return new(frameReader) }}

func newFrameReader(opts []Options) *frameReader {
	r := frameReaders.Get().(*frameReader)
	r.opts, r.maxDepth = opts, depthOf(opts)
	return r
}

// release gives r back to be used again, unless it has outgrown what frames need.
func (r *frameReader) release() {
	ints := r.ints
	if len(ints) > 16 {
		clear(ints[16:])
		ints = ints[:16]
	}
	kept, used := memoryOf(ints)
	outgrown := r.spare.Drop(kept+cap(r.plain)+cap(r.rowed), used+len(r.plain)+len(r.rowed))
	r.names.reset()
	empty(ints)
	clear(r.levels)
	*r = frameReader{stringReader: stringReader{ints: ints}, plain: r.plain[:0], spare: r.spare, levels: r.levels[:0],
		names: r.names, rowed: r.rowed[:0]}
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

// start begins with the body of a frame that has been checked, at the given
// offset.
func (r *frameReader) start(f storedFrame, base int64) bool {
	r.base, r.how, r.spent = base, f.how, 0
	r.body = f.body
	if f.how != bodyPlain {
		b, err := f.unpack(r.plain[:0], r.opts)
		if err != nil {
			r.body, r.data = nil, nil
			return r.fail(err)
		}
		r.plain, r.body = b, b
	}
	r.data = r.body
	return true
}

// affords reports whether there can be n values.
func (r *frameReader) affords(n int) bool {
	return n <= maxFree || n <= 8*len(r.body) || r.fail(errBlock)
}

// integers reads a block into a scratch slice, which goes back to free.
func (r *frameReader) integers(n int) ([]int64, bool) {
	if !r.affords(n) {
		return nil, false
	}
	v := r.scratch(n)
	rest, ok := readInts(r.data, v)
	if !ok {
		r.free(v)
		return nil, r.fail(errBlock)
	}
	r.data = rest
	return v, true
}

// presence reads a column of presence: how many values are there.
func (r *frameReader) presence(n int) (v []int64, there int, ok bool) {
	if v, ok = r.integers(n); !ok {
		return nil, 0, false
	}
	for _, x := range v {
		if uint64(x) > isNull {
			r.free(v)
			return nil, 0, r.fail(errBlock)
		}
		there += int(x & 1)
	}
	if r.noting {
		r.note(v)
	}
	return v, there, true
}

// lengths reads the lengths of lists: how many elements there are in all.
func (r *frameReader) lengths(n int) (v []int64, total int, ok bool) {
	if v, ok = r.integers(n); !ok {
		return nil, 0, false
	}
	for _, x := range v {
		if x > 0 {
			if x-1 > math.MaxInt32 || total > math.MaxInt32 {
				x = -1
			} else {
				total += int(x - 1)
			}
		}
		if x < 0 {
			r.free(v)
			return nil, 0, r.fail(errBlock)
		}
	}
	return v, total, r.affords(total)
}

// read reads n values of b into the target.
func (r *frameReader) read(b *bound, to target) bool {
	if !r.affords(to.n) {
		return false
	}
	r.block = len(r.body) - len(r.data)
	switch b.how {
	case bySkip:
		return r.skip(b.s, to.n)
	case byMessage:
		return r.messages(b, to)
	case byPointer, byOption:
		return r.indirect(b, to)
	}
	if b.null {
		v, there, ok := r.presence(to.n)
		if !ok {
			return false
		}
		defer r.free(v)
		if there == to.n {
			return r.column(b, to)
		}
		r.enter(level{v: v})
		a, ok := r.values(b, b.p, there)
		if !r.leave(ok) {
			return false
		}
		k := 0
		for i, x := range v {
			switch x {
			case isThere:
				b.p.mem.Copy(to.at(i), a.At(b.p.mem, k))
				k++
			case isNull:
				b.p.mem.Clear(to.at(i))
				r.refuseNull(b, i)
			}
		}
		return true
	}
	return r.column(b, to)
}

// values reads n values into new memory.
func (r *frameReader) values(b *bound, p *program, n int) (mem.Array, bool) {
	if !r.affords(n) {
		return mem.Array{}, false
	}
	st := reflect.SliceOf(p.mem.Rtype)
	a := mem.Of(reflect.New(st)).Make(st, p.mem, n)
	to := target{a: a, t: p.mem, n: n}
	if b.null {
		return a, r.column(b, to)
	}
	return a, r.read(b, to)
}

// indirect reads pointers and options.
func (r *frameReader) indirect(b *bound, to target) bool {
	there := to.n
	var v []int64
	if b.null {
		var ok bool
		if v, there, ok = r.presence(to.n); !ok {
			return false
		}
		defer r.free(v)
	}
	p := b.p.elem
	if v != nil {
		r.enter(level{v: v})
	}
	a, ok := r.values(b.elem, p, there)
	if !ok || v != nil && !r.leave(ok) {
		return false
	}
	k := 0
	for i := range to.n {
		q := to.at(i)
		here := int64(isThere)
		if v != nil {
			here = v[i]
		}
		switch {
		case here == isThere && b.how == byPointer:
			q.SetPtr(a.At(p.mem, k))
			k++
		case here == isThere:
			o := b.p.typ.Option
			p.mem.Copy(q.Field(o.V), a.At(p.mem, k))
			setOption(o, p, q, optionSet)
			k++
		case here == isAbsent:
		case b.how == byPointer:
			q.SetNil()
			r.refuseNull(b, i)
		default:
			setOption(b.p.typ.Option, p, q, optionNull)
			r.refuseNull(b, i)
		}
	}
	return true
}

// column reads values that are all there, and checks them by the rules of their type.
func (r *frameReader) column(b *bound, to target) bool {
	if !r.cells(b, to) {
		return false
	}
	if b.rules != nil {
		r.obey(b.rules, to)
	}
	return true
}

// cells reads values that are all there, by their own kind.
func (r *frameReader) cells(b *bound, to target) bool {
	switch b.s.kind {
	case kStruct:
		if len(b.fields) == 0 && to.n > maxFree {
			return r.fail(errBlock)
		}
		var lacks lacking
		for i := range b.fields {
			f := &b.fields[i]
			at, ok, mark := to, false, len(r.absent)
			strange := f.f == nil && b.p.typ.Closed && b.p.rest == nil && r.closes()
			r.noting = f.requires() || f.b.null && (f.ruled() || f.fills() || strange)
			r.enter(level{name: b.s.names[i]})
			if f.f != nil && f.f.flags&fEmbedded != 0 {
				ok = r.embedded(f, to)
			} else {
				if f.f != nil {
					at.off = to.off.Then(f.f.off)
				}
				ok = r.read(f.b, at)
			}
			switch {
			case !ok:
			case f.ruled():
				r.obeyField(f.f.f, to, r.absent[mark:])
			case strange:
				r.strangers(to.n, r.absent[mark:])
			}
			if ok && f.fills() {
				for _, k := range r.absent[mark:] {
					b.p.typ.Fill(b.p.typ.Index(f.f.f), to.at(k))
				}
			}
			if !r.leave(ok) {
				return false
			}
			if f.requires() {
				lacks.add(r, mark, f.f.f.Name)
			}
			r.noting, r.absent = false, r.absent[:mark]
		}
		for _, k := range b.fill {
			for i := range to.n {
				b.p.typ.Fill(k, to.at(i))
			}
		}
		r.missing(b, to.n, lacks)
		return true
	case kList:
		return r.lists(b, to)
	case kMap:
		return r.maps(b, to)
	case kBool:
		return r.eachInt(b, to, func(v int64, q mem.Ptr) bool {
			*mem.At[bool](q) = v == 1
			return uint64(v) <= 1
		})
	case kInt, kUint:
		return r.ints64(b, to)
	case kFloat32, kFloat64:
		return r.floats(b, to)
	case kTime:
		return r.times(to)
	case kString:
		if b.p.dec == cString {
			rest, ok := r.strings(r.data, to, true)
			if !ok && to.n > 0 {
				return r.fail(errBlock)
			}
			if to.n == 0 {
				if rest, ok = skipBlock(r.data); !ok {
					return r.fail(errBlock)
				}
			}
			r.data = rest
			return true
		}
	}
	return r.texts(b, to)
}

// embedded reads a field behind embedded pointers, which are made where it is
// there.
func (r *frameReader) embedded(f *boundField, to target) bool {
	v, there, ok := []int64(nil), to.n, true
	if f.b.null {
		if v, there, ok = r.presence(to.n); !ok {
			return false
		}
		defer r.free(v)
	}
	in := *f.b
	in.null = false
	if f.b.how == bySkip {
		s := *f.b.s
		s.nullable = false
		in.s = &s
	}
	p := f.f.f.Type
	st := reflect.SliceOf(p.Rtype)
	a := mem.Of(reflect.New(st)).Make(st, p.Mem, there)
	if v != nil {
		r.enter(level{v: v})
	}
	ok = r.read(&in, target{a: a, t: p.Mem, n: there})
	if !ok || v != nil && !r.leave(ok) {
		return false
	}
	k := 0
	for i := range to.n {
		if v != nil && v[i] != isThere {
			continue
		}
		q, blocked := f.f.f.Make(to.at(i))
		if blocked != nil {
			r.misfit(i, fmt.Errorf("cannot set embedded pointer to unexported struct: %v", blocked.Elem.Rtype))
			k++
			continue
		}
		p.Mem.Copy(q, a.At(p.Mem, k))
		k++
	}
	return true
}
