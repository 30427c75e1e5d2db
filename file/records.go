package file

import (
	"bytes"
	"io"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
)

// NDJSON is newline-delimited JSON: a slice is a line for each element.
var NDJSON = Records(json.Format)

// Records returns f as a format of records: a slice is written as a stream of its
// elements, any other value as a stream of one, and a stream is read into a slice.
func Records(f weft.StreamFormat) weft.StreamFormat { return records{f} }

type records struct{ weft.StreamFormat }

// Name returns "ndjson" for JSON, and such as "msgpack-records" for others.
func (r records) Name() string {
	if r.lines() {
		return "ndjson"
	}
	return r.StreamFormat.Name() + "-records"
}

// lines reports whether each record is a line.
func (r records) lines() bool { return r.StreamFormat == json.Format }

// MarshalAppend appends the elements of v.
func (r records) MarshalAppend(b []byte, v any, opts ...Options) ([]byte, error) {
	out := &appender{b}
	enc := r.NewEncoder(out, opts...)
	list := listOf(v)
	for i := range list.n {
		if err := enc.Encode(list.at(i)); err != nil {
			return b, &Error{Name: r.Name(), Record: i + 1, Err: err}
		}
	}
	if err := enc.Close(); err != nil {
		return b, err
	}
	return out.b, nil
}

// MarshalWrite writes the elements of v.
func (r records) MarshalWrite(w io.Writer, v any, opts ...Options) error {
	b, err := r.MarshalAppend(nil, v, opts...)
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// Unmarshal reads all records of b into the slice that v points to.
func (r records) Unmarshal(b []byte, v any, opts ...Options) error {
	return r.read(bytes.NewReader(b), int64(len(b)), v, opts)
}

// UnmarshalRead reads all records of src into the slice that v points to.
func (r records) UnmarshalRead(src io.Reader, v any, opts ...Options) error {
	return r.read(src, 0, v, opts)
}

// read reads src, which has that size, 0 for one that is not known.
func (r records) read(src io.Reader, size int64, v any, opts []Options) error {
	target, err := targetOf(v)
	if err != nil {
		return err
	}
	l := loader{format: r, target: target, settings: settingsOf(opts), size: size}
	l.workers = 1
	return l.load(src)
}

// appender is a writer to the end of a slice.
type appender struct{ b []byte }

func (a *appender) Write(b []byte) (int, error) {
	a.b = append(a.b, b...)
	return len(b), nil
}

// list is what a value has as records.
type list struct {
	n  int
	at func(i int) any // of the record, a pointer where it can be
}

// listOf returns the elements of v, or v alone when it is not a list.
func listOf(v any) list {
	rv := reflect.ValueOf(v)
	for rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	if !isList(rv.Kind()) || rv.Type().Elem().Kind() == reflect.Uint8 {
		return list{1, func(int) any { return v }}
	}
	if rv.Kind() == reflect.Array && !rv.CanAddr() {
		return list{rv.Len(), func(i int) any { return rv.Index(i).Interface() }}
	}
	switch k := rv.Type().Elem().Kind(); k {
	case reflect.Pointer, reflect.Interface:
		return list{rv.Len(), func(i int) any { return rv.Index(i).Interface() }}
	}
	return list{rv.Len(), func(i int) any { return rv.Index(i).Addr().Interface() }}
}

// isRecords reports whether v is a slice, or leads to one, whose elements are records.
func isRecords(v any) bool {
	t := reflect.TypeOf(v)
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t != nil && t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8
}

func isList(k reflect.Kind) bool { return k == reflect.Slice || k == reflect.Array }
