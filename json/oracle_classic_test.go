//go:build !goexperiment.jsonv2

package json_test

// classicOracle reports whether encoding/json of the running toolchain is the
// classic implementation.
const classicOracle = true
