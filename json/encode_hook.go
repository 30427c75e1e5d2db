package json

import (
	"bytes"
	"encoding"
	stdjson "encoding/json"
	"errors"
	"reflect"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
)

// method writes the value at p to l by its MarshalJSON or MarshalText: [encoder.hookAt] with less on the way.
func (e *encoder) method(l int, pr *program, p mem.Ptr) int {
	if pr.via != byPointer && pr.box == nil {
		return e.hookAt(l, pr, p)
	}
	if pr.via == byPointer {
		if p = p.Deref(pr.elem.mem); p.IsNil() {
			return e.nilPointer(l, pr)
		}
	}
	return e.methodOf(l, pr, p)
}

// methodOf is method for what has the method at p, which is not nil.
func (e *encoder) methodOf(l int, pr *program, at mem.Ptr) int {
	if pr.box == nil {
		return e.hook(l, pr, at.Addr(pr.elem.mem))
	}
	if pr.appends {
		return e.appendText(l, pr, at)
	}
	if pr.code == opText {
		text, err := mem.As[encoding.TextMarshaler](pr.box, at).MarshalText()
		if err == nil && e.flags&flagsInverted == 0 {
			return e.putString(l, mem.String(text))
		}
		return e.fromText(l, pr, text, err, "MarshalText")
	}
	raw, err := mem.As[Marshaler](pr.box, at).MarshalJSON()
	return e.fromJSON(l, pr, raw, err, "MarshalJSON")
}

// aside is how far behind the place of a string its text may stand, if that is not longer than asideText: as a string,
// with all of it escaped, it does not reach that far.
const (
	aside     = 7 * asideText
	asideText = 48
)

// appendText writes the value at p to l by its AppendText.
func (e *encoder) appendText(l int, pr *program, p mem.Ptr) int {
	if len(e.buf)-l < aside+asideText {
		e.grow(l, aside+asideText)
	}
	text, err := mem.As[encoding.TextAppender](pr.box, p).AppendText(e.buf[l+aside : l+aside])
	if len(text) > asideText {
		text = bytes.Clone(text)
	}
	return e.fromText(l, pr, text, err, "MarshalText")
}

// appendsText reports whether t, which has MarshalText, is a type of the standard library whose AppendText appends the
// same.
func appendsText(t reflect.Type) bool {
	switch t.PkgPath() {
	case "crypto/x509", "math/big", "net", "net/netip", "regexp":
		return reflect.PointerTo(t).Implements(appenderType)
	}
	return false
}

var appenderType = reflect.TypeFor[encoding.TextAppender]()

// hookAt writes the value at p to l by its own method.
func (e *encoder) hookAt(l int, pr *program, p mem.Ptr) int {
	switch pr.via {
	case byPointer:
		if p = p.Deref(pr.elem.mem); p.IsNil() {
			return e.nilPointer(l, pr)
		}
		return e.hook(l, pr, p.Addr(pr.elem.mem))
	case byInterface:
		v := p.Value(pr.mem)
		if v.IsNil() {
			return e.nilPointer(l, pr)
		}
		return e.hook(l, pr, v.Interface())
	}
	return e.hook(l, pr, p.Addr(pr.mem))
}

// hook writes a value to l by the method that pr names. v has the method, and is not a nil pointer unless
// it comes out of an interface.
func (e *encoder) hook(l int, pr *program, v any) int {
	switch pr.code {
	case opWeft:
		c := weftConfig(e.flags, e.set)
		if pr.codec != nil {
			return e.opened(c.AppendCodec(e.buf[:l], pr.codec, v, e.level))
		}
		return e.opened(c.Append(e.buf[:l], v.(weft.Marshaler), e.level))
	case opTo:
		return e.opened(e.textTo(e.buf[:l], pr, v))
	case opStd:
		write := marshalStd
		if pr.spec != nil && pr.spec.quoted {
			write = e.set.mode.code.quotedTo
		}
		raw, err := write(v, e.flags)
		if errors.Is(err, errors.ErrUnsupported) {
			return e.put(l, pr.under, e.origin(pr, v))
		}
		return e.fromJSON(l, pr, raw, err, "MarshalJSONTo")
	case opAppend:
		text, err := v.(encoding.TextAppender).AppendText(nil)
		return e.fromText(l, pr, text, err, "AppendText")
	case opJSON:
		raw, err := v.(Marshaler).MarshalJSON()
		return e.fromJSON(l, pr, raw, err, "MarshalJSON")
	}
	text, err := v.(encoding.TextMarshaler).MarshalText()
	return e.fromText(l, pr, text, err, "MarshalText")
}

// fromJSON writes the value that the method of pr's type has returned, with err, to l.
func (e *encoder) fromJSON(l int, pr *program, raw []byte, err error, method string) int {
	if err != nil {
		return e.fail(l, e.marshalError(pr.rtype, err, method))
	}
	if l = e.opened(e.compact(e.buf[:l], raw)); l < 0 {
		e.err = e.marshalError(pr.rtype, e.err, method)
	}
	return l
}

