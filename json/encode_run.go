package json

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/structwire"
)

// kinds are those of the codes for which runs of members have one.
var kinds = [opWithin + 1]structwire.Kind{
	opString: structwire.String, opBool: structwire.Bool,
	opInt: structwire.Int64, opInt32: structwire.Int32, opInt64: structwire.Int64,
	opUint: structwire.Uint64, opUint8: structwire.Uint8, opUint16: structwire.Uint16, opUint32: structwire.Uint32,
	opUint64: structwire.Uint64, opUintptr: structwire.Uint64, opFloat64: structwire.Float64,
	opSlice: structwire.List, opMap: structwire.NilList, opBytes: structwire.NilList,
	opAny: structwire.Nil, opInterface: structwire.Nil,
}

// run sets how runs write o, which is complete but for that.
func (o *put) run() {
	pr := o.sub
	if o.omit == omitSlow && o.Omit == structwire.Never || len(o.slow.rest) > len(structwire.More{}.Text) {
		return // the kernel does not look at it
	}
	full := pr.filled()
	switch {
	case !full:
	case o.Omit == structwire.ZeroWord || o.Omit == structwire.NilLength: // nil is left out
		full = false
	case pr.code == opSlice && o.omit == omitNever:
		full, o.Omit = false, structwire.Full
	}
	o.Kind, o.Object = pr.kind(full)
	if pr.code == opPointer && pr.elem != nil && !full {
		kind := structwire.Other
		if pr.elem.code != opPointer {
			kind, o.Object = pr.elem.kind(pr.elem.filled())
		}
		o.Kind = structwire.To | kind
	}
	switch back := o.slow.back; {
	case back && o.Kind == structwire.Struct:
		o.Omit = structwire.Empty
	case back && o.Kind == structwire.To|structwire.Struct && o.Omit == structwire.ZeroWord:
		o.Omit = structwire.NilEmpty
	case back: // by valueOf
		o.Kind, o.Object = structwire.Other, nil
	}
	switch o.Levels = uint8(o.Kind & structwire.To / structwire.To); o.Kind &^ structwire.To {
	case structwire.Structs:
		o.Levels++
	case structwire.ToStructs:
		o.Levels += 2
	}
	if rest := o.slow.rest; rest != "" {
		o.Kind |= structwire.Long
		o.More = &structwire.More{N: uint8(len(rest))}
		copy(o.More.Text[:], rest)
	}
}

// filled reports whether nil, of pr's type, is not null.
func (pr *program) filled() bool {
	switch pr.code {
	case opPointer, opSlice, opMap, opBytes, opAny, opInterface:
		return pr.full
	}
	return false
}

// kind returns how runs write values of pr's type, and the object where they need one. Where full is set, nil is not
// null.
func (pr *program) kind(full bool) (structwire.Kind, *structwire.Object) {
	if full {
		return structwire.Other, nil
	}
	switch elem := pr.elem; {
	case pr.code == opStruct:
		return structwire.Struct, &pr.object
	case elem == nil: // in a circle
	case pr.code == opSlice && (elem.code == opInt || elem.code == opInt64):
		return structwire.Int64s, nil
	case pr.code == opSlice && elem.code == opString:
		return structwire.Strings, nil
	case pr.code == opSlice && elem.code == opStruct:
		return structwire.Structs, &elem.object
	case pr.code == opSlice && elem.code == opPointer && !elem.full && elem.elem != nil && elem.elem.code == opStruct:
		return structwire.ToStructs, &elem.elem.object
	}
	if k := kinds[pr.code]; k != structwire.None {
		return k, nil
	}
	return structwire.Other, nil
}

// ready lets runs write structs of pr's type, whose members are known, as parts of others.
func (pr *program) ready() {
	pr.lists = &[...]structwire.Member{
		{Kind: structwire.Structs, Object: &pr.object}, {Kind: structwire.ToStructs, Object: &pr.object},
	}
	if pr.object.Size = pr.mem.Size; pr.rest == nil {
		atomic.StoreUint32(&pr.object.Ready, 1)
	}
}

// runs reports whether structs of pr's type are written by [encoder.run].
func (e *encoder) runs(pr *program) bool {
	return structwire.Have && wire.Vectors() && pr.object.First != nil && e.level < startCycles-mostLevels
}

// longestRun is about how many bytes one call of the kernel writes: it cannot be preempted.
const longestRun = 64 << 10

