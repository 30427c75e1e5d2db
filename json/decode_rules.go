package json

import (
	"strconv"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
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
	if i = d.value(n.ruled, p, i); i < 0 {
		if len(d.later) > 0 && !d.commit() {
			return d.fail()
		}
		return i
	}
	return d.obey(n.rules, p, i)
}

// obey returns i, before which the value at p ends, or notes the rules that it breaks.
func (d *decoder) obey(r *plan.Rules, p mem.Ptr, i int) int {
	switch {
	case d.flags&decodeUnchecked != 0:
	case len(d.later) > 0 && !d.commit():
		return d.fail()
	case !r.Hold(p):
		return d.broken(r, p, i)
	}
	return i
}

// broken notes the rules that the value at p breaks, whose text ends before i.
func (d *decoder) broken(r *plan.Rules, p mem.Ptr, i int) int {
	if d.told() {
		return max(i, ^i)
	}
	path, start := d.blamed(i - 1)
	for _, v := range r.Broken(p, d.flags&decodeAllViolations != 0) {
		i = d.violate(path+v.Path, d.below(start, v.Path), v.Err, max(i, ^i))
	}
	return i
}

// told reports whether there is an error already that is told instead of a violation. To find the place of one is to go
// through the text.
func (d *decoder) told() bool { return d.saved != nil && d.all == nil && d.flags&decodeV2 == 0 }

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

// faultPlaces goes through the text once for all violations: they come in the order in which values end, or begin.
type faultPlaces struct {
	text  openText
	parts plan.Places
}

// blamed is placeAt for what is wrong with a value. While cases of a union are tried, whose errors are dropped, it does
// not go through the text, which as many values would cost as are within each other.
func (d *decoder) blamed(off int) (pointer string, start int) {
	if d.reader.ahead.Tries > 0 {
		return "", off
	}
	if d.flags&decodeAllViolations == 0 {
		return placeAt(d.data, d.outer.start(), off)
	}
	if d.faults == nil {
		d.faults = new(faultPlaces)
	}
	t := &d.faults.text
	if off+1 < t.at {
		t.reset()
	}
	t.walk(d.data, off)
	if c := d.data[off]; (c == '[' || c == '{') && t.at == off+1 {
		t.at = off // it is open for what comes next
	}
	return t.levels.pointer(), t.start
}

// below returns the index of the value that the JSON pointer leads to from the one at i, which is well-formed, or of
// the last one on the way that there is.
func (d *decoder) below(i int, pointer string) int {
	f := d.faults
	if f == nil {
		f = new(faultPlaces)
	}
	return f.parts.Follow(i, pointer, d.parts)
}

// parts returns where the elements or the last members of each name of the value at i begin.
func (d *decoder) parts(i int) map[string]int {
	c := d.b.At(i)
	if c != '[' && c != '{' {
		return nil
	}
	parts := make(map[string]int)
	for i = d.ws(i + 1); i >= 0 && d.b.At(i) != c+2; {
		token := strconv.Itoa(len(parts))
		if c == '{' {
			name, j := d.name(i)
			if j < 0 {
				break
			}
			token, i = strings.Clone(name), d.ws(d.ws(j)+1)
		}
		parts[token] = i
		if i = d.skip(i); i >= 0 {
			if i = d.ws(i); d.b.At(i) == ',' {
				i = d.ws(i + 1)
			}
		}
	}
	return parts
}

// stranger notes that no field of a closed type has the name that ends before i.
func (d *decoder) stranger(name string, i int) {
	if d.told() {
		return
	}
	at := d.ws(d.ws(i) + 1)
	path, _ := d.blamed(at)
	d.violate(path, at, weft.ErrUnknownMember, at)
}
