package msgpack

import (
	"errors"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// Codec defines how values of one Go type are written and read by calls that are given it by [Codecs]. It overrides
// the type's own encoding.
type Codec struct {
	rtype   reflect.Type
	isExt   bool
	ext     int8
	put     encodeFunc
	get     decodeFunc
	dynamic func(body []byte) (any, error) // of an extension
}

// ExtCodec writes values of type T as extensions of the type ext: app appends only the body, and read receives the
// body, which it must not retain. An extension of that type is also read into an interface as a T.
func ExtCodec[T any](ext int8, app func(b []byte, v T) ([]byte, error), read func(body []byte) (T, error)) Codec {
	return Codec{
		rtype: reflect.TypeFor[T](), isExt: true, ext: ext,
		put: func(s *encoder, b []byte, q mem.Ptr) []byte {
			head := len(b)
			out, err := app(append(b, make([]byte, maxExtHeader)...), *mem.At[T](q))
			switch n := len(out) - head - maxExtHeader; {
			case err != nil:
				return s.fail(b, err)
			case n < 0:
				return s.fail(b, errCodec)
			default:
				return closeExt(out, head, ext, n)
			}
		},
		get: func(r *Reader, i int, q mem.Ptr) int {
			typ, start, end := packwire.ReadExt(r.b, i)
			if end < 0 || typ != ext {
				return r.bad(i, min(end, packwire.Mismatch), reflect.TypeFor[T]().String())
			}
			v, err := read(r.b[start:end:end])
			if err != nil {
				return r.fail(i, err)
			}
			*mem.At[T](q) = v
			return end
		},
		dynamic: func(body []byte) (any, error) { return read(body) },
	}
}

// maxExtHeader is the length of the longest header of an extension.
const maxExtHeader = 6

// closeExt puts the header before the body of n bytes that has been appended
// behind the place for the longest one, at head.
func closeExt(b []byte, head int, ext int8, n int) []byte {
	h := packwire.AppendExtHeader(b[:head], ext, n) // within the place
	return append(h, b[head+maxExtHeader:]...)
}

// TypeCodec writes values of type T with app, which appends exactly one value, and reads them with read, which reads
// one.
func TypeCodec[T any](app func(b []byte, v T) ([]byte, error), read func(r *Reader) (T, error)) Codec {
	return Codec{
		rtype: reflect.TypeFor[T](),
		put: func(s *encoder, b []byte, q mem.Ptr) []byte {
			out, err := app(b, *mem.At[T](q))
			if err != nil {
				return s.fail(b, err)
			}
			if len(out) < len(b) {
				return s.fail(b, errCodec)
			}
			if end, _ := packwire.Skip(out, len(b), s.maxDepth-s.depth); end != len(out) {
				return s.fail(b, errCodec)
			}
			return out
		},
		get: func(r *Reader, i int, q mem.Ptr) int {
			var v T
			end := r.own(i, func() (err error) {
				v, err = read(r)
				return err
			})
			if end >= 0 {
				*mem.At[T](q) = v
			}
			return end
		},
	}
}

var errCodec = errors.New("the codec has not appended exactly one value")

// Codecs makes a call write and read values of some types with codecs. If there are several for a type or an
// extension, the first one wins. The result caches how types are written with it, so make it once and share it. It
// affects both marshaling and unmarshaling.
func Codecs(codecs ...Codec) Options {
	g := &registry{
		Registry: plan.Registry[program]{Set: set}, codecs: make(map[reflect.Type]*Codec), exts: make(map[int8]*Codec),
	}
	for i := range codecs {
		c := &codecs[i]
		if g.codecs[c.rtype] == nil {
			g.codecs[c.rtype] = c
		}
		if c.isExt && g.exts[c.ext] == nil {
			g.exts[c.ext] = c
		}
	}
	return weft.With(codecsKey{}, g)
}

type codecsKey struct{}

// registryOf returns the programs that opts ask for.
func registryOf(opts []Options) *registry {
	return plan.RegistryOf(opts, codecsKey{}, &programs, func(g *registry, d *weft.Dialect) *registry {
		return &registry{Registry: plan.Registry[program]{Set: set.In(d)}, codecs: g.codecs, exts: g.exts}
	})
}

// codec returns the codec for values of type t, if there is one.
func (g *registry) codec(t reflect.Type) *Codec {
	if g.codecs == nil {
		return nil
	}
	return g.codecs[t]
}

// own has a value read itself, at i, and checks that it has read one value.
func (r *Reader) own(i int, read func() error) int {
	if r.guarded(i) {
		return -1
	}
	r.i = i
	open, top, depth := len(r.stack), r.top, r.depth
	err := read()
	switch {
	case r.err != nil:
		return -1
	case err != nil:
		return r.fail(i, err)
	case len(r.stack) != open || r.depth != depth || r.i == i:
		return r.fail(i, errHook)
	}
	r.top = top
	return r.i
}

// solves reports whether a problem of a type may be none because of a codec. If it
// is one all the same, it shows when such a value is met.
func (g *registry) solves(p plan.Problem) bool {
	return p.Code == plan.BadType || p.Code == plan.BadKey
}
