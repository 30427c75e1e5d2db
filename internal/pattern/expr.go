package pattern

import (
	"fmt"
	"strings"
)

// Expr returns the expression of package regexp that matches what the pattern src does, as far as that package has
// it: tests compare the two, and make strings that match. The error is an [*Error].
func Expr(src string) (string, error) {
	tree, err := parse(src)
	if err != nil {
		return "", err
	}
	var e exprWriter
	e.node(tree)
	if e.err != nil {
		e.err.Pattern = src
		return "", e.err
	}
	return e.String(), nil
}

type exprWriter struct {
	strings.Builder
	err *Error
}

func (e *exprWriter) node(n *node) {
	switch n.op {
	case opSet:
		e.set(n.set)
	case opConcat:
		for _, sub := range n.subs {
			e.group(sub)
		}
	case opChoice:
		for i, sub := range n.subs {
			if i > 0 {
				e.WriteByte('|')
			}
			e.group(sub)
		}
	case opRepeat:
		e.group(n.subs[0])
		if n.max < 0 {
			fmt.Fprintf(e, "{%d,}", n.min)
		} else {
			fmt.Fprintf(e, "{%d,%d}", n.min, n.max)
		}
	case opBegin:
		e.WriteString(`\A`)
	case opEnd:
		e.WriteString(`\z`)
	case opWord:
		e.WriteString(`\b`)
	case opInWord:
		e.WriteString(`\B`)
	case opLine, opLineEnd:
		e.err = &Error{Offset: n.offset, Text: "lines end otherwise in package regexp"}
	case opAhead:
		e.err = &Error{Offset: n.offset, Text: "package regexp has no look-ahead"}
	}
}

func (e *exprWriter) group(n *node) {
	if n.op == opSet {
		e.set(n.set)
		return
	}
	e.WriteString("(?:")
	e.node(n)
	e.WriteByte(')')
}

func (e *exprWriter) set(s set) {
	s = s.without(set{0xd800, 0xdfff}) // no text has a surrogate, and package regexp takes one as U+FFFD
	e.WriteByte('[')
	if len(s) == 0 {
		e.WriteByte('^')
		s = s.not()
	}
	for i := 0; i < len(s); i += 2 {
		fmt.Fprintf(e, `\x{%x}-\x{%x}`, s[i], s[i+1])
	}
	e.WriteByte(']')
}
