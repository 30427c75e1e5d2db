package main

import "os"

func Example() {
	if err := run(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// {"name":"Lake round","start":"2026-07-01T09:30:00Z","stops":[{"lat":47.5,"lon":9.25},{"lat":47.75,"lon":9}],"notes":{"bikes":"4"},"planned":false}
	// 146 bytes of JSON, 114 of MessagePack
	// json: Lake round stops 2 times, first at {47.5 9.25}
	// msgpack: Lake round stops 2 times, first at {47.5 9.25}
	// json: at /stops/1, offset 68: missing required member "lon"
}
