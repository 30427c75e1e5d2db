// Package kgo writes Go values as the values of Kafka records, and reads them, in any format of weft, through
// github.com/twmb/franz-go/pkg/kgo.
//
//	pets := weftkgo.New[Pet](msgpack.Format, 2)
//	record, err := pets.Record("pets", rex)
//	client.Produce(ctx, record, nil)
//	...
//	rex, err := pets.Decode(record)
//
// Two headers specify how a value is written: weft-format has the name of the format, such as "msgpack", and
// weft-version the version of the type. A consumer reads each record according to its headers, so producers can
// change the format, and the type with [From], while older records still exist.
package kgo

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// The headers of a record.
const (
	HeaderFormat  = "weft-format"
	HeaderVersion = "weft-version"
)

// ErrTombstone is the error for a record without a value, which deletes what its key stands for.
var ErrTombstone = errors.New("kgo: the record has no value: it is a tombstone")

// Codec writes and reads values of type T. [New] makes one. It may be used by several goroutines at once.
type Codec[T any] struct {
	f       weft.Format
	header  []kgo.RecordHeader
	version int
	older   []Version[T]
	formats []weft.Format
}

// Version is an older version of a type T. [From] makes one.
type Version[T any] struct {
	number int
	read   func(f weft.Format, b []byte) (T, error)
}

// From returns the version of that number of a T: the type was U then, of which up makes a T.
func From[T, U any](number int, up func(U) (T, error)) Version[T] {
	return Version[T]{number, func(f weft.Format, b []byte) (v T, err error) {
		var old U
		if err = f.Unmarshal(b, &old); err == nil {
			v, err = up(old)
		}
		return v, err
	}}
}

// New returns a codec that writes in the format and with the number of the type's version. It reads that version and the
// older ones, in the format, in JSON, in MessagePack and in CBOR. Records without the headers are taken to be as the
// codec writes them.
func New[T any](f weft.Format, version int, older ...Version[T]) *Codec[T] {
	return &Codec[T]{
		f:       f,
		version: version,
		older:   older,
		formats: []weft.Format{f, json.Format, msgpack.Format, cbor.Format},
		header: []kgo.RecordHeader{
			{Key: HeaderFormat, Value: []byte(f.Name())},
			{Key: HeaderVersion, Value: strconv.AppendInt(nil, int64(version), 10)},
		},
	}
}

// Record returns a record of a topic with the value v.
func (c *Codec[T]) Record(topic string, v T) (*kgo.Record, error) {
	r := &kgo.Record{Topic: topic}
	return r, c.Encode(r, v)
}

// Encode makes v the value of a record, and sets its headers. If there is an error, the record stays as it was.
func (c *Codec[T]) Encode(r *kgo.Record, v T) error {
	b, err := c.f.MarshalAppend(nil, v)
	if err != nil {
		return err
	}
	own := func(h kgo.RecordHeader) bool { return h.Key == HeaderFormat || h.Key == HeaderVersion }
	r.Value, r.Headers = b, append(slices.DeleteFunc(slices.Clone(r.Headers), own), c.header...)
	return nil
}

// Decode returns the value of a record, read as its headers say. A version that is not known, such as one of a newer
// program, is an error, and so is a record without a value, [ErrTombstone]. Errors of the value tell its topic, partition
// and offset, and wrap the [*weft.Error] with the place in it.
func (c *Codec[T]) Decode(r *kgo.Record) (T, error) {
	v, err := c.decode(r)
	if err != nil && err != ErrTombstone {
		err = fmt.Errorf("kgo: topic %s, partition %d, offset %d: %w", r.Topic, r.Partition, r.Offset, err)
	}
	return v, err
}

func (c *Codec[T]) decode(r *kgo.Record) (v T, err error) {
	if r.Value == nil {
		return v, ErrTombstone
	}
	f, version := c.f, c.version
	for _, h := range r.Headers {
		switch h.Key {
		case HeaderFormat:
			name := string(h.Value)
			i := slices.IndexFunc(c.formats, func(f weft.Format) bool { return f.Name() == name })
			if i < 0 {
				return v, fmt.Errorf("the format %.40q is not known: make the codec with it", h.Value)
			}
			f = c.formats[i]
		case HeaderVersion:
			if version, err = strconv.Atoi(string(h.Value)); err != nil {
				return v, fmt.Errorf("the version %.40q is not a number", h.Value)
			}
		}
	}
	if version == c.version {
		err = f.Unmarshal(r.Value, &v)
		return v, err
	}
	i := slices.IndexFunc(c.older, func(o Version[T]) bool { return o.number == version })
	if i < 0 {
		return v, fmt.Errorf("version %d of the type is not known: this program has version %d and %d older ones",
			version, c.version, len(c.older))
	}
	return c.older[i].read(f, r.Value)
}
