package openapi

import (
	"strconv"

	"github.com/weftcodec/weft/internal/wire"
)

// Pos is a place in a file. The zero Pos is no place.
type Pos struct {
	file      *file
	line, col int32
}

// file is one of the files of a document.
type file struct {
	name   string       // as diagnostics print it
	path   string       // for reading, and for what is relative to it
	prefix string       // of pointers into it: "" for the document itself
	index  int          // in the order of reading
	root   *Node        // nil: not readable
	names  *identifiers // see file.identifiers
	home   *file        // of an overlay: the file it changes
}

// in returns the file that what stands at p belongs to: for what an overlay
// adds, the document.
func (p Pos) in() *file {
	if p.file != nil && p.file.home != nil {
		return p.file.home
	}
	return p.file
}

// File returns the file's name as given to [Load] or [Parse], or as reached
// from there.
func (p Pos) File() string {
	if p.file == nil {
		return ""
	}
	return p.file.name
}

// Line returns the line, counted from 1.
func (p Pos) Line() int { return int(p.line) }

// Col returns the column, counted from 1 in characters.
func (p Pos) Col() int { return int(p.col) }

// IsValid reports whether p is a place.
func (p Pos) IsValid() bool { return p.line > 0 }

// String returns "file:line:col".
func (p Pos) String() string {
	if p.line == 0 {
		return p.File()
	}
	return p.File() + ":" + strconv.Itoa(int(p.line)) + ":" + strconv.Itoa(int(p.col))
}

// Kind is the kind of a [Node].
type Kind uint8

// The kinds of nodes.
const (
	Null Kind = iota + 1
	Bool
	NumberKind
	String
	Array
	Object
)

var kindNames = [...]string{"nothing", "null", "a boolean", "a number", "a string", "a list", "an object"}

// String returns the kind with its article, as error texts want it.
func (k Kind) String() string { return kindNames[k] }

// Node is a JSON value of a document with its place.
type Node struct {
	Kind    Kind
	Pos     Pos
	Text    string   // a string's value, a number in JSON's grammar, true, false, null
	Items   []*Node  // of an array
	Members []Member // of an object, in document order, names unique
}

// Member is a member of an object.
type Member struct {
	Name  string
	Pos   Pos // of the name
	Value *Node
}

// Get returns the value of the member called name, or nil.
func (n *Node) Get(name string) *Node {
	if m := n.member(name); m != nil {
		return m.Value
	}
	return nil
}

func (n *Node) member(name string) *Member {
	if n == nil {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Name == name {
			return &n.Members[i]
		}
	}
	return nil
}

// lacks reports whether the member called name is not there, null or an empty
// string.
func (n *Node) lacks(name string) bool {
	v := n.Get(name)
	return v == nil || v.Kind == Null || v.Kind == String && v.Text == ""
}

// AppendJSON appends the value of n in JSON to b, without blanks.
func AppendJSON(b []byte, n *Node) []byte {
	if n == nil {
		return append(b, "null"...)
	}
	switch n.Kind {
	case String:
		return wire.AppendJSONString(b, n.Text, 0)
	case Array:
		b = append(b, '[')
		for i, x := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendJSON(b, x)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		for i, m := range n.Members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(wire.AppendJSONString(b, m.Name, 0), ':')
			b = AppendJSON(b, m.Value)
		}
		return append(b, '}')
	}
	return append(b, n.Text...)
}
