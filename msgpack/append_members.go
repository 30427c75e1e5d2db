package msgpack

import "github.com/weftcodec/weft"

// AppendMembers appends the pairs of m to a map whose header counts them: what
// app appends for each value, in no order. On an error it returns b as it was.
func AppendMembers[T any](b []byte, m map[string]T, app func(*T, []byte) ([]byte, error)) ([]byte, error) {
	out, err := b, error(nil)
	for name, v := range m {
		if out, err = app(&v, AppendString(out, name)); err != nil {
			return b, weft.AtMember(name, err)
		}
	}
	return out, nil
}
