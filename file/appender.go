package file

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/tagged"
)

// Appender appends records to a file; see [OpenAppender].
type Appender struct {
	name   string
	set    settings
	file   *os.File
	sink   sink
	frames *tagged.FrameEncoder // in place of sink
	packed *members             // what frames writes to in a compressed file
	open   bool                 // the sink has a record that is not synced
	size   int64                // up to which the file is durable
	n      int
	err    error
}

// OpenAppender opens a file to append records to it, and creates it if it does not exist. Its format and compression
// are chosen as by [LoadFile]: newline-delimited JSON, MessagePack or CBOR values, or frames. Frames that are
// compressed one by one are continued with the same compression, by [tagged.Compress]. A file of zero bytes has no
// records.
//
// OpenAppender first checks the end of the file. For lines it reads the last line; for MessagePack and CBOR, and in a
// compressed file, it reads everything. If the file ends within a record, because a writer was killed, the error
// wraps [ErrTorn]; with [Repair] the incomplete record is truncated. A last line that is a number without a line break
// may be the beginning of a longer number, and wraps ErrTorn too; with Repair it is kept, and its line completed, as
// the line of any other value is. If the file only seems to end within a record, because bytes before its end were
// changed, the error wraps [ErrDamaged], and nothing is truncated. A file must have only one appender at a time.
func OpenAppender(name string, opts ...Options) (*Appender, error) {
	a := &Appender{name: name, set: settingsOf(opts)}
	a.set.lost = nil
	src, err := open(name, a.set)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = a.set.choose(name)
	case a.set.repair && errors.Is(err, ErrTorn): // the compression's first member is cut off, or is damaged
		if err = a.set.choose(name); err == nil {
			err = a.cutMember()
		}
	case err == nil:
		size := src.size
		err = a.check(src)
		src.close()
		if err == nil && src.size < size {
			err = os.Truncate(name, src.size)
		}
	}
	if err != nil {
		return nil, named(name, err)
	}
	if err := a.records(); err != nil {
		return nil, named(name, err)
	}
	if err := a.start(); err != nil {
		if a.file != nil {
			a.file.Close()
		}
		return nil, err
	}
	return a, nil
}

// records makes the format one of records.
func (a *Appender) records() error {
	switch f := a.set.format; f.(type) {
	case records:
		return nil
	default:
		if f == tagged.Framed {
			return nil
		}
		if skipOf(f) != nil {
			a.set.format = Records(f.(weft.StreamFormat))
			return nil
		}
		if f == json.Format {
			return errors.New("a JSON document cannot be appended to: name the file .ndjson, or use file.As(file.NDJSON)")
		}
		return &weft.Error{Format: f.Name(), Offset: -1, Err: errNoRecords}
	}
}

// start opens the file at its end.
func (a *Appender) start() (err error) {
	_, missing := os.Stat(a.name)
	mode := os.O_WRONLY | os.O_APPEND
	if a.set.format == tagged.Framed && a.set.codec == nil {
		mode = os.O_RDWR
	}
	a.file, err = os.OpenFile(a.name, mode|os.O_CREATE, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: the folder %s does not exist: create it first", a.name, filepath.Dir(a.name))
	}
	if err != nil {
		return err
	}
	info, err := a.file.Stat()
	if err != nil {
		return err
	}
	a.size = info.Size()
	if errors.Is(missing, fs.ErrNotExist) {
		if err := syncDir(filepath.Dir(a.name)); err != nil {
			return err
		}
	}
	switch {
	case a.set.format != tagged.Framed:
		return a.sink.open(a.file, &a.set)
	case a.set.codec == nil:
		a.frames, err = tagged.AppendFrames(a.file, a.set.opts...)
		return damaged(err)
	case a.frames == nil: // nothing is there
		if err := a.set.codec.Err(); err != nil {
			return err
		}
		a.packed = newMembers(a.set.codec)
		a.frames = tagged.NewFrameEncoder(a.packed, a.set.opts...)
	}
	a.packed.buf.Reset(a.file)
	return nil
}

