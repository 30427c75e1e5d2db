package peers

import "github.com/weftcodec/weft/json"

// weftJSON returns weft's own entries.
func weftJSON() []JSON {
	fast := json.Fastest()
	second := []json.Options{json.V2(), json.FormatNilSliceAsNull(true), json.FormatNilMapAsNull(true)}
	return []JSON{
		{
			Name: "weft", Class: Compatible, Marshal: json.Marshal, Unmarshal: json.Unmarshal, Valid: json.Valid,
			Append: func(b []byte, v any) ([]byte, error) { return json.MarshalAppend(b, v) },
		},
		{
			Name: "weft fast", Class: Anything,
			Marshal:   func(v any) ([]byte, error) { return json.MarshalWith(v, fast) },
			Unmarshal: func(b []byte, v any) error { return json.UnmarshalWith(b, v, fast) },
			Append:    func(b []byte, v any) ([]byte, error) { return json.MarshalAppend(b, v, fast) },
		},
		{
			Name: "weft v2", Class: Second,
			Marshal:   func(v any) ([]byte, error) { return json.MarshalWith(v, second...) },
			Unmarshal: func(b []byte, v any) error { return json.UnmarshalWith(b, v, second...) },
			Append:    func(b []byte, v any) ([]byte, error) { return json.MarshalAppend(b, v, second...) },
		},
	}
}
