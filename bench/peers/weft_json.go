package peers

import "github.com/weftcodec/weft/json"

// weftJSON returns weft's own entries.
func weftJSON() []JSON {
	fast := []json.Options{json.EscapeForHTML(false), json.Deterministic(false)}
	return []JSON{
		{
			Name: "weft", Class: Compatible, Marshal: json.Marshal, Unmarshal: json.Unmarshal, Valid: json.Valid,
			Append: func(b []byte, v any) ([]byte, error) { return json.MarshalAppend(b, v) },
		},
		{
			Name: "weft fast", Class: Anything,
			Marshal:   func(v any) ([]byte, error) { return json.MarshalWith(v, fast...) },
			Unmarshal: json.Unmarshal,
			Append:    func(b []byte, v any) ([]byte, error) { return json.MarshalAppend(b, v, fast...) },
		},
	}
}
