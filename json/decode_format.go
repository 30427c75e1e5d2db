package json

import (
	"fmt"
	"time"

	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
)

// byText makes n decode what set makes of a text: the content of a string, or with number the text of a
// number.
func (n *node) byText(number bool, set func(p mem.Ptr, s []byte) error) {
	n.local(func(d *decoder, n *node, p mem.Ptr, i int) int {
		c := d.b.At(i)
		if c == 'n' {
			return d.misfit(n, p, i)
		}
		if number != (c == '-' || isDigit(c)) || !number && c != '"' {
			return d.mismatch(n.rtype, false, i)
		}
		var s []byte
		var j int
		if number {
			if j = d.skipNumber(i); j >= 0 {
				s = d.b.Slice(i, j)
			}
		} else {
			s, j = d.text(i)
		}
		if j < 0 {
			return j
		}
		if err := set(p, s); err != nil {
			return d.wrongText(err, i, j)
		}
		return j
	})
}

// timeFormat makes n decode times in the named format, if there is a name.
func (n *node) timeFormat(name string, quoted, named bool, m *mode, v2 bool) bool {
	if name == "" {
		if quoted {
			n.failing(badString(n.rtype))
		}
		return quoted
	}
	f, ok := timeFormatOf(name)
	n.byFormat(name, ok, f.number, quoted, named, m, func(p mem.Ptr, s []byte) error {
		t, err := f.parse(s)
		if err == nil {
			*mem.At[time.Time](p) = t
		}
		return err
	})
	return true
}

// byFormat makes n decode what set makes of a text in the named format, which is one of numbers or not, if it is ok.
func (n *node) byFormat(name string, ok, number, quoted, named bool, m *mode, set func(p mem.Ptr, s []byte) error) {
	switch {
	case !ok:
		n.failing(badFormat(n.rtype, name))
	case quoted && !number:
		n.failing(badString(n.rtype))
	default:
		n.byText(number && !quoted && !named && m.flags&flagStringNumbers == 0, set)
	}
}

// durationFormat makes n decode durations in the named format, if there is a name.
func (n *node) durationFormat(name string, quoted, named bool, m *mode, v2 bool) bool {
	if name == "" {
		if v2 {
			n.failing(errNoDuration)
		}
		return v2
	}
	f, ok := durationFormatOf(name)
	n.byFormat(name, ok, f.number, quoted, named, m, func(p mem.Ptr, s []byte) error {
		x, err := f.parse(s)
		if err == nil {
			*mem.At[int64](p) = int64(x)
		}
		return err
	})
	return true
}

// bytesFormat is [compiler.bytesFormat] for decoding.
func (s *nodeSet) bytesFormat(n *node, t *plan.Type, name string, v2, named bool) bool {
	slice := t.Kind == plan.Bytes
	f, ok := bytesFormatOf(name)
	switch {
	case name == "" && !v2:
		return false
	case named || name == "array":
		n.elem, n.len, n.nullable = s.compile(t.Elem, false), t.Len, slice || v2
		n.fresh = v2 && (slice || s.mode.v2(setting.LegacyMerge))
		n.op, n.exact = pick(slice, opSlice, opArray), v2
		return true
	case name == "":
		f = base64Format()
	case !ok:
		n.failing(badFormat(t.Rtype, name))
		return true
	}
	n.nullable = slice || v2 && !s.mode.has(setting.LegacyMerge)
	breaks, anyLength := s.mode.has(setting.LegacyParseBytes), s.mode.has(setting.LegacyLengths)
	n.byText(false, func(p mem.Ptr, s []byte) error {
		v := p.Value(t.Mem)
		if !slice {
			out, err := f.parse(nil, s, breaks)
			if err != nil {
				return err
			}
			to := v.Bytes()
			clear(to[copy(to, out):])
			if len(out) != t.Len && !anyLength {
				return fmt.Errorf("%d bytes do not fit %v", len(out), t.Rtype)
			}
			return nil
		}
		var room []byte
		if v2 {
			room = v.Bytes()[:0]
		}
		out, err := f.parse(room, s, breaks)
		if err != nil {
			return err
		}
		if out == nil {
			out = []byte{}
		}
		v.SetBytes(out)
		return nil
	})
	if s.mode.has(setting.LegacyBytes) {
		text, list := n.fn, s.newNode(t)
		s.describe(list, t)
		n.fn = func(d *decoder, n *node, p mem.Ptr, i int) int {
			if d.b.At(i) == '[' {
				return d.value(list, p, i)
			}
			return text(d, n, p, i)
		}
	}
	return true
}
