package transcode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"sync"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json"
)

// slack is the room before what a window holds: a header is put there.
const slack = 8

// maxOpen bounds how deep the containers nest that are longer than a window: each
// is looked at again for each one in it.
const maxOpen = 256

var (
	errTrailing = weft.ErrTrailingData
	errEnd      = errors.New("unexpected end of a container")
	errLong     = errors.New("a string that is longer than allowed")
	errDeep     = errors.New("containers nest too deep that are too long to stand in memory")
)

// Streams reports whether documents of from can be read as documents of another format, to, in
// memory that does not grow with them.
func Streams(from, to weft.Format) bool {
	_, reads := grammars[from.Name()]
	_, writes := grammars[to.Name()]
	return reads && writes && from.Name() != to.Name()
}

// Late reports whether all containers of the format begin with the number of what they hold: documents of it are written
// by [Pack], and not by a Reader alone.
func Late(to weft.Format) bool { return to.Name() == namePack }

// Reader reads a document in another format than it has.
type Reader struct {
	o        Options
	src      io.Reader
	b        []byte // the window; what has been read stands in b[slack:]
	off      int    // in b, of what comes next
	base     int64  // offset in the document of b[0]
	eof      bool
	from, to *grammar // nil for JSON
	heads    Heads
	written  int64 // bytes before out
	stack    []frame
	done     bool
	out      []byte // written, but not read yet
	buf      []byte
	err      error
}

// frame is a container that is longer than the window.
type frame struct {
	object bool
	n      int    // elements or members so far
	most   int    // in all, -1 where that is not known
	head   int    // in heads, if most is not known and the format is a late one
	name   string // of the member that comes next but is not whole, for the path
}

// windows are those that are free.
var windows sync.Pool

// NewReader returns a reader of the document that src reads, in the format o.To, which is not a late one.
func NewReader(src io.Reader, o Options) *Reader {
	r := &Reader{o: o, src: src}
	r.from, r.to = grammars[o.From.Name()], grammars[o.To.Name()]
	if b, _ := windows.Get().(*[]byte); b != nil && cap(*b) == o.Window+slack {
		r.b = (*b)[:slack]
	} else {
		r.b = make([]byte, slack, o.Window+slack)
	}
	r.off, r.base = slack, -slack
	return r
}

