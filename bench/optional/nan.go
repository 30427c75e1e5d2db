package optional

import (
	"bytes"
	"encoding/json"

	"github.com/mailru/easyjson/jlexer"
	"github.com/mailru/easyjson/jwriter"
)

// NanString is a string in the form of the types of github.com/kak-tus/nan,
// written here because the module proxy does not serve that module: a struct of
// its own for each type, with methods for encoding/json and easyjson. What nan
// has for jsoniter beside them needs unsafe and is left out: the tables show
// jsoniter calling the methods.
type NanString struct {
	String string
	Valid  bool
}

// NanOf returns the value s.
func NanOf(s string) NanString { return NanString{String: s, Valid: true} }

// MarshalJSON implements json.Marshaler.
func (n NanString) MarshalJSON() ([]byte, error) {
	if !n.Valid {
		return []byte("null"), nil
	}
	return json.Marshal(n.String)
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *NanString) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		*n = NanString{}
		return nil
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*n = NanOf(s)
	return nil
}

// MarshalEasyJSON implements easyjson.Marshaler.
func (n NanString) MarshalEasyJSON(w *jwriter.Writer) {
	if n.Valid {
		w.String(n.String)
	} else {
		w.RawString("null")
	}
}

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (n *NanString) UnmarshalEasyJSON(l *jlexer.Lexer) {
	if l.IsNull() {
		l.Skip()
		*n = NanString{}
		return
	}
	*n = NanOf(l.String())
}
