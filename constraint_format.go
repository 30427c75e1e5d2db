package weft

import "github.com/weftcodec/weft/internal/formats"

// CheckFormat returns an error unless s is as the format of JSON Schema and
// OpenAPI says: date, time, date-time, duration, uuid, ipv4, ipv6, uri, email,
// decimal or byte. Other formats hold for every string.
func CheckFormat(s, format string) error {
	is, what := formats.Named(format)
	if is == nil || is(s) {
		return nil
	}
	return &ConstraintError{Rule: "be " + what, Value: short(s)}
}

// CheckUUID returns an error unless s is a UUID in the form of RFC 9562 §4.
func CheckUUID(s string) error {
	if formats.UUID(s) {
		return nil
	}
	return &ConstraintError{Rule: "be a UUID", Value: short(s)}
}
