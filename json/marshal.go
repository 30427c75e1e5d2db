package json

import (
	"io"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// Marshal returns the JSON encoding of v, exactly as encoding/json does.
//
// Booleans, numbers and strings become those of JSON; strings are written as valid UTF-8, with <, > and & escaped.
// NaN and infinities are an [UnsupportedValueError]. Slices and arrays become arrays, []byte a string in base64, maps
// objects whose members are sorted by name, structs objects of their exported fields, according to the tag json. Nil
// pointers, interfaces, slices and maps become null. Types that implement [Marshaler], [encoding.TextMarshaler] or
// weft.Marshaler encode themselves. Channels, functions and complex numbers are an [UnsupportedTypeError], cycles an
// [UnsupportedValueError].
func Marshal(v any) ([]byte, error) {
	return marshal(v, plainEncoding)
}

// MarshalWith is like [Marshal] with options.
func MarshalWith(v any, opts ...Options) ([]byte, error) { return marshal(v, encodingOf(opts)) }

// MarshalIndent is like [Marshal] but indents the result as [Indent] does.
func MarshalIndent(v any, prefix, indent string) ([]byte, error) {
	s := takeBuffer()
	b, err := marshalTo(s.b[:0], v, encodingOf(nil))
	if err != nil {
		s.give(b)
		return nil, err
	}
	out, err := appendIndent(mem.MakeNoZero(indentGrowth*len(b)), b, prefix, indent)
	s.give(b)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// MarshalAppend appends the encoding of v to b. If there is an error, it returns b unchanged.
func MarshalAppend(b []byte, v any, opts ...Options) ([]byte, error) {
	out, err := marshalTo(b, v, encodingOf(opts))
	if err != nil {
		return b, err
	}
	return out, nil
}

// MarshalWrite writes the encoding of v to w, in one call and without a line break. If v cannot be encoded, it writes
// nothing.
func MarshalWrite(w io.Writer, v any, opts ...Options) error {
	s, o := takeBuffer(), encodingOf(opts)
	b, err := marshalTo(s.b[:0], v, o)
	if err == nil {
		var n int
		if n, err = w.Write(b); err == nil && n < len(b) {
			err = io.ErrShortWrite
		}
		if err != nil && o.flags&flagV2 != 0 {
			err = &wire.IOError{What: "write", Err: err}
		}
	}
	s.give(b)
	return err
}

// marshalTo appends the encoding of v to b, or part of it with an error.
func marshalTo(b []byte, v any, o encodeOptions) ([]byte, error) {
	if v == nil {
		return append(b, "null"...), nil
	}
	if o.slow != nil {
		return o.slow(b, v, o)
	}
	start := len(b)
	e := encoder{flags: o.flags, set: o.set, start: start, outer: o.outer}
	if o.outer != nil {
		e.level = o.outer.level
	}
	b, err := e.close(e.root(e.open(b), v, o.set.lookup(v, o.flags)))
	e.release()
	if o.outer != nil {
		o.outer.ended(&e)
	}
	if o.after != nil && (err != nil || e.seen != nil || o.most < startCycles) {
		return o.after(b, start, o.most, e.seen != nil, o.set.mode, err)
	}
	return b, err
}

// marshal returns the encoding of v in memory of its own: copied from a shared buffer, which costs
// less than to write to fresh memory of more than the exact size; results that are not small are written
// there at once where the size can be told from earlier results of the type.
func marshal(v any, o encodeOptions) ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	pr := o.set.lookup(v, o.flags)
	n := pr.size.expect()
	var s *buffer
	var b []byte
	if n > 0 {
		b = mem.MakeNoZero(n)
	} else {
		s = takeBuffer()
		b = s.b[:0]
	}
	var err error
	if o.slow != nil {
		b, err = o.slow(b, v, o)
	} else {
		e := encoder{flags: o.flags, set: o.set, lent: s != nil}
		b, err = e.close(e.root(e.open(b), v, pr))
		e.release()
		if o.after != nil && (err != nil || e.seen != nil || o.most < startCycles) {
			b, err = o.after(b, 0, o.most, e.seen != nil, o.set.mode, err)
		}
	}
	if s == nil {
		return pr.size.result(n, b, err)
	}
	return s.result(b, pr, err)
}

// result returns a copy of what a program has written to the buffer, which is free to be used again; with
// an error it returns that alone.
func (s *buffer) result(b []byte, pr *program, err error) ([]byte, error) {
	if err != nil {
		s.give(b)
		return nil, err
	}
	out := s.carver.Clone(b)
	s.give(b)
	if len(b) >= directSize {
		pr.size.observe(len(b))
	}
	return out, nil
}

// buffer is a shared buffer, and what small results are carved with.
type buffer struct {
	b      []byte
	carver mem.Carver
	spare  mem.Spare

	initial bool // it is the first one of the process
}

var buffers = sync.Pool{New: func() any {
	if s := firstBuffer.spare.Swap(nil); s != nil {
		return s
	}
	return &buffer{b: make([]byte, 0, 512)}
}}

// firstBuffer keeps the buffer of the first call of the process away from the pool, as [firstDecoder] does.
var firstBuffer struct {
	made  atomic.Bool
	spare atomic.Pointer[buffer]
}

func takeBuffer() *buffer {
	if !firstBuffer.made.Load() && firstBuffer.made.CompareAndSwap(false, true) {
		return &buffer{b: make([]byte, 0, 512), initial: true}
	}
	return buffers.Get().(*buffer)
}

// give returns the buffer, grown to b or not, to be used again, unless it is much larger than needed.
func (s *buffer) give(b []byte) {
	if cap(b) > cap(s.b) {
		s.b = b[:0]
	}
	if s.initial {
		s.initial = false
		if cap(s.b) < firstLimit {
			firstBuffer.spare.Store(s)
			return
		}
	}
	if !s.spare.Drop(cap(s.b), len(b)) {
		buffers.Put(s)
	}
}
