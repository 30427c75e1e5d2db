package cboritem

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// ParseDiagnostic returns the item that text describes in diagnostic notation (§8), with the extended literals of RFC
// 8610 Appendix G: byte strings h'…', b64'…', b32'…', h32'…' and '…', embedded items <<1, 2>>, strings in parts,
// numbers in hexadecimal, octal and binary, and comments, /so/ or # to the end of the line; and with dt'…' and DT'…'
// for times. Items without an encoding indicator are written in their preferred form.
func ParseDiagnostic(text string, opts ...weft.Options) ([]byte, error) {
	p := parser{text: text, depth: weft.Join(opts...).Depth()}
	err := p.item()
	if err == nil {
		if err = p.space(); err == nil && p.i < len(text) {
			err = weft.ErrTrailingData
		}
	}
	if err != nil {
		return nil, &weft.Error{Format: "cbor", Offset: int64(p.i), Err: err}
	}
	return p.b, nil
}

// parser reads diagnostic notation. Errors are about the place where it is.
type parser struct {
	text  string
	i     int
	b     []byte
	depth int
}

var (
	errEnd       = errors.New("unexpected end of the notation")
	errComment   = errors.New("comment has no end")
	errIndicator = errors.New("encoding indicator does not match the value")
)

// unexpected is the error for what stands at i, where something else is expected.
func (p *parser) unexpected(want string) error {
	if p.i >= len(p.text) {
		return errEnd
	}
	return fmt.Errorf("%q in the notation, where %s is expected", p.text[p.i], want)
}

// space skips whitespace and comments.
func (p *parser) space() error {
	for p.i < len(p.text) {
		switch p.text[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		case '#':
			n := strings.IndexByte(p.text[p.i:], '\n')
			if n < 0 {
				n = len(p.text) - p.i - 1
			}
			p.i += n + 1
		case '/':
			n := strings.IndexByte(p.text[p.i+1:], '/')
			if n < 0 {
				return errComment
			}
			p.i += n + 2
		default:
			return nil
		}
	}
	return nil
}

// accept skips s, if it comes next.
func (p *parser) accept(s string) bool {
	if strings.HasPrefix(p.text[p.i:], s) {
		p.i += len(s)
		return true
	}
	return false
}

// expect skips whitespace and s.
func (p *parser) expect(s string) error {
	if err := p.space(); err != nil {
		return err
	}
	if !p.accept(s) {
		return p.unexpected(s)
	}
	return nil
}

// words are the items that are a word.
var words = []struct {
	text string
	enc  []byte
}{
	{"false", []byte{cborwire.False}},
	{"true", []byte{cborwire.True}},
	{"null", []byte{cborwire.Null}},
	{"undefined", []byte{cborwire.Undefined}},
}

// item reads an item.
func (p *parser) item() error {
	if err := p.space(); err != nil {
		return err
	}
	if p.i >= len(p.text) {
		return errEnd
	}
	for _, w := range words {
		if p.accept(w.text) {
			p.b = append(p.b, w.enc...)
			return nil
		}
	}
	switch c := p.text[p.i]; {
	case c == '[':
		return p.list(cborwire.Array, "]")
	case c == '{':
		return p.list(cborwire.Map, "}")
	case c == '(':
		return p.chunks()
	case p.accept("simple"):
		return p.simple()
	case p.accept("float'"):
		return p.bits()
	case p.accept("dt'"):
		return p.instant()
	case p.accept("DT'"):
		p.b = append(p.b, cborwire.Tag|1)
		return p.instant()
	case '0' <= c && c <= '9', c == '-', c == 'N', c == 'I':
		return p.number()
	}
	return p.string()
}

// level goes a level down, for what f reads.
func (p *parser) level(f func() error) error {
	if p.depth == 0 {
		return weft.ErrDepth
	}
	p.depth--
	err := f()
	p.depth++
	return err
}

