//go:build !unix

package postgres

import "testing"

// Start skips the test: servers are started by users of their own, which this system does not have.
func Start(t testing.TB) string {
	t.Helper()
	t.Skip("PostgreSQL is started on Unix alone")
	return ""
}
