package json

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"

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
	as    error       // a SemanticError or a jsontext.SyntacticError
	whole bool        // the place is that in the stream, not in the value
	left  *wire.Stand // where it leaves a coder, nil for before the value
}

func (e known) Unwrap() error { return e.error }

// placed reports whether err has its place in the stream.
func placed(err error) bool {
	e, ok := err.(*weft.Error)
	if ok {
		k, is := e.Err.(known)
		return is && k.whole
	}
	return false
}

// moved returns e for a value that is not the whole text but stands in it.
func (e known) moved(offset int64, path jsontext.Pointer) known {
	switch as := e.as.(type) {
	case *SemanticError:
		to := *as
		to.ByteOffset, to.JSONPointer = offset+to.ByteOffset, path+to.JSONPointer
		e.as = &to
	case *jsontext.SyntacticError:
		e.as = &jsontext.SyntacticError{ByteOffset: offset + as.ByteOffset, JSONPointer: path + as.JSONPointer, Err: as.Err}
	}
	e.whole = false
	return e
}

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
	t   reflect.Type
	any bool // any value of the type fails
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

// signals reports whether a caller takes err for more than an error.
func signals(err error) bool { return err == io.EOF || errors.Is(err, errors.ErrUnsupported) }

// unsignaled returns err, that of a method or function, as no caller takes it for a signal: a method that meets the end
// of its value is not at the end of the stream, and what is not supported within it does not let it pass.
func unsignaled(err error) error {
	switch {
	case err == io.EOF:
		return io.ErrUnexpectedEOF
	case signals(err):
		return errHidden{err}
	}
	return err
}

// faultReader reads a text again by its tokens, to tell what is wrong.
type faultReader struct {
	text bytes.Reader
	dec  jsontext.Decoder

	flags decodeFlags // of decodeStrict, and the depth, that opts are for
	most  int
	opts  Options
}

var faultReaders = sync.Pool{New: func() any { return new(faultReader) }}

// explained returns err, that of unmarshaling data into v, with what encoding/json/v2 tells. valid tells that the
// text is known to be JSON that o allows.
func explained(data []byte, v any, o decodeOptions, err error, valid bool) error {
	var bad error
	if !valid {
		r := faultReaders.Get().(*faultReader)
		r.text.Reset(data)
		flags, most := o.flags&decodeStrict, cmp.Or(o.depth, setting.DefaultMaxDepth)
		if r.flags != flags || r.most != most {
			r.flags, r.most = flags, most
			r.opts = weft.Join(jsontext.AllowDuplicateNames(flags&decodeRejectDuplicates == 0),
				jsontext.AllowInvalidUTF8(flags&decodeRefuseUTF8 == 0), weft.MaxDepth(most))
		}
		r.dec.Reset(&r.text, r.opts)
		if bad = readAs(&r.dec, reflect.TypeOf(v)); bad == nil {
			bad = r.dec.Inside(wire.Insider{}).Trailing()
		} else if bad == io.EOF { // nothing is there
			bad = &jsontext.SyntacticError{ByteOffset: int64(len(data)), Err: io.ErrUnexpectedEOF}
		}
		if r.text.Reset(nil); len(data) <= 1<<16 {
			faultReaders.Put(r)
		}
	}
	text, ok := bad.(*jsontext.SyntacticError)
	if ok && err == errRefused {
		err = refusedText(data, text)
	}
	e, located := err.(*weft.Error)
	if ok {
		if !located {
			return known{error: err, as: text}
		}
		return &weft.Error{Format: e.Format, Offset: e.Offset, Path: e.Path, Err: known{error: e.Err, as: text}}
	}
	if !located {
		if _, ok := errors.AsType[*InvalidUnmarshalError](err); !ok {
			return err
		}
		return known{error: err, as: &SemanticError{GoType: reflect.TypeOf(v), Err: err}}
	}
	if e.Offset < 0 { // such as all violations, each with its place
		return err
	}
	if k, ok := e.Err.(known); ok && k.as != nil { // of a method, which has read a text of its own
		if _, ok := k.as.(*SemanticError); ok {
			return err
		}
	}
	var told struct { // in one piece of memory
		err  weft.Error
		sem  SemanticError
		left wire.Stand
	}
	told.err = weft.Error{Format: e.Format, Offset: e.Offset, Path: e.Path, Err: e.Err}
	told.sem = SemanticError{ByteOffset: e.Offset, JSONPointer: jsontext.Pointer(e.Path), GoType: typeOf(e.Err)}
	e, sem, left := &told.err, &told.sem, &told.left
	var about aboutType
	in, _ := e.Err.(bare)
	wrong, usual := in.err.(*UnmarshalTypeError) // which wraps nothing
	if !usual {
		e.Err = unsignaled(e.Err)
		about, _ = errors.AsType[aboutType](err)
		wrong, _ = errors.AsType[*UnmarshalTypeError](e.Err)
	}
	sem.Err = e.Err
	raw := jsontext.Value(data[min(e.Offset, int64(len(data))):])
	if !about.any {
		sem.JSONKind = raw.Kind()
	}
	inner := semanticOf(e.Err)
	// Mostly a value has been read as a whole.
	depth := strings.Count(e.Path, "/")
	*left = wire.Stand{Offset: e.Offset, Depth: depth, Count: 1, Pointer: string(sem.JSONPointer.Parent())}
	if raw.Kind() == jsontext.KindString && followed(data, stringEnd(data, int(e.Offset))) { // a name
		left.Pointer = e.Path
	}
	switch {
	case inner != nil:
		sem.collapse(inner)
	case !usual && errors.Is(e.Err, weft.ErrDuplicateName):
		return wrongText(e, e.Offset, jsontext.ErrDuplicateName, left)
	case !usual && errors.Is(e.Err, weft.ErrUnknownMember):
		sem.Err = ErrUnknownName
	case wrong != nil && (wrong.Value == "value" || wrong.Type.Kind() == reflect.Interface): // which no value fits
		sem.Err, sem.JSONKind = nil, 0
	case wrong != nil:
		if sem.Err = misread(wrong); sem.Err != nil {
			n := wire.NumberLen([]byte(raw))
			if sem.JSONKind == jsontext.KindString {
				n = stringEnd(raw, 0)
			}
			sem.JSONValue = bytes.Clone(raw[:n])
		}
		if (sem.JSONKind == jsontext.KindBeginObject || sem.JSONKind == jsontext.KindBeginArray) && opens(wrong.Type) {
			left.Depth, left.Pointer = depth+1, e.Path
		}
	}
	if e.Err = (known{error: e.Err, as: sem, left: left}); sem.JSONKind == 0 && inner == nil { // it has not been read
		if left.Count = 0; bytes.HasSuffix(bytes.TrimRight(data[:e.Offset], " \n\r\t"), []byte{':'}) {
			left.Pointer = e.Path
		} else if left.Pointer == e.Path { // a name, which has no place yet
			left.Pointer = string(sem.JSONPointer.Parent())
			e.Path, sem.JSONPointer = left.Pointer, sem.JSONPointer.Parent()
		}
	}
	return e
}

