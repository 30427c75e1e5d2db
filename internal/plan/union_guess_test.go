package plan

import "testing"

// A case is guessed once it has come often in turn, not again after a wrong guess until it has, and much later where one
// could not be confirmed.
func TestGuess(t *testing.T) {
	var all Guesses
	g := all.Of(&Type{ID: 1}, 3)
	after := func(what string, k, want int) {
		t.Helper()
		n := 0
		for ; g.Case() != k && n < 1000; n++ {
			g.Note(k)
		}
		if n != want {
			t.Errorf("%s: guessed after %d values, want %d", what, n, want)
		}
	}
	after("first", 2, sureGuess+1)
	g.Note(1)
	after("not what was guessed", 1, sureGuess)
	g.Note(1)
	after("not to be confirmed", 1, sureGuess-noGuess)
	g.Note(1)
	g.Note(2)
	after("and then another case", 2, sureGuess-noGuess)
	g.Miss()
	after("missed", 2, sureGuess)
}
