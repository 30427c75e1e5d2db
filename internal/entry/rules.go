package entry

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire/trail"
)

// Places finds places in the document b.
func Places(g *trail.Grammar, b []byte) Place {
	w, parts := g.Walk(b), plan.Places{}
	return func(i int, below string) (path string, at int) {
		return w.To(i), parts.Follow(i, below, func(i int) map[string]int { return g.Parts(b, i) })
	}
}

// Broken notes the rules that the value at q breaks, which begins at i. It reports whether the walk goes on.
func Broken(r *Reader, i int, rules *plan.Rules, q mem.Ptr) bool {
	for _, v := range rules.Broken(q, *r.of.Flags&setting.AllViolations != 0) {
		if !Violate(r, i, v.Path, v.Err) {
			return false
		}
	}
	return true
}

// Violate notes what is wrong with the part of the value at i that the JSON pointer below leads to. It reports whether
// the walk goes on, which it does where all violations are wanted.
func Violate(r *Reader, i int, below string, err error) bool {
	if *r.of.Flags&setting.AllViolations != 0 {
		r.violations.Add(i, below, err)
		return true
	}
	path, at := r.of.Places()(i, below)
	r.of.Fail(at, err)
	r.self.Err().(*weft.Error).Path = path + below
	return false
}

// Strange notes that the member below the value at i has no field in t, where that is an error, and reports whether the
// walk goes on.
func Strange(r *Reader, i int, below string, t *plan.Type) bool {
	switch {
	case t.Closed && *r.of.Flags&setting.AllowUnknown == 0:
		return Violate(r, i, below, weft.ErrUnknownMember)
	case *r.of.Flags&setting.RejectUnknown != 0:
		if below != "" {
			_, i = r.of.Places()(i, below)
		}
		r.of.Fail(i, weft.ErrUnknownMember)
		return false
	}
	return true
}

// Violated returns the error for all violations, nil if there are none.
func Violated(r *Reader) error {
	if !r.violations.Any() {
		return nil
	}
	return r.violated()
}

func (r *Reader) violated() error {
	place := r.of.Places()
	err := r.violations.Located(func(i int, below string) (string, int64) {
		path, at := place(i, below)
		return path, *r.of.Base + int64(at)
	})
	return &weft.Error{Format: r.of.Format, Offset: -1, Err: err}
}