// fromText writes the string that the method of pr's type has returned, with err, to l.
func (e *encoder) fromText(l int, pr *program, text []byte, err error, method string) int {
	if err != nil {
		return e.fail(l, e.marshalError(pr.rtype, err, method))
	}
	if l = e.putString(l, mem.String(text)); l < 0 {
		e.err = e.marshalError(pr.rtype, e.err, method)
	}
	return l
}

// marshalError wraps an error from the named method of type t. The name is in a field that
// encoding/json keeps to itself; where that cannot be set, that package makes the error.
func (e *encoder) marshalError(t reflect.Type, err error, method string) error {
	if e.flags&flagV2 != 0 {
		err = unsignaled(err)
	}
	wrong := new(MarshalerError)
	// Without mem.Safe, programs need not hold encoding/json's encoder.
	if setMethod != nil {
		setMethod(wrong, method)
	} else if mem.Safe {
		var made error
		if method == "MarshalText" {
			_, made = stdjson.Marshal(failingText{})
		} else {
			_, made = stdjson.Marshal(failingJSON{})
		}
		errors.As(made, &wrong)
	}
	wrong.Type, wrong.Err = t, err
	return wrong
}

var setMethod = mem.StringField[MarshalerError]("sourceFunc")

var errMethod = errors.New("method failed")

type failingText struct{}

func (failingText) MarshalText() ([]byte, error) { return nil, errMethod }

type failingJSON struct{}

func (failingJSON) MarshalJSON() ([]byte, error) { return nil, errMethod }

// known makes pr the program of t where its method is that of a type which is encoded without calling it, and t a
// pointer to that type, or a struct that has the method by embedding a time, or a pointer to such a struct.
func (c *compiler) known(pr *program, t *plan.Type) bool {
	elem, v := t, pr
	if t.Kind == plan.Pointer {
		if elem = t.Elem; elem.Kind == plan.Time || elem.Kind == plan.Raw {
			pr.code, pr.elem = opPointer, &program{code: scalars[elem.Kind], rtype: t.Rtype, mem: elem.Mem, leaf: true}
			return true
		}
		if elem.Kind == plan.Number { // has methods since go1.27
			c.describe(pr, t, false)
			return true
		}
		v = &program{mem: elem.Mem}
	}
	at, ok := promotedTime(elem)
	if !ok {
		return false
	}
	v.code, v.leaf, v.at = opWithin, true, mem.FieldOf(elem.Rtype, at)
	v.elem = &program{code: opTime, rtype: t.Rtype, leaf: true}
	if v != pr {
		pr.code, pr.elem = opPointer, v
	}
	return true
}

// promotedTime returns which field of p, a struct type, is the time.Time from which it has its MarshalJSON, if one is.
func promotedTime(p *plan.Type) (field int, ok bool) {
	if p.Kind != plan.Struct || p.Hooks.Marshal.First() != hookJSON || p.Hooks.MarshalAddr.First() != hookJSON {
		return 0, false
	}
	t := p.Rtype
	field = -1
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.Anonymous || !f.Type.Implements(marshalerType) && !reflect.PointerTo(f.Type).Implements(marshalerType) {
			continue
		}
		if field >= 0 || f.Type != timeType {
			return 0, false
		}
		field = i
	}
	if field < 0 {
		return 0, false
	}
	m, ok := t.MethodByName("MarshalJSON")
	if !ok {
		return 0, false
	}
	// A method of t's own has a file.
	pc := m.Func.Pointer()
	f := runtime.FuncForPC(pc)
	if f == nil {
		return 0, false
	}
	file, _ := f.FileLine(pc)
	return field, file == "<autogenerated>"
}

var (
	marshalerType = reflect.TypeFor[Marshaler]()
	timeType      = reflect.TypeFor[time.Time]()
)

// engine is the way from a weft.Encoder back to the encoder of this package.
type engine struct {
	flags encodeFlags
	set   *programs
}

// Name returns the name of the format.
func (engine) Name() string { return "json" }

// AppendValue appends any Go value.
func (w engine) AppendValue(b []byte, v any, depth int) ([]byte, error) {
	e := encoder{flags: w.flags, set: w.set, level: depth, start: len(b)}
	out, err := e.close(e.any(e.open(b), v))
	e.release()
	if m := w.set.mode; m != nil {
		out, err = m.code.finished(out, len(b), 0, false, m, err)
	}
	if err != nil {
		return b, err
	}
	return out, nil
}

// weftConfigs are made on first use, one for each combination of flags.
type weftConfigs [1 << 6]atomic.Pointer[weft.EncoderConfig]

// usualConfigs are those of the usual dialect.
var usualConfigs weftConfigs

// weftConfig returns what starts a weft.Encoder for the flags.
func weftConfig(f encodeFlags, set *programs) *weft.EncoderConfig {
	p := &usualConfigs[f%encodeFlags(len(usualConfigs))]
	if set.in != nil {
		p = &set.in.configs[f%encodeFlags(len(set.in.configs))]
	}
	if set.mode == nil {
		if c := p.Load(); c != nil {
			return c
		}
	}
	c := &weft.EncoderConfig{Syntax: setting.SyntaxJSON, Backend: engine{f, set}, Flags: f.weft()}
	if set.in != nil {
		c.Flags |= set.in.flags
	}
	if set.mode != nil {
		return c
	}
	p.CompareAndSwap(nil, c)
	return p.Load()
}
