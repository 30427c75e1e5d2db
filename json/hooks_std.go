//go:build goexperiment.jsonv2 && go1.27

package json

import (
	stdjson "encoding/json"
	stdtext "encoding/json/jsontext"
	stdv2 "encoding/json/v2"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/json/jsontext"
)

// stdHook is the hook of encoding/json/v2's MarshalerTo and UnmarshalerFrom.
func stdHook() plan.Hook {
	return plan.Hook{
		Name: "std", Marshal: reflect.TypeFor[stdv2.MarshalerTo](), Unmarshal: reflect.TypeFor[stdv2.UnmarshalerFrom](),
	}
}

// stdOptions are those under which encoding/json's encoders and decoders work for a method.
func stdOptions(f encodeFlags) stdv2.Options {
	base := stdjson.DefaultOptionsV1()
	if f&flagV2 != 0 {
		base = stdv2.DefaultOptionsV2()
	}
	return stdv2.JoinOptions(base,
		stdtext.EscapeForHTML(f&flagEscapeHTML != 0), stdtext.EscapeForJS(f&flagRawJS == 0),
		stdtext.AllowInvalidUTF8(f&flagRefuseUTF8 == 0), stdtext.AllowDuplicateNames(f&flagRefuseDuplicates == 0),
		stdv2.Deterministic(f&flagSortMapKeys != 0), stdv2.FormatNilSliceAsNull(f&flagNilSliceAsEmpty == 0),
		stdv2.FormatNilMapAsNull(f&flagNilMapAsEmpty == 0), stdv2.OmitZeroStructFields(f&flagOmitZeroFields != 0),
		stdv2.RejectUnknownMembers(f&flagRejectUnknown != 0), stdv2.StringifyNumbers(f&flagStringNumbers != 0),
		stdv2.MatchCaseInsensitiveNames(f&flagExactNames == 0))
}

// quotedStd has a value of a field with the option string, which no option of encoding/json/v2's coders is.
type quotedStd struct {
	V stdMethods `json:",string"`
}

// stdMethods has the methods of v, and what they return.
type stdMethods struct {
	v   any
	err error
}

const quotedBefore, quotedAfter = `{"V":`, `}`

func (s *stdMethods) MarshalJSONTo(e *stdtext.Encoder) error {
	s.err = s.v.(stdv2.MarshalerTo).MarshalJSONTo(e)
	return s.err
}

func (s *stdMethods) UnmarshalJSONFrom(d *stdtext.Decoder) error {
	s.err = s.v.(stdv2.UnmarshalerFrom).UnmarshalJSONFrom(d)
	return s.err
}

// failure returns err, or the error of the method, with its place from the value on.
func (s *stdMethods) failure(err error) error {
	if s.err != nil {
		err = s.err
	}
	if at, ok := errors.AsType[*stdv2.SemanticError](err); ok {
		at.ByteOffset -= int64(len(quotedBefore))
		at.JSONPointer = stdtext.Pointer(strings.TrimPrefix(string(at.JSONPointer), "/V"))
	}
	return stdError(err)
}

// marshalQuotedStd is marshalStd for the value of a field with the option string. It links all of encoding/json/v2, so
// modes alone have it.
func marshalQuotedStd(v any, f encodeFlags) ([]byte, error) {
	in := quotedStd{stdMethods{v: v}}
	text, err := stdv2.Marshal(&in, stdOptions(f))
	if err != nil {
		return nil, in.V.failure(err)
	}
	return text[len(quotedBefore) : len(text)-len(quotedAfter)], nil
}

// unmarshalQuotedStd is unmarshalStd for the value of a field with the option string.
func unmarshalQuotedStd(data []byte, v any, f encodeFlags) error {
	in := quotedStd{stdMethods{v: v}}
	err := stdv2.Unmarshal(slices.Concat([]byte(quotedBefore), data, []byte(quotedAfter)), &in, stdOptions(f))
	return in.V.failure(err)
}

// stdError returns err, with what it tells if it is one of encoding/json/v2's.
func stdError(err error) error {
	e, ok := err.(*stdv2.SemanticError)
	if !ok {
		return err
	}
	at := jsontext.Pointer(e.JSONPointer)
	return &weft.Error{Format: "json", Offset: e.ByteOffset, Path: string(at), Err: known{error: err, as: &SemanticError{
		ByteOffset: e.ByteOffset, JSONPointer: at, JSONKind: jsontext.Kind(e.JSONKind),
		JSONValue: jsontext.Value(e.JSONValue), GoType: e.GoType, Err: e.Err}}}
}

// marshalStd returns what v, which has MarshalJSONTo, writes.
func marshalStd(v any, f encodeFlags) ([]byte, error) {
	w := appender{}
	e := stdtext.NewEncoder(&w, stdOptions(f))
	if err := v.(stdv2.MarshalerTo).MarshalJSONTo(e); err != nil {
		return nil, stdError(err)
	}
	if _, n := e.StackIndex(0); e.StackDepth() != 0 || n != 1 {
		return nil, errNotOne
	}
	return w.b, nil
}

// unmarshalStd lets v, which has UnmarshalJSONFrom, read data.
func unmarshalStd(data []byte, v any, f encodeFlags) error {
	d := stdtext.NewDecoder(readerOf(data), stdOptions(f))
	if err := v.(stdv2.UnmarshalerFrom).UnmarshalJSONFrom(d); err != nil {
		return stdError(err)
	}
	if _, n := d.StackIndex(0); d.StackDepth() != 0 || n != 1 {
		return errNotOne
	}
	return nil
}
