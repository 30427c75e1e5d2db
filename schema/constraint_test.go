package schema

import (
	"strings"
	"sync"
	"testing"
)

// What is of a format is a matter of internal/formats.
func TestCheckFormat(t *testing.T) {
	tests := []struct{ format, good, bad, want string }{
		{"date", "2024-02-29", "2023-02-29", `must be a date, not "2023-02-29"`},
		{"time", "10:20:30Z", "10:20", `must be a time, not "10:20"`},
		{"date-time", "2024-02-29T10:20:30Z", "2024-02-29", `must be a date-time, not "2024-02-29"`},
		{"duration", "P1D", "1D", `must be a duration, not "1D"`},
		{"uuid", "01234567-89ab-cdef-0123-456789ABCDEF", "01234567", `must be a UUID, not "01234567"`},
		{"ipv4", "192.0.2.1", "::1", `must be an IPv4 address, not "::1"`},
		{"ipv6", "::1", "192.0.2.1", `must be an IPv6 address, not "192.0.2.1"`},
		{"uri", "urn:a:b", "/path", `must be a URI, not "/path"`},
		{"email", "a@b", "a", `must be an email address, not "a"`},
		{"decimal", "-1.50", "x", `must be a decimal, not "x"`},
		{"byte", "AA==", "A", `must be a base64 string, not "A"`},
	}
	for _, tt := range tests {
		t.Run(tt.format, func(t *testing.T) {
			if err := checkFormat(tt.good, tt.format); err != nil {
				t.Error(err)
			}
			if err := checkFormat(tt.bad, tt.format); err == nil || err.Error() != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
	if err := checkFormat("anything", "color"); err != nil {
		t.Error(err)
	}
}

// A pattern is compiled by the first of the goroutines that need it, and one that cannot be panics for each.
func TestPatternShared(t *testing.T) {
	good, bad := newPattern(`^\p{L}+$`), newPattern("a(?=b)")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if good.check("größe") != nil || good.check("1") == nil {
				t.Error("a wrong match")
			}
			defer func() {
				if e, _ := recover().(string); !strings.HasPrefix(e, `schema: pattern "a(?=b)", offset 1: look-ahead`) {
					t.Errorf("panic %q", e)
				}
			}()
			bad.match("ab")
		})
	}
	wg.Wait()
}