// run writes the members of the struct at p, of pr's type, to l: the same as [encoder.members]. If list is not nil it
// writes n such structs, or what pointers point at, from p on, with the brackets, the first of them before l.
func (e *encoder) run(l int, pr *program, p mem.Ptr, list *structwire.Member, n int) int {
	var r structwire.Run // here, so that what it points at is kept without write barriers
	r.Member, r.P = pr.object.First, p
	if list != nil {
		r.Depth, r.Frames[0] = 1, structwire.Frame{Member: list, Elem: p, Left: n, Start: l, List: l - 1}
		if list.Kind == structwire.ToStructs {
			r.P = p.Deref(pr.mem)
		}
	}
	e.settings(&r)
	for {
		if len(e.buf)-l < structwire.Slack {
			e.grow(l, 2*structwire.Slack)
		}
		r.Base, r.At, r.Limit = mem.BytesOf(e.buf), l, min(len(e.buf)-structwire.Slack, l+longestRun)
		structwire.Go(&r)
		l = r.At
		if r.Value.IsNil() {
			if l > r.Limit {
				continue
			}
			if r.Member == nil {
				return l
			}
		}
		o := mem.At[put](mem.To(r.Member))
		levels := depthOf(&r)
		e.level += levels
		if r.Value.IsNil() {
			last := o
			for last.next != nil && last.next.Kind == structwire.None {
				last = last.next
			}
			l, o = e.members(l, o, last.next, r.P), last
		} else {
			l = e.valueOf(l, o, r.Value)
		}
		if l < 0 {
			return e.inRun(l, &r, n)
		}
		r.Member = o.Next
		e.level -= levels
	}
}

// settings sets how r writes.
func (e *encoder) settings(r *structwire.Run) {
	r.How, r.Forms = int(e.flags.escapes()), wire.Forms(e.flags.escapes())
	if wire.Wide() {
		r.How |= structwire.AVX512
	}
	r.How |= int(e.flags&(flagNilSliceAsEmpty|flagNilMapAsEmpty)) * (structwire.FullSlices / int(flagNilSliceAsEmpty))
}

// pairsMember is how the kernel writes an object of strings.
var pairsMember = structwire.Member{Kind: structwire.Pairs}

// pairs writes the members of a map of strings, in order, to l, if the kernel can. Otherwise it returns l. The names
// and values are appended to s.
func (e *encoder) pairs(l int, names, values []string, order []sortKey, s []string) int {
	if !structwire.Have || !wire.Vectors() {
		return l
	}
	n := 2 * structwire.Slack
	for _, k := range order {
		name, v := names[k.i], values[k.i]
		s = append(s, name, v)
		n += len(name) + len(v) + len(`"":"",`)
	}
	if n > longestRun {
		return l
	}
	if len(e.buf)-l < n {
		e.grow(l, n)
	}
	var r structwire.Run
	r.Member, r.P = &pairsMember, mem.To(&s)
	e.settings(&r)
	r.Base, r.At, r.Limit = mem.BytesOf(e.buf), l, len(e.buf)-structwire.Slack
	structwire.Go(&r)
	if r.Member != nil {
		return l
	}
	return r.At
}

// mostLevels is how many levels there may be between the first struct of a run and a value in it.
const mostLevels = 3*structwire.Depth + 1

// depthOf returns how many pointers and slices the run is in, those that [encoder.level] counts, with the pointer whose
// value is to be written.
func depthOf(r *structwire.Run) int {
	n := 0
	for i := range r.Frames[:r.Depth] {
		o := r.Frames[i].Member
		_ = atomic.LoadUint32(&o.Object.Ready) // what the kernel has seen of the struct, its caller may look at
		n += int(o.Levels)
	}
	if !r.Value.IsNil() {
		n += int(r.Member.Kind & structwire.To / structwire.To)
	}
	return n
}

// valueOf writes the value of o behind its name, which is at v, or behind the pointer that is there.
func (e *encoder) valueOf(l int, o *put, v mem.Ptr) int {
	pr := o.sub
	switch {
	case o.Kind&structwire.To != 0 && pr.code == opPointer:
		pr = pr.elem
	case o.omit == omitSlow && o.Omit == structwire.ZeroWord && o.slow.field.Type.IsEmpty(v): // a map that is not nil
		return l - int(o.N) - len(o.slow.rest)
	}
	switch pr.code {
	case opTime:
		l = e.time(l, pr, mem.At[time.Time](v))
	case opString:
		l = e.putString(l, *mem.At[string](v))
	case opFloat64:
		if f := *mem.At[float64](v); f-f == 0 {
			return e.appended(wire.AppendFloat64(e.buf[:l], f))
		}
		fallthrough
	default:
		l = e.member(l, o, pr, v)
	}
	if l < 0 {
		return e.inMember(l, o)
	}
	return l
}

// inRun is [encoder.within] for all that stands around what has failed in a run: see [encoder.run].
//
//go:noinline
func (e *encoder) inRun(l int, r *structwire.Run, n int) int {
	for i := r.Depth - 1; i >= 0; i-- {
		f := &r.Frames[i]
		if i == 0 && n > 0 {
			return e.within(l, strconv.Itoa(n-f.Left))
		}
		o := mem.At[put](mem.To(f.Member))
		if f.Left > 0 {
			list := f.P.Field(o.Off)
			if o.sub.code == opPointer {
				list = list.Deref(o.sub.elem.mem)
			}
			l = e.within(l, strconv.Itoa(list.SliceLen()-f.Left))
		}
		l = e.inMember(l, o)
	}
	return l
}
