//go:build goexperiment.jsonv2

package json

// classicStd reports whether encoding/json is the classic implementation, with its errors.
const classicStd = false
