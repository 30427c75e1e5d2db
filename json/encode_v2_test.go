//go:build goexperiment.jsonv2

package json

// classicStd tells whether encoding/json is the classic implementation, with its errors.
const classicStd = false
