package json

import (
	"reflect"
	"sync"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire"
)

// encoder is the state of one call that marshals. It lives on the caller's stack: nothing that it
// is passed to keeps it.
type encoder struct {
	flags   encodeFlags
	set     *programs          // of the flags
	heap    *encoder           // the encoder itself where it may be passed to functions of programs
	level   int                // pointers, maps and slices on the way here
	seen    map[visit]struct{} // those of them beyond startCycles
	work    *sorter            // scratch for map keys, taken when first needed
	texts   *decoder           // of what methods return, taken when first needed
	grammar *wire.Grammar      // checks what they return, likewise
	owner   int                // where the struct begins whose rest is written next
	place   uint32             // stands for the name of the member around, in maps of interfaces
	lent    bool               // buf is of a buffer: what is written is copied from it
	tokens  *textWriter        // for methods that write tokens, taken when first needed
	outer   *outer             // what the text stands in, nil for nothing
	start   int                // where the text begins in what is written to
	buf     []byte             // what functions that take an index write to, up to its capacity
	err     error              // of such a function that has returned failed
}

// slack is the room that is free before each op: the key's three words and any number.
const slack = 64

// grow returns b with room for n more bytes at least, and twice its capacity.
func grow(b []byte, n int) []byte {
	out := mem.MakeNoZero(2*cap(b) + n)
	return append(out, b...)
}

// fastFrom and fastTo bound the capacities that grow to four times as much in a [buffer]: a large first result is
// copied, and makes the system provide memory, half as often.
const (
	fastFrom = 8 << 10
	fastTo   = 256 << 10
)

// grow makes room for n more bytes at least behind the l that are written.
func (e *encoder) grow(l, n int) {
	if c := cap(e.buf); e.lent && fastFrom <= c && c < fastTo {
		n += 2 * c
	}
	e.open(grow(e.buf[:l], n))
}

// Functions that take and return a []byte append to it. Those that take and return an index write to e.buf from
// there on: with them there is little to keep over a call. They are called between open and close, and
// return failed where e.err tells why.

// open makes b what is written to, and returns the index where b ends. Mostly that is so already, and not to store
// it again spares what the collector does for each pointer stored while it marks.
func (e *encoder) open(b []byte) int {
	if full := b[:cap(b)]; len(full) != len(e.buf) || len(full) > 0 && &full[0] != &e.buf[0] {
		e.buf = full
	}
	return len(b)
}

// close is the end of open: l is the index where what is written ends, or failed.
func (e *encoder) close(l int) ([]byte, error) {
	if l < 0 {
		return e.buf, e.err
	}
	return e.buf[:l], nil
}

// fail notes an error at l.
func (e *encoder) fail(l int, err error) int {
	e.buf, e.err = e.buf[:l], err
	return failed
}

// room is grow for what is written by index. It returns l, which callers then need not keep.
//
//go:noinline
func (e *encoder) room(l int) int {
	e.grow(l, slack)
	return l
}

// put writes the value of pr's type at p to l.
func (e *encoder) put(l int, pr *program, p mem.Ptr) int {
	if len(e.buf)-l < slack/2 {
		l = e.room(l)
	}
	w := mem.BytesOf(e.buf)
	switch pr.code {
	case opString:
		return e.putString(l, *mem.At[string](p))
	case opBool:
		return setBool(w, l, *mem.At[bool](p))
	case opInt:
		return wire.SetInt(w, l, int64(*mem.At[int](p)))
	case opInt32:
		return wire.SetInt(w, l, int64(*mem.At[int32](p)))
	case opInt64:
		return wire.SetInt(w, l, *mem.At[int64](p))
	case opFloat64:
		if f := *mem.At[float64](p); f-f == 0 {
			return e.appended(wire.AppendFloat64(e.buf[:l], f))
		}
		return e.fail(l, infinite(p.Value(pr.mem)))
	case opStruct:
		return e.object(l, pr, p)
	case opSlice:
		return e.slice(l, pr, p)
	case opMap:
		return e.mapAt(l, pr, p, nil)
	case opPointer:
		if q := p.Deref(pr.elem.mem); !q.IsNil() {
			return e.pointer(l, pr, q)
		}
	case opTime:
		return e.time(l, pr, mem.At[time.Time](p))
	case opText, opJSON:
		return e.method(l, pr, p)
	case opWithin:
		return e.put(l, pr.elem, p.Field(pr.at))
	}
	return e.putOther(l, pr, p)
}

// opened is open for what has been appended, and fail if that failed.
func (e *encoder) opened(b []byte, err error) int {
	l := e.open(b)
	if err != nil {
		return e.fail(l, err)
	}
	return l
}

// putString writes s to l.
func (e *encoder) putString(l int, s string) int {
	if mem.Safe || len(e.buf)-l < len(s)+slack/2 {
		return e.putRest(l, s, 0, 0)
	}
	w := mem.BytesOf(e.buf)
	if len(s) < wire.ShortString {
		if end := wire.SetShortString(w, l, s, wire.Escapes(e.flags)&wire.EscapeHTML); end >= 0 {
			return end
		}
		return e.putRest(l, s, l+1, 0)
	}
	end, k := wire.SetString(w, l, len(e.buf), s, e.flags.escapes())
	if end >= 0 {
		return end
	}
	return e.putRest(l, s, ^end, k)
}

