package json

import (
	stdjson "encoding/json"
	"strings"
	"testing"
)

// TestEscapeRuns decodes strings of several escapes in a row, which are read two at
// a time, with every kind of escape in every place, as encoding/json does.
func TestEscapeRuns(t *testing.T) {
	kinds := []string{
		`\u0041`, `\u007f`, `\u0080`, `\u07FF`, `\u0800`, `\uD7ff`, `\ue000`, `\uffff`, `\u20AC`, `\u20ac`, // alone
		`\ud83d`, `\ude00`, // halves of a pair
		`\n`, `\"`, `x`, "\u00e9", "\xff",
		`\u00g0`, `\u/000`, `\u:000`, `\u@000`, "\\u`000", `\u000G`, `\U0041`, `\u12`, "\\u\x11000", "\\u\xb0000", `\x`, // wrong
	}
	check := func(parts ...string) {
		text := `"` + strings.Join(parts, "") + `"`
		var got, want string
		err, wantErr := Unmarshal([]byte(text), &got), stdjson.Unmarshal([]byte(text), &want)
		if got != want || (err == nil) != (wantErr == nil) {
			t.Errorf("%s: %q (%v), want %q (%v)", text, got, err, want, wantErr)
		}
	}
	for _, a := range kinds {
		for _, b := range kinds {
			check(a, b)
			check(`\u0391`, a, b)
			check(a, b, `\u4e2d\u6587`)
			check(strings.Repeat(`\u4e2d`, 30), a, strings.Repeat(`\u0416`, 31), b)
		}
	}
	for n := range 200 {
		check(strings.Repeat(`\u4e2d`, n), strings.Repeat(`\u0041`, n%7), strings.Repeat(`\u00e9`, n%5))
	}
}
