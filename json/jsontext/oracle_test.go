//go:build goexperiment.jsonv2 && go1.27

package jsontext

import (
	"bytes"
	std "encoding/json/jsontext"
	"errors"
	"io"
	"strings"
	"testing"
)

// The tests of this file hold the package to the toolchain's jsontext, on every text of the table and on
// what the fuzzer makes of them, read in every way.

// chunks is a reader that returns the text in pieces of n bytes, or of sizes that vary when n is 0, and
// between them, when fail is set, an error.
type chunks struct {
	text string
	n    int
	fail bool
	turn int
}

var errTurn = errors.New("not now")

func (r *chunks) Read(p []byte) (int, error) {
	r.turn++
	if r.fail && r.turn%3 == 0 {
		return 0, errTurn
	}
	if r.text == "" {
		return 0, io.EOF
	}
	n := r.n
	if n == 0 {
		n = r.turn*7%13 + 1
	}
	n = copy(p[:min(n, len(p))], r.text)
	r.text = r.text[n:]
	return n, nil
}

// A script is a sequence of calls, a byte each; it is repeated until the stream ends.
func readBoth(t *testing.T, at, text, script string, chunk int, fail bool, dups, utf8 bool) {
	t.Helper()
	if script == "" {
		script = "t"
	}
	ours := NewDecoder(&chunks{text: text, n: chunk, fail: fail}, AllowDuplicateNames(dups), AllowInvalidUTF8(utf8))
	theirs := std.NewDecoder(&chunks{text: text, n: chunk, fail: fail}, std.AllowDuplicateNames(dups), std.AllowInvalidUTF8(utf8))
	name := func(i int) string {
		if len(text) > 200 {
			text = text[:200] + "…"
		}
		return at + ": " + strconvQuote(text) + " script " + script[:min(len(script), 20)] + " step " + itoa(i)
	}
	transient := 0
	for i := 0; i < len(text)*3+20; i++ {
		var e1, e2 error
		var s1, s2 string
		switch op := script[i%len(script)] % 8; op {
		case 'p' % 8:
			k1 := ours.PeekKind()
			k2 := theirs.PeekKind()
			if fail && (k1 == 0 || k2 == 0) {
				break
			}
			s1, s2 = k1.String(), k2.String()
		case 'v' % 8:
			var v1 Value
			var v2 std.Value
			v1, e1 = untilRead(&transient, ours.ReadValue)
			v2, e2 = untilRead(&transient, theirs.ReadValue)
			s1, s2 = string(v1), string(v2)
		case 's' % 8:
			if fail { // which is not resumed in the midst of a value
				continue
			}
			e1, e2 = ours.SkipValue(), theirs.SkipValue()
		default:
			t1, err1 := untilRead(&transient, ours.ReadToken)
			t2, err2 := untilRead(&transient, theirs.ReadToken)
			e1, e2 = err1, err2
			if e1 == nil {
				s1 = t1.Kind().String() + t1.String() + t1.Clone().String()
			}
			if e2 == nil {
				s2 = t2.Kind().String() + t2.String() + t2.Clone().String()
			}
		}
		if s1 != s2 {
			t.Fatalf("%s: got %q, want %q (%v, %v)", name(i), s1, s2, e1, e2)
		}
		if !sameError(e1, e2) {
			t.Fatalf("%s: error\n\t%#v\n\t%v\nwant\n\t%#v\n\t%v", name(i), e1, e1, e2, e2)
		}
		if op := script[i%len(script)] % 8; e1 != nil && op == 's'%8 {
			return
		}
		if a, b := ours.StackDepth(), theirs.StackDepth(); a != b {
			t.Fatalf("%s: depth %d, want %d", name(i), a, b)
		}
		for l := range ours.StackDepth() + 1 {
			k1, n1 := ours.StackIndex(l)
			k2, n2 := theirs.StackIndex(l)
			if k1.String() != k2.String() || n1 != n2 {
				t.Fatalf("%s: level %d: %v %d, want %v %d", name(i), l, k1, n1, k2, n2)
			}
		}
		if a, b := string(ours.StackPointer()), string(theirs.StackPointer()); a != b {
			t.Fatalf("%s: pointer %q, want %q", name(i), a, b)
		}
		if a, b := ours.InputOffset(), theirs.InputOffset(); a != b {
			t.Fatalf("%s: offset %d, want %d", name(i), a, b)
		}
		if e1 != nil {
			// The same call gives the same error, and a token may still be there.
			if _, err := untilRead(&transient, ours.ReadToken); (err == nil) != (second(untilRead(&transient, theirs.ReadToken)) == nil) {
				t.Fatalf("%s: after the error: %v", name(i), err)
			}
			return
		}
	}
}

