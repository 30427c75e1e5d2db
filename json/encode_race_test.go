//go:build race

package json

// raceBuild reports whether the race detector runs, under which pools drop what they are given.
const raceBuild = true
