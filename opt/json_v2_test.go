//go:build goexperiment.jsonv2 && go1.27

package opt_test

import (
	"encoding/json/v2"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/opt"
)

// TestJSONv2 is for what encoding/json/v2 does in its own way.
func TestJSONv2(t *testing.T) {
	type doc struct {
		N opt.Null[string]    `json:"n"`
		V opt.Val[int]        `json:"v,omitzero"`
		F opt.Field[[]string] `json:"f,omitzero"`
		D opt.Duration        `json:"d"`
	}
	tests := []struct {
		doc  doc
		text string
	}{
		{doc{}, `{"n":null,"d":null}`},
		{doc{N: opt.NullOf("<x>"), V: opt.ValOf(0), F: opt.FieldNull[[]string](), D: opt.NullOf(time.Second)},
			`{"n":"<x>","v":0,"f":null,"d":1000000000}`},
		{doc{F: opt.FieldOf([]string{"a"})}, `{"n":null,"f":["a"],"d":null}`},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			b, err := json.Marshal(tt.doc)
			if err != nil || string(b) != tt.text {
				t.Errorf("%s, %v; want %s", b, err, tt.text)
			}
			var back doc
			if err := json.Unmarshal(b, &back); err != nil || !back.F.Equal(tt.doc.F) || back.N != tt.doc.N ||
				back.V != tt.doc.V || back.D != tt.doc.D {
				t.Errorf("%s comes back as %+v, %v", b, back, err)
			}
		})
	}
	old := doc{N: opt.NullOf("old"), V: opt.ValOf(1), F: opt.FieldOf([]string{"old"})}
	for text, path := range map[string]string{
		`{"n":1}`:       "/n",
		`{"v":null}`:    "/v",
		`{"v":1e40}`:    "/v",
		`{"f":["a",1]}`: "/f/1",
		`{"d":"x"}`:     "/d",
	} {
		now := old
		err := json.Unmarshal([]byte(text), &now)
		if err == nil || !strings.Contains(err.Error(), `"`+path+`"`) {
			t.Errorf("%s: %v", text, err)
		}
		if now.N != old.N || now.V != old.V || !now.F.Equal(old.F) || now.D != old.D {
			t.Errorf("%s: the old value has changed: %+v", text, now)
		}
	}
	if b, err := json.Marshal(opt.NullOf(5), json.StringifyNumbers(true)); string(b) != `"5"` {
		t.Errorf("options are lost: %s, %v", b, err)
	}
}
