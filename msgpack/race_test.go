//go:build race

package msgpack

const raceEnabled = true
