package json_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// panicking panics on some texts.
type panicking string

func (p *panicking) UnmarshalJSON(b []byte) error {
	if strings.Contains(string(b), "panic") {
		panic(string(b))
	}
	*p = panicking(b)
	return nil
}

// TestDecoderAfterPanic wants a value whose method panics to be consumed all the same: a program that recovers goes on
// with the next one.
func TestDecoderAfterPanic(t *testing.T) {
	const text = `"a" "panic 1"  ["panic 2"] "b" `
	walk := func(im *implementation) (trace []string) {
		d := im.NewDecoder(strings.NewReader(text))
		for range 6 {
			var v panicking
			func() {
				defer func() {
					if p := recover(); p != nil {
						trace = append(trace, fmt.Sprint("panic ", p))
					}
				}()
				trace = append(trace, fmt.Sprint(d.Decode(&v), " ", v))
			}()
			rest, _ := io.ReadAll(d.Buffered())
			trace = append(trace, fmt.Sprintf("%d %v %q", d.InputOffset(), d.More(), rest))
		}
		return trace
	}
	got, want := fmt.Sprintf("%q", walk(&subject)), fmt.Sprintf("%q", walk(&oracle))
	if classicOracle && got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !strings.Contains(got, `<nil> \"b\"`) {
		t.Errorf("the value after those that panic is not read: %s", got)
	}
}
