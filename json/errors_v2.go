package json

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json/jsontext"
)

// ErrUnknownName is [weft.ErrUnknownMember]: the struct has no field for a member. The last token of the pointer of the
// [SemanticError] is the name.
var ErrUnknownName = weft.ErrUnknownMember

// SemanticError describes a value that does not fit its Go type, or vice versa. Under [V2], [errors.As] finds one in
// every error about a value, and a [jsontext.SyntacticError] in every error about the text. A method or function that
// returns one may omit what its caller knows.
type SemanticError struct {
	_ [0]func() // not comparable

	// ByteOffset is the offset in the text at which the value begins, or would begin.
	ByteOffset int64
	// JSONPointer is the path to the value.
	JSONPointer jsontext.Pointer
	// JSONKind is the kind of the value in the text, 0 if there is none.
	JSONKind jsontext.Kind
	// JSONValue is the text of a string or number that was unmarshaled.
	JSONValue jsontext.Value
	// GoType is the type of the Go value, nil if it is not known.
	GoType reflect.Type
	// Err is what is wrong, or nil if the kind and the type say it.
	Err error
}

// Error returns the text of the error.
func (e *SemanticError) Error() string {
	b := []byte("json: ")
	if e.JSONPointer != "" {
		b = fmt.Appendf(b, "at %s, ", e.JSONPointer)
	}
	b = fmt.Appendf(b, "offset %d: ", e.ByteOffset)
	if e.Err != nil && e.GoType == nil && e.JSONKind == 0 {
		return string(b) + unprefixed(e.Err).Error()
	}
	if e.JSONKind != 0 {
		b = fmt.Appendf(b, "JSON %v", e.JSONKind)
		if n := len(e.JSONValue); 0 < n && n < 100 {
			b = append(append(b, ' '), e.JSONValue...)
		}
		b = append(b, " does not fit"...)
	} else {
		b = append(b, "no JSON for"...)
	}
	if e.GoType != nil {
		b = fmt.Appendf(b, " Go type %v", e.GoType)
	}
	if e.Err != nil {
		b = fmt.Appendf(b, ": %v", unprefixed(e.Err))
	}
	return string(b)
}

// Unwrap returns what is wrong.
func (e *SemanticError) Unwrap() error { return e.Err }

// known is an error that has the place that package encoding/json/v2 would tell too.
type known struct {
	error
	as error // a SemanticError or a jsontext.SyntacticError
}

func (e known) Unwrap() error { return e.error }

// As gives what is told of the place. What that wraps the error does too, so nobody walks it twice: errors of methods
// within methods would be a tree.
func (e known) As(target any) (ok bool) {
	switch target := target.(type) {
	case **SemanticError:
		*target, ok = e.as.(*SemanticError)
	case **jsontext.SyntacticError:
		*target, ok = e.as.(*jsontext.SyntacticError)
	}
	return ok
}

// Is reports whether target is told as what is wrong.
func (e known) Is(target error) bool {
	wrong := errors.Unwrap(e.as)
	return e.as == target || wrong != nil && reflect.TypeOf(wrong).Comparable() && wrong == target
}

// aboutType is an error about a type.
type aboutType struct {
	error
	t reflect.Type
}

func (e aboutType) Unwrap() error { return e.error }

// typeOf returns the type that err is about, nil if it does not tell. What an error of the user's wraps is about
// something else.
func typeOf(err error) reflect.Type {
	for {
		switch e := err.(type) {
		case aboutType:
			return e.t
		case *UnmarshalTypeError:
			return e.Type
		case *UnsupportedTypeError:
			return e.Type
		case *MarshalerError:
			return e.Type
		case *UnsupportedValueError:
			if e.Value.IsValid() {
				return e.Value.Type()
			}
			return nil
		case *weft.Error:
			err = e.Err
		case known:
			err = e.error
		case bare:
			err = e.err
		default:
			return nil
		}
	}
}

// unsignaled returns err, that of a method or function, as no caller takes it for a signal: a method that meets the end
// of its value is not at the end of the stream, and what is not supported within it does not let it pass.
func unsignaled(err error) error {
	switch {
	case err == io.EOF:
		return io.ErrUnexpectedEOF
	case errors.Is(err, errors.ErrUnsupported):
		return errHidden{err}
	}
	return err
}

// explained returns err, that of unmarshaling data into v, with what encoding/json/v2 tells. checked tells that the
// text is known to be JSON that o allows.
func explained(data []byte, v any, o decodeOptions, err error, checked bool) error {
	var bad error
	if !checked {
		most := pick(o.depth == 0, setting.DefaultMaxDepth, o.depth)
		_, bad = jsontext.AppendFormat(nil, data, jsontext.AllowDuplicateNames(o.flags&decodeRejectDuplicates == 0),
			jsontext.AllowInvalidUTF8(o.flags&decodeRefuseUTF8 == 0), weft.MaxDepth(most))
	}
	e, located := err.(*weft.Error)
	if text, ok := errors.AsType[*jsontext.SyntacticError](bad); ok {
		if !located {
			return known{err, text}
		}
		return &weft.Error{Format: e.Format, Offset: e.Offset, Path: e.Path, Err: known{e.Err, text}}
	}
	if _, ok := errors.AsType[*InvalidUnmarshalError](err); ok && !located {
		return known{err, &SemanticError{GoType: reflect.TypeOf(v), Err: err}}
	}
	if !located || e.Offset < 0 { // such as all violations, each with its place
		return err
	}
	e = &weft.Error{Format: e.Format, Offset: e.Offset, Path: e.Path, Err: e.Err}
	sem := &SemanticError{ByteOffset: e.Offset, JSONPointer: jsontext.Pointer(e.Path), GoType: typeOf(e.Err)}
	e.Err = unsignaled(e.Err)
	sem.Err = e.Err
	if e.Offset < int64(len(data)) {
		raw := data[e.Offset:]
		d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		sem.JSONKind = d.PeekKind()
		if sem.JSONKind == jsontext.KindString || sem.JSONKind == jsontext.KindNumber {
			sem.JSONValue, _ = d.ReadValue()
		}
	}
	inner, nested := errors.AsType[*SemanticError](e.Err)
	switch wrong, ok := errors.AsType[*UnmarshalTypeError](e.Err); {
	case nested:
		sem.place(inner, e.Err)
	case errors.Is(e.Err, weft.ErrDuplicateName):
		return wrongText(e, e.Offset, jsontext.ErrDuplicateName)
	case errors.Is(e.Err, weft.ErrUnknownMember):
		sem.Err = ErrUnknownName
	case ok:
		sem.Err = misread(wrong.Type, sem.JSONValue)
	}
	if sem.GoType == nil {
		at := sem.JSONPointer
		if sem.Err == ErrUnknownName {
			at = at.Parent()
		}
		sem.GoType = o.nodes.root(v).typeAt(at)
	}
	e.Err = known{e.Err, sem}
	return e
}

