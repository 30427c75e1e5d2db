package web

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/json/jsontext"
	"github.com/weftcodec/weft/msgpack"
)

// DefaultMaxSize is the default of [MaxSize].
const DefaultMaxSize = 4 << 20

type maxKey struct{}

// MaxSize limits the size of a body in bytes, before and after decompression. The answer to a larger body is 413. It
// affects unmarshaling.
func MaxSize(n int64) weft.Options { return weft.With(maxKey{}, n) }

// defaults are strict where two readers of one document could differ, and report all that is wrong.
var defaults = weft.Join(weft.RejectDuplicates(true), weft.AllViolations(true), jsontext.AllowInvalidUTF8(false),
	msgpack.RejectInvalidUTF8(true))

// Read reads the body of a request into the variable that v points to, in the format that its Content-Type names; a
// body without a Content-Type is JSON. The rules of the type are checked as those of a request ([weft.AsRequest]).
//
// The error is a *Problem for [Fail]: 415 for an unknown format, charset or compression, 413 for a body that is too
// large, 400 for a body that is not well-formed, and 422 for a body that does not fit the type or violates its rules.
func Read(r *http.Request, v any, opts ...weft.Options) error {
	return read(r.Header, r.Body, r.ContentLength, v, weft.Join(defaults, weft.AsRequest(true), weft.Join(opts...)))
}

// ReadResponse reads the body of an answer into the variable that v points to, as [Read] does, and closes it. If v is
// nil, the body is discarded. If the status is 400 or above, the error is a *Problem, read from the body if it is
// application/problem+json, or else with only the status.
func ReadResponse(r *http.Response, v any, opts ...weft.Options) error {
	defer r.Body.Close()
	set := weft.Join(defaults, weft.AsResponse(true), weft.Join(opts...))
	if r.StatusCode >= http.StatusBadRequest {
		p := new(Problem)
		if mediaType(r.Header) == problemType {
			if err := read(r.Header, r.Body, r.ContentLength, p, set); err != nil {
				p = &Problem{err: err}
			}
		}
		p.Status = r.StatusCode
		if p.Title == "" {
			p.Title = http.StatusText(r.StatusCode)
		}
		return p
	}
	if v == nil {
		return nil
	}
	return read(r.Header, r.Body, r.ContentLength, v, set)
}

func read(h http.Header, body io.Reader, length int64, v any, opts weft.Options) error {
	m := medias[0]
	if t := h.Get("Content-Type"); t != "" {
		if m = mediaOf(t); m == nil {
			err := fmt.Errorf("web: the body is %q: send %s, in UTF-8", t, written())
			p := problem(http.StatusUnsupportedMediaType, err)
			p.header = http.Header{"Accept": {written()}}
			return p
		}
	}
	codec, ok := codecOf(h.Get("Content-Encoding"))
	if !ok {
		err := fmt.Errorf("web: the body is compressed by %q: use gzip, zstd or none", h.Get("Content-Encoding"))
		p := problem(http.StatusUnsupportedMediaType, err)
		p.header = http.Header{"Accept-Encoding": {"zstd, gzip"}}
		return p
	}
	max := int64(DefaultMaxSize)
	if n, ok := opts.Value(maxKey{}); ok {
		max = n.(int64)
	}
	if length > max {
		err := fmt.Errorf("web: the body has %d bytes: at most %d are read", length, max)
		return problem(http.StatusRequestEntityTooLarge, err)
	}
	if body == nil {
		body = http.NoBody
	}
	// One byte more tells a body that is too large from one that just fits.
	limited := &io.LimitedReader{R: body, N: min(max, math.MaxInt64-1) + 1}
	var in io.Reader = limited
	if codec != nil {
		z := codec.NewReader(in, compress.MaxSize(max))
		defer z.Close()
		in = z
	}
	b := input.Take()
	if opts.Flags(0)&weft.AliasInput(true).Flags(0) == 0 {
		defer b.Release()
	}
	err := b.ReadAll(in)
	var large *http.MaxBytesError
	switch {
	case limited.N <= 0, errors.Is(err, compress.ErrTooLarge), errors.As(err, &large):
		err = fmt.Errorf("web: the body is too large: at most %d bytes are read", max)
		return problem(http.StatusRequestEntityTooLarge, err)
	case err != nil:
		return problem(http.StatusBadRequest, err)
	}
	if err := m.Unmarshal(b.B, v, opts); err != nil {
		status := http.StatusBadRequest
		if m.valid(b.B) {
			status = http.StatusUnprocessableEntity
		}
		return problem(status, err)
	}
	return nil
}
