package wire

import "strconv"

// Quote returns s quoted, cut when it is long: as errors show it.
func Quote(s string) string {
	const most = 64
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}

// OneOf returns the names, quoted, as alternatives.
func OneOf(names []string) string {
	var b []byte
	for i, s := range names {
		if i > 0 {
			b = append(b, " or "...)
		}
		b = append(b, Quote(s)...)
	}
	return string(b)
}
