// Package framewire holds the byte functions of the framed layout: headers and frames of streams, the schema of
// their records, and the blocks that columns of integers, floats and strings are stored in.
package framewire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/weftcodec/weft/internal/wire/tagwire"
)

// The parts of a stream of frames.
const (
	Magic    = "\xf7wft"
	version  = 2       // the last that is known
	FrameLen = 12      // bytes of a frame before its body: its length, the number of records, a checksum
	MaxRows  = 1 << 16 // records in a frame

	Single = 1 // a flag of the header: the one record is the value itself
	Null   = 2 // and: the list of records is null
)

// Compressions of the body of a frame.
const (
	Plain = 0
	Zstd  = 1
)

// Errors of streams.
var (
	ErrShort    = errors.New("more bytes are needed")
	ErrChecksum = errors.New("checksum does not match")
	ErrMagic    = errors.New("not a stream of frames")
	ErrBlock    = errors.New("block is not valid")
	ErrSchema   = errors.New("schema is not valid")
	ErrCount    = errors.New("records are missing")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Header is the header of a stream.
type Header struct {
	Flags  byte
	Schema *Schema
	Size   int // of the header
}

// maxHeader bounds the headers that are read.
const maxHeader = 1 << 20

// AppendHeader appends the header of a stream.
func AppendHeader(b []byte, flags byte, s *Schema) []byte {
	head := len(b)
	b = append(append(b, Magic...), s.version(), flags)
	text := s.Append(nil)
	b = append(tagwire.AppendUvarint(b, uint64(len(text))), text...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[head:], castagnoli))
}

// Begins reports whether b begins like a stream, as far as it goes.
func Begins(b []byte) bool {
	n := min(len(b), len(Magic))
	return string(b[:n]) == Magic[:n]
}

// ParseHeader reads a header. More bytes are needed when it returns ErrShort.
func ParseHeader(b []byte) (h Header, err error) {
	n := len(Magic)
	if len(b) >= n && !Begins(b) {
		return h, ErrMagic
	}
	if len(b) < n+3 {
		return h, ErrShort
	}
	if b[n] == 0 || b[n] > version {
		return h, fmt.Errorf("version %d of the layout is not known, only 1 to %d", b[n], version)
	}
	size, i := tagwire.Uvarint(b, n+2, len(b))
	switch {
	case i == tagwire.Short:
		return h, ErrShort
	case i < 0 || size > maxHeader:
		return h, ErrSchema
	case size+4 > uint64(len(b)-i):
		return h, ErrShort
	}
	end := i + int(size)
	if crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
		return h, ErrChecksum
	}
	s, next := parseSchema(b[i:end], 0, 0)
	if next != int(size) || b[n+1] > Null || b[n] < s.version() {
		return h, ErrSchema
	}
	return Header{Flags: b[n+1], Schema: s, Size: end + 4}, nil
}

// Frame is a frame as it is stored.
type Frame struct {
	Rows int    // 0 for the one that ends a stream
	How  byte   // compression of the body
	Body []byte // as it is stored
}

// Size returns the bytes that the frame takes.
func (f *Frame) Size() int { return FrameLen + len(f.Body) }

// ParseSize returns the length of the frame whose first FrameLen bytes are b, its records, and the compression of its
// body.
func ParseSize(b []byte) (size int64, rows int, how byte) {
	n := binary.LittleEndian.Uint32(b[4:])
	return FrameLen + int64(binary.LittleEndian.Uint32(b)), int(n & 0xffffff), byte(n >> 24)
}

// ParseFrame finds the first frame of b. At the end of b, or where b ends within the frame, it returns ErrShort.
func ParseFrame(b []byte) (f Frame, err error) {
	if len(b) < FrameLen {
		return f, ErrShort
	}
	size, rows, how := ParseSize(b)
	if size > int64(len(b)) {
		return f, ErrShort
	}
	b = b[:size:size]
	switch {
	case frameSum(b) != binary.LittleEndian.Uint32(b[8:]):
		return f, ErrChecksum
	case rows > MaxRows, how > Zstd, rows == 0 && how != Plain:
		return f, ErrBlock
	}
	return Frame{rows, how, b[FrameLen:]}, nil
}

