package json

import "testing"

// TestBorrowedErrors: every text of a syntax error can be had from
// encoding/json, for builds that cannot write it.
func TestBorrowedErrors(t *testing.T) {
	if borrowedError("invalid character 'ÿ' in literal null (expecting 'u')") == nil {
		t.Skip("encoding/json has other texts here")
	}
	texts := []string{unexpectedEnd, notAtBeginning, noComma, noColon, "invalid character ':'"}
	for _, f := range allFaults() {
		for c := range 256 {
			msg := "invalid character " + quoteChar(byte(c)) + " " + f.words
			if err := new(scanner).check(append([]byte(f.after), byte(c))); err != nil && err.Error() == msg {
				texts = append(texts, msg)
			}
		}
	}
	if len(texts) < 5000 {
		t.Errorf("%d texts, there are more", len(texts))
	}
	for _, msg := range texts {
		if e := borrowedError(msg); e == nil || e.Error() != msg {
			t.Errorf("no error with the text %s", msg)
		}
	}
	if e := borrowedError("of no error"); e != nil {
		t.Error(e)
	}
}
