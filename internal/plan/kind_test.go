package plan

import (
	"fmt"
	"testing"
)

func TestKindString(t *testing.T) {
	for k, want := range map[Kind]string{
		Invalid:   "invalid",
		Bool:      "bool",
		Uint64:    "uint64",
		String:    "string",
		ByteArray: "bytearray",
		Any:       "any",
		Coded:     "coded",
		Kinds:     "invalid",
	} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			if got := k.String(); got != want {
				t.Errorf("Kind(%d): %q, want %q", k, got, want)
			}
		})
	}
}
