package jsontext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weftcodec/weft/internal/wire"
)

// nest writes random objects within objects and returns the pointer to a name that is there twice, if
// twice reaches zero.
func nest(r *rand.Rand, b *bytes.Buffer, path Pointer, depth int, twice *int) (found Pointer) {
	b.WriteByte('{')
	n := r.IntN(12)
	if r.IntN(8) == 0 && b.Len() < 100<<10 {
		n = r.IntN(200)
	}
	var names []string
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		name := strings.Repeat("n", r.IntN(12)) + fmt.Sprint(i)
		if *twice--; *twice <= 0 && found == "" && i > 0 && path != "" {
			name = names[r.IntN(i)]
			found = path.AppendToken(name)
			*twice = 1 << 30
		}
		names = append(names, name)
		if r.IntN(4) == 0 { // written with an escape
			fmt.Fprintf(b, `"\u%04x%s": `, name[0], name[1:])
		} else {
			fmt.Fprintf(b, `"%s" :`, name)
		}
		if depth > 0 && r.IntN(3) == 0 && b.Len() < 150<<10 {
			if p := nest(r, b, path.AppendToken(name), depth-1, twice); p != "" && found == "" {
				found = p
			}
		} else {
			fmt.Fprintf(b, `[%d,"x"]`, i)
		}
	}
	b.WriteByte('}')
	return found
}

// TestNames reads names that are and are not unique, while the window moves.
func TestNames(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		var b bytes.Buffer
		twice := 1 << 30
		if seed%2 == 1 {
			twice = 200 + r.IntN(500)
		}
		b.WriteString(`[`)
		found := Pointer("")
		for i := range 20 {
			if i > 0 {
				b.WriteByte(',')
			}
			if p := nest(r, &b, Pointer(fmt.Sprint("/", i)), 4, &twice); p != "" {
				found = p
			}
		}
		b.WriteString(`]`)
		text := b.String()
		for name, read := range map[string]func(d *Decoder) error{
			"value":  func(d *Decoder) error { return second(d.ReadValue()) },
			"skip":   (*Decoder).SkipValue,
			"format": func(d *Decoder) error { v := Value(text); return v.Format() },
			"tokens": func(d *Decoder) error {
				for {
					if _, err := d.ReadToken(); err == io.EOF {
						return nil
					} else if err != nil {
						return err
					}
				}
			},
		} {
			err := read(NewDecoder(iotest.HalfReader(strings.NewReader(text))))
			if found == "" {
				if err != nil {
					t.Fatalf("seed %d %s: %v", seed, name, err)
				}
				continue
			}
			se := new(SyntacticError)
			if !errors.As(err, &se) || se.Err != ErrDuplicateName || se.JSONPointer != found {
				t.Fatalf("seed %d %s: %v, want a duplicate at %s", seed, name, err, found)
			}
		}
		if Value(text).IsValid() != (found == "") {
			t.Fatalf("seed %d: IsValid is wrong", seed)
		}
	}
}

// TestLevels reads with each of the kernels.
func TestLevels(t *testing.T) {
	for _, level := range wire.Levels() {
		restore := wire.SetLevel(level)
		for _, row := range texts {
			want := readAll(NewDecoder(strings.NewReader(row.text)))
			if got := readAll(NewDecoder(iotest.HalfReader(strings.NewReader(row.text)))); !sameReading(got, want) {
				t.Errorf("%s: %s: %s, want %s", level, row.at(), got, want)
			}
			v := Value(row.text)
			if (v.Canonicalize() == nil) != v.IsValid() {
				t.Errorf("%s: %s: %s", level, row.at(), v)
			}
		}
		restore()
	}
}
