package json

import (
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/wire"
)

// ruledValue decodes a value of a type that has rules of its own.
func (d *decoder) ruledValue(n *node, p mem.Ptr, i int) int {
	if n.rules.Schema != nil && d.flags&decodeUnchecked == 0 {
		conform := func(r *reader) error {
			r.Refuse(n.rules.Conform(r))
			r.Skip()
			return r.Err()
		}
		if d.reader.run(i, conform) == failed {
			return failed
		}
	}
	i = d.value(n.ruled, p, i)
	if len(d.later) > 0 && !d.commit() {
		return d.fail()
	}
	if i < 0 || d.flags&decodeUnchecked != 0 || n.rules.Hold(p) {
		return i
	}
	return d.broken(n.rules, p, i)
}

// broken notes the rules that the value at p breaks, whose text ends before i.
func (d *decoder) broken(r *plan.Rules, p mem.Ptr, i int) int {
	path, start := d.blamed(i - 1)
	for _, v := range r.Broken(p, d.flags&decodeAllViolations != 0) {
		i = d.violate(path+v.Path, d.below(start, v.Path), v.Err, max(i, ^i))
	}
	return i
}

// violate notes what is wrong with the value at the index at, whose path is given: the first violation, or all of them.
// The walk goes on at i.
func (d *decoder) violate(path string, at int, err error, i int) int {
	if d.flags&decodeAllViolations == 0 {
		return d.save(&weft.Error{Format: "json", Offset: int64(at), Path: path, Err: err}, -1, i)
	}
	v := weft.Violation{Path: path, Offset: int64(at), Err: err}
	if d.all == nil {
		d.all = new(weft.ValidationError)
	} else if last := d.all.Violations[len(d.all.Violations)-1]; last.Path == path && last.Err.Error() == err.Error() {
		return i // a rule of the type and of the field that holds it
	}
	if d.all.Violations = append(d.all.Violations, v); d.saved == nil { // not by save, which ends the walk for version 2
		d.saved, d.at = &weft.Error{Format: "json", Offset: -1, Err: d.all}, -1
		d.place.reset()
	}
	return i
}

// blamed is placeAt for what is wrong with a value. While cases of a union are tried, whose errors are dropped, it does not
// go through the text, which as many values would cost as are within each other.
func (d *decoder) blamed(off int) (pointer string, start int) {
	if d.reader.ahead.Tries > 0 {
		return "", off
	}
	return placeAt(d.data, off)
}

// below returns the index of the value that the JSON pointer leads to from the one at i, which is well-formed, or of the
// last one on the way that there is.
func (d *decoder) below(i int, pointer string) int { return wire.FollowPointer(i, pointer, d.child) }

// child returns the index of the element or of the last member of the value at i that token names, or failed.
func (d *decoder) child(i int, token string) int {
	found := failed
	switch d.b.At(i) {
	case '[':
		n, err := strconv.Atoi(token)
		for i = d.ws(i + 1); err == nil && d.b.At(i) != ']' && i >= 0; n-- {
			if n == 0 {
				return i
			}
			if i = d.skip(i); i >= 0 {
				if i = d.ws(i); d.b.At(i) == ',' {
					i = d.ws(i + 1)
				}
			}
		}
	case '{':
		for i = d.ws(i + 1); i >= 0 && d.b.At(i) != '}'; {
			name, j := d.name(i)
			if j < 0 {
				return found
			}
			i = d.ws(d.ws(j) + 1)
			if string(name) == token {
				found = i
			}
			if i = d.skip(i); i >= 0 {
				if i = d.ws(i); d.b.At(i) == ',' {
					i = d.ws(i + 1)
				}
			}
		}
	}
	return found
}

// stranger notes that no field of a closed type has the name that ends before i.
func (d *decoder) stranger(name string, i int) {
	at := d.ws(d.ws(i) + 1)
	path, _ := d.blamed(at)
	d.violate(path, at, weft.ErrUnknownMember, at)
}
