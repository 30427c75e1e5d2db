//go:build !jsontest

package sdktypes

import "github.com/weftcodec/weft/bench/sdk"

// toolchain returns nothing: the toolchain's types were not copied.
func toolchain() []sdk.Document { return nil }
