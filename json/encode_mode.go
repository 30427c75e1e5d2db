package json

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"sync"
	"unicode/utf8"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/nameset"
	"github.com/weftcodec/weft/json/jsontext"
)

// spec is what a field says of its value.
type spec struct {
	format string
	quoted bool // numbers are strings
	bare   hook // which methods and functions are skipped
	name   bool // the value is the key of a map: by encoding/json/v2's rules its numbers are strings
}

// hook is how far the methods and functions of a type have been passed over.
type hook uint8

const (
	allHooks  hook = iota
	noFuncs        // the functions of the call
	noText         // and MarshalJSONTo or UnmarshalJSONFrom
	noMethods      // and all others
)

// specOf returns what f says of its value. The option string of encoding/json is applied by
// [compiler.quoted].
func (c *compiler) specOf(f *plan.Field) spec {
	within, _ := c.mode.quoted(f)
	return spec{format: f.Format, quoted: within}
}

// failing makes pr fail with err.
func (pr *program) failing(err error) {
	pr.code = opFunc
	pr.fn = func(_ *encoder, b []byte, _ mem.Ptr) ([]byte, error) { return b, err }
}

// modeProgram makes pr the program of t as the mode and the field ask.
func (c *compiler) modeProgram(pr *program, t *plan.Type, addr bool, s spec) {
	if s.bare == allHooks && c.marshaled(pr, t, addr, s) {
		return
	}
	if s.bare < noMethods && (t.Kind == plan.Struct && c.known(pr, t) || c.method(pr, t, addr, s)) {
		return
	}
	if s.name && (keyIsNumber(t) || t.Kind == plan.Duration || t.Kind == plan.Time) {
		was := c.flags
		c.flags |= flagStringNumbers
		defer func() { c.flags = was }()
	}
	if !c.formatted(pr, t, addr, s) {
		c.describe(pr, t, addr)
	}
}

// formatted makes pr write values of t as the mode and the field ask. It reports false where that is as the type says.
func (c *compiler) formatted(pr *program, t *plan.Type, addr bool, s spec) bool {
	f := c.mode.form(t, s, c.flags&flagStringNumbers != 0)
	switch {
	case f.as == formFailing:
		pr.failing(f.err)
	case f.as == formWithin && t.Kind == plan.Pointer:
		pr.code = opPointer
		pr.elem = c.specified(t.Elem, true, f.within)
	case f.as == formWithin:
		pr.code, pr.opt = opOption, t.Option
		pr.elem = c.specified(t.Option.Value, true, f.within)
	case f.as == formList:
		pr.elem = c.program(t.Elem, true)
		pr.code, pr.n = pick(t.Kind == plan.Bytes, opSlice, opArray), t.Len
	case f.as == formText:
		pr.byText(f)
	case f.as == formNumber:
		pr.code, pr.leaf = opQuoted, true
		pr.elem = &program{code: scalars[t.Kind], rtype: t.Rtype, mem: t.Mem, leaf: true}
	case f.as == formNonfinite:
		c.nonfinite(pr, t, f.quoted)
	case f.as == formEmits:
		flag := pick(t.Kind == plan.Map, flagNilMapAsEmpty, flagNilSliceAsEmpty)
		full := c.specified(t, addr, spec{bare: noMethods})
		pr.code, pr.elem = opFunc, full
		pr.fn = func(e *encoder, b []byte, p mem.Ptr) ([]byte, error) {
			was := e.flags
			if p.Value(t.Mem).Len() == 0 {
				e.flags = e.flags&^flag | pick(f.null, 0, flag)
			}
			b, err := e.value(b, full, p)
			e.flags = was
			return b, err
		}
	case s.name && (t.Kind == plan.Any || t.Kind == plan.Interface):
		k, of := c.mode.modeKey, c.mode.code.of
		k.flags |= flagStringNumbers
		pr.code = opFunc
		pr.fn = func(e *encoder, b []byte, p mem.Ptr) ([]byte, error) {
			flags, set := e.flags, e.set
			e.flags, e.set = e.flags|flagStringNumbers, &of(k).enc
			b, err := e.close(e.any(e.open(b), p.Value(t.Mem).Interface()))
			e.flags, e.set = flags, set
			return b, err
		}
	default:
		return false
	}
	return true
}

