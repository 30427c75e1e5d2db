package schema

import (
	"slices"
	"strconv"

	"github.com/weftcodec/weft/backend"
)

// Walk holds the constraints of a schema on one value, for a program that reads a document itself and checks it in
// the same pass. The program reports each value to its walk, and gets from it the walks of the values within. The
// zero Walk has no constraints.
type Walk struct{ n *schemaNode }

// Members are the members of an object that a [Walk] has seen. The zero Members are empty.
type Members struct {
	seen        uint64 // the required ones, by their bits
	count, next int
}

// Walk returns the constraints of s on a document.
func (s *Schema) Walk() Walk { return s.get().walk() }

func (n *schemaNode) walk() Walk {
	if n = n.to; n.free {
		return Walk{}
	}
	return Walk{n}
}

// Whole reports whether w must examine the value as a whole, with [Walk.Holds]. Then the other methods must not be
// used.
func (w Walk) Whole() bool { return w.n != nil && w.n.whole }

// Holds reads the next value and reports whether it is valid.
func (w Walk) Holds(r backend.Reader) bool {
	e := evaluator{r: r}
	return w.n == nil || e.holds(w.n)
}

// Null reports whether the value may be null.
func (w Walk) Null() bool { return w.n == nil || w.n.allowsText(setNull, "null") }

// Bool reports whether the value may be v.
func (w Walk) Bool(v bool) bool { return w.n == nil || w.n.allowsText(setBool, strconv.FormatBool(v)) }

// Int reports whether the value may be v.
func (w Walk) Int(v int64) bool { return w.n == nil || w.n.allowsNumber(intNumeral(v)) }

// Uint reports whether the value may be v.
func (w Walk) Uint(v uint64) bool { return w.n == nil || w.n.allowsNumber(uintNumeral(v)) }

// Float reports whether the value may be v.
func (w Walk) Float(v float64) bool { return w.n == nil || w.n.allowsNumber(floatNumeral(v)) }

// String reports whether the value may be s, which it does not retain.
func (w Walk) String(s string) bool { return w.n == nil || w.n.allowsString(s, true) }

// Array reports whether the value may be an array.
func (w Walk) Array() bool { return w.n == nil || w.n.allows1(setArray) }

// Element returns the constraints on the i-th element of the array.
func (w Walk) Element(i int) Walk {
	switch {
	case w.n == nil:
	case i < len(w.n.prefix):
		return w.n.prefix[i].walk()
	case w.n.items != nil:
		return w.n.items.walk()
	}
	return Walk{}
}

// EndArray reports whether the array may have n elements.
func (w Walk) EndArray(n int) bool {
	return w.n == nil || n >= w.n.minItems && uint(n) <= uint(w.n.maxItems)
}

// Object reports whether the value may be an object.
func (w Walk) Object() bool { return w.n == nil || w.n.allows1(setObject) }

// Member returns the constraints on the member called name, which follows those in m.
func (w Walk) Member(m *Members, name string) Walk {
	if w.n == nil {
		return Walk{}
	}
	n, at := w.n, w.n.quick.find(name, m.next)
	m.count++
	if at >= 0 {
		p := &n.quick.names[at]
		m.seen |= p.bit
		m.next = at + 1
		if p.node != nil {
			return p.node.walk()
		}
	}
	if n.extra != nil {
		return n.extra.walk()
	}
	return Walk{}
}

// EndObject reports whether the object may have exactly the members m.
func (w Walk) EndObject(m *Members) bool {
	return w.n == nil || m.seen == w.n.quick.want && m.count >= w.n.minProps && uint(m.count) <= uint(w.n.maxProps)
}

// prepareWalk works out what walks ask of n.
func (n *schemaNode) prepareWalk() {
	alone := len(n.inner) == 1
	n.free = alone && !n.never && n.types == 0 && !n.hasEnum && !n.checksScalars() && !n.looks
	n.whole = !alone || n.patterns != nil || n.quick == nil && (n.types == 0 || n.types&(setArray|setObject) != 0)
}

// allows1 reports whether n, which has no parts, allows values of the types in set.
func (n *schemaNode) allows1(set kindSet) bool { return !n.never && (n.types == 0 || n.types&set != 0) }

// allowsText reports whether n, which has no parts, allows the value whose types and canonical text are given.
func (n *schemaNode) allowsText(set kindSet, text string) bool {
	return n.allows1(set) && (!n.hasEnum || slices.Contains(n.enum, text))
}

// allowsNumber is allowsText for the number x, in a format that tells numbers from booleans.
func (n *schemaNode) allowsNumber(x numeral) bool {
	set := setNumber
	if x.integer() {
		set |= setInteger
	}
	return n.allows1(set) && (!n.hasEnum || slices.Contains(n.enum, x.String())) && (!n.limits || n.checkNumber(x) == nil)
}

// allowsString is allowsText for the string s, or for what stands for one and is not plain.
func (n *schemaNode) allowsString(s string, plain bool) bool {
	if !n.allows1(setString) {
		return false
	}
	if n.hasEnum {
		var room [64]byte
		text := strconv.AppendQuote(room[:0], s)
		if !slices.ContainsFunc(n.enum, func(v string) bool { return v == string(text) }) {
			return false
		}
	}
	return n.checkString(s, plain) == nil
}
