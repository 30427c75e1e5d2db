package main

import "github.com/kak-tus/nan"

// third has another use for the name opt.
func third(opt nan.NullString) string { return opt.String }

var _ = third(nan.StringToNullString("x"))
