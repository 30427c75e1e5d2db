package cbor

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/steps"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/internal/wire/cborwire"
)

// head reads the head at i, which obeys the rules. After an error next is -1.
func (r *reader) head(i int) (c byte, n uint64, next int) {
	n, next = cborwire.Head(r.b, i)
	if next < 0 {
		return 0, 0, r.bad(i, next, "value")
	}
	c = r.b[i]
	if r.rules != 0 {
		if fault := r.rules.Head(c, n, r.b, next); fault != 0 {
			return 0, 0, r.broke(i, fault)
		}
	}
	return c, n, next
}

// null reports whether a null stands at i, or an undefined where that is allowed.
func (r *reader) null(i int) bool {
	return i < len(r.b) && r.b[i]|1 == cborwire.Undefined && (r.b[i] == cborwire.Null || r.rules&cborwire.FewSimple == 0)
}

// tagged skips the tags at i and returns the index of what has them and the innermost of them.
func (r *reader) tagged(i int) (at int, number uint64) {
	number = math.MaxUint64
	for n := 0; i < len(r.b) && r.b[i]&0xe0 == cborwire.Tag; n++ {
		if n >= r.maxDepth-r.depth {
			return r.fail(i, weft.ErrDepth), 0
		}
		if _, number, i = r.head(i); i < 0 {
			return -1, 0
		}
	}
	return i, number
}

// body returns the bytes of the byte or text string at i. Text is UTF-8.
func (r *reader) body(i int) (body []byte, end int) {
	c, n, next := r.head(i)
	switch {
	case next < 0:
		return nil, -1
	case c&0xe0 != cborwire.Bytes && c&0xe0 != cborwire.Text:
		return nil, r.bad(i, cborwire.Mismatch, "string")
	case c&31 == cborwire.Open:
		if body, end = cborwire.AppendString(nil, r.b, i); end < 0 {
			return nil, r.bad(i, end, "string")
		}
		if fault, at := cborwire.Check(r.b, i, 1, r.rules|cborwire.UTF8); fault < 0 {
			return nil, r.broke(at, fault)
		}
		return body, end
	case n > uint64(len(r.b)-next):
		return nil, r.bad(i, cborwire.Short, "string")
	}
	end = next + int(n)
	body = r.b[next:end:end]
	if c >= cborwire.Text && !wire.ValidUTF8(body) {
		return nil, r.fail(i, errUTF8)
	}
	return body, end
}

// quickText returns the last index of a string that [steps.ReadText] may be given.
func (r *reader) quickText() int {
	if r.flags&setting.AliasInput != 0 {
		return -1
	}
	return len(r.b) - 1 - 16
}

// text reads a string as text; a null is "".
func (r *reader) text(i int) (string, int) {
	if i <= r.quickText() {
		if s, end := steps.ReadText(&r.carver, r.b, i); end > 0 { // same as below
			return s, end
		}
	}
	return r.textSlow(i)
}

func (r *reader) textSlow(i int) (string, int) {
	if b := r.b; i+2 <= len(b) { // same as below
		at, n := i+1, int(b[i]-cborwire.Text)
		if n == 24 && b[at] >= 24 {
			at, n = i+2, int(b[at])
		} else if n >= 24 {
			n = len(b)
		}
		if n <= len(b)-at && wire.ValidUTF8(b[at:at+n]) {
			return r.carve(at, at+n), at + n
		}
	}
	if r.null(i) {
		return "", i + 1
	}
	at, number := r.tagged(i)
	if at < 0 {
		return "", -1
	}
	if at < len(r.b) && r.b[at]&0xe0 != cborwire.Text && r.b[at]&0xe0 != cborwire.Bytes {
		return "", r.bad(i, cborwire.Mismatch, "string")
	}
	body, end := r.body(at)
	if end < 0 {
		return "", -1
	}
	switch {
	case r.b[at]&0xe0 == cborwire.Text:
	case r.flags&flagByteText != 0 && number >= tagURL64 && number <= tagHex:
		return textOf(number, body), end
	case r.flags&flagByteText == 0 && !wire.ValidUTF8(body): // there bytes are text that nobody has looked at (KEP-4222)
		return "", r.fail(i, errUTF8)
	}
	return r.string(body), end
}

// textOf returns the text that bytes with the given tag are to become (§3.4.5.2).
func textOf(number uint64, body []byte) string {
	switch number {
	case tagURL64:
		return base64.RawURLEncoding.EncodeToString(body)
	case tagHex:
		return hex.EncodeToString(body)
	}
	return base64.StdEncoding.EncodeToString(body)
}

// carve returns the bytes of the document from start to end as a string of the result.
func (r *reader) carve(start, end int) string {
	if r.flags&setting.AliasInput != 0 {
		return mem.String(r.b[start:end])
	}
	return r.carver.Text(r.b, start, end)
}

// string is carve for bytes that may have been put together.
func (r *reader) string(body []byte) string {
	if r.flags&setting.AliasInput != 0 {
		return mem.String(body)
	}
	return r.carver.Text(body, 0, len(body))
}

// own is string for a byte slice, which is not nil.
func (r *reader) own(body []byte) []byte {
	switch {
	case len(body) == 0:
		return []byte{}
	case r.flags&setting.AliasInput != 0:
		return body
	}
	return r.carver.Keep(body)
}

// boolAt reads a boolean; a null is false.
func (r *reader) boolAt(i int) (bool, int) {
	at, _ := r.tagged(i)
	switch {
	case at < 0:
		return false, -1
	case r.null(at):
		return false, at + 1
	case at < len(r.b) && r.b[at]|1 == cborwire.True:
		return r.b[at] == cborwire.True, at + 1
	}
	return false, r.bad(i, cborwire.Mismatch, "bool")
}

