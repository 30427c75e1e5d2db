package inspect

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
	"time"
)

// packForm is how a MessagePack value is written: its first byte's name and
// what follows that byte.
type packForm struct {
	name  string
	size  int // bytes of a number, or of a length
	shape packShape
}

type packShape uint8

const (
	packNil packShape = iota
	packBool
	packFix // the number is in the first byte
	packUint
	packInt
	packFloat
	packStr
	packBin
	packExt
	packArray
	packMap
	packReserved
)

// packForms are the forms of the first bytes 0xc0 to 0xdf (MessagePack
// specification, "Overview").
var packForms = [32]packForm{
	{"nil", 0, packNil}, {"reserved", 0, packReserved}, {"false", 0, packBool}, {"true", 0, packBool},
	{"bin8", 1, packBin}, {"bin16", 2, packBin}, {"bin32", 4, packBin},
	{"ext8", 1, packExt}, {"ext16", 2, packExt}, {"ext32", 4, packExt},
	{"float32", 4, packFloat}, {"float64", 8, packFloat},
	{"uint8", 1, packUint}, {"uint16", 2, packUint}, {"uint32", 4, packUint}, {"uint64", 8, packUint},
	{"int8", 1, packInt}, {"int16", 2, packInt}, {"int32", 4, packInt}, {"int64", 8, packInt},
	{"fixext1", 0, packExt}, {"fixext2", 0, packExt}, {"fixext4", 0, packExt}, {"fixext8", 0, packExt}, {"fixext16", 0, packExt},
	{"str8", 1, packStr}, {"str16", 2, packStr}, {"str32", 4, packStr},
	{"array16", 2, packArray}, {"array32", 4, packArray},
	{"map16", 2, packMap}, {"map32", 4, packMap},
}

// packFormOf returns the form of a first byte, and the number or length that
// is in it.
func packFormOf(c byte) (packForm, uint64) {
	switch {
	case c < 0x80:
		return packForm{"fixint", 0, packFix}, uint64(c)
	case c < 0x90:
		return packForm{"fixmap", 0, packMap}, uint64(c & 0x0f)
	case c < 0xa0:
		return packForm{"fixarray", 0, packArray}, uint64(c & 0x0f)
	case c < 0xc0:
		return packForm{"fixstr", 0, packStr}, uint64(c & 0x1f)
	case c >= 0xe0:
		return packForm{"fixint", 0, packFix}, uint64(int64(int8(c)))
	case c >= 0xd4 && c <= 0xd8:
		return packForms[c-0xc0], 1 << (c - 0xd4)
	}
	return packForms[c-0xc0], 0
}

// packValue prints one value with all that is in it.
func (d *dump) packValue() error {
	if err := d.packToken(nil); err != nil {
		return err
	}
	for len(d.frames) > 0 {
		f := &d.frames[len(d.frames)-1]
		if f.due == 0 {
			d.packClose()
			continue
		}
		f.due--
		f.aside = f.object && f.due&1 == 1
		if f.aside || !f.object {
			f.index++
		}
		var named *frame
		if f.aside {
			named = f
		}
		if err := d.packToken(named); err != nil {
			return err
		}
	}
	return nil
}

// packClose leaves the innermost array or map.
func (d *dump) packClose() {
	f := d.frames[len(d.frames)-1]
	d.frames = d.frames[:len(d.frames)-1]
	if f.index < 0 { // the header was all
		return
	}
	what := "end of array, "
	if f.object {
		what = "end of map, "
	}
	d.row(f.start, nil, len(d.frames), what+count(d.off-f.start, "byte"))
}

// packToken prints a scalar or the header of an array or map, which it enters.
// Where the value is a key, named is the map it belongs to.
func (d *dump) packToken(named *frame) error {
	start, depth := d.off, len(d.frames)
	c, err := d.next()
	if err != nil {
		return err
	}
	head := append(make([]byte, 0, 9), c)
	form, n := packFormOf(c)
	if form.size > 0 {
		head = head[:1+form.size]
		got, err := io.ReadFull(d.in, head[1:])
		d.off += int64(got)
		if err != nil {
			d.row(start, head[:1+got], depth, form.name+", cut off")
			return d.fail(d.off, fmt.Errorf("%w: %s after its first byte, %s of %d",
				ended(err), form.name, count(got, "byte"), form.size))
		}
		var wide [8]byte
		copy(wide[8-form.size:], head[1:])
		n = binary.BigEndian.Uint64(wide[:])
	}
	switch form.shape {
	case packReserved:
		d.row(start, head, depth, "reserved")
		return d.fail(start, errors.New("the first byte 0xc1 is never used"))
	case packNil, packBool:
		d.show(named, start, head, form.name, form.name)
	case packFix:
		v := strconv.FormatInt(int64(n), 10)
		d.show(named, start, head, v, form.name+" "+v)
	case packUint:
		v := strconv.FormatUint(n, 10)
		d.show(named, start, head, v, form.name+" "+v+longer(n < 0x80 || halves(n, form.size)))
	case packInt:
		v := int64(n<<(64-8*form.size)) >> (64 - 8*form.size)
		need := uint64(v)
		if v < 0 { // a negative number needs the bits of its complement, and a sign
			need = uint64(^v) << 1
		}
		shown := strconv.FormatInt(v, 10)
		d.show(named, start, head, shown, form.name+" "+shown+longer(v >= -32 && v < 0x80 || halves(need, form.size)))
	case packFloat:
		v := math.Float64frombits(n)
		if form.size == 4 {
			v = float64(math.Float32frombits(uint32(n)))
		}
		shown := strconv.FormatFloat(v, 'g', -1, 8*form.size)
		d.show(named, start, head, shown, form.name+" "+shown)
	case packStr, packBin:
		return d.packBytes(named, start, head, form, n)
	case packExt:
		return d.packExt(named, start, head, form, n)
	case packArray, packMap:
		f := frame{start: start, object: form.shape == packMap, due: int64(n), index: -1}
		noun := "element"
		if f.object {
			noun = "member"
			f.due *= 2
		}
		what := form.name + ", " + count(n, noun) + longer(form.size > 0 && n < 16 || form.size == 4 && n < 1<<16)
		d.show(named, start, head, "?", what)
		return d.open(f)
	}
	return nil
}

