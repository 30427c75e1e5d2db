//go:build race

package sample

// Race reports whether the race detector runs, under which pools drop some of what they are given.
const Race = true
