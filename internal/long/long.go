// Package long marks the tests that make test leaves out, because they take long. make test-long runs them too.
package long

import "testing"

// Test skips a test of go test -short that takes long: most of what it shows is shown by a quicker one.
func Test(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("make test-long runs it")
	}
}
