// Package file saves values to files and loads them, in any format and compression.
//
// The names that matter:
//
//   - [SaveFile] and [LoadFile]: one value, or a slice as the records of a file
//   - [Create] and [OpenReader], [All]: one record at a time
//   - [OpenAppender]: appends records to a file
//   - [As]: sets the format, if the name of the file does not
//   - [Replace]: replaces a file that your own code writes
//
// SaveFile and Create write a temporary file and rename it when it is on the disk. Whatever happens, the name refers
// to the complete old file or the complete new one. The name of a file selects its format and compression, and
// content in another format is rejected. If the name does not select a format, the content does. Files of many
// records are saved and loaded by several goroutines, in order.
//
// A record is one value of a file: a line of newline-delimited JSON, or one of several consecutive MessagePack or
// CBOR values. A slice is saved as the records of such a file, and as one array in a file of any other format.
package file

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/compress"
)

// Options is a set of settings; see [weft.Options].
type Options = weft.Options

type (
	asKey      struct{}
	workersKey struct{}
	repairKey  struct{}
	pieceKey   struct{}
	skipKey    struct{}
)

// As sets the format, with its compression if it has one, such as compress.Zstd(json.Format). It overrides the name
// of the file for writing and reading. If the format has no compression, content is read in either compression or in
// none.
func As(f weft.Format) Options { return weft.With(asKey{}, f) }

// Workers sets the largest number of goroutines that process the records of one file. The default is
// runtime.GOMAXPROCS; with 1 only the goroutine of the caller is used. No goroutine outlives the call.
func Workers(n int) Options { return weft.With(workersKey{}, n) }

// Repair specifies whether [OpenAppender] truncates an incomplete last record that a killed writer has left. By
// default it returns an error. It never truncates records that were complete; see [ErrDamaged].
func Repair(on bool) Options { return weft.With(repairKey{}, on) }

// SkipDamaged makes [OpenReader], [All] and [LoadFile] read a file of frames past damaged bytes: they read all frames
// that are whole, and call lost with the offsets of each range of bytes that they leave out, in order, a torn end too.
// Offsets in errors are then those without what is left out. A damaged header remains an error, as does all damage in
// files of other formats and in files that are compressed as a whole.
func SkipDamaged(lost func(from, to int64)) Options { return weft.With(skipKey{}, lost) }

// settings are the options of one call.
type settings struct {
	opts    []Options   // as given, with those of the format before them
	format  weft.Format // without compression; nil when not set
	codec   *compress.Codec
	workers int
	repair  bool
	lost    func(from, to int64) // of SkipDamaged, or nil
	piece   int                  // about how much text one job reads or writes
	member  int                  // about how much text stands in a piece that is compressed for itself
}

const (
	pieceSize  = 1 << 20
	memberSize = 4 << 20 // the compression begins anew in each
)

func settingsOf(opts []Options) settings {
	s := settings{opts: opts, workers: runtime.GOMAXPROCS(0), piece: pieceSize, member: memberSize}
	o := weft.Join(opts...)
	if v, ok := o.Value(asKey{}); ok {
		var inner []Options
		s.format, s.codec, inner, _ = compress.Split(v.(weft.Format))
		s.opts = append(append([]Options(nil), inner...), opts...)
	}
	if v, ok := o.Value(workersKey{}); ok {
		s.workers = max(v.(int), 1)
	}
	if v, ok := o.Value(repairKey{}); ok {
		s.repair = v.(bool)
	}
	if v, ok := o.Value(skipKey{}); ok {
		s.lost = v.(func(from, to int64))
	}
	if v, ok := o.Value(pieceKey{}); ok {
		s.piece, s.member = v.(int), 4*v.(int)
	}
	return s
}

// Error is an error about the content of a file.
type Error struct {
	Name   string // of the file
	Record int    // from 1; 0 when the error is not about one
	Line   int    // of the record, where records are lines; from 1
	Err    error  // with the offset in the file when decompressed, if it is a [weft.Error]
}

// Error returns the text of the error, such as
//
//	parts.ndjson: line 3: json: at /id, offset 44: …
func (e *Error) Error() string {
	text := e.Name + ": "
	switch {
	case e.Line > 0:
		text += "line " + strconv.Itoa(e.Line) + ": "
	case e.Record > 0:
		text += "record " + strconv.Itoa(e.Record) + ": "
	}
	return text + e.Err.Error()
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// ErrTorn says that a file ends within a record, because its writer was stopped.
var ErrTorn = errors.New("the last record is torn")

// ErrDamaged says that bytes before the end of a file were changed. [OpenAppender] returns it instead of [ErrTorn] if
// complete records follow where the file seems to end. In frames, gzip and Zstandard they are recognized with
// certainty; in MessagePack and CBOR, which have no checksums, if they are maps or arrays that begin like earlier ones.
var ErrDamaged = errors.New("the file is damaged before its end")

// damaged returns err, which says what is wrong with the content, as ErrDamaged.
func damaged(err error) error {
	var e *weft.Error
	if !errors.As(err, &e) || errors.Is(err, ErrTorn) || errors.Is(err, weft.ErrUnexpectedEnd) {
		return err
	}
	return fmt.Errorf("%w, and nothing was changed: %w: save what can be read to another file, "+
		"or truncate the file at that offset to drop what follows", ErrDamaged, err)
}

// moved returns err with its offset moved by base.
func moved(err error, base int64) error {
	var at *weft.Error
	if base == 0 || !errors.As(err, &at) || at.Offset < 0 {
		return err
	}
	m := *at
	m.Offset += base
	return &m
}

// errNoFormat is the error for a name that does not select a format.
func errNoFormat(name string) error {
	return fmt.Errorf("%s: the name does not select a format: end it in %s, optionally followed by .gz or .zst, "+
		"or give file.As", name, extensions)
}
