package json

// Unmarshal parses the JSON text data and stores the result in the value that
// v points to, as encoding/json's Unmarshal does: with the same result, the
// same error, and a target that is left alone where the text is not JSON.
//
// Beyond encoding/json's hooks it honours ReadJSON, which generated models
// have, and [github.com/weftcodec/weft.Unmarshaler].
func Unmarshal(data []byte, v any) error { return unmarshal(data, v, 0) }

// Valid tells whether data is one JSON value (RFC 8259), as encoding/json's
// Valid does: strings may hold bytes that are not UTF-8.
func Valid(data []byte) bool {
	d := newDecoder(data, 0)
	ok := d.check()
	d.release(true)
	return ok
}
