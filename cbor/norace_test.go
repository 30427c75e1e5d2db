//go:build !race

package cbor

const raceEnabled = false