// wrongText returns e with the error of encoding/json/v2 for a text that is wrong at an offset.
func wrongText(e *weft.Error, at int64, why error) error {
	e.Err = known{e.Err, &jsontext.SyntacticError{ByteOffset: at, JSONPointer: jsontext.Pointer(e.Path), Err: why}}
	return e
}

// place takes over what inner tells if err is that, and not an error that wraps it. The error of a method that has read
// a text of its own has been moved; what a method has made may be about its value alone.
func (e *SemanticError) place(inner *SemanticError, err error) {
	if b, ok := err.(bare); ok {
		err = b.err
	}
	if m, ok := errors.AsType[*MarshalerError](err); ok {
		err = m.Err
	}
	if a, ok := err.(aboutType); ok {
		err = a.error
	}
	moved := false
	if w, ok := err.(*weft.Error); ok {
		err = w.Err
	} else {
		_, moved = err.(known)
	}
	if k, ok := err.(known); ok {
		err = k.as
	}
	if err != inner {
		return
	}
	switch {
	case moved:
	case inner.JSONPointer != "" && e.JSONPointer.Contains(inner.JSONPointer):
		e.ByteOffset, e.JSONPointer = inner.ByteOffset, inner.JSONPointer
	default:
		e.ByteOffset, e.JSONPointer = e.ByteOffset+inner.ByteOffset, e.JSONPointer+inner.JSONPointer
	}
	if inner.GoType != nil {
		e.GoType = inner.GoType
	}
	if inner.JSONKind != 0 {
		e.JSONKind, e.JSONValue = inner.JSONKind, inner.JSONValue
	}
	e.Err = unsignaled(inner.Err)
}

// misread returns why text, a string or a number, is no number of type t, nil if t is none.
func misread(t reflect.Type, text []byte) error {
	v := reflect.New(t).Elem()
	if len(text) == 0 || !v.CanInt() && !v.CanUint() && !v.CanFloat() {
		return nil
	}
	return errors.Unwrap(setNumber(v, string(bytes.Trim(text, `"`))))
}

// typeAt returns the type of what the value at the pointer is decoded into, nil if the program does not tell.
func (n *node) typeAt(p jsontext.Pointer) reflect.Type {
	skip := func() {
		for n != nil && (n.op == opPointer || n.op == opOption) {
			n = n.elem
		}
	}
	skip()
	for token := range p.Tokens() {
		k := -1
		if n != nil && n.whole.Load() != 0 && n.names != nil {
			if k = n.names.Find(token); k >= len(n.fields) {
				k = n.others[k-len(n.fields)]
			}
		}
		switch {
		case n == nil:
			return nil
		case k >= 0:
			n = n.fields[k].node
		default:
			n = n.elem
		}
		skip()
	}
	if n == nil {
		return nil
	}
	return n.rtype
}

// explainedValue returns err, that of marshaling a value of which b is what is written, with what encoding/json/v2
// tells.
func explainedValue(b []byte, err error) error {
	open := levelsOf(b)
	dup, twice := errors.AsType[duplicateName](err)
	if twice {
		open[len(open)-1].kind, open[len(open)-1].named = '{', false
	}
	at, path := int64(len(b)), open.pointer()
	out := &weft.Error{Format: "json", Offset: -1, Path: path, Err: unprefixed(err)}
	if w, ok := err.(*weft.Error); ok {
		out.Path += w.Path
		out.Err = w.Err
	}
	if twice {
		out.Path = string(wire.AppendPointer([]byte(path), string([]rune(dup))))
		return wrongText(out, at, jsontext.ErrDuplicateName)
	}
	if text, ok := err.(*jsontext.SyntacticError); ok { // of a text that stands here
		out.Path += string(text.JSONPointer)
		return wrongText(out, at-1+text.ByteOffset, text.Err)
	}
	if err == errInvalidUTF8 {
		return wrongText(out, at, errInvalidUTF8)
	}
	sem := &SemanticError{ByteOffset: at, JSONPointer: jsontext.Pointer(out.Path), GoType: typeOf(err), Err: err}
	if m, ok := errors.AsType[*MarshalerError](err); ok {
		sem.Err = m.Err
	}
	if inner, ok := errors.AsType[*SemanticError](err); ok {
		sem.place(inner, err)
		out.Path = string(sem.JSONPointer)
	}
	out.Err = known{out.Err, sem}
	return out
}
