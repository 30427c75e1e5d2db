package inspect

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/weftcodec/weft/cbor/cboritem"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// itemNames are the names of the major types that hold something, and of floating-point numbers by the low
// bits of their first byte.
var (
	itemNames  = [8]string{"uint", "nint", "bytes", "text", "array", "map", "tag", "simple"}
	floatNames = map[byte]string{cborwire.Half: "float16", cborwire.Single: "float32", cborwire.Double: "float64"}
)

// tagNames are the tags that are met most, by number (IANA registry "CBOR Tags").
var tagNames = map[uint64]string{
	0: "date and time", 1: "seconds since 1970", 2: "bignum", 3: "negative bignum", 4: "decimal fraction", 5: "bigfloat",
	16: "COSE_Encrypt0", 17: "COSE_Mac0", 18: "COSE_Sign1", 21: "to become base64url", 22: "to become base64",
	23: "to become base16", 24: "encoded item", 32: "URI", 33: "base64url", 34: "base64", 35: "regular expression",
	36: "MIME message", 37: "UUID", 61: "CWT", 96: "COSE_Encrypt", 97: "COSE_Mac", 98: "COSE_Sign", 100: "days since 1970",
	258: "set", 1004: "date", 55799: "self-described CBOR",
}

// maxItem is the longest item whose diagnostic notation is printed.
const maxItem = 512

// itemValue prints one item with all that is in it.
func (d *dump) itemValue() error {
	d.item = d.item[:0]
	if err := d.itemToken(nil); err != nil {
		return err
	}
	for len(d.frames) > 0 {
		f := &d.frames[len(d.frames)-1]
		if f.due == 0 || f.due < 0 && !f.value && d.itemBreak() {
			d.itemClose()
			continue
		}
		if f.due > 0 {
			f.due--
		}
		f.aside = f.object && !f.value
		if f.aside || !f.object && !f.inner {
			f.index++
		}
		f.value = f.aside
		var named *frame
		if f.aside {
			named = f
		}
		if err := d.itemToken(named); err != nil {
			return err
		}
	}
	if len(d.item) <= maxItem {
		if text, _, err := cboritem.AppendDiagnostic(nil, d.item); err == nil {
			d.emit(Row{Start: -1, End: -1, Depth: 1, What: string(text)})
		}
	}
	return nil
}

// itemBreak skips a break, if one comes next.
func (d *dump) itemBreak() bool {
	if c, _ := d.in.Peek(1); len(c) == 0 || c[0] != cborwire.Break {
		return false
	}
	start := d.off
	d.next()
	d.collect(cborwire.Break)
	f := &d.frames[len(d.frames)-1]
	f.aside = true
	d.row(start, []byte{cborwire.Break}, len(d.frames), "break")
	return true
}

// collect adds bytes to the item, unless it is long.
func (d *dump) collect(b ...byte) {
	if len(d.item) <= maxItem {
		d.item = append(d.item, b...)
	}
}

// itemClose leaves the innermost array, map, tag or string of chunks.
func (d *dump) itemClose() {
	f := d.frames[len(d.frames)-1]
	d.frames = d.frames[:len(d.frames)-1]
	what := "end of array, "
	switch {
	case f.index < 0 || f.inner: // the header was all, or there is but one thing
		return
	case f.object:
		what = "end of map, "
	}
	d.row(f.start, nil, len(d.frames), what+count(d.off-f.start, "byte"))
}

// itemToken prints a scalar or the head of what holds others, which it enters. Where the item is a key, named is
// the map it belongs to.
func (d *dump) itemToken(named *frame) error {
	start, depth := d.off, len(d.frames)
	c, err := d.next()
	if err != nil {
		return err
	}
	head := append(make([]byte, 0, cborwire.MaxHead), c)
	name := itemNames[c>>5]
	if size := headSize(c); size > 0 {
		head = head[:1+size]
		got, err := io.ReadFull(d.in, head[1:])
		d.off += int64(got)
		if err != nil {
			d.row(start, head[:1+got], depth, name+", cut off")
			return d.fail(d.off, fmt.Errorf("%w: %s after its first byte, %s of %d", ended(err), name, count(got, "byte"), size))
		}
	}
	d.collect(head...)
	n, next := cborwire.Head(head, 0)
	var chunks byte
	if depth > 0 {
		chunks = d.frames[depth-1].chunks
	}
	if next < 0 || c == cborwire.Break || chunks != 0 && (c&0xe0 != chunks || c&31 == cborwire.Open) {
		d.row(start, head, depth, "no item")
		return d.fail(start, fmt.Errorf("the byte 0x%02x begins no item here", c))
	}
	long := longer(!cborwire.Preferred(c, n))
	switch major := c & 0xe0; {
	case major == cborwire.Bytes || major == cborwire.Text:
		if c&31 == cborwire.Open {
			d.show(named, start, head, "?", name+" in chunks")
			return d.open(frame{start: start, due: -1, index: -1, inner: true, chunks: major})
		}
		return d.itemString(named, start, head, name, n, long)
	case major == cborwire.Array || major == cborwire.Map:
		f := frame{start: start, object: major == cborwire.Map, due: int64(min(n, math.MaxInt64/2)), index: -1}
		noun := "element"
		if f.object {
			noun = "member"
			f.due *= 2
		}
		what := name + ", " + count(n, noun) + long
		if c&31 == cborwire.Open {
			f.due, what = -1, name+" of indefinite length"
		}
		d.show(named, start, head, "?", what)
		return d.open(f)
	case major == cborwire.Tag:
		what := name + " " + strconv.FormatUint(n, 10) + long
		if s := tagNames[n]; s != "" {
			what += ", " + s
		}
		d.show(named, start, head, "?", what)
		return d.open(frame{start: start, due: 1, index: -1, inner: true})
	case c >= cborwire.Half:
		name = floatNames[c]
	}
	text, _, err := cboritem.AppendDiagnostic(nil, head)
	if err != nil {
		return d.fail(start, err)
	}
	what := string(text) + long
	if c < cborwire.Bytes || c >= cborwire.Half {
		what = name + " " + what
	}
	d.show(named, start, head, string(text), what)
	return nil
}

// headSize returns how many bytes follow the first one, c, of a head.
func headSize(c byte) int {
	if info := c & 31; info >= 24 && info <= 27 {
		return 1 << (info - 24)
	}
	return 0
}

// itemString prints a string of n bytes.
func (d *dump) itemString(named *frame, start int64, head []byte, name string, n uint64, long string) error {
	t := text{limit: maxText}
	isText := head[0]&0xe0 == cborwire.Text
	if !isText {
		t.limit = maxText / 3
	}
	var tee [maxItem]byte
	ahead, _ := d.in.Peek(int(min(n, maxItem)))
	ahead = tee[:copy(tee[:], ahead)]
	missing, err := d.run(n, &t)
	d.collect(ahead...)
	if n > maxItem {
		d.collect(tee[:]...) // so that it is too long
	}
	what := name + ", " + count(n, "byte") + long
	switch {
	case isText:
		what += ": \"" + t.String() + "\""
	case t.n > 0:
		what += ": " + hexText(&t)
	}
	switch {
	case err != nil:
		what += ", cut off"
	case isText && !t.valid():
		what += ", not UTF-8"
	}
	d.show(named, start, head, abbreviate(&t), what)
	if err != nil {
		return d.fail(d.off, fmt.Errorf("%w: %s of %s, %d missing", ended(err), name, count(n, "byte"), missing))
	}
	return nil
}