// wrongText returns e with the error of encoding/json/v2 for a text that is wrong at an offset.
func wrongText(e *weft.Error, at int64, why error, left *wire.Stand) error {
	text := &jsontext.SyntacticError{ByteOffset: at, JSONPointer: jsontext.Pointer(e.Path), Err: why}
	e.Err = known{error: e.Err, as: text, left: left}
	return e
}

// semanticOf returns the SemanticError that err is, and does not just wrap, or nil.
func semanticOf(err error) *SemanticError {
	for {
		switch e := err.(type) {
		case *SemanticError:
			return e
		case *weft.Error:
			err = e.Err
		case known:
			err = e.as
		case *MarshalerError:
			err = e.Err
		case aboutType:
			err = e.error
		case bare:
			err = e.err
		default:
			return nil
		}
	}
}

// collapse takes over what inner tells, which a method has returned that knows its value alone.
func (e *SemanticError) collapse(inner *SemanticError) {
	at, path := e.ByteOffset+inner.ByteOffset, e.JSONPointer+inner.JSONPointer
	*e = *inner
	e.ByteOffset, e.JSONPointer = at, path
}

// positioned returns err, that of the named method or function for values of type t which c has been given, with its
// place in the stream as far as it does not tell it. c was in that depth before, where it had taken own tokens.
func positioned(c wire.Stack, depth int, own int64, t reflect.Type, name string, err error) error {
	if _, ok := err.(*wire.IOError); ok {
		return err
	}
	k := known{error: err}
	if e, ok := err.(*weft.Error); ok {
		if in, ok := e.Err.(known); ok {
			k = in
		}
	} else if text, ok := err.(*jsontext.SyntacticError); ok {
		k = known{error: text.Err, as: text}
	}
	_, reads := c.(wire.Reads)
	if text, ok := k.as.(*jsontext.SyntacticError); ok && reads {
		k.whole = true
		return &weft.Error{Format: "json", Offset: text.ByteOffset, Path: string(text.JSONPointer), Err: k}
	}
	sem := &SemanticError{Err: err}
	if inner := semanticOf(err); inner != nil {
		*sem = *inner
		if signals(sem.Err) {
			sem.Err = unsignaled(sem.Err)
			k.error = sem.Err
		}
	} else if sem.Err = unsignaled(err); reads {
		k.error = unprefixed(sem.Err)
	} else {
		k.error = unprefixed(new(encoder).marshalError(t, sem.Err, name))
	}
	if k.left == nil || sem.ByteOffset == 0 || sem.JSONPointer == "" {
		at, pointer := c.Where(depth, own)
		sem.ByteOffset = cmp.Or(sem.ByteOffset, at.Offset)
		sem.JSONPointer = cmp.Or(sem.JSONPointer, jsontext.Pointer(pointer))
		k.left = &at
	}
	if sem.GoType == nil {
		sem.GoType = t
	}
	k.as, k.whole = sem, true
	return &weft.Error{Format: "json", Offset: pick(reads, sem.ByteOffset, -1), Path: string(sem.JSONPointer), Err: k}
}

