//go:build goexperiment.jsonv2 && go1.27

package json

import (
	stdjson "encoding/json"
	stdtext "encoding/json/jsontext"
	stdv2 "encoding/json/v2"
	"reflect"

	"github.com/weftcodec/weft/internal/plan"
)

// stdHook is the hook of encoding/json/v2's MarshalerTo and UnmarshalerFrom.
func stdHook() plan.Hook {
	return plan.Hook{Name: "std", Marshal: reflect.TypeFor[stdv2.MarshalerTo](), Unmarshal: reflect.TypeFor[stdv2.UnmarshalerFrom]()}
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
		stdv2.StringifyNumbers(f&flagStringNumbers != 0), stdv2.MatchCaseInsensitiveNames(f&flagExactNames == 0))
}

// marshalStd returns what v, which has MarshalJSONTo, writes.
func marshalStd(v any, f encodeFlags) ([]byte, error) {
	w := appender{}
	e := stdtext.NewEncoder(&w, stdOptions(f))
	if err := v.(stdv2.MarshalerTo).MarshalJSONTo(e); err != nil {
		return nil, err
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
		return err
	}
	if _, n := d.StackIndex(0); d.StackDepth() != 0 || n != 1 {
		return errNotOne
	}
	return nil
}
