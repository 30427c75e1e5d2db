//go:build goexperiment.jsonv2

package json_test

// classicOracle reports whether encoding/json of the running toolchain is the
// classic implementation. Here it stands on encoding/json/v2.
const classicOracle = false
