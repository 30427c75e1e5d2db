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

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// LoadFile reads the file of that name into the variable v points to. Compression
// and format are recognised from the content; [As] sets the format instead.
//
// Into a slice go the elements of the one array that the file holds, or else its
// records: those of a large file are read by several goroutines, and only when all
// are read is the slice set. An error about the content is an [Error].
//
// A compressed file of one document may have as many bytes as
// [compress.MaxSize] allows.
func LoadFile(name string, v any, opts ...Options) error {
	src, err := open(name, settingsOf(opts))
	if err != nil {
		return err
	}
	defer src.close()
	if err := src.load(v); err != nil {
		return named(name, err)
	}
	return nil
}

// Recognise returns the format of the content of a file, and its compression:
// "gzip", "zstd" or "" for none.
func Recognise(name string) (f weft.Format, compression string, err error) {
	src, err := open(name, settingsOf(nil))
	if err != nil {
		return nil, "", err
	}
	defer src.close()
	if src.codec != nil {
		compression = src.codec.Name()
	}
	return src.format, compression, nil
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
	byName  weft.Format   // what the name says, nil for nothing
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
	if errors.Is(err, weft.ErrUnexpectedEnd) {
		err = fmt.Errorf("%w: %w", ErrTorn, err)
	}
	if err != nil {
		src.close()
		return nil, named(name, err)
	}
	return src, nil
}

// recognise finds out what r holds.
func (s *source) recognise(r io.Reader) error {
	s.r = bufio.NewReaderSize(r, 64<<10)
	head, err := s.r.Peek(4)
	if err != nil && err != io.EOF {
		return err
	}
	compressed := compress.Detect(head)
	if s.codec == nil || s.codec.Name() != compressed {
		switch compressed {
		case compress.NameGzip:
			s.codec = gzipCodec()
		case compress.NameZstd:
			s.codec = zstdCodec()
		default:
			s.codec = nil
		}
	}
	if s.codec != nil {
		s.z = s.codec.NewReader(s.r, s.opts...)
		s.r = bufio.NewReaderSize(s.z, 64<<10)
	}
	s.byName, _ = formatOfName(s.name)
	if s.format != nil {
		_, s.records = s.format.(records)
		return nil
	}
	head, err = s.r.Peek(headSize)
	if len(head) == 0 && err != nil && err != io.EOF {
		return err
	}
	named, isRecords := s.byName.(records)
	s.format = s.detect(head)
	switch {
	case s.format == nil && len(bytes.TrimLeft(head, " \t\r\n")) > 0:
		return errUnknown
	case s.format == nil: // nothing is there: a file of no records, or of no value
		s.format, s.records = s.byName, isRecords
		if s.format == nil {
			s.format = json.Format
		}
		if isRecords {
			s.format = named.StreamFormat
		}
	case isRecords && named.StreamFormat == s.format:
		s.records = true
	}
	return nil
}

var (
	errUnknown   = errors.New("neither JSON, MessagePack, framed nor tagged")
	errNoRecords = errors.New("the format has no records")
	errClosed    = errors.New("file: use after Close")
)

func (s *source) close() {
	if s.z != nil {
		s.z.Close()
	}
	s.file.Close()
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
	if s.records || list && !beginsWithArray(s.format, head) {
		return s.loadRecords(target)
	}
	if list && s.format == tagged.Framed && s.z == nil && s.workers > 1 && s.size > int64(s.piece) {
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
	if list && s.format == msgpack.Format {
		// Records may be arrays themselves.
		if rest, err := msgpack.Skip(data); err == nil && len(rest) > 0 {
			s.r = bufio.NewReader(bytes.NewReader(data))
			return s.loadRecords(target)
		}
	}
	err = s.format.Unmarshal(data, v, s.opts...)
	if err != nil && list && s.format == json.Format && json.Valid(firstLine(data)) && !json.Valid(data) {
		s.r = bufio.NewReader(bytes.NewReader(data))
		return s.loadRecords(target)
	}
	return err
}

// firstLine returns the first line that is not blank.
func firstLine(b []byte) []byte {
	b = bytes.TrimLeft(b, " \t\r\n")
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
		return nil, &weft.Error{Format: s.codec.Name(), Offset: s.size, Err: fmt.Errorf("%w: more than %d bytes", compress.ErrTooLarge, limit)}
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

// beginsWithArray tells whether the first value is an array or null, which may
// be a whole slice.
func beginsWithArray(f weft.Format, head []byte) bool {
	switch f {
	case json.Format:
		head = bytes.TrimLeft(head, " \t\r\n")
		return len(head) > 0 && (head[0] == '[' || head[0] == 'n')
	case msgpack.Format:
		if len(head) == 0 {
			return false
		}
		c := head[0]
		return c&0xf0 == 0x90 || c == 0xdc || c == 0xdd || c == 0xc0
	}
	return true
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
		return target{}, fmt.Errorf("file: cannot read into %T: give a pointer", v)
	}
	rv = rv.Elem()
	t := rv.Type()
	switch {
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return target{slice: rv, list: !readsItself(v)}, nil
	case t.Kind() == reflect.Interface && t.NumMethod() == 0:
		return target{slice: reflect.New(reflect.TypeFor[[]any]()).Elem(), any: rv}, nil
	}
	return target{}, fmt.Errorf("file: cannot read records into %T: give a pointer to a slice", v)
}

// readsItself tells whether v has methods by which formats read it.
func readsItself(v any) bool {
	switch v.(type) {
	case weft.Unmarshaler, json.Unmarshaler, msgpack.ReaderFrom,
		interface{ ReadJSON(*json.Reader) error }, interface{ UnmarshalText([]byte) error }:
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
