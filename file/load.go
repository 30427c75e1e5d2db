package file

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// LoadFile reads the file of that name into the variable that v points to. The end of the name (see [FormatOfName])
// or [As] selects the format and compression; content that cannot be of the format is an error, which says what the
// content looks like. If the name does not select a format, the format and the compression are recognized from the
// content.
//
// If v points to a slice, it receives the elements of the array in the file, or else its records. Several goroutines
// read the records of a large file; the slice is set only when all are read. An empty file is an error, because a
// crash may leave one, unless its format is a stream of records. An error in the content is an [Error], which wraps
// [ErrTorn] if the content ends too early.
//
// A compressed file of one document may decompress to as many bytes as [compress.MaxSize] allows.
func LoadFile(name string, v any, opts ...Options) error {
	src, err := open(name, settingsOf(opts))
	if err != nil {
		return err
	}
	defer src.close()
	if err := src.load(v); err != nil {
		return named(name, torn(err))
	}
	return nil
}

// torn returns err, which wraps ErrTorn if it says that the content ends too early.
func torn(err error) error {
	if errors.Is(err, ErrTorn) || !errors.Is(err, weft.ErrUnexpectedEnd) && !errors.Is(err, tagged.ErrTorn) {
		return err
	}
	var e *Error
	if errors.As(err, &e) {
		e.Err = fmt.Errorf("%w: %w", ErrTorn, e.Err)
		return err
	}
	return fmt.Errorf("%w: %w", ErrTorn, err)
}

// Recognise returns the format in which a file is loaded, and its compression: "gzip", "zstd" or "" for none.
func Recognise(name string, opts ...Options) (f weft.Format, compression string, err error) {
	src, err := open(name, settingsOf(opts))
	if err != nil {
		return nil, "", err
	}
	defer src.close()
	return src.whole(), src.compression(), nil
}

// whole returns the format of the whole file.
func (s *source) whole() weft.Format {
	if s.records && s.format == json.Format {
		return NDJSON
	}
	return s.format
}

// compression returns the name of the compression, or "".
func (s *source) compression() string {
	if s.codec == nil {
		return ""
	}
	return s.codec.Name()
}

// named returns err as one about a file, unless it says so.
func named(name string, err error) error {
	var already *Error
	var path *fs.PathError
	switch {
	case errors.As(err, &already):
		if already.Name == "" {
			already.Name = name
		}
		return err
	case errors.As(err, &path):
		return err
	}
	return &Error{Name: name, Err: err}
}

// source is a file to read.
type source struct {
	settings
	name    string
	file    *os.File
	size    int64 // of the file, 0 when not known
	z       *compress.Reader
	r       *bufio.Reader // of what is not compressed
	records bool          // the file holds records for sure
}

// headSize is what is looked at to recognise a format.
const headSize = 4 << 10

// open opens a file and recognises what it is.
func open(name string, s settings) (*source, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	src := &source{settings: s, name: name, file: file}
	info, err := file.Stat()
	switch {
	case err == nil && info.IsDir():
		err = fmt.Errorf("%s is a folder: name a file in it", name)
	case err == nil && info.Mode().IsRegular():
		src.size = info.Size()
	}
	if err == nil {
		err = src.recognise(file)
		src.opts = append([]Options{tagged.Compress(zstdCodec())}, src.opts...)
	}
	if err == nil && src.lost != nil && src.format == tagged.Framed && src.z == nil && src.size > 0 {
		src.r.Reset(tagged.WholeFrames(file, src.size, src.lost))
	}
	if err != nil {
		src.close()
		return nil, named(name, torn(err))
	}
	return src, nil
}

