package json

// What the build is, for tests of the exported API.
const (
	SafeBuild = memSafe
)

// PathAt returns the JSON pointer of the value of data that stands at offset, or of the innermost one around it.
func PathAt(data []byte, offset int64) string { return pathWithin(data, offset) }
