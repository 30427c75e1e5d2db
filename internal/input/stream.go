package input

import "io"

// Stream reads values one by one. It reads ahead, into memory that grows with what has come.
type Stream struct {
	Buffer
	Src   io.Reader
	Start int   // of the next value in B
	Base  int64 // offset of B in the stream
	Err   error // what ends the stream: of Src, or what the owner says
}

// maxIdle bounds the memory that is kept when all of it has been read.
const maxIdle = 1 << 20

// Rest returns what has been read ahead.
func (s *Stream) Rest() []byte { return s.B[s.Start:] }

// Offset returns the offset of the next value in the stream.
func (s *Stream) Offset() int64 { return s.Base + int64(s.Start) }

// More reports whether there is something left, or an error other than io.EOF.
func (s *Stream) More() bool {
	for s.Start == len(s.B) {
		if s.Err != nil {
			return s.Err != io.EOF
		}
		s.Fill()
	}
	return true
}

// Next returns the bytes of the next value, of which scan finds the end, short where that is still to come. What scan
// refuses otherwise, and what is cut off, is an error that broken returns.
func (s *Stream) Next(short int, scan func(b []byte) (end, at int), broken func(end, at int) error) ([]byte, error) {
	if !s.More() {
		return nil, io.EOF
	}
	for {
		end, at := scan(s.Rest())
		switch {
		case end >= 0:
			return s.B[s.Start : s.Start+end : s.Start+end], nil
		case end == short && s.Err == nil:
			s.Fill()
		case end == short && s.Err != io.EOF:
			return nil, s.Err
		default:
			return nil, broken(end, at)
		}
	}
}

// Fill reads more of the stream, after making room. What Rest has returned is not valid any more.
func (s *Stream) Fill() {
	if s.Start > 0 && (s.Start == len(s.B) || s.Start > cap(s.B)/2) {
		n := copy(s.B, s.B[s.Start:])
		s.Base += int64(s.Start)
		s.B, s.Start = s.B[:n], 0
	}
	if len(s.B) == 0 && cap(s.B) > maxIdle {
		s.B = nil
	}
	s.Err = s.Buffer.More(s.Src)
}

// Close drops what has been read ahead, and ends the stream with err.
func (s *Stream) Close(err error) error {
	s.B, s.Start, s.Err = nil, 0, err
	return nil
}
