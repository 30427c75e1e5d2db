package tagged

import (
	"errors"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// Appender is a type that appends itself: exactly one value. What it is given
// ends in the tag of that value, into which the functions of this package that
// append a value put its wire type.
type Appender interface {
	AppendTagged(b []byte, w *Writer) ([]byte, error)
}

// Writer is a message that is being written by the [Appender]s of its values: the
// names met in it, and how deep it is.
type Writer encoder

func (w *Writer) encoder() *encoder { return (*encoder)(w) }

// BeginObject begins an object. Its members follow: for each a tag, appended by
// [AppendTag] or [AppendMembers], and a value. EndObject is told the head.
func (w *Writer) BeginObject(b []byte) (out []byte, head int, err error) {
	return w.begin(b, tagwire.Object)
}

// BeginArray begins an array. Its elements follow: for each a tag, appended by
// [AppendElement], and a value. EndArray is told the head.
func (w *Writer) BeginArray(b []byte) (out []byte, head int, err error) {
	return w.begin(b, tagwire.Array)
}

func (w *Writer) begin(b []byte, wt byte) ([]byte, int, error) {
	if w.depth >= w.maxDepth {
		return b, 0, weft.ErrDepth
	}
	w.depth++
	b = begin(b, wt)
	return b, len(b) - 1, nil
}

// EndArray ends the array that begins at head.
func (w *Writer) EndArray(b []byte, head int) []byte {
	w.depth--
	return end(b, head)
}

// EndObject ends the object that begins at head. The names of its members are
// those of f, but for what AppendMembers has appended.
func (w *Writer) EndObject(b []byte, head int, f *weft.Fields) ([]byte, error) {
	s := w.encoder()
	u := s.names.table(f)
	if u.err != nil {
		return b, u.err
	}
	sorted, k := true, 0
	var last uint32
	for i := head + 1; i < len(b); {
		tag := tagwire.Tag(b, i)
		name := tag &^ 0xff
		sorted = sorted && (i == head+1 || int32(last) < int32(name))
		last = name
		for k < len(u.list) && int32(u.list[k].tag) < int32(name) {
			k++
		}
		if !sorted {
			k = lowest(u.list, name)
		}
		if k < len(u.list) && u.list[k].tag == name {
			u.types[k] |= 1 << (tag & 15)
		}
		if i = tagwire.Pass(b, i+tagwire.TagSize, len(b), tag&15); i < 0 {
			return b, errRaw
		}
	}
	if !sorted {
		b = s.sort(b, head+1)
		if s.err != nil {
			return b, s.take(b)
		}
	}
	w.depth--
	return end(b, head), nil
}

// AppendTag appends the tag of a member whose name has the given [Hash].
func AppendTag(b []byte, hash uint32) []byte { return tagwire.AppendTag(b, hash<<8) }

// AppendElement appends the tag of the i-th element of an array.
func AppendElement(b []byte, i int) []byte { return tagwire.AppendTag(b, uint32(i+1)<<4) }

// AppendNull appends a null.
func AppendNull(b []byte) []byte { return append(b, 0) }

// AppendBool appends a boolean, which is an integer in this format.
func AppendBool(b []byte, v bool) []byte { return appendBool(b, v) }

// AppendInt appends an integer.
func AppendInt(b []byte, v int64) []byte { return appendInt64(b, v) }

// AppendInt32 appends an integer of at most 32 bits.
func AppendInt32(b []byte, v int32) []byte { return appendInt32(b, v) }

// AppendUint appends an unsigned integer of more than 16 bits.
func AppendUint(b []byte, v uint64) []byte { return appendUint64(b, v) }

// AppendFloat64 appends a number; one that is not a number or infinite is null.
func AppendFloat64(b []byte, v float64) []byte { return appendFloat(b, v) }

// AppendFloat32 appends a number of single precision.
func AppendFloat32(b []byte, v float32) []byte { return appendFloat(b, float64(v)) }

// AppendString appends a string.
func AppendString(b []byte, v string) []byte { return appendString(b, v) }

// AppendBytes appends bytes as base64, null for nil.
func AppendBytes(b, v []byte) []byte { return appendBytes(b, v) }

// AppendTime appends an instant as RFC 3339 writes it.
func AppendTime(b []byte, v time.Time) ([]byte, error) { return appendTime(b, v) }

// AppendAny appends any Go value by the plan of its type.
func AppendAny(b []byte, v any, w *Writer) ([]byte, error) {
	s := w.encoder()
	out := s.top(b, v, false)
	return out, s.take(out)
}

// AppendStrings appends an array of strings.
func AppendStrings(b []byte, list []string, w *Writer) ([]byte, error) {
	b, head, err := w.BeginArray(b)
	if err != nil {
		return b, err
	}
	if len(list) > tagwire.MaxElems {
		return b, errElems
	}
	for i := range list {
		b = appendString(AppendElement(b, i), list[i])
	}
	return w.EndArray(b, head), nil
}

// AppendSlice appends an array of what app appends for each element.
func AppendSlice[T any](b []byte, list []T, w *Writer, app func(*T, []byte, *Writer) ([]byte, error)) ([]byte, error) {
	b, head, err := w.BeginArray(b)
	if err != nil {
		return b, err
	}
	if len(list) > tagwire.MaxElems {
		return b, errElems
	}
	for i := range list {
		if b, err = app(&list[i], AppendElement(b, i), w); err != nil {
			return b, weft.AtItem(i, err)
		}
	}
	return w.EndArray(b, head), nil
}

// noFields is the table of an object whose names are all data.
var noFields = weft.NewFields()

// AppendMap appends an object of what app appends for each value of m.
func AppendMap[T any](b []byte, m map[string]T, w *Writer, app func(*T, []byte, *Writer) ([]byte, error)) ([]byte, error) {
	b, head, err := w.BeginObject(b)
	if err == nil {
		b, err = AppendMembers(b, m, w, app)
	}
	if err != nil {
		return b, err
	}
	return w.EndObject(b, head, noFields)
}

// AppendMembers appends the members of m to an object that has been begun: what
// app appends for each.
func AppendMembers[T any](b []byte, m map[string]T, w *Writer, app func(*T, []byte, *Writer) ([]byte, error)) ([]byte, error) {
	s := w.encoder()
	for name, v := range m {
		l := len(b)
		var i int
		if b, i = s.name(b, name); s.err != nil {
			return b, s.take(b)
		}
		var err error
		if b, err = app(&v, b, w); err != nil {
			return b, weft.AtMember(name, err)
		}
		if len(b) <= l+tagwire.TagSize {
			return b, errNoValue
		}
		s.names.rows[i].types |= 1 << (b[l] & 15)
	}
	return b, nil
}

var errNoValue = errors.New("AppendTagged must append exactly one value")
