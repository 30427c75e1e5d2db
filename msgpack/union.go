package msgpack

import (
	"errors"
	"strconv"

	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/internal/entry"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/namewire"
	"github.com/weftcodec/weft/internal/wire/packwire"
)

// union makes p the program of a union.
func (g *registry) union(p *program) {
	u := p.typ.Union
	p.enc, p.dec, p.cases = cUnion, cUnion, make([]*program, len(u.Cases))
	for i := range p.cases {
		p.cases[i] = g.far(g.Set.Of(u.Cases[i].Elem))
	}
}

// How unions may be read as the case that is guessed.
const (
	guessFree = iota
	guessOn   // one is: what does not fit, or calls a method of the user's, ends that
	guessOff  // one was not that case: no byte is read in vain twice
)

// noGuess are the options with which no case is guessed.
const noGuess = setting.RejectDuplicates | setting.AllViolations | setting.FoldNames | flagUTF8

// errGuess ends the reading as a case that was guessed. Nobody sees it.
var errGuess = errors.New("the case was guessed")

// union reads the union at i into q. What takes more than a look is left to its codec, which reads by the protocol.
func (r *Reader) union(i int, p *program, q mem.Ptr) int {
	u := p.typ.Union.Choice()
	k, around := -1, r.guessing
	if i < len(r.b) {
		n, at := int(r.b[i]&15), i+1
		if r.b[i]&0xf0 != packwire.FixMap {
			n, at = packwire.ReadMap(r.b, i)
		}
		switch {
		case at < 0 || u.Tag == nil:
			k = int(u.Sole[r.kindAt(i)])
		case n > 0:
			key := namewire.Of(u.Tag.Names()).Pack().At(0)
			if end, ok := key.Match(r.b, at); ok {
				k = r.tagged(u, end)
				break
			}
			g := r.guessOf(p, n)
			if g != nil && u.Guessed(g.Case()) {
				if end, ok := r.guess(i, p, u, g, q); ok {
					return end
				}
			}
			if r.Lookahead().Allows(i) {
				if at = r.seekTag(key, at, n); at >= 0 {
					k = r.tagged(u, at)
				}
			}
			if g != nil {
				g.Note(k)
			}
		}
	}
	if k < 0 {
		end := r.hook(i, p, q)
		r.guessing = around
		return end
	}
	c := p.cases[k].meet(plan.Unmarshal)
	to := r.slabs.New(c.slab, c.mem)
	var end int
	if name := u.Lacks[k]; name != "" {
		at := entry.Ignored(&r.shared)
		around := *at
		*at = backend.IgnoredMember{Name: name, Depth: r.depth + 1}
		end = r.value(i, c, to)
		*at = around
	} else {
		end = r.value(i, c, to)
	}
	r.guessing = around
	if end >= 0 {
		p.typ.Union.Store(q, k, r.slabs.Keep(c.slab, c.mem, to, end-i))
	}
	return end
}

// guessOf returns the guess for the union p of n members, nil where none is made: with some options, after one that was
// wrong, and while cases are tried.
func (r *Reader) guessOf(p *program, n int) *plan.Guess {
	if r.flags&noGuess != 0 || r.guessing == guessOff || r.Lookahead().Tries > 0 {
		return nil
	}
	if r.guesses == nil {
		r.guesses = new(plan.Guesses)
	}
	return r.guesses.Of(p.typ, n)
}

// guess reads the union at i into q as the case that g guesses. It reports whether it could: if not, nothing has
// happened but that memory has been used, and the case is to be found out, unless this was within another guess, which
// ends too.
//
// Same as to find the discriminator first: all has been read as that case, without an error and without a method of the
// user's, no member came twice, and the discriminator in it chooses that case.
func (r *Reader) guess(i int, p *program, u *plan.Choice, g *plan.Guess, q mem.Ptr) (end int, ok bool) {
	k := g.Case()
	c := p.cases[k].meet(plan.Unmarshal)
	if c.dec != plan.Struct {
		return -1, false
	}
	m, around, unconfirmed := r.Mark(), r.guessing, r.unconfirmed
	r.guessing, r.unconfirmed = guessOn, false
	to := r.slabs.New(c.slab, c.mem)
	end = r.structure(i, c, to)
	r.guessing, r.unconfirmed, unconfirmed = around, unconfirmed, r.unconfirmed
	if end >= 0 && !unconfirmed && u.Confirms(k, to) {
		p.typ.Union.Store(q, k, r.slabs.Keep(c.slab, c.mem, to, end-i))
		return end, true
	}
	c.mem.Clear(to)
	if around == guessOn {
		g.Miss()
		return r.fail(i, errGuess), true
	}
	r.Reset(m)
	r.guessing = guessOff
	return -1, false
}

// guarded reports whether what comes at i calls for more than the engine: a guess ends there.
func (r *Reader) guarded(i int) bool {
	if r.guessing != guessOn {
		return false
	}
	r.fail(i, errGuess)
	return true
}

// tagged returns the case that the discriminator chooses whose value is at at, or -1.
func (r *Reader) tagged(u *plan.Choice, at int) int {
	if from, to := packwire.ReadString(r.b, at); to >= 0 && !packwire.IsBin(r.b[at]) && r.flags&flagUTF8 == 0 {
		return u.Tagged(mem.String(r.b[from:to]))
	}
	if v, end := packwire.ReadInt(r.b, at); end >= 0 && r.kindAt(at).IsNumber() {
		return u.Tagged(strconv.FormatInt(v, 10))
	}
	return -1
}

// seekTag returns where the value of the member stands that key is the name of, among the n members from the one at i
// on, or
// -1. What it skips counts as looked through, so that unions in unions do not add up.
func (r *Reader) seekTag(key *packwire.Key, i, n int) int {
	at := i
	for range n {
		if uint(at) >= uint(len(r.b)) {
			return -1
		}
		if end, ok := key.Match(r.b, at); ok {
			r.Lookahead().Charge(at - i)
			return end
		}
		if c := r.b[at]; c < packwire.FixStr || c >= packwire.Nil { // no name, or one in a form that may not be the shortest
			from, to := packwire.ReadString(r.b, at)
			if to < 0 {
				return -1
			}
			if string(r.b[from:to]) == key.Name {
				return to
			}
		}
		at = packwire.Pass(r.b, at, 2)
	}
	return -1
}

// union writes the union at q. What is not a case, or has no field for what tells the cases apart, is left to the
// codec.
func (s *encoder) union(b []byte, p *program, q mem.Ptr) []byte {
	u := p.typ.Union
	i, to, _ := u.Load(q)
	if i < 0 {
		return s.hook(b, p, q)
	}
	if c := u.Choice(); c.Lacks[i] != "" || c.Packs && s.array {
		return s.hook(b, p, q)
	}
	_, to, err := u.Tagged(i, to)
	if err != nil || !s.enter() {
		return s.hook(b, p, q)
	}
	b = s.value(b, p.cases[i], to)
	s.leave()
	return b
}