// untilRead calls read again while the reader fails.
func untilRead[T any](n *int, read func() (T, error)) (v T, err error) {
	for {
		v, err = read()
		if !errors.Is(err, errTurn) {
			return v, err
		}
		*n++
	}
}

// sameError compares errors by their place, and by their text where it does not depend on how the input
// came.
func sameError(e1, e2 error) bool {
	if e1 == nil || e2 == nil || e1 == io.EOF || e2 == io.EOF {
		return e1 == e2
	}
	s1, ok1 := errors.AsType[*SyntacticError](e1)
	s2, ok2 := errors.AsType[*std.SyntacticError](e2)
	if !ok1 || !ok2 {
		return ok1 == ok2 && e1.Error() == e2.Error()
	}
	if strings.Contains(string(s2.JSONPointer), "//") {
		// The toolchain forgets names when more is read within a value.
		s2.JSONPointer = std.Pointer(s1.JSONPointer)
	}
	if s1.Err == ErrNonStringName && s2.Err != std.ErrNonStringName {
		return true // ReadValue of the toolchain first looks at all of the value that is not a name
	}
	t1, t2 := s1.Err.Error(), s2.Err.Error()
	if i := strings.Index(t2, `'\x`); i > 0 { // the rest of the character had not come
		t1, t2 = t1[:i], t2[:i]
	}
	if strings.HasPrefix(t1, "invalid escape") || strings.HasPrefix(t1, "invalid surrogate") {
		t1, t2 = t1[:10], t2[:10]
	}
	if s1.Err.Error() == s2.Err.Error() && len(s1.JSONPointer) < 100 {
		t1, t2 = e1.Error(), e2.Error()
	}
	return s1.ByteOffset == s2.ByteOffset && string(s1.JSONPointer) == string(s2.JSONPointer) && t1 == t2
}

func TestOracleRead(t *testing.T) {
	scripts := []string{"t", "v", "s", "tv", "tp", "ptpv", "ttv", "tts", "ttttv", "ps"}
	for _, row := range texts {
		for _, script := range scripts {
			for i, chunk := range []int{1 << 20, 1, 3, 0} {
				for flags := range 8 {
					if i > 0 && len(row.text) > 1000 && flags != 0 && flags != 7 {
						continue
					}
					readBoth(t, row.at(), row.text, script, chunk, flags&1 != 0, flags&2 != 0, flags&4 != 0)
				}
			}
		}
	}
}

func FuzzOracleRead(f *testing.F) {
	for i, row := range texts {
		f.Add(row.text, "tpvsttv", i%5, i%8)
	}
	f.Fuzz(func(t *testing.T, text, script string, chunk, flags int) {
		if len(text) > 2000 {
			t.Skip("long texts take their time")
		}
		readBoth(t, "fuzz", text, script, max(chunk, 0), flags&1 != 0, flags&2 != 0, flags&4 != 0)
		formatBoth(t, "fuzz", text, uint(flags>>3))
	})
}

