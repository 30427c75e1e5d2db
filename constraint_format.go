package weft

import "github.com/weftcodec/weft/internal/formats"

// checkFormat returns an error unless s is as the format of JSON Schema and
// OpenAPI says: date, time, date-time, duration, uuid, ipv4, ipv6, uri, email,
// decimal or byte. Other formats hold for every string.
func checkFormat(s, format string) error {
	is, what := formats.Named(format)
	if is == nil || is(s) {
		return nil
	}
	return &ConstraintError{Rule: "be " + what, Value: short(s)}
}
