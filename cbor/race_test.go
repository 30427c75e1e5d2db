//go:build race

package cbor

const raceEnabled = true
