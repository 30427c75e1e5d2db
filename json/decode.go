package json

import (
	"bytes"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/tree"
	"github.com/weftcodec/weft/internal/wire"
)

// decoder is the state of one pass over one text. The text is copied once
// into a padded buffer of the decoder's own; wire.Scan marks in two bitmaps
// where strings end and where whitespace ends; then the functions of this
// package walk the text once, each taking the index of a value and returning
// the index after it.
//
// A negative result is not an index. failed means that the walk is over:
// either the text is not JSON or a method of the user's failed, as d.err
// tells. Any other negative result is the complement of the index to go on
// from: the first value that does not fit its Go type has been noted in
// d.saved, and each function on the way out adds what it knows of the place.
type decoder struct {
	b  mem.Bytes // the text, and at least wire.KeyPad zero bytes after it
	s  mem.Words // where '"', '\\' and control characters are
	nw mem.Words // where whitespace is not
	n  int

	flags      decodeFlags
	call       encodeFlags // see [decodeOptions]
	nodes      *nodeSet
	code       *strictCode // with the flags of decodeStrict
	ignored    backend.IgnoredMember
	badUTF8    bool // somewhere the text is not UTF-8
	checked    bool // the whole text is known to be JSON
	unverified bool // it may have names twice, or halves of surrogate pairs, and be refused for that
	initial    bool // it is the first one of the process
	depth      int
	most       int // depth that is refused
	hops       int // pointers followed, one to the next
	walk       wire.Walker
	layout     wire.Layout // of text that is written again

	data  []byte   // the text as given, whose bytes hooks see
	buf   []byte   // memory of b
	ends  []uint64 // memory of s
	solid []uint64 // memory of nw

	err    error                 // why the walk is over, nil for a syntax error
	unfit  error                 // what verify has found
	saved  error                 // the first error that did not end the walk
	at     int                   // where the value begins that err or saved is about, -1 for an error that tells its place
	all    *weft.ValidationError // the violations, where all of them are wanted
	place  errorPath             // where the error happened, filled in on the way out
	faults *faultPlaces          // where violations are, where all of them are wanted
	tokens *textReader           // for methods that read tokens, nil until there is one
	outer  *outer                // what the text stands in, nil for nothing
	in     outer                 // that
	sure   decodeFlags           // what of decodeStrict the text is known not to have; more than its flags at times
	shares bool                  // the text and its marks are another decoder's
	was    uint8                 // the state of an option while its value is decoded

	later    []later    // methods and maps that wait for the end of the walk
	maps     []laterMap // the maps of these
	waits    bool       // they may
	laterErr error      // that of the last one called, if it failed
	replay   []later    // what they have made, with maps, for [decoder.anew]

	strings slab
	esc     []byte // the string being unescaped
	scratch
	spare  mem.Spare
	reader *reader // the reader over this decoder
}

// failed ends the walk.
const failed = -1

// maxDepth is the nesting that encoding/json accepts.
const maxDepth = 10000

// maxHops is the number of pointers to pointers and interfaces that are
// followed to a value. A type or a target that goes on for ever has more.
const maxHops = 100000

// scratch is memory that is kept from one call to the next. Nothing in it
// refers to what a finished call has decoded, but for the unused ends of
// slabs.
type scratch struct {
	boxes   mem.Boxes
	anys    []any
	shared  []any // what short arrays are carved from
	sharing int   // and its length when it was new
	members []member
	keys    *keyCache
	follows []uint16 // the field that came last time where another one was expected: see node.first
	tree    *tree.Builder
	gathers []*mem.Gather // by node
	firsts  firsts
	slabs   []*mem.Slab // by node
	counts  []counts    // by node
	entries [][]*mem.Entry
	names   *nameWalk // for the option about names
	opened  []openObject
}

// abandon drops what a walk that ended early has left half done.
func (s *scratch) abandon() {
	s.anys, s.members, s.tree, s.gathers = nil, nil, nil, nil
	s.firsts.gathers, s.firsts.gathered = [3]mem.Gather{}, 0
}

// firsts is memory of the first gathers and slabs of a decoder, and how many of them are in use.
type firsts struct {
	gathers           [3]mem.Gather
	slabs             [3]mem.Slab
	gathered, slabbed int
}

// decoders are those that are not in use.
var decoders = sync.Pool{New: func() any {
	if d := firstDecoder.spare.Swap(nil); d != nil {
		return d
	}
	return makeDecoder()
}}

// firstDecoder keeps the decoder of the first call of the process away from the pool, which would have to set up
// memory of its own: that costs a program that decodes once as much as the decoding.
var firstDecoder struct {
	made  atomic.Bool
	spare atomic.Pointer[decoder] // after its call, for the second one
}

