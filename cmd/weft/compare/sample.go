package compare

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/cmd/weft/convert"
	"github.com/weftcodec/weft/cmd/weft/shape"
	"github.com/weftcodec/weft/file"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// DefaultSample is the size of the records that are measured, as JSON.
const DefaultSample = 8 << 20

// sample is the records of a file, or the first of them.
type sample struct {
	list  []value.Value
	lines []int // of the records, 0 where they are none
	part  bool  // there are more
}

// read reads records until they have the size as JSON.
func read(name string, format weft.Format, size int, opts []weft.Options) (*sample, error) {
	if format == tagged.Format { // which no reader of records has
		return readTagged(name, size, opts)
	}
	if format == json.Format && size > 0 {
		if s := readObject(name, size, opts); s != nil {
			return s, nil
		}
	}
	r, err := file.OpenReader(name, opts...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	s := new(sample)
	if err := s.fill(size, r.Decode, r.Line); err != nil {
		return nil, err
	}
	if len(s.list) == 1 && !s.part && (format == msgpack.Format || format == cbor.Format) && s.list[0].Kind() == value.KindList {
		all := s.list[0]
		s.list = nil
		for v := range all.Values() {
			s.list = append(s.list, v)
		}
		s.lines = nil
	}
	return s, nil
}

// readTagged is read for a message of the hashed-tag format, whose elements are converted to records as they are read.
func readTagged(name string, size int, opts []weft.Options) (*sample, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := file.OpenContent(f, name, opts...)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	r, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.CloseWithError(convert.Convert(w, content, convert.Options{From: convert.Tagged, To: convert.Framed}))
	}()
	d := tagged.NewFrameDecoder(r)
	s := new(sample)
	err = s.fill(size, d.Decode, func() int { return 0 })
	r.Close()
	<-done
	d.Close()
	if errors.Is(err, weft.ErrUnexpectedEnd) {
		err = fmt.Errorf("%w: %w", file.ErrTorn, err)
	}
	if err != nil {
		return nil, &file.Error{Name: name, Err: err}
	}
	return s, nil
}

// fill reads records by decode until they have the size as JSON.
func (s *sample) fill(size int, decode func(v any) error, line func() int) error {
	var text []byte
	for {
		var v value.Value
		if err := decode(&v); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if size <= 0 {
			s.part = true
			return nil
		}
		s.list = append(s.list, v)
		s.lines = append(s.lines, line())
		text, _ = json.MarshalAppend(text[:0], v)
		size -= len(text) + 1
	}
}

// place names a record.
func (s *sample) place(i int) string {
	if i < len(s.lines) && s.lines[i] > 0 {
		return fmt.Sprintf("line %d", s.lines[i])
	}
	return fmt.Sprintf("record %d", i+1)
}

// why says where a struct does not hold what there is in the records: back is what it
// gives back.
func (s *sample) why(back value.Value) string {
	for i, v := range s.list {
		got := back
		if len(s.list) > 1 {
			got = back.At(i)
		}
		if value.Equal(v, got) {
			continue
		}
		path := differs(v, got)
		null, absent := s.find(path, true), s.find(path, false)
		if null >= 0 && absent >= 0 {
			return fmt.Sprintf("%s is absent from %s and null in %s, which Go structs cannot distinguish", pointer(path), s.place(absent), s.place(null))
		}
		return fmt.Sprintf("no Go struct holds %s of %s", pointer(path), s.place(i))
	}
	return ""
}

// pointer returns a path as a JSON pointer.
func pointer(path []string) string {
	if len(path) == 0 {
		return "the value"
	}
	var b []byte
	for _, name := range path {
		b = wire.AppendPointer(b, name)
	}
	return string(b)
}

// differs returns the path to what is not the same in two values.
func differs(a, b value.Value) []string {
	switch {
	case a.Kind() != b.Kind():
	case a.Kind() == value.KindMap:
		for name, m := range a.Members() {
			if n, ok := b.Get(name); !ok {
				return []string{name}
			} else if !value.Equal(m, n) {
				return append([]string{name}, differs(m, n)...)
			}
		}
		for name := range b.Members() {
			if !a.Has(name) {
				return []string{name}
			}
		}
	case a.Kind() == value.KindList && a.Len() == b.Len():
		for i := range a.Len() {
			if !value.Equal(a.At(i), b.At(i)) {
				return append([]string{strconv.Itoa(i)}, differs(a.At(i), b.At(i))...)
			}
		}
	}
	return nil
}

// find returns the first record in which the member at path is null, or else is absent
// from the object that has it, -1 for none.
func (s *sample) find(path []string, null bool) int {
	for i, v := range s.list {
		ok := true
		for at, name := range path {
			last := at == len(path)-1
			if v.Kind() != value.KindMap {
				break
			}
			if v, ok = v.Get(name); !ok && !(last && !null) {
				break
			}
			if last && (!ok && !null || ok && null && v.Kind() == value.KindNull) {
				return i
			}
		}
	}
	return -1
}

// kinds says which records are of different kinds, so that no type is that of all.
func (s *sample) kinds() string {
	for i, v := range s.list {
		if a, b := s.list[0].Kind(), v.Kind(); a != b && a != value.KindNull && b != value.KindNull {
			return fmt.Sprintf("%s is %s and %s is %s", s.place(0), a, s.place(i), b)
		}
	}
	return "no Go type is that of " + s.place(0)
}

// asStructs returns the records as Go structs, or says why these do not hold all there
// is in them.
func (s *sample) asStructs(list value.Value) (data any, why string) {
	one := len(s.list) == 1
	all := new(shape.Shape)
	for _, v := range s.list {
		all.Add(v)
	}
	t := all.Type()
	if t == reflect.TypeFor[value.Value]() {
		return nil, s.kinds()
	}
	if !one {
		t = reflect.SliceOf(t)
	}
	p := reflect.New(t)
	if err := value.Unmarshal(list, p.Interface()); err != nil {
		return nil, err.Error()
	}
	back, err := value.Marshal(p.Interface())
	if err != nil {
		return nil, err.Error()
	}
	if !value.Equal(list, back) {
		return nil, s.why(back)
	}
	return p.Elem().Interface(), ""
}
