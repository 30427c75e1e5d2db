package optional

import "github.com/weftcodec/weft/opt"

// MixedPointers has a field of each of six types.
type MixedPointers struct {
	Name  *string  `json:"name"`
	ID    *int64   `json:"id"`
	Price *float64 `json:"price"`
	Open  *bool    `json:"open"`
	Count *uint32  `json:"count"`
	City  *string  `json:"city"`
}

// MixedValues has a field of each of six types.
type MixedValues struct {
	Name  string  `json:"name"`
	ID    int64   `json:"id"`
	Price float64 `json:"price"`
	Open  bool    `json:"open"`
	Count uint32  `json:"count"`
	City  string  `json:"city"`
}

// MixedNulls has a field of each of six types, each null or a value.
type MixedNulls struct {
	Name  opt.String  `json:"name"`
	ID    opt.Int64   `json:"id"`
	Price opt.Float64 `json:"price"`
	Open  opt.Bool    `json:"open"`
	Count opt.Uint32  `json:"count"`
	City  opt.String  `json:"city"`
}

// MixedVals has a field of each of six types, each absent or a value.
type MixedVals struct {
	Name  opt.Val[string]  `json:"name,omitzero"`
	ID    opt.Val[int64]   `json:"id,omitzero"`
	Price opt.Val[float64] `json:"price,omitzero"`
	Open  opt.Val[bool]    `json:"open,omitzero"`
	Count opt.Val[uint32]  `json:"count,omitzero"`
	City  opt.Val[string]  `json:"city,omitzero"`
}

// MixedFields has a field of each of six types, each absent, null or a value.
type MixedFields struct {
	Name  opt.Field[string]  `json:"name,omitzero"`
	ID    opt.Field[int64]   `json:"id,omitzero"`
	Price opt.Field[float64] `json:"price,omitzero"`
	Open  opt.Field[bool]    `json:"open,omitzero"`
	Count opt.Field[uint32]  `json:"count,omitzero"`
	City  opt.Field[string]  `json:"city,omitzero"`
}

// Mixed returns the same values in each of the forms.
func Mixed() (p *MixedPointers, v *MixedValues, n *MixedNulls, o *MixedVals, f *MixedFields) {
	v = &MixedValues{"a longer name", 1234567, 12.75, true, 42, "Utrecht"}
	w := *v
	p = &MixedPointers{&w.Name, &w.ID, &w.Price, &w.Open, &w.Count, &w.City}
	n = &MixedNulls{opt.NullOf(v.Name), opt.NullOf(v.ID), opt.NullOf(v.Price), opt.NullOf(v.Open), opt.NullOf(v.Count), opt.NullOf(v.City)}
	o = &MixedVals{opt.ValOf(v.Name), opt.ValOf(v.ID), opt.ValOf(v.Price), opt.ValOf(v.Open), opt.ValOf(v.Count), opt.ValOf(v.City)}
	f = &MixedFields{opt.NullToField(n.Name), opt.NullToField(n.ID), opt.NullToField(n.Price), opt.NullToField(n.Open), opt.NullToField(n.Count), opt.NullToField(n.City)}
	return p, v, n, o, f
}