// firstLimit is the size of the buffer from which on the first decoder is left to the pool all the same, which lets
// the collector have it.
const firstLimit = 16 << 10

func makeDecoder() *decoder {
	r := new(reader)
	r.d.reader = r
	return &r.d
}

// newDecoder returns a decoder over data, to be released.
func newDecoder(data []byte, o decodeOptions) *decoder {
	d := takeDecoder(o)
	d.start(data)
	d.sure = o.flags & decodeStrict
	if o.depth != 0 {
		d.most = o.depth
	}
	if o.flags&decodeAlias != 0 {
		d.strings = slab{text: data, alias: true, made: d.strings.made + 1}
	}
	return d
}

// within returns a decoder for a value within the text of d, which has been checked, to be released. It stands in what
// at tells.
func (d *decoder) within(o decodeOptions, at *outer) *decoder {
	w := takeDecoder(o)
	w.b, w.s, w.nw, w.badUTF8 = d.b, d.s, d.nw, d.badUTF8
	w.begin(d.data)
	w.shares, w.checked, w.sure = true, true, o.flags&decodeStrict
	if d.unfit == nil {
		w.sure |= d.sure
	}
	w.most, w.depth = d.most, d.depth
	w.standIn(at)
	return w
}

// standIn makes at what the text of d stands in.
func (d *decoder) standIn(at *outer) {
	d.in = *at
	d.outer = &d.in
}

// takeDecoder returns a decoder without a text.
func takeDecoder(o decodeOptions) *decoder {
	var d *decoder
	if !firstDecoder.made.Load() && firstDecoder.made.CompareAndSwap(false, true) {
		d = makeDecoder()
		d.initial = true
	} else {
		d = decoders.Get().(*decoder)
	}
	d.flags, d.call = o.flags, o.call
	set := o.nodes
	if set == nil {
		set = &nodes
	}
	if d.nodes != set {
		d.nodes = set
	}
	if o.code != nil {
		d.code = o.code
	}
	return d
}

// start copies data and scans it.
func (d *decoder) start(data []byte) {
	n := len(data)
	need := wire.ScanPad(n) + wire.KeyPad
	// Pointers are stored only where they change: d is reused, and a store of one
	// costs most while the collector marks.
	if cap(d.buf) < need {
		more := need
		if d.buf != nil { // the next text may be a little larger again
			more += need / 8
		}
		d.buf = mem.MakeNoZero(max(more, slabFirst)) // for small texts from the same memory as their strings
		d.b = mem.BytesOf(d.buf)
	}
	buf := d.buf[:need]
	clear(buf[need-wire.KeyPad:])
	words := wire.ScanWords(n)
	if len(d.ends) < words {
		more := words
		if d.ends != nil {
			more += words / 8
		}
		bits := make([]uint64, 2*more)
		d.ends, d.solid = bits[:len(bits)/2], bits[len(bits)/2:]
		d.s, d.nw = mem.WordsOf(d.ends), mem.WordsOf(d.solid)
	}
	d.badUTF8 = !wire.CopyScan(buf, data, d.ends, d.solid)
	d.begin(data)
}

// begin makes d ready for data, of which it has a copy.
func (d *decoder) begin(data []byte) {
	d.data, d.n = data, len(data)
	d.most = maxDepth
	d.depth, d.hops = 0, 0
	d.reader.ahead.Reset()
	if m := &d.ignored; m.Depth|m.Again != 0 || m.Name != "" || m.All {
		d.ignored = backend.IgnoredMember{}
	}
	d.checked, d.unverified, d.sure = false, false, 0
	d.opened = d.opened[:0]
	if d.faults != nil {
		d.faults = nil
	}
}

// release returns d to the pool, unless it has much more memory than is needed. A walk that ended early may have left
// elements in the scratch memory, which is dropped then.
func (d *decoder) release(clean bool) {
	if d.strings.alias {
		d.strings = slab{made: d.strings.made + 1}
	}
	used := len(d.data)
	if d.shares {
		d.shares, used = false, 0
		d.b, d.s, d.nw = mem.BytesOf(d.buf), mem.WordsOf(d.ends), mem.WordsOf(d.solid)
	}
	if d.tokens != nil && d.tokens.text.Owner != nil {
		d.tokens.release()
	}
	if d.outer != nil {
		d.outer, d.in = nil, outer{}
	}
	drop := d.spare.Drop(cap(d.buf), used)
	d.data = nil
	if drop {
		return
	}
	if d.err != nil || d.saved != nil || d.unfit != nil {
		d.err, d.saved, d.all, d.unfit = nil, nil, nil, nil
	}
	d.place.reset()
	if d.names != nil {
		d.code.forget(d.names)
	}
	if !clean {
		d.abandon()
	}
	if d.initial {
		d.initial = false
		if cap(d.buf) < firstLimit {
			firstDecoder.spare.Store(d)
			return
		}
	}
	decoders.Put(d)
}