// show prints a value; a key gives its map the name of the member.
func (d *dump) show(named *frame, start int64, head []byte, name, what string) {
	if named == nil {
		d.row(start, head, len(d.frames), what)
		return
	}
	d.line(start, head, len(d.frames), "key "+what, "")
	named.name = name
}

// halves reports whether half of the bytes would have held a number.
func halves(n uint64, size int) bool {
	return size > 1 && n>>(4*size) == 0
}

// longer is the note on a form that is longer than it need be.
func longer(is bool) string {
	if is {
		return " (not the shortest form)"
	}
	return ""
}

// packBytes prints a string or binary of n bytes.
func (d *dump) packBytes(named *frame, start int64, head []byte, form packForm, n uint64) error {
	isText := form.shape == packStr
	t := text{limit: maxText}
	if !isText {
		t.limit = maxText / 3
	}
	missing, err := d.run(n, &t)
	what, colon := form.name, ""
	if form.size > 0 {
		colon = ":"
		what += ", " + count(n, "byte") + longer(isText && n < 0x20 || halves(n, form.size))
	}
	switch {
	case isText:
		what += colon + " \"" + t.String() + "\""
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
		return d.fail(d.off, fmt.Errorf("%w: %s of %s, %d missing", ended(err), form.name, count(n, "byte"), missing))
	}
	return nil
}

// run reads n bytes into t and returns how many of them are not there.
func (d *dump) run(n uint64, t *text) (missing uint64, err error) {
	var chunk [512]byte
	for n > 0 {
		got, err := d.in.Read(chunk[:min(n, uint64(len(chunk)))])
		d.off += int64(got)
		n -= uint64(got)
		t.add(chunk[:got])
		if err != nil && n > 0 {
			return n, err
		}
	}
	return 0, nil
}

// packExt prints an extension of n bytes.
func (d *dump) packExt(named *frame, start int64, head []byte, form packForm, n uint64) error {
	c, err := d.in.ReadByte()
	if err != nil {
		d.row(start, head, len(d.frames), form.name+", cut off")
		return d.fail(d.off, fmt.Errorf("%w: %s without its type", ended(err), form.name))
	}
	d.off++
	head = append(head, c)
	t := text{limit: maxText / 3}
	missing, err := d.run(n, &t)
	extType := int8(c)
	when, isTime := packTime(extType, &t)
	what := form.name
	if form.size > 0 {
		what += ", " + count(n, "byte") + longer(n <= 16 && bits.OnesCount64(n) == 1 || halves(n, form.size))
	}
	switch {
	case isTime && err == nil:
		what += ", timestamp " + when
	default:
		what += ", type " + strconv.Itoa(int(extType))
		if t.n > 0 {
			what += ": " + hexText(&t)
		}
	}
	if err != nil {
		what += ", cut off"
	}
	d.show(named, start, head, "?", what)
	switch {
	case err != nil:
		return d.fail(d.off, fmt.Errorf("%w: %s of %s, %d missing", ended(err), form.name, count(n, "byte"), missing))
	case extType == -1 && !isTime:
		return d.fail(start, errTimestamp)
	}
	return nil
}

var errTimestamp = errors.New("a timestamp has 4, 8 or 12 bytes and less than 1e9 nanoseconds")

// packTime reads the payload of a timestamp (MessagePack specification,
// "Timestamp extension type").
func packTime(extType int8, t *text) (string, bool) {
	b := t.shown
	if extType != -1 || t.cut {
		return "", false
	}
	var sec int64
	var nsec uint32
	switch len(b) {
	case 4:
		sec = int64(binary.BigEndian.Uint32(b))
	case 8:
		both := binary.BigEndian.Uint64(b)
		sec, nsec = int64(both&(1<<34-1)), uint32(both>>34)
	case 12:
		nsec, sec = binary.BigEndian.Uint32(b), int64(binary.BigEndian.Uint64(b[4:]))
	default:
		return "", false
	}
	if nsec >= 1e9 {
		return "", false
	}
	return time.Unix(sec, int64(nsec)).UTC().Format(time.RFC3339Nano), true
}

// hexText shows bytes that are not text.
func hexText(t *text) string {
	s := fmt.Sprintf("% x", t.shown)
	if t.cut {
		s += " …"
	}
	return s
}

// abbreviate returns a name as a path shows it.
func abbreviate(t *text) string {
	short := text{limit: maxName}
	short.add(t.shown)
	short.cut = short.cut || t.cut
	return short.String()
}
