package json

// AppendMembers appends the members of m, each with a comma before it, to an
// object that has been begun: what app appends for each, in the order of the
// names unless f lacks [SortMapKeys]. On an error it returns b as it was.
func AppendMembers[T any](b []byte, m map[string]T, f Flags, app func(*T, []byte, Flags) ([]byte, error)) ([]byte, error) {
	if len(m) == 0 {
		return b, nil
	}
	start := len(b)
	b, err := AppendMap(b, m, f, app)
	if err != nil {
		return b, err
	}
	// An object of its own without its braces.
	b[start] = ','
	return b[:len(b)-1], nil
}