// check finds out whether the file ends with a record, and sets the size of src to where it does.
func (a *Appender) check(src *source) error {
	given := a.set.opts
	a.set = src.settings
	a.set.opts = given
	head, _ := src.r.Peek(headSize)
	switch f := src.format; {
	case len(head) == 0:
		if _, given := f.(records); !given && src.records {
			a.set.format = NDJSON
		}
		if src.z == nil {
			return nil
		}
	case f == json.Format && src.records:
		a.set.format = NDJSON
	case f == tagged.Framed && len(head) < headSize && noRecords(head):
		// Nor has it a type that the first would have to be of.
		src.size = 0
		return nil
	case f == tagged.Framed && src.codec == nil:
		frames, err := tagged.OpenFrames(src.file, src.size)
		if err == nil {
			if frames.Compressed() {
				a.set.opts = src.opts
			}
			err = frames.Torn()
		}
		if errors.Is(err, tagged.ErrTorn) || errors.Is(err, weft.ErrUnexpectedEnd) {
			if a.set.repair {
				return nil // which AppendFrames does
			}
			err = fmt.Errorf("%w: %w", ErrTorn, err)
		}
		return damaged(err)
	case skipOf(f) != nil && beginsWithList(f, head):
		return errors.New("the file is one array: records cannot be appended to it")
	}
	if err := a.whole(src); err != nil || src.codec != nil && src.size == 0 {
		return err
	}
	if src.format == tagged.Framed && len(head) > 0 {
		return a.continued(src)
	}
	return a.lastRecord(src)
}

// noRecords reports whether b is a stream of frames that had no first record.
func noRecords(b []byte) bool {
	d := tagged.NewFrameDecoder(bytes.NewReader(b))
	defer d.Close()
	schema, err := d.Schema()
	return err == nil && schema == "message" && !d.More()
}

// continued reads the frames of a compressed file, to write more behind them.
func (a *Appender) continued(src *source) (err error) {
	a.packed = newMembers(src.codec)
	a.frames, err = tagged.ContinueFrames(a.packed, src.r, a.set.opts...)
	if errors.Is(err, tagged.ErrTorn) {
		if a.set.repair && a.frames != nil {
			return nil
		}
		err = fmt.Errorf("%w: %w", ErrTorn, err)
	}
	return err
}

// whole checks that the compression ends with a member.
func (a *Appender) whole(src *source) error {
	if src.codec == nil {
		return nil
	}
	if _, err := src.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	n, err := src.codec.Whole(src.file)
	if errors.Is(err, weft.ErrUnexpectedEnd) {
		err = a.torn(src, n, err)
	}
	if err != nil {
		return damaged(err)
	}
	src.z.Close()
	src.z = src.codec.NewReader(io.NewSectionReader(src.file, 0, src.size))
	src.r.Reset(src.z)
	return nil
}

// cutMember makes a compressed file empty that has nothing but a part of a member.
func (a *Appender) cutMember() error {
	f, err := os.Open(a.name)
	if err != nil {
		return err
	}
	defer f.Close()
	if a.set.codec == nil {
		return ErrTorn
	}
	if _, err := a.set.codec.Whole(f); !errors.Is(err, weft.ErrUnexpectedEnd) {
		return damaged(err)
	}
	return os.Truncate(a.name, 0)
}

// torn says that the file has to be cut off at n, by Repair or by the caller.
func (a *Appender) torn(src *source, n int64, err error) error {
	if !a.set.repair {
		return fmt.Errorf("%w at offset %d: %w", ErrTorn, n, err)
	}
	src.size = n
	return nil
}

// lastRecord checks that the content ends with a record.
func (a *Appender) lastRecord(src *source) error {
	if f, ok := a.set.format.(records); ok && f.lines() {
		return a.lastLine(src)
	}
	h := heads{format: a.set.format, opts: src.opts, known: make(map[string]bool)}
	if r, ok := h.format.(records); ok {
		h.format = r.StreamFormat
	}
	next, offset := rawValues(h.format, src.r, src.opts)
	if next == nil {
		return nil // which records refuses
	}
	for {
		b, err := next()
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, weft.ErrUnexpectedEnd) && src.codec == nil:
			behind, failed := h.find(src.file, src.size)
			if failed != nil {
				return failed
			}
			if behind >= 0 {
				return damaged(&weft.Error{Format: h.format.Name(), Offset: offset(),
					Err: fmt.Errorf("a value that does not end, but records follow at offset %d", behind)})
			}
			return a.torn(src, offset(), err)
		case err != nil:
			return damaged(err)
		}
		h.add(b, offset())
	}
}

