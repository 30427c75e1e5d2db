package optional

import "github.com/weftcodec/weft/opt"

// SmallPointers has six fields.
type SmallPointers struct{ F0, F1, F2, F3, F4, F5 *string }

// SmallValues has six fields.
type SmallValues struct{ F0, F1, F2, F3, F4, F5 string }

// SmallOpts has six fields.
type SmallOpts struct{ F0, F1, F2, F3, F4, F5 opt.String }

// SmallNans has six fields.
type SmallNans struct{ F0, F1, F2, F3, F4, F5 NanString }

// Fill sets every field to s.
func (v *SmallPointers) Fill(s string) {
	v.F0, v.F1, v.F2, v.F3, v.F4, v.F5 = at(s), at(s), at(s), at(s), at(s), at(s)
}

// Fill sets every field to s.
func (v *SmallValues) Fill(s string) {
	v.F0, v.F1, v.F2, v.F3, v.F4, v.F5 = s, s, s, s, s, s
}

// Fill sets every field to s.
func (v *SmallOpts) Fill(s string) {
	o := opt.NullOf(s)
	v.F0, v.F1, v.F2, v.F3, v.F4, v.F5 = o, o, o, o, o, o
}

// Fill sets every field to s.
func (v *SmallNans) Fill(s string) {
	o := NanOf(s)
	v.F0, v.F1, v.F2, v.F3, v.F4, v.F5 = o, o, o, o, o, o
}

func at(s string) *string { return &s }
