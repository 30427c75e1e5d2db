//go:build !race

package compress

// raceBuild tells whether the race detector runs, under which pools drop what they are given.
const raceBuild = false
