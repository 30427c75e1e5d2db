package main

import (
	"bytes"
	"os"
	"testing"
)

func Example() {
	if err := run(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// {"name":"Lake round","start":"2026-07-01T09:30:00Z","stops":[{"lat":47.5,"lon":9.25},{"lat":47.75,"lon":9}],"notes":{"bikes":"4"},"planned":false}
}

func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
}
