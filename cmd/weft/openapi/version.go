package openapi

// Version is a version of OpenAPI, patch level left out.
type Version uint8

// The versions.
const (
	V20 Version = iota + 1 // Swagger 2.0
	V30
	V31
	V32
)

// String returns the version's number, such as "3.0".
func (v Version) String() string {
	switch v {
	case V20:
		return "2.0"
	case V30:
		return "3.0"
	case V31:
		return "3.1"
	case V32:
		return "3.2"
	}
	return "unknown"
}