// byText makes pr write the text of f.
func (pr *program) byText(f form) {
	bytes := pr.rtype.Kind() == reflect.Slice
	pr.code, pr.leaf = opFunc, true
	pr.fn = func(e *encoder, b []byte, p mem.Ptr) ([]byte, error) {
		switch {
		case f.number:
			return f.append(b, p)
		case bytes && p.SliceIsNil() && e.flags&flagNilSliceAsEmpty == 0:
			return append(b, "null"...), nil
		}
		out, err := f.append(append(b, '"'), p)
		switch {
		case err != nil:
			return b, e.marshalError(pr.rtype, err, "MarshalJSON")
		case f.plain:
			return append(out, '"'), nil
		}
		return e.text(b, string(out[len(b)+1:]))
	}
}

// method makes pr call the preferred method of t that s does not pass over, if there is one for this format.
func (c *compiler) method(pr *program, t *plan.Type, addr bool, s spec) bool {
	switch t.Kind {
	case plan.Time, plan.Number, plan.Raw, plan.Option:
		return false // as their methods do, and faster
	}
	set := t.Hooks.Marshal
	via := byAddress
	switch {
	case c.flags&flagV2 != 0 && (t.Kind == plan.Pointer || t.Kind == plan.Interface || t.Kind == plan.Any):
		return false // the value that it leads to has the methods
	case t.Kind == plan.Pointer && len(c.mode.marshalers.of(t.Elem.Rtype)) > 0,
		t.Kind == plan.Interface && c.mode.marshalers != nil:
		return false // or a function
	case t.Kind == plan.Pointer && t.Elem.Kind == plan.Option:
		return false
	case t.Kind == plan.Pointer:
		via = byPointer
	case t.Kind == plan.Interface:
		via = byInterface
	case addr:
		set = t.Hooks.MarshalAddr
	}
	if s.bare == noText || via == byInterface { // what is in it has them too, and may pass
		set &^= 1<<hookTo | 1<<hookStd
	}
	first := set.First()
	if first < 0 {
		return false
	}
	pr.code, pr.via = hookOps[first], via
	if first == hookWeft {
		pr.codec = t.Codec
	}
	to := pr.mem
	if via == byPointer {
		to = t.Elem.Mem
		pr.elem = &program{mem: to, rtype: to.Rtype}
	}
	if via != byInterface {
		switch first {
		case hookJSON:
			pr.box = pointersIn(marshalerType, to)
		case hookText:
			in := textType
			if pr.appends = appendsText(to.Rtype); pr.appends {
				in = appenderType
			}
			pr.box = pointersIn(in, to)
		}
	}
	if first == hookTo || first == hookStd {
		s.bare = noText
		if via == byPointer { // which has been followed
			t, addr = t.Elem, true
		}
		pr.under = c.specified(t, addr, s)
	}
	return true
}

// text appends a string as the mode asks.
func (e *encoder) text(b []byte, s string) ([]byte, error) {
	l := len(b)
	out := wire.AppendJSONString(b, s, e.flags.escapes())
	if len(out)-l == len(s)+2 || e.flags&flagsInverted == 0 || e.flags&flagTrustUTF8 != 0 {
		return out, nil // unchanged: nothing is escaped, and nothing was wrong
	}
	if e.flags&flagRefuseUTF8 != 0 && !utf8.ValidString(s) {
		if e.flags&flagV2 == 0 {
			return b, &weft.Error{Format: "json", Offset: -1, Err: errNoUTF8}
		}
		return b, errInvalidUTF8
	}
	if e.flags&flagRawJS != 0 {
		out, _ = wire.AppendQuoted(b, s, e.flags.escapes(), false)
	}
	return out, nil
}