// MayBegin reports whether a frame of at most rest bytes may begin with b. Unless it is the whole rest, b has a few
// bytes more than FrameLen.
func MayBegin(b []byte, rest int64) bool {
	if len(b) < FrameLen {
		return false
	}
	size, rows, how := ParseSize(b)
	switch {
	case size > rest, rows > MaxRows, how > Zstd:
		return false
	case rows == 0:
		return how == Plain && size > FrameLen && size <= FrameLen+10
	}
	return how == Zstd || size == FrameLen || b[FrameLen] <= lastEncoding
}

// lastEncoding is the last of the encodings that the blocks of columns begin with.
const lastEncoding = 4

// Whole reports whether in begins with a frame whose checksum matches. If the length in the frame exceeds that of in,
// it is taken as damaged, and all of in as the frame.
func Whole(in *io.SectionReader) bool {
	n := in.Size()
	var head [FrameLen]byte
	if _, err := io.ReadFull(in, head[:]); err != nil || n > FrameLen+math.MaxUint32 {
		return false
	}
	size, rows, how := ParseSize(head[:])
	if size > n {
		size = n
		binary.LittleEndian.PutUint32(head[:], uint32(n-FrameLen))
	}
	if rows > 0 && how == Plain && !blocks(in, FrameLen, size) { // which is seen sooner
		return false
	}
	sum := crc32.Checksum(head[:8], castagnoli)
	b := make([]byte, min(size-FrameLen, 64<<10))
	for size -= FrameLen; size > 0; size -= int64(len(b)) {
		b = b[:min(size, int64(len(b)))]
		if _, err := io.ReadFull(in, b); err != nil {
			return false
		}
		sum = crc32.Update(sum, castagnoli, b)
	}
	return sum == binary.LittleEndian.Uint32(head[8:])
}

// blocks reports whether the bytes of in from off up to end may consist of the blocks of columns. After some empty ones
// in a row, which zero bytes are too, it does not look further.
func blocks(in io.ReaderAt, off, end int64) bool {
	var b [1 + binary.MaxVarintLen64]byte
	for empty := 0; off < end && empty < 16; empty++ {
		n, _ := in.ReadAt(b[:min(int64(len(b)), end-off)], off)
		size, next := tagwire.Uvarint(b[:], 1, n)
		if n < 2 || b[0] > lastEncoding || next < 0 || size > uint64(end-off)-uint64(next) {
			return false
		}
		if off += int64(next) + int64(size); size > 0 {
			empty = 0
		}
	}
	return true
}

// Seal fills in the first FrameLen bytes of a frame.
func Seal(f []byte, rows int, how byte) {
	binary.LittleEndian.PutUint32(f, uint32(len(f)-FrameLen))
	binary.LittleEndian.PutUint32(f[4:], uint32(rows)|uint32(how)<<24)
	binary.LittleEndian.PutUint32(f[8:], frameSum(f))
}

// frameSum is the checksum of a frame: of its length, its number of records and its body.
func frameSum(f []byte) uint32 {
	return crc32.Update(crc32.Checksum(f[:8], castagnoli), castagnoli, f[FrameLen:])
}

// AppendEnd appends the frame that ends a stream of the given number of records.
func AppendEnd(b []byte, records int64) []byte {
	head := len(b)
	b = append(b, make([]byte, FrameLen)...)
	b = tagwire.AppendUvarint(b, uint64(records))
	Seal(b[head:], 0, Plain)
	return b
}

// CheckEnd checks f, which ends a stream of the given number of records.
func (f *Frame) CheckEnd(records int64) error {
	n, next := tagwire.Uvarint(f.Body, 0, len(f.Body))
	if next != len(f.Body) {
		return ErrBlock
	}
	if n != uint64(records) {
		return ErrCount
	}
	return nil
}
