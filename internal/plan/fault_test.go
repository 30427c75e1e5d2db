package plan

import "testing"

// TestCheckOtherTag: a discriminator is none of those that choose another variant.
func TestCheckOtherTag(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{checkOtherTag("c", "C", "a", "b"), ""},
		{checkOtherTag("", "C"), ""},
		{checkOtherTag("b", "C", "a", "b"), `must be a tag of C, not "b"`},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if tt.want == "" && tt.err != nil || tt.want != "" && (tt.err == nil || tt.err.Error() != tt.want) {
				t.Errorf("%v; want %s", tt.err, tt.want)
			}
		})
	}
}