var (
	errNoUTF8      = errors.New("invalid UTF-8 within string")
	errInvalidUTF8 = errors.New("json: invalid UTF-8 within string")
)

// options returns the options by which methods and functions that are given a jsontext.Encoder are to
// write.
func (e *encoder) options() Options {
	on := e.flags.weft()
	if e.flags&flagV2 == 0 {
		on |= preserveStrings
	}
	o := allFlags.Decide(on, true)
	if m := e.set.mode; m != nil {
		return weft.Join(m.vals, o)
	}
	return o
}

// allFlags decides all that [encodeFlags.weft] tells.
var allFlags = Options{}.Decide(
	(1<<24-1)*setting.JSON|setting.RejectDuplicates|setting.RejectUnknown|setting.Deterministic|setting.FoldNames, false)

// preserveStrings is jsontext's flag for strings that are written as they were read.
const preserveStrings = setting.JSON << 21

// encodeMode appends the encoding of v, not nil, with functions and formats: many of its values need an encoder on the
// heap.
func encodeMode(b []byte, v any, o encodeOptions) ([]byte, error) {
	e := heapEncoders.Get().(*encoder)
	*e = encoder{flags: o.flags, set: o.set, start: len(b), heap: e, outer: o.outer}
	if o.outer != nil {
		e.level = o.outer.level
	}
	start := len(b)
	b, err := e.close(e.root(e.open(b), v, e.set.lookup(v, e.flags)))
	e.release()
	if o.outer != nil {
		o.outer.ended(e)
	}
	b, err = finished(b, start, o.most, e.seen != nil, o.set.mode, err)
	*e = encoder{}
	heapEncoders.Put(e)
	return b, err
}

// finished returns b, or what is wrong: what is written to b from start on, which cannot be deep unless deep is set,
// may nest most levels, 0 for any, and errors tell what the mode m, nil for none, asks for.
func finished(b []byte, start, most int, deep bool, m *mode, err error) ([]byte, error) {
	if err == nil && most != 0 && (most < startCycles || deep) {
		if at := deeper(b[start:], most); at >= 0 {
			err = &weft.Error{Format: "json", Offset: int64(at), Path: pathAt(b[start:], at), Err: weft.ErrDepth}
		}
	}
	if err != nil && m.v2(setting.LegacyErrors) {
		err = explainedValue(b[start:], err)
	}
	return b, err
}

// spaced is what encodes by o, with the whitespace that opts ask for.
func spaced(o encodeOptions, opts Options) encodeFunc {
	opts = weft.Join(opts, jsontext.PreserveRawStrings(true), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true), weft.MaxDepth(math.MaxInt), notRaw)
	return func(b []byte, v any, _ encodeOptions) ([]byte, error) {
		s := takeBuffer()
		text, err := marshalTo(s.b[:0], v, o)
		if err == nil {
			b, err = jsontext.AppendFormat(b, text, opts)
		}
		s.give(text)
		return b, err
	}
}

// heapEncoders are encoders that functions may be given.
var heapEncoders = sync.Pool{New: func() any { return new(encoder) }}

// call appends the value at p by the function of pr.
func (e *encoder) call(b []byte, pr *program, p mem.Ptr) ([]byte, error) {
	h := e.moved()
	b, err := pr.fn(h, b, p)
	e.resume(h)
	return b, err
}

// moved returns the encoder for functions of programs, to which one that lives on its caller's stack cannot be passed:
// they are given another one until [encoder.resume].
func (e *encoder) moved() *encoder {
	if e.heap != nil {
		return e.heap
	}
	h := heapEncoders.Get().(*encoder)
	*h = *e
	h.heap = h
	return h
}

// resume is the end of moved, which has returned h.
func (e *encoder) resume(h *encoder) {
	if e.heap == nil {
		h.heap = nil
		*e, *h = *h, encoder{}
		heapEncoders.Put(h)
	}
}