// intAs reads an integer for a Go type; a null is 0.
func (r *reader) intAs(i int, typ string) (int64, int) {
	if i < len(r.b) {
		if c := r.b[i]; c < 24 {
			return int64(c), i + 1
		} else if c-cborwire.Nint < 24 {
			return ^int64(c - cborwire.Nint), i + 1
		}
	}
	if r.null(i) {
		return 0, i + 1
	}
	if i < len(r.b) && r.b[i] < cborwire.Bytes {
		c, n, next := r.head(i)
		switch {
		case next < 0:
			return 0, -1
		case n > math.MaxInt64:
			return 0, r.bad(i, cborwire.Range, typ)
		case c >= cborwire.Nint:
			return ^int64(n), next
		}
		return int64(n), next
	}
	v, end := r.integer(i, typ)
	if end >= 0 && !v.IsInt64() {
		return 0, r.bad(i, cborwire.Range, typ)
	}
	if end < 0 {
		return 0, -1
	}
	return v.Int64(), end
}

// uintAs reads an integer that is not negative for a Go type; a null is 0.
func (r *reader) uintAs(i int, typ string) (uint64, int) {
	if i < len(r.b) && r.b[i] < 24 {
		return uint64(r.b[i]), i + 1
	}
	if r.null(i) {
		return 0, i + 1
	}
	if i < len(r.b) && r.b[i] < cborwire.Nint {
		_, n, next := r.head(i)
		return n, next
	}
	v, end := r.integer(i, typ)
	if end >= 0 && !v.IsUint64() {
		return 0, r.bad(i, cborwire.Range, typ)
	}
	if end < 0 {
		return 0, -1
	}
	return v.Uint64(), end
}

// integer reads an integer in the forms that are met less often: with tags, a bignum, or a floating-point
// number without a fraction.
func (r *reader) integer(i int, typ string) (*big.Int, int) {
	at, number := r.tagged(i)
	switch {
	case at < 0:
		return nil, -1
	case at >= len(r.b):
		return nil, r.bad(i, cborwire.Short, typ)
	case number == tagPositive, number == tagNegative, r.b[at] < cborwire.Bytes:
		return r.bigAt(i)
	}
	return nil, r.bad(i, cborwire.Mismatch, typ)
}

// floatAt reads a number; a null is 0.
func (r *reader) floatAt(i int) (float64, int) {
	var one [1]float64
	if n, end := getFloats(r, i, one[:]); n > 0 { // same as below
		return one[0], end
	}
	if r.null(i) {
		return 0, i + 1
	}
	at, number := r.tagged(i)
	if at < 0 {
		return 0, -1
	}
	c, _, next := r.head(at)
	switch {
	case next < 0:
		return 0, -1
	case number == tagPositive || number == tagNegative:
		v, end := r.bigAt(i)
		if end < 0 {
			return 0, -1
		}
		return bigFloat(v), end
	case number == tagDecimal, number == tagBigFloat:
		text, end := r.decimal(i, at, number)
		if end < 0 {
			return 0, -1
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return 0, r.bad(i, cborwire.Range, "float64")
		}
		return v, end
	case c >= cborwire.Bytes && c < cborwire.Half || c > cborwire.Double:
		return 0, r.bad(i, cborwire.Mismatch, "float64")
	}
	v, end := cborwire.ReadFloat(r.b, at)
	return v, end
}

// singleAt is floatAt for single precision, which must not be too small for a finite number.
func (r *reader) singleAt(i int) (float32, int) {
	v, end := r.floatAt(i)
	if end >= 0 && math.IsInf(float64(float32(v)), 0) && !math.IsInf(v, 0) {
		return 0, r.bad(i, cborwire.Range, "float32")
	}
	return float32(v), end
}

// timeAt reads an instant: seconds or text of RFC 3339, with a tag or without, or a date (RFC 8943).
func (r *reader) timeAt(i int) (t time.Time, end int) {
	if r.null(i) {
		return t, i + 1
	}
	at, number := r.tagged(i)
	if at < 0 {
		return t, -1
	}
	c, n, next := r.head(at)
	switch {
	case next < 0:
		return t, -1
	case c&0xe0 == cborwire.Text || c&0xe0 == cborwire.Bytes:
		body, end := r.body(at)
		if end < 0 {
			return t, -1
		}
		layout := time.RFC3339Nano
		if number == tagDate {
			layout = time.DateOnly
		}
		t, err := time.Parse(layout, string(body))
		if err != nil {
			return t, r.fail(i, err)
		}
		return t.UTC(), end
	case c < cborwire.Bytes && n <= math.MaxInt64:
		sec := int64(n)
		if c >= cborwire.Nint {
			sec = ^sec
		}
		if number == tagDays {
			if sec > 1<<40 || sec < -1<<40 {
				return t, r.fail(i, errTime)
			}
			sec *= 24 * 60 * 60
		}
		return time.Unix(sec, 0).UTC(), next
	case c >= cborwire.Half && c <= cborwire.Double && number != tagDays:
		v, _ := cborwire.ReadFloat(r.b, at)
		sec, fraction := math.Modf(v)
		if !(math.Abs(sec) < 1<<62) {
			return t, r.fail(i, errTime)
		}
		return time.Unix(int64(sec), int64(math.Round(fraction*1e6))*1000).UTC(), next // a float has microseconds now
	}
	return t, r.bad(i, cborwire.Mismatch, "time.Time")
}
