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
