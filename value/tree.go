package value

import "github.com/weftcodec/weft"

// MarshalAny returns v as a tree of plain Go values: what [Value.Interface] returns
// for the Value that [Marshal] makes of v. Maps are map[string]any, lists []any.
// Types write themselves to it as to any format, by their methods MarshalWeft, by
// their codecs, or by their plan.
func MarshalAny(v any, opts ...weft.Options) (any, error) {
	x, err := marshal(v, dialectOf(opts))
	if err != nil {
		return nil, err
	}
	return x.Interface(), nil
}

// UnmarshalAny stores a tree of plain Go values, such as MarshalAny or encoding/json makes, in the variable that out
// points to, as [Unmarshal] does. The tree may contain anything that [Marshal] accepts.
func UnmarshalAny(tree, out any, opts ...weft.Options) error {
	in := dialectOf(opts)
	x, err := marshal(tree, in)
	if err != nil {
		return err
	}
	return unmarshal(x, out, in, opts...)
}