// readAs reads the next value of d as encoding/json/v2 reads one of type t, and returns what is wrong with the text:
// some of it is told otherwise of tokens than of values.
func readAs(d *jsontext.Decoder, t reflect.Type) error {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || !opens(t) && t.Kind() != reflect.Interface && !reflect.PointerTo(t).Implements(fromType) {
		_, err := d.ReadValue()
		return err
	}
	for depth, first := d.StackDepth(), true; first || d.StackDepth() > depth; first = false {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
	}
	return nil
}

var fromType = reflect.TypeFor[UnmarshalerFrom]()

// opens reports whether encoding/json/v2 reads values of type t by their tokens.
func opens(t reflect.Type) bool {
	own := reflect.PointerTo(t).Implements
	switch k := t.Kind(); {
	case own(textUnmarshalerType) || own(unmarshalerType) || own(fromType):
		return false
	case k == reflect.Slice || k == reflect.Array:
		return t.Elem().Kind() != reflect.Uint8
	default:
		return k == reflect.Struct || k == reflect.Map || k == reflect.Bool
	}
}

// misread returns why a number, or the text of a string that stands for one, is none of the type, nil if it is not read
// as one.
func misread(wrong *UnmarshalTypeError) error {
	v := reflect.New(wrong.Type).Elem()
	_, text, ok := strings.Cut(wrong.Value, " ")
	if !ok || !v.CanInt() && !v.CanUint() && !v.CanFloat() {
		return nil
	}
	if s, err := strconv.Unquote(text); err == nil {
		text = s
	}
	if !isNumber(text) {
		return strconv.ErrSyntax
	}
	return errors.Unwrap(setNumber(v, text))
}

// explainedValue returns err, that of marshaling a value of which b is what is written, with what encoding/json/v2
// tells.
func explainedValue(b []byte, err error) error {
	if placed(err) {
		return err
	}
	open := levelsOf(b)
	dup, twice := errors.AsType[duplicateName](err)
	if twice {
		open[len(open)-1].kind, open[len(open)-1].named = '{', false
	}
	at, path, last := int64(len(b)), open.pointer(), len(open)-1
	left := &wire.Stand{Offset: at, Depth: len(open)}
	if last >= 0 {
		left.Pointer = path
		if open[last].kind != '{' {
			left.Pointer = open[:last].pointer()
		} else if twice && !bytes.HasSuffix(b, []byte{','}) { // which comes next
			left.Offset++
		}
	}
	out := &weft.Error{Format: "json", Offset: -1, Path: path, Err: unprefixed(err)}
	if w, ok := err.(*weft.Error); ok {
		out.Path += w.Path
		out.Err = w.Err
	}
	if twice {
		out.Path = string(wire.AppendPointer([]byte(path), string([]rune(dup))))
		return wrongText(out, at, jsontext.ErrDuplicateName, left)
	}
	if text, ok := err.(*jsontext.SyntacticError); ok { // of a text that stands here
		out.Path += string(text.JSONPointer)
		return wrongText(out, at+text.ByteOffset, text.Err, left)
	}
	if err == errInvalidUTF8 {
		return wrongText(out, at, errInvalidText, left)
	}
	sem := &SemanticError{ByteOffset: at, JSONPointer: jsontext.Pointer(out.Path), GoType: typeOf(err), Err: err}
	if m, ok := errors.AsType[*MarshalerError](err); ok {
		sem.Err = m.Err
	} else if u, ok := errors.AsType[*UnsupportedTypeError](err); ok {
		sem.Err = nil
		if sem.GoType != u.Type { // that of keys
			sem.Err = jsontext.ErrNonStringName
		}
	}
	if inner := semanticOf(err); inner != nil {
		sem.collapse(inner)
		out.Path = string(sem.JSONPointer)
	}
	out.Err = known{error: out.Err, as: sem, left: left}
	return out
}
