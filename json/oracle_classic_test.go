//go:build !goexperiment.jsonv2

package json_test

// classicOracle tells whether encoding/json of the running toolchain is the
// classic implementation.
const classicOracle = true