// Close gives back the memory of the reader.
func (r *Reader) Close() {
	if cap(r.b) == r.o.Window+slack {
		b := r.b
		windows.Put(&b)
	}
	r.b, r.done, r.out = nil, true, nil
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		if r.done {
			return 0, io.EOF
		}
		r.out = r.buf[:0]
		r.err = r.step()
		if cap(r.out) > cap(r.buf) {
			r.buf = r.out
		}
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// rest is what is in the window and comes next.
func (r *Reader) rest() []byte { return r.b[r.off:] }

// fill fills the window: it always ends the same way for the same document, so that the containers which
// are too long for it are the same when it is read again.
func (r *Reader) fill() error {
	n := copy(r.b[slack:cap(r.b)], r.rest())
	r.base += int64(r.off - slack)
	r.b, r.off = r.b[:slack+n], slack
	for len(r.b) < cap(r.b) && !r.eof {
		n, err := r.src.Read(r.b[len(r.b):cap(r.b)])
		r.b = r.b[:len(r.b)+n]
		if err == io.EOF {
			r.eof = true
		} else if err != nil {
			return err
		}
	}
	return nil
}

// grow makes the window longer, for one string that does not fit.
func (r *Reader) grow() error {
	if r.eof {
		return r.fail(len(r.rest()), weft.ErrUnexpectedEnd)
	}
	if cap(r.b) > r.o.Max {
		return r.fail(0, errLong)
	}
	b := make([]byte, len(r.b), 2*cap(r.b))
	copy(b, r.b)
	r.b = b
	return r.fill()
}

// step writes the next piece.
func (r *Reader) step() error {
	if !r.eof && (r.off > cap(r.b)/2 || len(r.b) == slack) {
		if err := r.fill(); err != nil {
			return err
		}
	}
	if len(r.stack) == 0 {
		return r.top()
	}
	f := &r.stack[len(r.stack)-1]
	if r.from == nil {
		return r.jsonPiece(f)
	}
	return r.binaryPiece(f)
}

// top reads the document, or opens it.
func (r *Reader) top() error {
	if r.from == nil {
		r.off += skipBlanks(r.rest(), 0)
		if len(r.rest()) == 0 && !r.eof {
			return nil // blanks only so far
		}
		if end := jsonValue(r.rest(), r.eof); end >= 0 || r.eof {
			if end < 0 {
				end = len(r.rest()) // cut off: the reader says it better
			}
			return r.whole(end)
		}
		return r.open()
	}
	if end := r.from.value(r.rest(), 0); end >= 0 || r.eof {
		if end < 0 {
			end = len(r.rest())
		}
		return r.whole(end)
	}
	return r.open()
}

// whole writes the document, which ends in the window.
func (r *Reader) whole(end int) error {
	b, err := r.o.Append(r.out, r.rest()[:end])
	if err != nil {
		return r.locate(err, r.off)
	}
	r.out = b
	r.off += end
	return r.end()
}

// end looks for what follows the document, which has to be nothing.
func (r *Reader) end() error {
	for {
		if r.from == nil {
			r.off += skipBlanks(r.rest(), 0)
		}
		if len(r.rest()) > 0 {
			return r.fail(0, errTrailing)
		}
		if r.eof {
			r.done = true
			return nil
		}
		if err := r.fill(); err != nil {
			return err
		}
	}
}

// open begins a value that is longer than the window, or grows the window when it is
// no container.
func (r *Reader) open() error {
	b := r.rest()
	next, i := frame{most: -1}, 1
	if r.from != nil {
		if b[0] == r.from.end {
			return r.fail(0, errEnd)
		}
		next.object, next.most, i = r.from.open(b)
	} else if next.object = b[0] == '{'; !next.object && b[0] != '[' {
		i = -1
	}
	if i < 0 {
		return r.grow()
	}
	if len(r.stack) == maxOpen {
		return r.fail(0, errDeep)
	}
	r.off += i
	switch {
	case r.to != nil && next.most < 0 && Late(r.o.To):
		next.head = len(r.heads)
		r.heads = append(r.heads, head{at: r.written + int64(len(r.out)), object: next.object})
	case r.to != nil:
		r.out = r.to.head(r.out, next.object, next.most)
	case next.object:
		r.out = append(r.out, '{')
	default:
		r.out = append(r.out, '[')
	}
	r.stack = append(r.stack, next)
	return nil
}

// close ends the container that was opened last.
func (r *Reader) close() error {
	f := r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	switch {
	case r.to != nil && f.most >= 0: // as its header says
	case r.to != nil && Late(r.o.To):
		r.heads[f.head].n = f.n
	case r.to != nil:
		r.out = append(r.out, r.to.end)
	case f.object:
		r.out = append(r.out, '}')
	default:
		r.out = append(r.out, ']')
	}
	if len(r.stack) == 0 {
		return r.end()
	}
	up := &r.stack[len(r.stack)-1]
	up.n++
	up.name = ""
	if r.from == nil {
		return r.comma()
	}
	return nil
}

// jsonPiece writes the elements of f that are whole in the window.
func (r *Reader) jsonPiece(f *frame) error {
	if n, used, closed := r.jsonDirect(f); n > 0 {
		f.n += n
		if r.off += used; closed {
			return r.close()
		}
		return nil
	}
	b := r.rest()
	end, n, closed := jsonElements(b)
	if n == 0 && !closed {
		return r.jsonLong(f)
	}
	if closed && n == 0 && f.n > 0 {
		return r.fail(end, fmt.Errorf("invalid character %q after a comma", b[end]))
	}
	if n == 1 && blank(b[:end]) { // several, one of which is blank, are not JSON by themselves
		return r.fail(end, fmt.Errorf("invalid character %q where an element is expected", b[end]))
	}
	if right := byte(']' + (('}' - ']') * btoi(f.object))); closed && b[end] != right {
		return r.fail(end, fmt.Errorf("invalid character %q: %q ends what is open", b[end], right))
	}
	if n > 0 {
		// The delimiters around the elements become those of a document of their own.
		left, right := byte('['), byte(']')
		if f.object {
			left, right = '{', '}'
		}
		delimiter := b[end]
		r.b[r.off-1], b[end] = left, right
		err := r.piece(f, r.off-1, r.b[r.off-1:r.off+end+1])
		b[end] = delimiter
		if err != nil {
			return err
		}
	}
	f.n += n
	r.off += end + 1
	if closed {
		return r.close()
	}
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// jsonLong begins an element of f that is not whole in the window.
func (r *Reader) jsonLong(f *frame) error {
	r.off += skipBlanks(r.rest(), 0)
	if r.off > slack && !r.eof {
		return r.fill() // there may be more of it
	}
	if r.eof {
		return r.fail(len(r.rest()), weft.ErrUnexpectedEnd)
	}
	b := r.rest()
	if !f.object {
		return r.open()
	}
	// The name, and what stands behind its colon.
	if b[0] != '"' {
		return r.fail(0, fmt.Errorf("invalid character %q where a name is expected", b[0]))
	}
	end := stringEnd(b, 0)
	if end < 0 {
		return r.grow()
	}
	colon := skipBlanks(b, end+1)
	if value := skipBlanks(b, min(colon+1, len(b))); value >= len(b) {
		return r.grow()
	} else if b[colon] != ':' {
		return r.fail(colon, fmt.Errorf("invalid character %q where a colon is expected", b[colon]))
	} else if b[value] != '[' && b[value] != '{' {
		return r.grow() // a long string
	} else {
		return r.jsonName(f, b[:end+1], value)
	}
}

// jsonName writes the name of a member, whose value begins at bytes on.
func (r *Reader) jsonName(f *frame, name []byte, at int) error {
	b, err := r.o.Append(r.out, name)
	if err != nil {
		return r.locate(err, r.off)
	}
	r.out = b
	var text string
	_ = json.Unmarshal(name, &text)
	f.name = text
	r.off += at
	return r.open()
}

// comma reads what stands behind a container that was longer than the window.
func (r *Reader) comma() error {
	f := &r.stack[len(r.stack)-1]
	for {
		r.off += skipBlanks(r.rest(), 0)
		if len(r.rest()) > 0 {
			break
		}
		if r.eof {
			return r.fail(0, weft.ErrUnexpectedEnd)
		}
		if err := r.fill(); err != nil {
			return err
		}
	}
	switch c := r.rest()[0]; {
	case c == ',':
		r.off++
		return nil
	case c == ']' && !f.object, c == '}' && f.object:
		r.off++
		return r.close()
	default:
		return r.fail(0, fmt.Errorf("invalid character %q after an element", c))
	}
}

// binaryPiece writes the elements of f that are whole in the window.
func (r *Reader) binaryPiece(f *frame) error {
	due := f.most - f.n
	if f.most < 0 {
		if due = math.MaxInt32 / 2; r.off < len(r.b) && r.b[r.off] == r.from.end {
			r.off++
			due = 0
		}
	}
	if due == 0 {
		return r.close()
	}
	if n, used := r.packDirect(f, due); n > 0 {
		f.n += n
		r.off += used
		return nil
	}
	b := r.rest()
	most := due
	if f.object {
		most = 2 * due
	}
	end, n := r.from.elements(b, most)
	if f.object && n%2 == 1 { // a name without its value
		n--
		end, _ = r.from.elements(b, n)
	}
	if n == 0 {
		return r.binaryLong(f)
	}
	start := r.off - 5
	if r.b[start] = r.from.array; f.object {
		n /= 2
		r.b[start] = r.from.object
	}
	// A header before the elements makes a document of them.
	binary.BigEndian.PutUint32(r.b[start+1:], uint32(n))
	if err := r.piece(f, start, r.b[start:r.off+end]); err != nil {
		return err
	}
	f.n += n
	r.off += end
	return nil
}

// binaryLong begins an element of f that is not whole in the window.
func (r *Reader) binaryLong(f *frame) error {
	if r.off > slack && !r.eof {
		return r.fill()
	}
	if r.eof {
		return r.fail(len(r.rest()), weft.ErrUnexpectedEnd)
	}
	b, end := r.rest(), 0
	if f.object && b[0] != r.from.end {
		if end = r.from.value(b, 0); end < 0 || end == len(b) {
			return r.grow()
		}
	}
	if b[end] == r.from.end {
		return r.fail(end, errEnd)
	}
	if _, _, next := r.from.open(b[end:]); next < 0 {
		return r.grow()
	}
	if f.object {
		if err := r.binaryName(f, b[:end]); err != nil {
			return err
		}
	} else if r.to == nil && f.n > 0 {
		r.out = append(r.out, ',')
	}
	r.off += end
	return r.open()
}

// binaryName writes the name of a member, as that of a document of one, of which null is the value.
func (r *Reader) binaryName(f *frame, name []byte) error {
	doc := append(append([]byte{r.from.object, 0, 0, 0, 1}, name...), r.from.null)
	if err := r.piece(f, r.off-5, doc); err != nil {
		return err
	}
	if r.to != nil {
		r.out = r.out[:len(r.out)-1]
	} else {
		r.out = r.out[:len(r.out)-len("null")]
	}
	o := Options{From: r.o.From, To: json.Format}
	if text, err := o.Append(nil, doc); err == nil {
		var m map[string]any
		_ = json.Unmarshal(text, &m)
		for f.name = range m { // the only one
		}
	}
	return nil
}

// piece writes elements of f, which src is a container of and which begins at b[at].
func (r *Reader) piece(f *frame, at int, src []byte) error {
	start := len(r.out)
	b, err := r.o.Append(r.out, src)
	if err != nil {
		return r.locate(err, at)
	}
	if r.to != nil {
		_, _, next := r.to.open(b[start:])
		r.out = append(b[:start], b[start+next:]...)
		return nil
	}
	if f.n > 0 {
		b[start] = ','
		r.out = b[:len(b)-1]
		return nil
	}
	r.out = append(b[:start], b[start+1:len(b)-1]...)
	return nil
}

// fail returns an error about what stands i bytes on.
func (r *Reader) fail(i int, err error) error {
	return &weft.Error{Format: r.o.From.Name(), Offset: r.base + int64(r.off+i), Path: r.path(0, ""), Err: err}
}

// locate returns an error about a part of the document, which begins at b[at], as one
// about the document.
func (r *Reader) locate(err error, at int) error {
	var e *weft.Error
	if !errors.As(err, &e) {
		return err
	}
	moved := *e
	if moved.Offset >= 0 {
		moved.Offset = max(moved.Offset+r.base+int64(at), r.base+int64(r.off)) // what is added before is not part of it
	}
	n := 0
	if len(r.stack) > 0 {
		n = r.stack[len(r.stack)-1].n
	}
	moved.Path = r.path(n, e.Path)
	return &moved
}

// path returns the path to what stands at path in a part of the container opened
// last, the n-th element of which is the first of the part.
func (r *Reader) path(n int, path string) string {
	var p []byte
	for i, f := range r.stack {
		if i == len(r.stack)-1 {
			break
		}
		if f.object {
			p = wire.AppendPointer(p, f.name)
		} else {
			p = strconv.AppendInt(append(p, '/'), int64(f.n), 10)
		}
	}
	if len(r.stack) == 0 || path == "" {
		return string(p) + path
	}
	if f := r.stack[len(r.stack)-1]; !f.object {
		first, rest := path[1:], ""
		for i := 1; i < len(path); i++ {
			if path[i] == '/' {
				first, rest = path[1:i], path[i:]
				break
			}
		}
		if i, err := strconv.Atoi(first); err == nil {
			return string(strconv.AppendInt(append(p, '/'), int64(i+n), 10)) + rest
		}
	}
	return string(p) + path
}
