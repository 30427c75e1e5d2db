package compress

import (
	"io"
	"reflect"

	"github.com/weftcodec/weft"
)

// Format returns f inside the compression. Options of f, and [MaxSize], are
// defaults for its calls.
func (c *Codec) Format(f weft.Format, opts ...Options) weft.StreamFormat {
	p := &format{Codec: c, inner: f, name: f.Name() + "+" + c.name}
	if len(opts) > 0 {
		p.opts = []Options{weft.Join(opts...)}
	}
	return p
}

// format is a format inside a compression.
type format struct {
	*Codec
	inner weft.Format
	name  string
	opts  []Options // none or one
}

// Name returns such as "json+gzip".
func (f *format) Name() string { return f.name }

// with returns the options of a call over those of the format.
func (f *format) with(opts []Options) []Options {
	switch {
	case len(f.opts) == 0:
		return opts
	case len(opts) == 0:
		return f.opts
	}
	return append(append(make([]Options, 0, 1+len(opts)), f.opts...), opts...)
}

// MarshalAppend compresses what the format within marshals.
func (f *format) MarshalAppend(b []byte, v any, opts ...Options) ([]byte, error) {
	if f.err != nil {
		return b, f.err
	}
	s := takeScratch()
	defer s.give()
	var err error
	if s.b, err = f.inner.MarshalAppend(s.b[:0], v, f.with(opts)...); err != nil {
		return b, err
	}
	return f.Append(b, s.b)
}

// MarshalWrite writes what MarshalAppend appends.
func (f *format) MarshalWrite(w io.Writer, v any, opts ...Options) error {
	s := takeScratch()
	defer s.give()
	var err error
	if s.b, err = f.MarshalAppend(s.b[:0], v, opts...); err != nil {
		return err
	}
	_, err = w.Write(s.b)
	return err
}

// Unmarshal decompresses b and unmarshals it.
func (f *format) Unmarshal(b []byte, v any, opts ...Options) error {
	opts = f.with(opts)
	max, _ := f.limit(opts)
	return f.unmarshal(v, opts, func(dst []byte) ([]byte, error) { return f.decompress(dst, b, max) })
}

// UnmarshalRead decompresses r up to its end and unmarshals it.
func (f *format) UnmarshalRead(r io.Reader, v any, opts ...Options) error {
	opts = f.with(opts)
	max, _ := f.limit(opts)
	return f.unmarshal(v, opts, func(dst []byte) ([]byte, error) { return f.readAll(dst, r, max) })
}

func (f *format) unmarshal(v any, opts []Options, read func([]byte) ([]byte, error)) error {
	if f.err != nil {
		return f.err
	}
	if weft.Join(opts...).Flags(0)&weft.AliasInput(true).Flags(0) != 0 {
		// The result keeps what it points into.
		data, err := read(nil)
		if err != nil {
			return err
		}
		return f.inner.Unmarshal(data, v, opts...)
	}
	s := takeScratch()
	defer s.give()
	var err error
	if s.b, err = read(s.b[:0]); err != nil {
		return err
	}
	return f.inner.Unmarshal(s.b, v, opts...)
}

// NewEncoder returns an encoder that writes one member or frame.
func (f *format) NewEncoder(w io.Writer, opts ...Options) weft.StreamEncoder {
	inner, ok := f.inner.(weft.StreamFormat)
	if !ok {
		return broken{&weft.Error{Format: f.inner.Name(), Offset: -1, Err: errNoStream}}
	}
	if f.err != nil {
		return broken{f.err}
	}
	z := f.NewWriter(w)
	return &streamEncoder{inner: inner.NewEncoder(z, f.with(opts)...), z: z}
}

// NewDecoder returns a decoder of members or frames one after another.
func (f *format) NewDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	inner, ok := f.inner.(weft.StreamFormat)
	if !ok {
		return broken{&weft.Error{Format: f.inner.Name(), Offset: -1, Err: errNoStream}}
	}
	opts = f.with(opts)
	max, given := f.limit(opts)
	d := &streamDecoder{z: f.open(r, max), each: !given}
	d.inner = inner.NewDecoder(d.z, opts...)
	return d
}

// MarshalStream compresses what m writes as it comes, where the format within
// writes in pieces.
func (f *format) MarshalStream(w io.Writer, m weft.Marshaler, opts ...Options) error {
	if f.err != nil {
		return f.err
	}
	z := f.NewWriter(w)
	err := weft.MarshalStream(z, f.inner, m, f.with(opts)...)
	if err != nil {
		z.err = err // what is there is not the whole
	}
	return z.Close()
}

// NewArrayEncoder returns an encoder of the elements of an array, nil where the
// format within has none.
func (f *format) NewArrayEncoder(w io.Writer, t reflect.Type, n int, opts ...Options) weft.StreamEncoder {
	inner, ok := f.inner.(weft.StreamFormat)
	if !ok {
		return nil
	}
	if f.err != nil {
		return broken{f.err}
	}
	z := f.NewWriter(w)
	if enc := inner.NewArrayEncoder(z, t, n, f.with(opts)...); enc != nil {
		return &streamEncoder{inner: enc, z: z}
	}
	f.writers.Put(z.z) // nothing has been written
	return nil
}

// NewArrayDecoder returns a decoder of the elements of an array, nil where the
// format within reads them at once.
func (f *format) NewArrayDecoder(r io.Reader, opts ...Options) weft.StreamDecoder {
	inner, ok := f.inner.(weft.StreamFormat)
	if !ok {
		return nil
	}
	opts = f.with(opts)
	max, given := f.limit(opts)
	d := &streamDecoder{z: f.open(r, max), each: !given}
	if d.inner = inner.NewArrayDecoder(d.z, opts...); d.inner == nil {
		d.z.Close() // nothing has been read
		return nil
	}
	return d
}

// streamEncoder encodes values into a compression.
type streamEncoder struct {
	inner weft.StreamEncoder
	z     *Writer
}

func (e *streamEncoder) Encode(v any) error { return e.inner.Encode(v) }

// Flush writes all that has been encoded.
func (e *streamEncoder) Flush() error {
	if f, ok := e.inner.(interface{ Flush() error }); ok {
		if err := f.Flush(); err != nil {
			return err
		}
	}
	return e.z.Flush()
}

func (e *streamEncoder) Close() error {
	err := e.inner.Close()
	if e.z.err == errClosed {
		return err
	}
	if err != nil {
		e.z.err = err // what is there is not the whole
	}
	return e.z.Close()
}

// streamDecoder decodes values out of a compression.
type streamDecoder struct {
	inner weft.StreamDecoder
	z     *Reader
	each  bool // the limit is one for each value
}

func (d *streamDecoder) Decode(v any) error {
	if d.each {
		d.z.left = d.z.max
	}
	return d.inner.Decode(v)
}

func (d *streamDecoder) Close() error {
	err := d.inner.Close()
	d.z.Close()
	return err
}

// broken is a stream that cannot begin.
type broken struct{ err error }

func (b broken) Encode(any) error { return b.err }
func (b broken) Decode(any) error { return b.err }
func (b broken) Close() error     { return b.err }

// Split returns the parts of a format that [Gzip], [Zstd] or [Codec.Format] made: the format within, the codec around
// it and the options given. For any other format ok is false.
func Split(f weft.Format) (within weft.Format, c *Codec, opts []Options, ok bool) {
	p, ok := f.(*format)
	if !ok {
		return f, nil, nil, false
	}
	return p.inner, p.Codec, p.opts, true
}
