package json

import (
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/wire"
)

// Literals as four bytes, the first one lowest.
const (
	wordNull = wire.WordNull
	wordTrue = wire.WordTrue
)

// isFalse reports whether the literal false stands at i.
func isFalse(b mem.Bytes, i int) bool { return b.At(i) == 'f' && b.U32(i+1) == wire.WordAlse }

// skip checks the value at i and returns the index after it, or failed.
func (d *decoder) skip(i int) int {
	if c := d.b.At(i); c != '{' && c != '[' {
		return d.skipScalar(i)
	}
	w := &d.walk
	w.Begin(d.most-d.depth, false)
	if i = w.Walk(d.b, d.s, d.nw, i); w.State != wire.WalkDone {
		return d.fail()
	}
	return i
}

// skipVerified is skip that looks at names and escapes too, where the text is unverified.
func (d *decoder) skipVerified(i int) int {
	j := d.skip(i)
	if j >= 0 && d.unverified {
		j = d.code.inside(d, i, j)
	}
	return j
}

// skipScalar is skip for a string, a number or a literal.
func (d *decoder) skipScalar(i int) int {
	b := d.b
	j := failed
	switch c := b.At(i); c {
	case '"':
		j = d.skipString(i)
	case 't', 'f', 'n':
		j = wire.SkipLiteral(b, i)
	default:
		j = wire.SkipNumber(b, i)
	}
	if j < 0 {
		return d.fail()
	}
	return j
}

// skipString returns the index after the string at i, or failed.
func (d *decoder) skipString(i int) int {
	e := d.strEnd(i + 1)
	if d.b.At(e) != '"' {
		if e = wire.SkipEscapes(d.b, d.s, e); e < 0 {
			return failed
		}
	}
	return e + 1
}

// skipNumber checks the number at i and returns the index after it, or failed.
func (d *decoder) skipNumber(i int) int {
	if i = wire.SkipNumber(d.b, i); i < 0 {
		return d.fail()
	}
	return i
}
