//go:build !goexperiment.jsonv2 || !go1.27

package text_test

import "github.com/weftcodec/weft/bench/harness"

func stdTokens([]byte, func(func() int) func() (string, error)) []harness.Case { return nil }
func stdValues([]byte, func(func() int) func() (string, error)) []harness.Case { return nil }
func stdValid([]byte, func(func() bool) func() (string, error)) []harness.Case { return nil }
func stdFormat([]byte, string, func() []byte) []harness.Case                   { return nil }
func stdCopy([]byte, func(func() int64) func() (string, error)) []harness.Case { return nil }
