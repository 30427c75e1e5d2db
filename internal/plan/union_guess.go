package plan

import "github.com/weftcodec/weft/internal/mem"

// Guesses remember which case of a union the values of a shape have been, such as objects of so many members: the next
// one is read as that before its discriminator has been found. What they say is only a guess, as unions share places.
type Guesses [256]Guess

// Guess is what is remembered of one shape.
type Guess struct {
	which uint16 // the case of the last values
	sure  int8   // how many of them there were in turn
}

// A wrong guess costs as much as a value, and a right one saves some part of that: so only what has come sureGuess
// times in turn is guessed. What was right and could not be confirmed is not guessed for some more values.
const (
	sureGuess = 8
	noGuess   = -120
)

// Of returns the guess for values of the union of type t that are of a shape.
func (g *Guesses) Of(t *Type, shape int) *Guess { return &g[uint(t.ID*61+shape)%uint(len(g))] }

// Case returns the case that is guessed, -1 for none.
func (g *Guess) Case() int {
	if g.sure < sureGuess {
		return -1
	}
	return int(g.which)
}

// Note remembers that a value was the case k, as the look at its discriminator says.
func (g *Guess) Note(k int) {
	switch {
	case uint16(k) != g.which:
		g.which, g.sure = uint16(k), min(g.sure, 0)
	case g.sure == sureGuess:
		g.sure = noGuess
	default:
		g.sure++
	}
}

// Miss remembers that nothing is to be guessed.
func (g *Guess) Miss() { g.sure = 0 }

// inside is where a struct that is a case has its discriminator.
type inside struct {
	at   mem.Field
	name string // of those that choose the case, the first
}

// Guessed reports whether values may be read as the k-th case before their discriminator has been found: it is a string
// directly in a struct, that has one name.
func (c *Choice) Guessed(k int) bool { return uint(k) < uint(len(c.inside)) && c.inside[k].name != "" }

// Confirms reports whether the value at q, which has been read as the k-th case, is that, provided that no member of it
// came twice: a discriminator that is in the value is the one that chooses the case.
func (c *Choice) Confirms(k int, q mem.Ptr) bool {
	in := &c.inside[k]
	v := *mem.At[string](q.Field(in.at))
	return v == in.name || v != "" && c.Tagged(v) == k
}

// planGuesses finds where the cases have their discriminators.
func (u *Union) planGuesses(k *unionPlan) {
	k.look.inside = make([]inside, len(u.Cases))
	for v, list := range k.byName {
		if len(list) != 1 {
			continue
		}
		in, t := &k.look.inside[list[0]], k.types[list[0]]
		f := t.member(u.memberName(k))
		if in.name == "" && t.Kind == Struct &&
			f != nil && f.Type.Kind == String && f.Embeds == nil && f.Alternates == nil && !f.Fills {
			in.at, in.name = f.Offset, k.values.Names()[v]
		}
	}
}