// unmarshal decodes data into what v points to.
func unmarshal(data []byte, v any, o decodeOptions) error {
	if o.size > 0 && len(data) > o.size {
		return tooLarge(int64(o.size), o.size)
	}
	set := o.nodes
	if set == nil {
		set = &nodes
	}
	n := set.target(v)
	if n != nil && n.op == opJSON && !n.noNull && o == (decodeOptions{}) && wire.HasValidJSON() &&
		wire.ValidJSON(data, maxDepth) { // there is nothing to walk
		text := bytes.TrimSpace(data)
		return mem.As[Unmarshaler](n.box, mem.PtrOf(v)).UnmarshalJSON(text[:len(text):len(text)])
	}
	_, err := newDecoder(data, o).explainedAt(n, v, o, 0)
	return err
}

// tooLarge is the error for a text of more than size bytes; the first one too many is at off.
func tooLarge(off int64, size int) error {
	return &weft.Error{Format: "json", Offset: off, Err: fmt.Errorf("%w: more than %d bytes", weft.ErrSize, size)}
}

// unmarshalValid is unmarshal for data that is known to be JSON, and stands in at, nil for nothing.
func unmarshalValid(data []byte, v any, o decodeOptions, at *outer) error {
	d := newDecoder(data, o)
	d.checked = true
	if at != nil {
		d.standIn(at)
	}
	_, err := d.explainedAt(d.nodes.target(v), v, o, 0)
	return err
}

// explainedAt is unmarshalAt with errors as o has them.
func (d *decoder) explainedAt(n *node, v any, o decodeOptions, at int) (end int, err error) {
	data := d.data
	end, valid, err := d.unmarshalAt(n, v, at)
	if err != nil && o.flags&decodeV2 != 0 && !placed(err) {
		err = o.nodes.mode.code.explained(data, v, o, err, valid)
	}
	return end, err
}

// unmarshalAt decodes the value at or after i, of which nothing follows unless d shares its text, into what v points
// to, for which n is, and releases d. It returns the index after the value.
//
// valid reports whether the text is known to be JSON that the options allow, if there is an error.
func (d *decoder) unmarshalAt(n *node, v any, at int) (end int, valid bool, err error) {
	valid = d.shares
	if n == nil {
		if d.check() {
			err = &InvalidUnmarshalError{Type: reflect.TypeOf(v)}
		} else {
			err = d.refusal()
		}
		d.release(true)
		return 0, valid, err
	}
	p := mem.PtrOf(v)
	if d.flags&decodeStrict != 0 && !d.shares {
		d.unverified = d.flags&decodeV2 != 0 && !d.badUTF8 // what follows finds it then
		if !d.unverified {
			if err := d.code.whole(d); err != nil {
				d.release(true)
				return 0, false, err
			}
		}
	}
	// A syntax error must leave the target unchanged. One that is zero can be
	// made zero again: whatever is written before the error is found is in it
	// or in memory of its own. Any other target waits for the whole text to be
	// checked, and so do a user's methods, unless nobody looks at it then.
	if d.cut() || !p.AllZero(n.mem) && d.flags&decodeScratch == 0 && !d.check() {
		err := d.refusal()
		d.release(true)
		return 0, false, err
	}
	d.waits = d.flags&^laterFlags == 0 && d.nodes.mode == nil
	i := d.target(n, reflect.TypeOf(v), p, d.ws(at))
	if i != failed && d.shares {
		i = max(i, ^i)
	} else if i != failed {
		if i = d.ws(max(i, ^i)); i < d.n {
			i = d.fail()
		}
	}
	if len(d.later) > 0 {
		if d.laterErr == nil && (i != failed || d.err != nil) { // the text is JSON
			d.checked = true
			d.callLater()
		}
		if d.laterErr != nil {
			i = d.anew(n, reflect.TypeOf(v), p)
		}
		d.forgetLater()
	}
	switch {
	case i >= 0:
		if d.saved == nil {
			d.release(true)
			return i, true, nil
		}
		if err = d.verify(); err != nil {
			n.mem.Clear(p)
		} else {
			err = d.reason(d.saved)
		}
	case d.err != nil:
		err = d.reason(d.err)
	default:
		// A target that was not zero has been checked for, so the text is JSON
		// and one of the user's methods has misread it.
		if (!d.checked || d.unverified) && d.flags&decodeScratch == 0 {
			n.mem.Clear(p)
		}
		err = d.refusal()
	}
	valid = valid || d.checked && !d.unverified
	d.release(false)
	return i, valid, err
}