// indicator reads an encoding indicator: the bytes of the argument, or -1 where there is none.
func (p *parser) indicator() int {
	if p.i+1 < len(p.text) && p.text[p.i] == '_' {
		switch c := p.text[p.i+1]; {
		case '0' <= c && c <= '3':
			p.i += 2
			return 1 << (c - '0')
		case c == 'i':
			p.i += 2
			return 0
		}
	}
	return -1
}

// head appends a head with the argument n of size bytes, or of as few as there can be.
func (p *parser) head(major byte, n uint64, size int) error {
	t := Token{Kind: kinds[major>>5], Arg: n}
	if size >= 0 {
		if size < cborwire.HeadSize(n)-1 {
			return errIndicator
		}
		t.Size = uint8(size)
	}
	c, ok := t.first()
	if major == cborwire.Bytes || major == cborwire.Text { // the bytes are appended elsewhere
		t.Kind = KindUint
		c, ok = t.first()
		c |= major
	}
	if !ok {
		return errIndicator
	}
	p.b = appendHead(p.b, c, n)
	return nil
}

// list reads an array, or a map of pairs.
func (p *parser) list(major byte, last string) error {
	p.i++
	size := p.indicator()
	open := size < 0 && p.accept("_")
	at := len(p.b)
	if p.b = append(p.b, major|cborwire.Open); !open {
		p.b = p.b[:at+1]
	}
	n := uint64(0)
	err := p.level(func() error {
		for {
			if err := p.space(); err != nil {
				return err
			}
			if p.accept(last) {
				return nil
			}
			if n > 0 {
				if err := p.expect(","); err != nil {
					return err
				}
				if err := p.space(); err != nil {
					return err
				}
				if p.accept(last) { // a comma may stand at the end
					return nil
				}
			}
			if err := p.item(); err != nil {
				return err
			}
			if major == cborwire.Map {
				if err := p.expect(":"); err != nil {
					return err
				}
				if err := p.item(); err != nil {
					return err
				}
			}
			n++
		}
	})
	if err != nil || open {
		p.b = append(p.b, cborwire.Break)
		return err
	}
	return p.close(at, major, n, size)
}

// close writes the head of what has been appended behind a byte for it at b[at:].
func (p *parser) close(at int, major byte, n uint64, size int) error {
	body := p.b[at+1:]
	if size < 0 {
		p.b = cborwire.CloseHead(p.b, at, 1, major, n)
		return nil
	}
	body = append([]byte(nil), body...)
	p.b = p.b[:at]
	err := p.head(major, n, size)
	p.b = append(p.b, body...)
	return err
}

// chunks reads (_ and strings of one type.
func (p *parser) chunks() error {
	p.i++
	if err := p.expect("_"); err != nil {
		return err
	}
	at := len(p.b)
	p.b = append(p.b, 0)
	for {
		chunk := len(p.b)
		if err := p.space(); err != nil {
			return err
		}
		if err := p.string(); err != nil {
			return err
		}
		c := p.b[chunk]
		if c&31 == cborwire.Open || chunk > at+1 && c&0xe0 != p.b[at]&0xe0 {
			return errors.New("chunks must be strings of one type")
		}
		p.b[at] = c&0xe0 | cborwire.Open
		if err := p.space(); err != nil {
			return err
		}
		if p.accept(")") {
			p.b = append(p.b, cborwire.Break)
			return nil
		}
		if err := p.expect(","); err != nil {
			return err
		}
	}
}

// simple reads (n).
func (p *parser) simple() error {
	if err := p.expect("("); err != nil {
		return err
	}
	start := p.i
	for p.i < len(p.text) && '0' <= p.text[p.i] && p.text[p.i] <= '9' {
		p.i++
	}
	n, err := strconv.ParseUint(p.text[start:p.i], 10, 8)
	if err != nil || n >= 24 && n < 32 {
		return errors.New("a simple value is from 0 to 23 or from 32 to 255")
	}
	p.b = cborwire.AppendSimple(p.b, uint8(n))
	return p.expect(")")
}

