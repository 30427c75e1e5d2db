//go:build !race

package msgpack

const raceEnabled = false