// recognise finds out what r holds: what [As] or the name says, which the content
// must not contradict, or else what the content shows.
func (s *source) recognise(r io.Reader) error {
	s.r = bufio.NewReaderSize(r, 64<<10)
	head, err := s.r.Peek(4)
	if err != nil && err != io.EOF {
		return err
	}
	byName, packed := formatOfName(s.name)
	if err := s.decompress(head, byName != nil, packed); err != nil {
		return err
	}
	if s.format != nil {
		_, s.records = s.format.(records)
		return nil
	}
	head, err = s.r.Peek(headSize)
	if len(head) == 0 && err != nil && err != io.EOF {
		return err
	}
	if byName == nil {
		if s.format = Detect(head); s.format != nil {
			return nil
		} else if len(head) == 0 {
			return errNoContent
		}
		return fmt.Errorf("neither JSON, MessagePack, CBOR, framed nor tagged: it looks like %s: %s", looksLike(head), rename)
	}
	s.format = byName
	if f, ok := byName.(records); ok {
		s.format, s.records = f.StreamFormat, true
	}
	if what := contradicts(s.format, head); what != "" {
		return s.contradiction(what)
	}
	return nil
}

// decompress makes s.r read what is not compressed. The compression is that of [As]
// or of the name, if it has a format or a compression; else content that begins
// with head tells.
func (s *source) decompress(head []byte, named bool, packed *compress.Codec) error {
	found := compress.Detect(head)
	want := ""
	switch {
	case s.codec != nil:
		want = s.codec.Name()
	case s.format != nil || !named && packed == nil:
		want = found
	case packed != nil:
		want = packed.Name()
	}
	switch {
	case len(head) == 0:
		if s.codec == nil && s.format == nil {
			s.codec = packed
		}
		return nil // and so nothing to decompress
	case want == found:
	case want == "":
		return s.contradiction(found)
	case found != "" || !strings.HasPrefix(magics[want], string(head)):
		head, _ = s.r.Peek(headSize)
		return &weft.Error{Format: want, Err: fmt.Errorf("the content looks like %s: %s", looksLike(head), rename)}
	}
	if s.codec == nil {
		switch want {
		case compress.NameGzip:
			s.codec = gzipCodec()
		case compress.NameZstd:
			s.codec = zstdCodec()
		default:
			return nil
		}
	}
	s.z = s.codec.NewReader(s.r, s.opts...)
	s.r = bufio.NewReaderSize(s.z, 64<<10)
	return nil
}

// magics are what whole content of a compression begins with.
var magics = map[string]string{compress.NameGzip: "\x1f\x8b\x08", compress.NameZstd: "\x28\xb5\x2f\xfd"}

const rename = "name the file by what it holds, or give its format"

// contradiction is the error for content that is not what the name says.
func (s *source) contradiction(what string) error {
	f, _ := formatOfName(s.name)
	return &weft.Error{Format: f.Name(), Err: fmt.Errorf("the content looks like %s: %s", what, rename)}
}

var (
	errNoContent = errors.New("the file is empty, and its name does not select a format")
	errNoRecords = errors.New("the format has no records")
	errClosed    = errors.New("file: use after Close")
)

func (s *source) close() {
	if s.z != nil {
		s.z.Close()
	}
	if s.file != nil {
		s.file.Close()
	}
}

// load reads all into v.
func (s *source) load(v any) error {
	if f, ok := s.format.(records); ok {
		s.format = f.StreamFormat
	}
	target, err := targetOf(v)
	if s.records && err != nil {
		return err
	}
	list := err == nil && target.list
	head, _ := s.r.Peek(headSize)
	if err := s.empty(head, list); err != nil {
		return err
	}
	if s.records || list && !beginsWithArray(s.format, head) {
		return s.loadRecords(target)
	}
	if list && s.format == tagged.Framed && s.z == nil && s.lost == nil && s.workers > 1 && s.size > int64(s.piece) {
		frames, err := tagged.OpenFrames(s.file, s.size, s.opts...)
		if err != nil {
			return err
		}
		list := reflect.New(target.slice.Type())
		if err := frames.ReadAll(list.Interface(), s.workers); err != nil {
			return err
		}
		target.set(list.Elem())
		return nil
	}
	data, err := s.all()
	if err != nil {
		return err
	}
	if skip := skipOf(s.format); list && skip != nil {
		// Records may be arrays themselves.
		if rest, err := skip(data); err == nil && len(rest) > 0 {
			s.r = bufio.NewReader(bytes.NewReader(data))
			return s.loadRecords(target)
		}
	}
	err = s.format.Unmarshal(data, v, s.opts...)
	if err != nil && list && s.format == json.Format && json.Valid(firstLine(data)) && !json.Valid(data) {
		s.r = bufio.NewReader(bytes.NewReader(data))
		return s.loadRecords(target)
	}
	if s.format == json.Format {
		err = atEnd(data, err)
	}
	return err
}

