package backend

// Locate returns the error of a value of a format, and the path from the value to
// what it is about where it says so: it is a weft.Violation, or a weft.Error of writing
// the format. It is for format packages.
func Locate(err error, format string) (string, error) {
	if l, ok := err.(interface {
		Locate(format string) (path string, err error)
	}); ok {
		return l.Locate(format)
	}
	return "", err
}
