package json

import (
	"strconv"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json/jsontext"
)

// scanState is what encoding/json is in the middle of where a text is wrong.
type scanState uint8

const (
	scanValue     scanState = iota // before a value
	scanFirstElem                  // after [
	scanFirstName                  // after {
	scanName                       // after , in an object
	scanColon                      // after a name
	scanElem                       // after an element
	scanMember                     // after a member
	scanDone                       // after the top-level value
	inString
	scanEscape // after a backslash
	scanHex    // in \uXXXX
)

// syntaxFault is what encoding/json says of a byte that may not follow a text, and a text that it says so of.
type syntaxFault struct{ words, after string }

// scanFaults are those of each state but the ones in numbers and literals.
var scanFaults = [...]syntaxFault{
	scanValue:     {"looking for beginning of value", `[0,`},
	scanFirstElem: {"looking for beginning of value", `[`},
	scanFirstName: {"looking for beginning of object key string", `{`},
	scanName:      {"looking for beginning of object key string", `{"":0,`},
	scanColon:     {"after object key", `{""`},
	scanElem:      {"after array element", `[""`},
	scanMember:    {"after object key:value pair", `{"":""`},
	scanDone:      {"after top-level value", `""`},
	inString:      {"in string literal", `"`},
	scanEscape:    {"in string escape code", `"\`},
	scanHex:       {`in \u hexadecimal character escape`, `"\u`},
}

// numberFaults are those of the states of a number.
var numberFaults = [...]syntaxFault{
	wire.NumberMinus: {"in numeric literal", `-`},
	wire.NumberPoint: {"after decimal point in numeric literal", `0.`},
	wire.NumberE:     {"in exponent of numeric literal", `0e`},
	wire.NumberSign:  {"in exponent of numeric literal", `0e+`},
}

// literalFault is that of the literal of which expect is left.
func literalFault(lit, expect string) syntaxFault {
	return syntaxFault{"in literal " + lit + " (expecting " + quoteChar(expect[0]) + ")", lit[:len(lit)-len(expect)]}
}

// tooManyOpen is what encoding/json says of a bracket after as many as may be open.
const tooManyOpen = "exceeded max depth"

const unexpectedEnd = "unexpected end of JSON input"

// fault returns the index of the first byte of the text that is wrong where most levels may be open, and what encoding/json
// says of it: nothing if the text is one JSON value. The index is n if the text ends too soon. As in encoding/json the end
// counts as a space, which some errors name. deep tells that it is about the depth.
func (d *decoder) fault(most int) (i int, msg string, deep bool) {
	i = d.ws(0)
	w, state, c := &d.walk, scanValue, d.b.At(i)
	w.Begin(most, false)
	if c == '{' || c == '[' {
		i = w.Walk(d.b, d.s, d.nw, i)
		switch c = d.b.At(i); w.State {
		case wire.WalkDone:
			state = scanDone
		case wire.WalkFirst:
			state = pick(w.Object(), scanFirstName, scanFirstElem)
		case wire.WalkName:
			state = scanName
		case wire.WalkColon:
			state = scanColon
		case wire.WalkAfter:
			state = pick(w.Object(), scanMember, scanElem)
		default:
			if c == '{' || c == '[' {
				return i, "invalid character " + quoteChar(c) + " " + tooManyOpen, true
			}
		}
	}
	if state == scanValue || state == scanName && c == '"' {
		end, words := d.scalarFault(i)
		switch {
		case words == unexpectedEnd:
			return end, words, false
		case words != "":
			return end, "invalid character " + quoteChar(d.byteOrSpace(end)) + " " + words, false
		case end > i && w.Depth > 0:
			state = pick(w.Object(), scanMember, scanElem)
		case end > i:
			state = scanDone
		}
		i = end
	}
	switch i = min(d.ws(i), d.n); {
	case i < d.n:
		return i, "invalid character " + quoteChar(d.data[i]) + " " + scanFaults[state].words, false
	case state == scanDone:
		return i, "", false
	}
	return i, unexpectedEnd, false
}

// byteOrSpace returns the byte at i, a space for the end.
func (d *decoder) byteOrSpace(i int) byte {
	if i < d.n {
		return d.data[i]
	}
	return ' '
}

// scalarFault returns the index of the first wrong byte of the string, number or literal at i, and what encoding/json says of
// it, or the index after it and nothing. If there is none, it returns i.
func (d *decoder) scalarFault(i int) (int, string) {
	switch c := d.byteOrSpace(i); c {
	case '"':
		return d.stringFault(i + 1)
	case 't', 'f', 'n':
		lit := jsontext.Kind(c).String()
		for k := 1; k < len(lit); k++ {
			if d.byteOrSpace(i+k) != lit[k] {
				return i + k, literalFault(lit, lit[k:]).words
			}
		}
		return i + len(lit), ""
	}
	var s wire.NumberState
	for start := i; ; i++ {
		next := s.Step(d.byteOrSpace(i))
		switch {
		case next != 0:
			s = next
		case i == start || s.Done():
			return i, ""
		default:
			return i, numberFaults[s].words
		}
	}
}

// stringFault is scalarFault in the string that begins before i.
func (d *decoder) stringFault(i int) (int, string) {
	for {
		i = d.strEnd(i)
		switch c := d.byteOrSpace(i); {
		case i >= d.n:
			return d.n, unexpectedEnd
		case c == '"':
			return i + 1, ""
		case c != '\\':
			return i, scanFaults[inString].words
		}
		i++
		if c := d.byteOrSpace(i); c == 'u' {
			for range 4 {
				if i++; !isHex(d.byteOrSpace(i)) {
					return i, scanFaults[scanHex].words
				}
			}
		} else if wire.Unescaped[c] == 0 {
			return i, scanFaults[scanEscape].words
		}
		i++
	}
}

// syntaxError returns encoding/json's error of the text, nil if it is one JSON value, the offset of the byte at fault, and
// whether more than most levels are open.
func (d *decoder) syntaxError(most int) (err error, at int, deep bool) {
	at, msg, deep := d.fault(most)
	if msg == "" {
		return nil, at, false
	}
	err = newSyntaxError(msg, int64(min(at+1, d.n)))
	if msg != unexpectedEnd {
		at = min(at, d.n-1)
	}
	return err, at, deep
}

// syntaxError returns the first error of data, nil if it is one JSON value.
func syntaxError(data []byte) error {
	d := newDecoder(data, decodeOptions{})
	err, _, _ := d.syntaxError(maxDepth)
	d.release(true)
	return err
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// quoteChar returns c as encoding/json's errors quote it.
func quoteChar(c byte) string {
	switch c {
	case '\'':
		return `'\''`
	case '"':
		return `'"'`
	}
	s := strconv.Quote(string(rune(c)))
	return "'" + s[1:len(s)-1] + "'"
}