// empty returns the error for a file that holds nothing, head being all that it may
// hold, and nil for one that does, or for a stream of records.
func (s *source) empty(head []byte, list bool) error {
	if len(head) >= headSize || s.records || list && skipOf(s.format) != nil {
		return nil
	}
	if s.format == json.Format {
		head = trimSpace(head)
	}
	if len(head) > 0 {
		return nil
	}
	return &weft.Error{Format: s.format.Name(), Err: fmt.Errorf("%w: the file is empty", weft.ErrUnexpectedEnd)}
}

// firstLine returns the first line that is not blank.
func firstLine(b []byte) []byte {
	b = trimSpace(b)
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i]
	}
	return b
}

// all reads the one document of the file.
func (s *source) all() ([]byte, error) {
	var r io.Reader = s.r
	limit := int64(-1)
	if s.z != nil {
		limit = s.documentLimit()
		r = io.LimitReader(r, limit+1)
	}
	var buf bytes.Buffer
	if s.z == nil && s.size > 0 {
		buf.Grow(int(min(s.size, 1<<30)) + bytes.MinRead)
	}
	if _, err := buf.ReadFrom(r); err != nil {
		return nil, err
	}
	if limit >= 0 && int64(buf.Len()) > limit {
		return nil, &weft.Error{
			Format: s.codec.Name(), Offset: s.size, Err: fmt.Errorf("%w: more than %d bytes", compress.ErrTooLarge, limit),
		}
	}
	return buf.Bytes(), nil
}

// documentLimit bounds a document where the reader does not.
func (s *source) documentLimit() int64 {
	if s.z.Limited() {
		return 1<<63 - 2
	}
	return compress.DefaultMaxSize
}

func (s *source) loadRecords(t target) error {
	f, ok := s.format.(weft.StreamFormat)
	if !ok {
		return &weft.Error{Format: s.format.Name(), Offset: -1, Err: errNoRecords}
	}
	l := loader{format: records{f}, target: t, settings: s.settings}
	if s.z == nil {
		l.size = s.size
	}
	head, _ := s.r.Peek(headSize)
	l.spread = f == json.Format && !s.records && bytes.IndexByte(head, '\n') >= 0 && !json.Valid(firstLine(head))
	return l.load(s.r)
}

// target is where records go.
type target struct {
	slice reflect.Value // the slice itself
	any   reflect.Value // where it goes when it is none of the user's: an interface
	list  bool          // what v points to is a plain slice
}

// targetOf returns where records go for v, which points to a slice or to an any.
func targetOf(v any) (target, error) {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return target{}, fmt.Errorf("file: cannot read into %T: pass a pointer", v)
	}
	rv = rv.Elem()
	t := rv.Type()
	switch {
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return target{slice: rv, list: !readsItself(v)}, nil
	case t.Kind() == reflect.Interface && t.NumMethod() == 0:
		return target{slice: reflect.New(reflect.TypeFor[[]any]()).Elem(), any: rv}, nil
	}
	return target{}, fmt.Errorf("file: cannot read records into %T: pass a pointer to a slice", v)
}

// readsItself reports whether v has methods by which formats read it.
func readsItself(v any) bool {
	switch v.(type) {
	case weft.Unmarshaler, json.Unmarshaler, msgpack.ReaderFrom, cbor.Unmarshaler,
		interface{ UnmarshalText([]byte) error }:
		return true
	}
	return false
}

// set stores the records that were read.
func (t target) set(list reflect.Value) {
	t.slice.Set(list)
	if t.any.IsValid() {
		t.any.Set(t.slice)
	}
}