// numberText skips a number and returns its text.
func (p *parser) numberText() string {
	start := p.i
	p.accept("-")
	hex := strings.HasPrefix(p.text[p.i:], "0x")
	for ; p.i < len(p.text); p.i++ {
		switch c := p.text[p.i]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '.':
		case c == '+' || c == '-':
			if e := p.text[p.i-1] | 0x20; e != 'p' && (e != 'e' || hex) {
				return p.text[start:p.i]
			}
		default:
			return p.text[start:p.i]
		}
	}
	return p.text[start:p.i]
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// number reads a number, or a tag and its content.
func (p *parser) number() error {
	start := p.i
	text := p.numberText()
	digits := strings.TrimPrefix(text, "-")
	hex := strings.HasPrefix(digits, "0x")
	switch {
	case digits == "Infinity" || text == "NaN" || strings.ContainsAny(digits, pick(hex, ".pP", ".eE")):
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			p.i = start
			return fmt.Errorf("%q is not a number of double precision", text)
		}
		return p.float(v)
	case len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9',
		len(digits) > 3*mostDigits, digits == "":
		p.i = start
		return fmt.Errorf("%.20q is not a number", text)
	}
	v, ok := new(big.Int).SetString(text, 0)
	if !ok {
		p.i = start
		return fmt.Errorf("%.20q is not a number", text)
	}
	size := p.indicator()
	major := byte(cborwire.Uint)
	if text[0] == '-' && v.Sign() < 0 {
		major = cborwire.Nint
		v.Not(v)
	}
	if v.IsUint64() {
		if major == cborwire.Uint && p.accept("(") {
			if err := p.head(cborwire.Tag, v.Uint64(), size); err != nil {
				return err
			}
			if err := p.level(p.item); err != nil {
				return err
			}
			return p.expect(")")
		}
		return p.head(major, v.Uint64(), size)
	}
	if size >= 0 {
		return errIndicator
	}
	p.b = cborwire.AppendBytes(append(p.b, cborwire.Tag|tagBignum|major>>5), v.Bytes())
	return nil
}

// float appends v, of the size that an encoding indicator says.
func (p *parser) float(v float64) error {
	size := p.indicator()
	if size < 0 {
		p.b = cborwire.AppendFloat(p.b, v)
		return nil
	}
	t := Token{Kind: KindFloat, Size: uint8(size)}
	switch {
	case v != v:
		t.Arg = usualNaN(t.Size)
	case size == 8:
		t.Arg = math.Float64bits(v)
	case size == 4:
		t.Arg = uint64(math.Float32bits(float32(v)))
	case size == 2:
		h, _ := cborwire.ToHalf(math.Float32bits(float32(v)))
		t.Arg = uint64(h)
	}
	b, err := AppendToken(p.b, t)
	if err != nil || v == v && t.Float() != v {
		return errIndicator
	}
	p.b = b
	return nil
}

// bits reads the hexadecimal digits of a floating-point number up to a quote.
func (p *parser) bits() error {
	text, _, ok := strings.Cut(p.text[p.i:], "'")
	v, err := strconv.ParseUint(text, 16, 64)
	t := Token{Kind: KindFloat, Size: uint8(len(text) / 2), Arg: v}
	b, bad := AppendToken(p.b, t)
	if !ok || err != nil || bad != nil || len(text)%2 != 0 {
		return errors.New("a floating-point number has 2, 4 or 8 bytes in hexadecimal")
	}
	p.i += len(text) + 1
	p.b = b
	return nil
}

// instant reads a time of RFC 3339 up to a quote and appends its seconds since 1970.
func (p *parser) instant() error {
	text, _, ok := strings.Cut(p.text[p.i:], "'")
	at, err := time.Parse(time.RFC3339Nano, text)
	if !ok || err != nil {
		return errors.New("dt'' needs a date and time of RFC 3339")
	}
	p.i += len(text) + 1
	if at.Nanosecond() == 0 {
		p.b = cborwire.AppendInt(p.b, at.Unix())
	} else {
		p.b = cborwire.AppendFloat(p.b, float64(at.Unix())+float64(at.Nanosecond())/1e9)
	}
	return nil
}
