package json

import (
	"strconv"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/namewire"
)

// Tag is [backend.Lookahead.PeekTag], of which the result is valid until the next call only.
// Values before the tag are skipped and not checked: whoever asks reads them
// afterwards, and what is not JSON is an error then.
func (r *reader) Tag(f *weft.Fields) (tag string, ok bool) {
	i, done := r.d.seekTag(f, r.i)
	if !done {
		return r.Lookahead().PeekTag(r, f)
	}
	if i < 0 {
		return "", false
	}
	return r.tagAt(i)
}

// seekTag returns where the value of the tag begins in the object at i, failed
// when there is none. It is not done where another way is to be tried.
func (d *decoder) seekTag(f *weft.Fields, i int) (at int, done bool) {
	start := d.ws(i)
	if d.b.At(start) != '{' {
		return failed, false
	}
	ahead := &d.reader.ahead
	names := namewire.Of(f.Names()).JSON()
	i = d.ws(start + 1)
	if n := names.Keys[0].Match(d.b, i); n != 0 {
		return d.ws(i + n), true
	}
	if !ahead.Allows(start) {
		return failed, false
	}
	var found bool
	if i, found = d.seekName(start, i, names, f.Name(0)); i < 0 {
		return failed, false
	}
	ahead.Charge(i - start)
	if !found {
		i = failed
	}
	return i, true
}

// seekName goes through the members of the object at start, the first of which begins at
// i, and returns where the value of the one called name begins, or else the
// object ends. It looks at strings and at what nests and separates, and returns
// failed when these tell that the text is not JSON.
func (d *decoder) seekName(start, i int, names *namewire.JSON, name string) (at int, found bool) {
	key := &names.Keys[0]
	if !wire.HasSeekName() {
		return d.passNames(start, key, name)
	}
	b, n, first := d.b, d.n, names.Plain[0][1]
	for {
		j := wire.SeekName(b.Slice(i, n+wire.KeyPad), n-i, first)
		if j == wire.SeekUnsure {
			return d.passNames(start, key, name)
		}
		if j < 0 {
			return failed, false
		}
		i += j
		if b.At(i) != '"' {
			return i, false
		}
		if k := key.Match(b, i); k != 0 {
			return d.ws(i + k), true
		}
		// Another name, a value, or the name in another spelling.
		s, e := d.name(i)
		if e < 0 {
			return failed, false
		}
		if s == name {
			if e = d.ws(e); b.At(e) == ':' {
				return d.ws(e + 1), true
			}
		}
		i = e
	}
}

// passNames is seekName name by name, from the brace at i on.
func (d *decoder) passNames(i int, key *wire.Key, name string) (at int, found bool) {
	w := &d.walk
	w.Begin(d.most-d.depth, true)
	for full := true; full; {
		i = w.Walk(d.b, d.s, d.nw, i)
		var names []wire.Name
		names, full = w.Names()
		for _, at := range names {
			if at.Depth > 1 {
				continue
			}
			if n := key.Match(d.b, at.Start); n != 0 {
				return d.ws(at.Start + n), true
			}
			if at.Plain && !d.badUTF8 && at.End-at.Start-1 != len(name) {
				continue
			}
			if s, e := d.name(at.Start); e >= 0 && s == name {
				if e = d.ws(e); d.b.At(e) != ':' {
					return failed, false
				}
				return d.ws(e + 1), true
			}
		}
	}
	if w.State != wire.WalkDone {
		return failed, false
	}
	return i - 1, false
}

// tagAt returns the value at i if it is one that a tag may have, which is valid
// until the next call. What fails next is about it.
func (r *reader) tagAt(i int) (tag string, ok bool) {
	r.at = i
	d := &r.d
	var j int
	switch {
	case d.b.At(i) != '"':
		var v int64
		if v, j = d.int(i); j >= 0 {
			tag = strconv.FormatInt(v, 10)
		}
	default:
		if e := d.strEnd(i + 1); d.b.At(e) == '"' && !d.badUTF8 { // mostly
			return d.b.View(i+1, e), true
		}
		tag, j = d.name(i)
	}
	return tag, j >= 0
}