// lastLine checks that the content ends with a line.
func (a *Appender) lastLine(src *source) error {
	var tail []byte
	var err error
	at := int64(0) // of the tail
	if src.codec == nil && src.size > 0 {
		tail, at, err = fileTail(src.file, src.size)
	} else {
		tail, err = streamTail(src.r)
	}
	switch {
	case err != nil:
		return err
	case len(bytes.TrimLeft(tail, " \t\r")) == 0:
		return nil
	case json.Valid(tail) && (src.codec != nil || a.set.repair || !endsInNumber(tail)):
		return a.endLine(src)
	case src.codec != nil:
		return fmt.Errorf("%w, within what is whole of the compression: %.40q", ErrTorn, tail)
	}
	if json.Valid(tail) {
		return fmt.Errorf("%w: %w", ErrTorn, &weft.Error{Format: "json", Offset: at + int64(len(tail)), Err: errNumber})
	}
	part := bytes.TrimRight(tail, " \t\r\x00") // a crash of the system can leave zero bytes
	var broken *json.SyntaxError
	if cut := firstJSON(part); len(part) > 0 && !errors.Is(cut, weft.ErrUnexpectedEnd) &&
		(!errors.As(cut, &broken) || !strings.HasSuffix(broken.Error(), "exceeded max depth")) {
		return damaged(&weft.Error{Format: "json", Offset: at, Err: errNotCut})
	}
	return a.torn(src, at, &weft.Error{Format: "json", Offset: at + int64(len(tail)), Err: weft.ErrUnexpectedEnd})
}

// endsInNumber reports whether the JSON text b is a number that may go on where b ends.
func endsInNumber(b []byte) bool { return b[len(b)-1]-'0' < 10 }

var errNumber = errors.New("a number at the end, without a line break: it may be the beginning of a longer one")

var errNotCut = errors.New("the last line is neither JSON nor the beginning of it")

// endLine ends a last line that is whole but for its end.
func (a *Appender) endLine(src *source) error {
	end := []byte{'\n'}
	var err error
	if src.codec != nil {
		if end, err = src.codec.Append(nil, end); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(src.name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = f.Truncate(src.size)
	if err == nil {
		_, err = f.WriteAt(end, src.size)
		src.size += int64(len(end))
	}
	return errors.Join(err, f.Close())
}

// fileTail returns what stands behind the last line break, and its offset.
func fileTail(f *os.File, size int64) ([]byte, int64, error) {
	for n := int64(4 << 10); ; n *= 4 {
		n = min(n, size)
		b := make([]byte, n)
		if _, err := f.ReadAt(b, size-n); err != nil {
			return nil, 0, err
		}
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 || n == size {
			return b[i+1:], size - n + int64(i+1), nil
		}
	}
}

// streamTail reads r up to its end and returns what stands behind the last line
// break.
func streamTail(r *bufio.Reader) ([]byte, error) {
	var tail []byte
	for {
		b, err := r.ReadSlice('\n')
		switch tail = append(tail, b...); err {
		case nil:
			tail = tail[:0]
		case io.EOF:
			return tail, nil
		case bufio.ErrBufferFull:
		default:
			return nil, err
		}
	}
}

// Encode writes the next record. It is certain to be in the file after [Appender.Sync] or [Appender.Close].
func (a *Appender) Encode(v any) error {
	if a.err != nil {
		return a.err
	}
	if !a.open && a.frames == nil {
		a.sink.begin()
	}
	a.open = true
	a.n++
	var err error
	if a.frames != nil {
		err = a.frames.Encode(v)
	} else {
		err = a.sink.enc.Encode(v)
	}
	if err == nil {
		return nil
	}
	e := &Error{Name: a.name, Record: a.n, Err: err}
	var path *fs.PathError
	if errors.As(err, &path) {
		a.err = e
		a.undo()
	}
	return e
}

// Sync makes everything written so far durable, so that it survives a crash. In a compressed file it ends the member
// or frame, which costs some bytes.
func (a *Appender) Sync() error {
	if a.err != nil || !a.open {
		return a.err
	}
	a.open = false
	return a.sync()
}

func (a *Appender) sync() (err error) {
	if a.frames != nil {
		err = a.frames.Flush()
		if err == nil && a.packed != nil {
			err = a.packed.end()
		}
	} else {
		err = a.sink.close()
	}
	if err == nil {
		err = a.file.Sync()
	}
	if err == nil {
		var info fs.FileInfo
		if info, err = a.file.Stat(); err == nil {
			a.size = info.Size()
		}
	}
	if err != nil {
		a.err = err
		a.undo()
	}
	return err
}

// undo takes away what a failing disk has taken half.
func (a *Appender) undo() { a.file.Truncate(a.size) }

// Close makes what has been written durable and closes the file.
func (a *Appender) Close() error {
	if a.err == errClosed {
		return nil
	}
	err := a.Sync()
	if a.frames != nil && err == nil { // else records that it counts may have been taken away
		err = a.frames.Close() // writes the frame that ends a stream
		if a.packed != nil {
			if ended := a.packed.end(); err == nil {
				err = ended
			}
		}
		if synced := a.file.Sync(); err == nil {
			err = synced
		}
	}
	a.err = errClosed
	if closed := a.file.Close(); err == nil {
		err = closed
	}
	return err
}

var _ weft.StreamEncoder = (*Appender)(nil)
