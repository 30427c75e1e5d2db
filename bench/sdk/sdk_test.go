package sdk

import (
	"bytes"
	"testing"
)

// The types of the toolchain are copied whole.
func TestCopied(t *testing.T) {
	text, err := Copied()
	if err != nil {
		t.Skip(err)
	}
	for _, want := range []string{"type (\n\tcanadaRoot struct", "twitterUser struct", "func toolchain() []sdk.Document {"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("there is no %q", want)
		}
	}
}
