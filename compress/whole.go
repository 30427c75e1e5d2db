package compress

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/input"
)

// Whole reads r up to its end and returns how many bytes of it are complete gzip members or Zstandard frames, and the
// error of what follows them. If the last one is cut off, as a writer of a file leaves it when it is killed, the
// error wraps [weft.ErrUnexpectedEnd]. The checksums of gzip are verified; the blocks of Zstandard are not
// decompressed.
//
// A damaged length can make a member seem to be cut off. So if r is an [io.ReaderAt] too, such as a file that is at its
// beginning, Whole looks for whole members behind, and if there is one, the error is another.
func (c *Codec) Whole(r io.Reader) (int64, error) {
	var in source
	in.open(r)
	defer in.close()
	next := frame
	if c.name == NameGzip {
		next = new(member).next
	}
	for {
		whole := in.offset()
		_, err := in.buf.Peek(1)
		if err == io.EOF {
			return whole, nil
		}
		if err == nil {
			if head, _ := in.buf.Peek(4); !mayBegin(c.name, string(head)) {
				return whole, c.fault(whole, errors.New("what follows is no "+c.name))
			}
			err = next(in.buf)
		}
		switch {
		case err == nil:
			continue
		case in.count.err != nil && in.count.err != io.EOF:
			return whole, in.count.err
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			err = weft.ErrUnexpectedEnd
			if at, ok := r.(io.ReaderAt); ok {
				behind, failed := c.find(at, whole+1, in.count.n)
				if failed != nil {
					return whole, failed
				}
				if behind >= 0 {
					return whole, c.fault(whole,
						fmt.Errorf("it is damaged: it does not end, but what begins at offset %d does", behind))
				}
			}
		}
		return whole, c.fault(in.offset(), err)
	}
}

// find returns the offset of the first whole member or frame of r from from up to size, or -1.
func (c *Codec) find(r io.ReaderAt, from, size int64) (int64, error) {
	z, buf := new(member), bufio.NewReader(nil)
	begins := func(b []byte, _ int64) bool { return len(b) > 4 && mayBegin(c.name, string(b[:4])) }
	return input.Find(r, from, size, begins, func(in *io.SectionReader) bool {
		buf.Reset(in)
		if c.name == NameGzip {
			return z.next(buf) == nil
		}
		return frame(buf) == nil
	})
}

// mayBegin reports whether head, of one to four bytes, is the beginning of a member
// or frame, or would be if it were not cut off.
func mayBegin(name, head string) bool {
	if name == NameGzip {
		return cutPrefix(head, "\x1f\x8b\x08")
	}
	return cutPrefix(head, "\x28\xb5\x2f\xfd") || head[0]&0xf0 == 0x50 && cutPrefix(head[1:], "\x2a\x4d\x18")
}

func cutPrefix(s, prefix string) bool {
	n := min(len(s), len(prefix))
	return s[:n] == prefix[:n]
}

// member reads gzip members.
type member struct{ z gzip.Reader }

func (m *member) next(r *bufio.Reader) error {
	if err := m.z.Reset(r); err != nil {
		return err
	}
	m.z.Multistream(false)
	_, err := io.Copy(io.Discard, &m.z)
	return err
}

// maxBlock is the largest size of a block of Zstandard (RFC 8878 §3.1.1.2.4).
const maxBlock = 128 << 10

// frame skips a Zstandard or skippable frame (RFC 8878 §3.1).
func frame(r *bufio.Reader) error {
	head, err := r.Peek(4)
	if err != nil {
		return err
	}
	switch magic := binary.LittleEndian.Uint32(head); {
	case magic&^0xf == 0x184d2a50:
		if head, err = r.Peek(8); err != nil {
			return err
		}
		return discard(r, 8+int64(binary.LittleEndian.Uint32(head[4:])))
	case magic != 0xfd2fb528:
		return fmt.Errorf("%#08x is not the magic number of a frame", magic)
	}
	if head, err = r.Peek(5); err != nil {
		return err
	}
	d := head[4]
	size := int64(4 + 1)
	single := d>>5&1 == 1
	if !single {
		size++ // window
	}
	size += []int64{0, 1, 2, 4}[d&3] // dictionary
	switch d >> 6 {
	case 0:
		if single {
			size++
		}
	default:
		size += 1 << (d >> 6) // content
	}
	if err := discard(r, size); err != nil {
		return err
	}
	for {
		if head, err = r.Peek(3); err != nil {
			return err
		}
		b := int64(head[0]) | int64(head[1])<<8 | int64(head[2])<<16
		size := b >> 3
		switch {
		case size > maxBlock:
			return fmt.Errorf("a block of %d bytes, more than %d", size, maxBlock)
		case b>>1&3 == 1:
			size = 1
		case b>>1&3 == 3:
			return errors.New("a block of a reserved type")
		}
		if err := discard(r, 3+size); err != nil {
			return err
		}
		if b&1 == 1 {
			break
		}
	}
	return discard(r, int64(d>>2&1)*4) // checksum
}

func discard(r *bufio.Reader, n int64) error {
	got, err := io.CopyN(io.Discard, r, n)
	if got < n && err == nil {
		err = io.ErrUnexpectedEOF
	}
	return err
}
