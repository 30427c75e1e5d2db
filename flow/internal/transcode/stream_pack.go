package transcode

import "io"

// Heads are the headers of the containers of a document that are longer than a window: how much those hold is known at
// their ends only.
type Heads []head

// head is the header of a container.
type head struct {
	at     int64 // in what Pack has written
	object bool
	n      int
}

// Pack writes the document that src reads to w, in the format o.To, which is a [Late] one, but for the headers that
// it returns.
func Pack(w io.Writer, src io.Reader, o Options) (Heads, error) {
	r := NewReader(src, o)
	defer r.Close()
	for !r.done {
		if err := r.step(); err != nil {
			return nil, err
		}
		if _, err := w.Write(r.out); err != nil {
			return nil, err
		}
		r.written += int64(len(r.out))
		r.out = r.out[:0]
	}
	return r.heads, nil
}

// Reader returns a reader of the document, of which r reads what [Pack] has written.
func (h Heads) Reader(r io.Reader) io.Reader { return &headReader{heads: h, src: r} }

// headReader puts headers in their places.
type headReader struct {
	heads Heads
	src   io.Reader
	at    int64 // in src
	out   []byte
}

// Read implements io.Reader.
func (r *headReader) Read(p []byte) (int, error) {
	for ; len(r.heads) > 0 && r.heads[0].at == r.at; r.heads = r.heads[1:] {
		r.out = packHead(r.out, r.heads[0].object, r.heads[0].n)
	}
	if len(r.out) > 0 {
		n := copy(p, r.out)
		r.out = r.out[n:]
		return n, nil
	}
	if len(r.heads) > 0 {
		p = p[:min(int64(len(p)), r.heads[0].at-r.at)]
	}
	n, err := r.src.Read(p)
	r.at += int64(n)
	switch {
	case err == io.EOF && n > 0:
		err = nil // a header may follow
	case err == io.EOF && len(r.heads) > 0:
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
