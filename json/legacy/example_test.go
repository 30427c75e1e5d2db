package legacy_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/legacy"
)

type pair struct{ X, Y int }

// shout is written in capital letters.
type shout string

func (s *shout) MarshalJSON() ([]byte, error) { return json.Marshal(strings.ToUpper(string(*s))) }

// Each of these options takes one thing of encoding/json's back under V2.
func Example() {
	type named byte
	for _, row := range []struct {
		v   any
		opt json.Options
	}{
		{[2]byte{1, 2}, legacy.FormatByteArrayAsArray(true)},
		{[]named{1, 2}, legacy.FormatBytesWithLegacySemantics(true)},
		{time.Second, legacy.FormatDurationAsNano(true)},
		{struct {
			N int `json:",omitempty"`
		}{}, legacy.OmitEmptyWithLegacySemantics(true)},
		{struct {
			B bool `json:",string"`
		}{}, legacy.StringifyWithLegacySemantics(true)},
		{struct {
			B bool `json:",string"`
		}{}, legacy.ReportErrorsWithLegacySemantics(true)},
		{struct{ Name shout }{"Rex"}, legacy.CallMethodsWithLegacySemantics(true)}, // is not called without an address
	} {
		b, err := json.MarshalWith(row.v, json.V2(), row.opt)
		fmt.Println(string(b), err)
	}
	for _, row := range []struct {
		text string
		v    any
		opt  json.Options
	}{
		{`{"x_":1}`, new(pair), legacy.MatchCaseSensitiveDelimiter(true)},
		{`null`, &[1]int{7}, legacy.MergeWithLegacySemantics(true)},
		{`"AQ\nI="`, new([]byte), legacy.ParseBytesWithLooseRFC4648(true)},
		{`"2000-01-01T1:02:03Z"`, new(time.Time), legacy.ParseTimeWithLooseRFC3339(true)},
		{`[1]`, new([2]int), legacy.UnmarshalArrayFromAnyLength(true)},
	} {
		err := json.UnmarshalWith([]byte(row.text), row.v, json.V2(), json.MatchCaseInsensitiveNames(true), row.opt)
		fmt.Println(row.v, err)
	}
	// Output:
	// [1,2] <nil>
	// "AQI=" <nil>
	// 1000000000 <nil>
	// {} <nil>
	// {"B":"false"} <nil>
	// {"B":false} <nil>
	// {"Name":"Rex"} <nil>
	// &{0 0} <nil>
	// &[7] <nil>
	// &[1 2] <nil>
	// 2000-01-01 01:02:03 +0000 UTC <nil>
	// &[1 0] <nil>
}