// formatOptions are pairs of options, one for each bit.
var formatOptions = []struct {
	ours   Options
	theirs std.Options
}{
	{AllowDuplicateNames(true), std.AllowDuplicateNames(true)},
	{AllowInvalidUTF8(true), std.AllowInvalidUTF8(true)},
	{PreserveRawStrings(true), std.PreserveRawStrings(true)},
	{EscapeForHTML(true), std.EscapeForHTML(true)},
	{EscapeForJS(true), std.EscapeForJS(true)},
	{CanonicalizeRawInts(true), std.CanonicalizeRawInts(true)},
	{CanonicalizeRawFloats(true), std.CanonicalizeRawFloats(true)},
	{ReorderRawObjects(true), std.ReorderRawObjects(true)},
	{SpaceAfterColon(true), std.SpaceAfterColon(true)},
	{SpaceAfterComma(true), std.SpaceAfterComma(true)},
	{Multiline(true), std.Multiline(true)},
	{WithIndent("  "), std.WithIndent("  ")},
	{WithIndentPrefix("\t"), std.WithIndentPrefix("\t")},
}

func formatBoth(t *testing.T, at, text string, bits uint) {
	t.Helper()
	var o1 []Options
	var o2 []std.Options
	for i, o := range formatOptions {
		if bits>>i&1 != 0 {
			o1, o2 = append(o1, o.ours), append(o2, o.theirs)
		}
	}
	v1, v2 := Value(text), std.Value(text)
	if ok1, ok2 := v1.IsValid(o1...), v2.IsValid(o2...); ok1 != ok2 {
		t.Fatalf("%s: %.200q options %b: valid %v, want %v", at, text, bits, ok1, ok2)
	}
	if k1, k2 := v1.Kind(), v2.Kind(); byte(k1) != byte(k2) {
		t.Fatalf("%s: %.200q: kind %v, want %v", at, text, k1, k2)
	}
	check := func(what string, e1, e2 error) {
		t.Helper()
		if string(v1) != string(v2) {
			t.Fatalf("%s: %s %.200q options %b:\n got %.300q\nwant %.300q\n%v\n%v", at, what, text, bits, v1, v2, e1, e2)
		}
		if e1 != nil && strings.Contains(e1.Error(), ErrDuplicateName.Error()) && strings.Contains(e2.Error(), ErrDuplicateName.Error()) {
			e2.(*std.SyntacticError).Err = std.ErrDuplicateName
		}
		if !sameError(e1, e2) {
			t.Fatalf("%s: %s %.200q options %b: error\n\t%#v\n\t%v\nwant\n\t%#v\n\t%v", at, what, text, bits, e1, e1, e2, e2)
		}
		v1, v2 = Value(text), std.Value(text)
	}
	check("format", v1.Format(o1...), v2.Format(o2...))
	check("indent", v1.Indent(o1...), v2.Indent(o2...))
	if bits>>10&7 == 0 { // else the toolchain's lacks what Multiline sets by default
		check("compact", v1.Compact(o1...), v2.Compact(o2...))
		check("canonicalize", v1.Canonicalize(o1...), v2.Canonicalize(o2...))
	}

	q1, e1 := AppendQuote(nil, text)
	q2, e2 := std.AppendQuote(nil, text)
	if !bytes.Equal(q1, q2) || (e1 == nil) != (e2 == nil) {
		t.Fatalf("%s: quote %q: %s %v, want %s %v", at, text, q1, e1, q2, e2)
	}
	u1, e1 := AppendUnquote(nil, text)
	u2, e2 := std.AppendUnquote(nil, text)
	if !bytes.Equal(u1, u2) || (e1 == nil) != (e2 == nil) || e1 != nil && !sameError(e1, e2) {
		t.Fatalf("%s: unquote %q: %q %v, want %q %v", at, text, u1, e1, u2, e2)
	}
}

func TestOracleFormat(t *testing.T) {
	for _, row := range texts {
		for i := range formatOptions {
			formatBoth(t, row.at(), row.text, 1<<i)
			formatBoth(t, row.at(), row.text, 1<<i|3)
			formatBoth(t, row.at(), row.text, 0x7f8&^(1<<i))
		}
	}
}

func strconvQuote(s string) string { return string(mustQuote(s)) }

func mustQuote(s string) []byte {
	b, _ := AppendQuote(nil, s)
	return b
}

func itoa(i int) string { return Int(int64(i)).String() }