// deeper returns the index in b, JSON text, of an array or object that stands more than n deep, or -1.
func deeper(b []byte, n int) int {
	if bytes.Count(b, []byte{'{'})+bytes.Count(b, []byte{'['}) <= n {
		return -1 // not that many are opened at all
	}
	s := scanner{most: n}
	if wire.HasValidJSON() && wire.ValidJSON(b, n) || s.check(b) == nil || !s.deep {
		return -1
	}
	return int(s.offset())
}

// keys sets how the names of the maps of type t are made by encoding/json/v2's rules: if not by the kind of the key,
// then by its program.
func (c *compiler) keys(pr *program, t *plan.Type) {
	k := t.Key
	kept := k.Kind == plan.Number || k.Hooks.MarshalAddr|k.Hooks.Marshal == 0
	switch kept = kept && len(c.mode.marshalers.of(k.Rtype)) == 0; {
	case pr.key == plan.KeyCodec:
		pr.alike = true
	case kept && k.Kind != plan.Number && k.Rtype.Kind() == reflect.String:
		pr.key, pr.alike = plan.KeyString, c.flags&flagRefuseUTF8 == 0
	case kept && (k.Kind.IsInt() || k.Kind.IsUint()):
	default:
		pr.key, pr.alike = plan.KeyOther, true
		pr.under = c.specified(k, true, spec{name: true})
	}
}

func keyIsNumber(t *plan.Type) bool {
	return t.Kind.IsInt() || t.Kind.IsUint() || t.Kind.IsFloat() || t.Kind == plan.Number
}

// takenNames are the names of the members of an object.
type takenNames struct {
	set    *nameset.Set
	in     nameset.Object
	beside *folding // of the struct beside whose fields they stand; nil for none
	owner  int      // where that begins
}

// taking returns an empty set for the names of the object that is written next, beside the fields that f finds, nil for
// none. The set is left when the object ends.
func (e *encoder) taking(f *folding) *takenNames {
	t := &takenNames{set: &e.scratch().taken, beside: f, owner: e.owner}
	t.set.Open(&t.in)
	return t
}

// add adds a name as it will be written, and reports whether it is new. The object is written from start on to b.
func (t *takenNames) add(b []byte, start int, m *mode, name string) bool {
	if !utf8.ValidString(name) {
		name = string([]rune(name))
	}
	if t.beside != nil {
		field, ok := t.beside.owner(name)
		if ok && m.code.written(b[:start], t.owner, field) {
			return false
		}
		name = field
	}
	return t.set.Insert(&t.in, mem.View(name), -1, nil)
}

// keyValue adds the name that the key of r's current entry becomes by its program to w. The map is written from start
// on, up to l; there its delimiter and the name are left.
func (e *encoder) keyValue(l, start int, w *sorter, pr *program, r *mapRange) error {
	key := reflect.New(pr.rtype.Key())
	key.Elem().SetIterKey(&r.iter)
	b, err := e.value(append(e.buf[:l], pick[byte](l == start, '{', ',')), pr.under, mem.Of(key))
	if err != nil {
		return err
	}
	if b[l+1] != '"' {
		return aboutType{error: &UnsupportedTypeError{Type: pr.rtype}, t: pr.rtype.Key()}
	}
	w.raw = len(b) - l - 1
	name, err := jsontext.AppendUnquote(nil, b[l+1:])
	if err != nil {
		return err
	}
	w.names = append(w.names, string(name))
	return nil
}

// nonfinite makes pr write NaN and the infinities as strings.
func (c *compiler) nonfinite(pr *program, t *plan.Type, quoted bool) {
	code := scalars[t.Kind]
	finite := &program{code: code, rtype: t.Rtype, mem: t.Mem, leaf: true}
	pr.code, pr.leaf = opFunc, true
	pr.fn = func(e *encoder, b []byte, p mem.Ptr) ([]byte, error) {
		f := p.Value(t.Mem).Float()
		switch {
		case f-f != 0:
			return jsontext.AppendFloat(b, f, 64), nil
		case quoted:
			return e.quoted(b, finite, p)
		}
		return e.value(b, finite, p)
	}
}
