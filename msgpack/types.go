package msgpack

import (
	"fmt"

	"github.com/weftcodec/weft/backend"
)

// Appender is implemented by types that append themselves as MessagePack: exactly one value.
type Appender interface {
	AppendMsgpack(b []byte) ([]byte, error)
}

// ReaderFrom is implemented by types that read themselves from a [Reader]: exactly one value.
type ReaderFrom interface {
	ReadMsgpack(r *Reader) error
}

// ReaderFunc is a function as a ReaderFrom, for [Read].
type ReaderFunc func(r *Reader) error

// ReadMsgpack calls f.
func (f ReaderFunc) ReadMsgpack(r *Reader) error { return f(r) }

// Raw is one encoded value. It is written unchanged, after a check that it is well-formed, and read without being
// decoded. An empty Raw is written as nil.
type Raw []byte

// Ext is an extension: a type defined by the application, and a body. Types from -128
// to -1 are reserved by the specification.
type Ext struct {
	Type int8
	Data []byte
}

// AppendMsgpack implements [Appender].
func (e Ext) AppendMsgpack(b []byte) ([]byte, error) { return AppendExt(b, e.Type, e.Data), nil }

// ReadMsgpack implements [ReaderFrom].
func (e *Ext) ReadMsgpack(r *Reader) error {
	typ, body := r.Ext()
	if r.err != nil {
		return r.err
	}
	e.Type, e.Data = typ, append([]byte(nil), body...)
	return nil
}

// String describes the extension.
func (e Ext) String() string { return fmt.Sprintf("ext(%d, %d bytes)", e.Type, len(e.Data)) }

var _ backend.Reader = (*Reader)(nil)
