package file

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
)

// Reader reads a file record by record, in the memory of the longest record; see [OpenReader].
type Reader struct {
	src *source
	dec weft.StreamDecoder
	n   int // records read
	err error
}

// OpenReader opens a file of records. Format and compression are chosen as by [LoadFile], and an empty file is an
// error in the same cases. If the file begins with an array, its elements are the records, unless the name says that
// records are lines. In MessagePack and CBOR, whose records may themselves be arrays, this applies only if the first
// element is an array or a map. The option [Elements] overrides this.
func OpenReader(name string, opts ...Options) (*Reader, error) {
	src, err := open(name, settingsOf(opts))
	if err != nil {
		return nil, err
	}
	r := &Reader{src: src}
	f := src.format
	if rec, ok := f.(records); ok {
		f = rec.StreamFormat
	}
	stream, ok := f.(weft.StreamFormat)
	if !ok {
		src.close()
		return nil, &Error{Name: name, Err: &weft.Error{Format: f.Name(), Offset: -1, Err: errNoRecords}}
	}
	head, _ := src.r.Peek(headSize)
	if err := src.empty(head, true); err != nil {
		src.close()
		return nil, named(name, torn(err))
	}
	split := !src.records && beginsWithList(f, head)
	if v, ok := weft.Join(opts...).Value(elementsKey{}); ok {
		split = v.(bool)
	}
	if src.records && f == json.Format && !split {
		r.dec = &lineDecoder{r: src.r, opts: src.opts}
		return r, nil
	}
	r.dec = stream.NewDecoder(src.r, src.opts...)
	if d, ok := r.dec.(interface{ Elements() }); ok && split {
		d.Elements()
	}
	return r, nil
}

type elementsKey struct{}

// Elements specifies whether [OpenReader] takes the elements of arrays at the top level as the records of a file, or
// the arrays themselves.
func Elements(on bool) Options { return weft.With(elementsKey{}, on) }

// Format returns the format of the file, without its compression.
func (r *Reader) Format() weft.Format { return r.src.format }

// Compression returns "gzip" or "zstd", or "" for none.
func (r *Reader) Compression() string { return r.src.compression() }

// Decode reads the next record into the variable that v points to. At the end it returns io.EOF. A record that is
// well-formed but does not fit v is skipped, as is a line that is not JSON in a file of lines. After any other error no
// more records are read; all records before it have been returned. If the file ends within a record, the error wraps
// [ErrTorn].
func (r *Reader) Decode(v any) error {
	if r.err != nil {
		return r.err
	}
	err := r.dec.Decode(v)
	if err == io.EOF {
		r.err = err
		return err
	}
	r.n++
	if err == nil {
		return nil
	}
	e := &Error{Name: r.src.name, Record: r.n, Line: r.Line(), Err: err}
	if torn(e); errors.Is(e, ErrTorn) {
		r.err = e
	}
	return e
}

// Line returns the line of the last record read, counted from 1, or 0 if records are not lines.
func (r *Reader) Line() int {
	if d, ok := r.dec.(*lineDecoder); ok {
		return d.line
	}
	return 0
}

// Close closes the file.
func (r *Reader) Close() error {
	if r.err == errClosed {
		return nil
	}
	r.err = errClosed
	r.dec.Close()
	r.src.close()
	return nil
}

// All returns an iterator over the records of a file, as [OpenReader] reads them. It stops at the first error.
func All[T any](name string, opts ...Options) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		r, err := OpenReader(name, opts...)
		if err != nil {
			yield(*new(T), err)
			return
		}
		defer r.Close()
		for {
			var v T
			switch err := r.Decode(&v); {
			case err == io.EOF:
				return
			case err != nil:
				yield(*new(T), err)
				return
			case !yield(v, nil):
				return
			}
		}
	}
}

// lineDecoder reads newline-delimited JSON.
type lineDecoder struct {
	r    *bufio.Reader
	buf  []byte
	opts []Options
	line int
	base int64 // offset of the next line
	err  error
}

func (d *lineDecoder) Decode(v any) error {
	for d.err == nil {
		d.buf = d.buf[:0]
		for more := true; more; {
			var part []byte
			part, d.err = d.r.ReadSlice('\n')
			if more = d.err == bufio.ErrBufferFull; more {
				d.err = nil
			}
			d.buf = append(d.buf, part...)
		}
		if d.err != nil && d.err != io.EOF {
			return d.err // what is there of the line is not the whole
		}
		base := d.base
		d.base += int64(len(d.buf))
		d.line++
		if len(trimSpace(d.buf)) == 0 {
			continue
		}
		buf := d.buf
		if weft.Join(d.opts...).Flags(0)&weft.AliasInput(true).Flags(0) != 0 {
			d.buf = nil
		}
		err := json.UnmarshalWith(buf, v, d.opts...)
		if d.err == io.EOF {
			err = atEnd(buf, err)
		}
		return moved(err, base)
	}
	return d.err
}

// atEnd returns err, of reading the JSON value b at the end of a file, or the error
// for a value that is cut off there.
func atEnd(b []byte, err error) error {
	if err == nil || json.Valid(b) {
		return err
	}
	if cut := firstJSON(b); errors.Is(cut, weft.ErrUnexpectedEnd) {
		return cut
	}
	return err
}

// firstJSON returns what is wrong with the first JSON value of b.
func firstJSON(b []byte) error {
	dec := json.Format.NewDecoder(bytes.NewReader(b))
	defer dec.Close()
	return dec.Decode(new(json.RawMessage))
}

func (d *lineDecoder) Close() error {
	d.err = errClosed
	return nil
}
