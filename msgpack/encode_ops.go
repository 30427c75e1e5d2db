package msgpack

import (
	"math/bits"
	"strconv"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// opCode says what a step of writing a struct does.
type opCode uint8

// The steps. Those before oEnd are done in the loop of putMembers.
const (
	oInt64 opCode = iota
	oString
	oFloat64
	oBool
	oUint64
	oInt
	oUint
	oInt32
	oUint32
	oInt16
	oUint16
	oInt8
	oUint8
	oUintptr
	oFloat32
	oPrefix // the prefix alone
	oEnd
	oOther // by the function for the code of the value
)

// oState is the difference of a step that looks at the state of an option before.
const oState = oOther + 1

// prefixSize is the most that is written before a value in one step.
const prefixSize = 16

// op is a step of writing a struct whose members are all plainly there. Its size
// is a power of two.
type op struct {
	code   opCode
	n      uint8 // length of the prefix
	set    uint8 // of options: the state of a value
	null   uint8 // the state that is nil
	leaves bool  // the member is left out in other states
	state  mem.Near
	off    mem.Field
	prefix [prefixSize]byte // what comes before the value: headers and the key
	p      *program
	in     *place
	need   int // room for this step and those after it, as far as they are done in putMembers
}

// place is where a value is, for paths.
type place struct {
	f     *encField
	i     int
	array bool
	in    *place // the struct around it that is written by the same steps
}

// shape is how a struct is written whose members are all plainly there.
type shape struct {
	ops      []op
	head     uint64 // the header, of headSize bytes
	headSize uint8
	keyed    bool // steps have prefixes
	omits    bool // members may be left out
	room     int  // for all of a struct, as far as it is written in putMembers
}

// opCodes are the steps for values that putMembers writes.
var opCodes = [...]opCode{
	cBool: oBool, cInt: oInt, cInt8: oInt8, cInt16: oInt16, cInt32: oInt32, cInt64: oInt64,
	cUint: oUint, cUint8: oUint8, cUint16: oUint16, cUint32: oUint32, cUint64: oUint64,
	cUintptr: oUintptr, cFloat32: oFloat32, cFloat64: oFloat64, cString: oString,
}

// opSizes are the most bytes that these steps write after the prefix.
var opSizes = [...]int{
	oInt64: 9, oString: 32, oFloat64: 9, oBool: 1, oUint64: 9, oInt: 9, oUint: 9, oInt32: 9, oUint32: 9,
	oInt16: 9, oUint16: 9, oInt8: 9, oUint8: 9, oUintptr: 9, oFloat32: 9, oPrefix: 0, oEnd: 0, oOther: 1,
}

// mostOps bounds the steps of a struct that becomes part of those of the struct
// around it.
const mostOps = 256

// isPlain tells whether all members of p are plainly there, or options that are.
func (p *program) isPlain() bool {
	if p.typ.Rest() != nil || len(p.fields) >= 1<<16 {
		return false
	}
	for i := range p.fields {
		switch f := &p.fields[i]; f.flags {
		case 0, fState, fLongKey:
		case fState | fLongKey:
			if f.states.null() != 0 {
				return false // the key may be written or not
			}
		default:
			return false
		}
	}
	return true
}

// shapeOf returns the steps for a plain struct, where structs are laid out as
// arrays unless they say something else, or as maps.
func (p *program) shapeOf(asArray bool) shape {
	b := shaper{asArray: asArray, keyed: p.hasKeys(asArray)}
	array := p.isArray(asArray)
	b.members(p, array, mem.Field{}, nil)
	b.flush(0)
	// putMembers is a step further when it stops: there is one more.
	b.ops = append(b.ops, op{code: oEnd, need: prefixSize}, op{code: oEnd})
	for i := len(b.ops) - 3; i >= 0; i-- {
		o := &b.ops[i]
		o.need = b.ops[i+1].need + int(o.n) + opSizes[o.code%oState]
	}
	s := shape{ops: b.ops, keyed: b.keyed, omits: p.omits && !array}
	s.headSize = uint8(packwire.MapHeaderSize(len(p.fields)))
	s.head = word(header(nil, len(p.fields), array))
	s.room = b.ops[0].need + int(s.headSize)
	p.nest = b.nest
	return s
}

// isArray tells whether the struct is laid out as an array.
func (p *program) isArray(asArray bool) bool { return p.array || asArray && !p.asMap }

// header appends the header of a struct of n members.
func header(b []byte, n int, array bool) []byte {
	if array {
		return packwire.AppendArrayHeader(b, n)
	}
	return packwire.AppendMapHeader(b, n)
}

// hasKeys tells whether keys are written with a plain struct.
func (p *program) hasKeys(asArray bool) bool {
	if !p.isArray(asArray) {
		return true
	}
	for i := range p.fields {
		if f := &p.fields[i]; f.isPart() && f.p.hasKeys(asArray) {
			return true
		}
	}
	return false
}

// isPart tells whether the field is a struct whose steps become part of those of
// the struct around it.
func (e *encField) isPart() bool {
	return e.code == cStruct && e.flags&^fLongKey == 0 && e.p.plain && !e.p.omits && len(e.p.shapes[0].ops) <= mostOps
}

// shaper makes the steps of a struct.
type shaper struct {
	ops     []op
	pending []byte // what comes before the next value
	asArray bool
	keyed   bool
	nest    int // levels of structs that have become part of the steps
	level   int
}

// members adds the steps for the fields of p, a struct at off.
func (b *shaper) members(p *program, array bool, off mem.Field, in *place) {
	b.nest = max(b.nest, b.level)
	for i := range p.fields {
		f := &p.fields[i]
		at := &place{f: f, i: i, array: array, in: in}
		if !array {
			b.pending = append(b.pending, p.keys.At(i).Enc...)
		}
		if f.isPart() {
			inner := f.p.isArray(b.asArray)
			b.pending = header(b.pending, len(f.p.fields), inner)
			b.level++
			b.members(f.p, inner, off.Then(f.off), at)
			b.level--
			continue
		}
		b.value(f, array, off, at)
	}
}

// value adds the step for the field f of a struct at off.
func (b *shaper) value(f *encField, array bool, off mem.Field, at *place) {
	o := op{code: oOther, off: off.Then(f.off), p: f.p, in: at}
	if f.code > cBad && int(f.code) < len(opCodes) {
		o.code = opCodes[f.code]
	}
	if o.code == oInt && bits.UintSize == 64 && !mem.Safe {
		o.code = oInt64
	}
	if o.code == oUint && bits.UintSize == 64 && !mem.Safe {
		o.code = oUint64
	}
	if b.keyed {
		b.flush(prefixSize)
		o.n = uint8(copy(o.prefix[:], b.pending))
		b.pending = b.pending[:0]
	} else {
		b.flush(0)
	}
	if f.flags&fState != 0 {
		o.code += oState
		o.set, o.null, o.leaves = f.states.set(), f.states.null(), !array && f.states.null() != 0
		o.state, _ = off.Then(f.f.Offset).Then(f.f.Type.Option.State).Near()
	}
	b.ops = append(b.ops, o)
}

// flush makes steps of what is pending but for the last bytes, keep at most.
func (b *shaper) flush(keep int) {
	for len(b.pending) > keep {
		o := op{code: oPrefix}
		o.n = uint8(copy(o.prefix[:], b.pending))
		b.pending = b.pending[o.n:]
		b.ops = append(b.ops, o)
	}
}

// isFlat tells whether a plain struct is written without an encoder of its own:
// its values cannot fail, but for what is longer than the format can hold.
func (p *program) isFlat() bool {
	for i := range p.shapes[0].ops {
		o := &p.shapes[0].ops[i]
		if o.code%oState == oOther && !o.p.isPure() {
			return false
		}
	}
	return true
}

func (p *program) isPure() bool {
	switch p.enc {
	case cBytes, cTime:
		return true
	case cFast:
		return p.pure
	case cSlice:
		return p.elem != nil && p.elem.enc == cStruct && p.elem.flat // none yet where types are cyclic
	}
	return false
}

// inPlace puts the place of a value before the path of what failed in it.
func (s *encoder) inPlace(b []byte, at *place) []byte {
	for ; at != nil; at = at.in {
		b = s.inField(b, at.f, at.i, at.array)
	}
	return b
}

// inField puts the field before the path of the value that failed.
func (s *encoder) inField(b []byte, f *encField, i int, array bool) []byte {
	if array {
		return s.within(b, strconv.Itoa(i))
	}
	return s.within(b, f.f.Name)
}