// cut reports whether the text is an array or object that does not end, as one that has been cut off: it need not be
// decoded to find that out.
func (d *decoder) cut() bool {
	if d.checked || d.flags&(decodeV2|decodeScratch) != 0 { // where what comes before shows
		return false
	}
	n := d.n
	for n > 0 && isSpace(d.b.At(n-1)) {
		n--
	}
	switch d.b.At(d.ws(0)) {
	case '{':
		return d.b.At(n-1) != '}'
	case '[':
		return d.b.At(n-1) != ']'
	}
	return false
}

// target returns the node for what v points to, nil if v is not a pointer that
// can be followed.
func (s *nodeSet) target(v any) *node {
	if v == nil {
		return nil
	}
	n := s.roots.First(v)
	if n == nil {
		n = s.root(v)
	}
	if n == nil || mem.PtrOf(v).IsNil() {
		return nil
	}
	return n
}

// refusal returns the error for a text that the walk has refused.
func (d *decoder) refusal() error {
	var s scanner
	err := d.fault(&s)
	switch {
	case err == nil:
		if err = d.verify(); err == nil {
			err = d.reader.locate(errNotRead)
		}
	case s.deep && d.most != maxDepth:
		return d.located(weft.ErrDepth, int(s.offset()))
	case d.flags&decodeLocated != 0:
		if err = Locate(d.data, err); s.deep {
			e := err.(*weft.Error)
			e.Err = tooDeep{e.Err}
		}
	}
	return err
}

// reason returns the error that the walk has noted as the caller is to see it: as encoding/json has it, or located.
func (d *decoder) reason(err error) error {
	if d.flags&decodeLocated != 0 {
		return d.placed(err)
	}
	return d.place.addTo(err)
}

// located returns err with its place, that of the value at off.
func (d *decoder) located(err error, off int) error {
	return &weft.Error{Format: "json", Offset: int64(off), Path: d.pathAt(off), Err: err}
}

// pathAt returns the path to the value at off from the one that d decodes.
func (d *decoder) pathAt(off int) string {
	path, _ := placeAt(d.data, d.outer.start(), off)
	return path
}

// check reports whether the whole text is JSON, without what the options refuse. It looks at it once.
func (d *decoder) check() bool { return d.wellFormed() && (!d.unverified || d.verify() == nil) }

// wellFormed is check, but for names that come twice and halves of surrogate pairs where nothing has looked for these.
func (d *decoder) wellFormed() bool {
	switch {
	case d.checked:
	case wire.HasValidJSON():
		if d.checked = wire.ValidJSON(d.data, d.most); !d.checked {
			d.err = nil
		}
	default:
		depth := d.depth
		d.depth = 0
		i := d.skip(d.ws(0))
		d.depth = depth
		d.checked = i >= 0 && d.ws(i) >= d.n
	}
	return d.checked
}

// verify returns the error of names and escapes that d has not looked for yet, of a text that is JSON.
func (d *decoder) verify() (err error) {
	if d.unverified && d.unfit == nil {
		d.checked, d.unverified = true, false
		d.unfit = d.code.whole(d)
		d.unverified = d.unfit != nil
	}
	return d.unfit
}

// allNew reports whether the names of an object are, of which fewer than there are members differ in what they
// decode into.
func (d *decoder) allNew() bool { return !d.unverified || d.check() }

// fail ends the walk because the text is not JSON. It is not inlined: a store of a pointer in many places is much code.
//
//go:noinline
func (d *decoder) fail() int {
	d.err = nil
	return failed
}

// abort ends the walk with err about the value at i, unless the text is not JSON further on.
func (d *decoder) abort(err error, i int) int {
	if !d.check() {
		return d.fail()
	}
	d.err, d.at = err, i
	d.place.reset()
	return failed
}

// refuse is abort with an error that is located in any case, as it is none of encoding/json's.
func (d *decoder) refuse(err error, i int) int { return d.abort(d.located(err, i), -1) }

// save notes an error about the value at i that does not end the walk, which goes on at j.
func (d *decoder) save(err error, i, j int) int {
	if d.flags&decodeV2 != 0 { // which stops there
		return d.abort(err, i)
	}
	if d.saved != nil {
		return j
	}
	d.saved, d.at = err, i
	d.place.reset()
	return ^j
}

// ws returns the index of the first byte at or after i that is not whitespace.
func (d *decoder) ws(i int) int {
	if d.b.At(i) > ' ' {
		return i
	}
	return d.nw.Next(i)
}

// space is ws where there is a byte that may be whitespace.
func (d *decoder) space(i int) int { return d.nw.Next(i) }

// strEnd returns the index of the first quote, backslash or control character
// at or after i; past the text there is one.
func (d *decoder) strEnd(i int) int { return d.s.Next(i) }
