package json

import (
	"bytes"
	"math/bits"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
)

// The first fields of a struct have a bit each of a word, which tells which of them were there. The last bit, bitMore,
// is that of no field: it stands for all others.
const (
	bitFields = 63
	bitMore   = 1 << bitFields
)

// object is the state of a walk through the members of an object. Of fields that came in the order of the type only the
// first one and the one after the last are noted, if the struct needs any.
type object struct {
	seen uint64 // the bits of the fields that were there
	from int    // the first of the fields that came in order up to now
	flip int    // -1 once an error has been noted below, and the caller is to know
	more int    // 1 more than the index in decoder.opened, 0 for none
}

// run returns the bits of the fields that were there, before the k-th one was expected.
func (o *object) run(k int) uint64 { return o.seen | (1<<k-1<<o.from)&^bitMore }

// jump notes that the field to came, where the k-th one was expected.
func (o *object) jump(k, to int) { o.seen, o.from = o.run(k), to }

// openObject is what is noted of an open object beyond the bits of its fields.
type openObject struct {
	seen    fieldSet // the fields without a bit that were there
	unknown int      // the place for the names without a field, -1 before the first one
}

// fieldSet is a set of the fields of a struct that have no bit.
type fieldSet []uint64

func (s fieldSet) add(k int)      { s[(k-bitFields)>>6] |= 1 << ((k - bitFields) & 63) }
func (s fieldSet) has(k int) bool { return s[(k-bitFields)>>6]>>((k-bitFields)&63)&1 != 0 }

// grown returns s with room for k fields of a struct.
func (s fieldSet) grown(k int) fieldSet {
	for len(s)<<6 < k-bitFields {
		s = append(s, 0)
	}
	return s
}

// requires notes that the k-th field must be there.
func (n *node) requires(k int) {
	if k < bitFields {
		n.need |= 1 << k
		return
	}
	n.need |= bitMore
	n.needMore = n.needMore.grown(k + 1)
	n.needMore.add(k)
}

// note makes f, the k-th field of a struct, one of which objects know whether it was there.
func (f *field) note(k int) {
	f.op += opNoted
	if k < bitFields {
		f.bit = 1 << k
	}
}

// more returns what is noted of the open object o of the struct n.
func (d *decoder) more(n *node, o *object) *openObject {
	if o.more == 0 {
		k := len(d.opened)
		if k < cap(d.opened) {
			d.opened = d.opened[:k+1] // with the memory that it had
		} else {
			d.opened = append(d.opened, openObject{})
		}
		m := &d.opened[k]
		m.seen, m.unknown = m.seen[:0].grown(len(n.fields)), -1
		o.more = k + 1
	}
	return &d.opened[o.more-1]
}

// again notes that the name of the k-th field of n stands before i, and reports whether it may: the field has no bit,
// or was there before.
func (d *decoder) again(n *node, o *object, k, i int) bool {
	if k >= bitFields {
		if more := d.more(n, o); !more.seen.has(k) {
			more.seen.add(k)
			return true
		}
	}
	switch {
	case d.flags&decodeRejectDuplicates == 0:
	case d.unverified && !d.check():
		d.fail()
		return false
	case n.fold != nil:
		d.refuse(weft.ErrDuplicateName, d.nameBefore(i))
		return false
	}
	return true
}

// nameBefore returns where the name begins whose colon is the last byte before i.
func (d *decoder) nameBefore(i int) int {
	i = bytes.LastIndexByte(d.data[:i], '"') // its end
	for {
		i = bytes.LastIndexByte(d.data[:i], '"')
		if before := d.data[:i]; (len(before)-len(bytes.TrimRight(before, `\`)))%2 == 0 {
			return i
		}
	}
}

// ended ends the object o before i, which is one of the struct n, and notes an error for the fields that must be there
// and were not. What has a default becomes that. It returns i, or its complement where the caller is to know of an
// error.
func (d *decoder) ended(n *node, o *object, p mem.Ptr, i int) int {
	var names []string
	for lacks := n.need &^ bitMore &^ o.seen; lacks != 0; lacks &= lacks - 1 {
		names = d.lacks(n, bits.TrailingZeros64(lacks), p, names)
	}
	var seen fieldSet
	if o.more > 0 {
		more := &d.opened[o.more-1]
		if seen = more.seen; more.unknown >= 0 && d.unverified {
			d.code.end(d.names)
		}
		d.opened = d.opened[:o.more-1]
	}
	for w, lacks := range n.needMore {
		if seen != nil {
			lacks &^= seen[w]
		}
		for ; lacks != 0; lacks &= lacks - 1 {
			names = d.lacks(n, bitFields+64*w+bits.TrailingZeros64(lacks), p, names)
		}
	}
	if names != nil && !d.told() {
		path, start := d.blamed(i - 1)
		if i = d.violate(path, start, &weft.MissingError{Names: names}, i); i < 0 {
			return i
		}
	}
	return i ^ o.flip
}

// lacks gives the k-th field of the struct at p, which was not there, its default, or returns names with that of the
// field, if it must be in what is read.
func (d *decoder) lacks(n *node, k int, p mem.Ptr, names []string) []string {
	members := n.typ.Members()
	if members[k].Fills {
		n.typ.Fill(k, p)
		return names
	}
	if !members[k].Needed(uint64(d.flags)) {
		return names
	}
	return append(names, members[k].Name)
}