// putRest is putString after the quote and k bytes of s have been written, up to end, or nothing if that is 0.
func (e *encoder) putRest(l int, s string, end, k int) int {
	how := e.flags.escapes()
	if e.flags&flagsInverted != 0 {
		return e.opened(e.text(e.buf[:l], s))
	}
	if end > 0 {
		return e.appended(wire.AppendJSONStringFrom(e.buf[:end], s, k, how))
	}
	if len(e.buf)-l < len(s)+slack/2 { // to twice the memory, of which nothing is written yet: append would do neither
		e.grow(l, len(s)+slack/2)
	}
	return e.appended(wire.AppendJSONString(e.buf[:l], s, how))
}

// appended is open for what a function that keeps no memory of its own has appended to e.buf.
func (e *encoder) appended(b []byte) int {
	if cap(b) != len(e.buf) { // it has grown
		e.buf = b[:cap(b)]
	}
	return len(b)
}

// setBool writes v to l, where there is room for it.
func setBool(w mem.Bytes, l int, v bool) int {
	if v {
		w.SetU32(l, wordTrue)
		return l + 4
	}
	w.SetU64(l, wordFalse)
	return l + 5
}

// putNull writes a null to l, where there is room for it.
func (e *encoder) putNull(l int) int {
	mem.BytesOf(e.buf).SetU32(l, wordNull)
	return l + 4
}

// programs holds the programs of one variant: the flags that the compiler of programs acts on.
type programs struct {
	roots plan.Programs[program]
	mu    sync.Mutex // held while a program is compiled
	built []*program
	mode  *mode     // what more they are compiled for, nil for nothing
	plans *plan.Set // nil for the usual ones
	in    *dialect  // nil for the usual one
}

// variants are the programs of each combination of variantFlags. They are caches of what the types
// say and no settings.
var variants [8]programs

const variantFlags = flagEscapeHTML | flagOmitZeroFields | flagStringNumbers

// variant returns the index among variants of the flags.
func (f encodeFlags) variant() uint {
	return uint(f&flagEscapeHTML | f&(flagOmitZeroFields|flagStringNumbers)>>3)
}

// lookup returns the program for the dynamic type of v, which is not nil.
func (ps *programs) lookup(v any, f encodeFlags) *program {
	if pr := ps.roots.First(v); pr != nil {
		return pr
	}
	if pr := ps.roots.Find(v); pr != nil {
		return pr
	}
	return ps.add(v, f)
}

// add compiles the program of the dynamic type of v and publishes it.
func (ps *programs) add(v any, f encodeFlags) *program {
	mem.GrowStack()
	ps.mu.Lock()
	defer ps.mu.Unlock()
	pr := ps.roots.Find(v)
	if pr == nil {
		t := reflect.TypeOf(v)
		c := ps.compiler(f)
		pr = c.root(t)
		ps.built = c.built
		ps.roots.Add(t, pr)
	}
	return pr
}

// compiler returns a compiler that shares what has been built.
func (ps *programs) compiler(f encodeFlags) compiler {
	c := compiler{built: ps.built, plans: ps.plans, flags: f & keyFlags, mode: ps.mode}
	if c.plans == nil {
		c.plans = plans
	}
	if c.mode == nil {
		c.mode = plainMode
	}
	return c
}

// complete finds out which members pr has, a struct, or returns what is wrong with it: see [compiler.complete].
//
//go:noinline
func (e *encoder) complete(pr *program) error {
	ps := e.set
	ps.mu.Lock()
	defer ps.mu.Unlock()
	c := ps.compiler(e.flags)
	err := c.complete(pr)
	ps.built = c.built
	return err
}

// leaf reports whether pr is one.
func (e *encoder) leaf(pr *program) bool {
	if pr.waits.Load() != nil {
		_ = e.complete(pr) // its own values tell what is wrong with it
	}
	return pr.leaf
}

// root writes v, whose program is pr, to l.
func (e *encoder) root(l int, v any, pr *program) int {
	switch pr.code {
	case opPointer:
		if p := mem.PtrOf(v); !p.IsNil() {
			return e.pointer(l, pr, p)
		}
		return e.appended(append(e.buf[:l], "null"...))
	case opMap:
		return e.mapAt(l, pr, mem.Ptr{}, v)
	case opWeft, opTo, opStd, opJSON, opText, opAppend:
		if pr.codec != nil || pr.addr && pr.via == byAddress {
			break
		}
		if pr.via == byPointer && mem.PtrOf(v).IsNil() {
			return e.appended(append(e.buf[:l], "null"...))
		}
		return e.hook(l, pr, v)
	}
	p := mem.Data(v, pr.mem)
	if pr.addr && (pr.code == opStruct || pr.code > opSlice && pr.code != opTime && pr.code != opBytes) {
		// Methods and functions may take the address of a value or of what is in it.
		at := pr.mem.New()
		pr.mem.Copy(at, p)
		p = at
	}
	return e.put(l, pr, p)
}
