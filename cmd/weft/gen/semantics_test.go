package gen

import "testing"

// What is a value of a schema, and what is not: testdata/semantics.txt lists
// cases by the types of semantics.yaml.
func TestSemantics(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	dir, pkg := module(t, "testdata/semantics.yaml")
	addRoundTrip(t, dir, pkg, 6)
	addFile(t, dir, "semantics.txt")
	addFile(t, dir, "semantics_test.go.txt")
	goTool(t, dir, "vet", "./...")
	goTool(t, dir, "test", "-gcflags=-l", "./...")
}
