package tagged

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
)

func seeds(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(unhex(v.Hex))
	}
	v := some()
	for _, x := range []weft.Format{Format, Framed} {
		for _, v := range []any{v, []everything{v, {}}, wides(3), []any{int64(1), "x"}, moduleID{"a", "b1", "1.2"}} {
			b, err := x.MarshalAppend(nil, v)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
}

// FuzzUnmarshal: what is read is valid, and what was read is written and read
// again as the same.
func FuzzUnmarshal(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		in := string(b)
		valid := Valid(b)
		var tree any
		if err := Unmarshal(b, &tree); err == nil {
			if !valid {
				t.Fatalf("%x is not valid and yet %v", b, tree)
			}
			if again, err := Marshal(tree); err == nil { // the format cannot say all that can be read
				var back any
				if err := Unmarshal(again, &back); err != nil {
					t.Fatalf("%v is written as %x: %v", tree, again, err)
				}
				third, err := Marshal(back)
				if err != nil || !bytes.Equal(third, again) {
					t.Fatalf("%x becomes %x, %v", again, third, err)
				}
			}
		}
		var raw Raw
		if err := Unmarshal(b, &raw); (err == nil) != valid {
			t.Fatalf("valid %v, raw %v: %x", valid, err, b)
		}
		var v everything
		if err := Unmarshal(b, &v); err == nil {
			roundTrip(t, Format, v)
		}
		if in != string(b) {
			t.Fatal("wrote to its input")
		}
	})
}

// roundTrip writes v, reads it, and writes it again.
func roundTrip(t *testing.T, f weft.Format, v any) {
	b, err := f.MarshalAppend(nil, v, weft.Deterministic(true))
	if err != nil {
		return // a name or a time that cannot be written
	}
	w := reflect.New(reflect.TypeOf(v))
	if err := f.Unmarshal(b, w.Interface()); err != nil {
		t.Fatalf("%s: %x: %v", f.Name(), b, err)
	}
	again, err := f.MarshalAppend(nil, w.Interface(), weft.Deterministic(true))
	if err != nil || !bytes.Equal(again, b) {
		t.Fatalf("%s: %x becomes %x, %v", f.Name(), b, again, err)
	}
}

// FuzzFramed reads any bytes, with their checksums made right, as frames.
func FuzzFramed(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		b = append([]byte(nil), b...)
		mend(b)
		if h, err := parseHeader(b); err == nil {
			if n, _ := h.check(b); n > 1<<13 {
				t.Skip("equal records take no bytes, and many of them their time")
			}
		}
		var tree any
		_ = UnmarshalFramed(b, &tree)
		var list []wide
		if UnmarshalFramed(b, &list) == nil && len(list) < 100 {
			roundTrip(t, Framed, list)
		}
		var ids []moduleID
		if UnmarshalFramed(b, &ids) == nil && len(ids) < 1000 {
			roundTrip(t, Framed, ids)
		}
		d := NewFrameDecoder(bytes.NewReader(b))
		for i := 0; i < 100 && d.More(); i++ {
			if d.Decode(new(any)) != nil {
				break
			}
		}
		if x, err := OpenFrames(bytes.NewReader(b), int64(len(b))); err == nil && x.Len() < 1000 {
			_ = x.ReadAll(&ids, 2)
		}
	})
}

// FuzzBlocks: what blocks are made of comes back.
func FuzzBlocks(f *testing.F) {
	f.Add([]byte("1.2.3\n1.2.-4\n10.0.7"), uint8(3))
	f.Add([]byte("2026-01-02\n2026-11-12\n2026-10-09"), uint8(4))
	f.Add([]byte("a\na\nb\na\nb\na\na\na\nc"), uint8(1))
	f.Add([]byte("/usr/share/a\n/usr/share/b\n/usr/lib/x\n/usr/lib/y"), uint8(8))
	f.Add([]byte("-0\n-1\n00\n01\n9223372036854775807\n999999999999999999"), uint8(2))
	f.Fuzz(func(t *testing.T, b []byte, size uint8) {
		var texts []string
		for _, p := range bytes.Split(b, []byte("\n")) {
			texts = append(texts, string(p))
		}
		w, r := new(frameWriter), new(stringReader)
		block := w.appendStrings(nil, stringTarget(texts), true)
		back := make([]string, len(texts))
		rest, ok := r.strings(block, stringTarget(back), true)
		if !ok || len(rest) != 0 || !reflect.DeepEqual(back, texts) {
			t.Fatalf("%q becomes %q, %v: %x", texts, back, ok, block)
		}
		var ints []int64
		for i := 0; i+int(size%8) < len(b); i += int(size%8) + 1 {
			x := int64(0)
			for _, c := range b[i : i+int(size%8)+1] {
				x = x<<8 | int64(c)
			}
			if size >= 128 {
				x = int64(i)*int64(size) + x&3
			}
			ints = append(ints, x)
		}
		for _, v := range [][]int64{ints, ints[:len(ints)/2]} {
			block = appendInts(nil, v)
			out := make([]int64, len(v))
			if rest, ok := readInts(block, out); !ok || len(rest) != 0 || len(v) > 0 && !reflect.DeepEqual(out, v) {
				t.Fatalf("%v becomes %v, %v: %x", v, out, ok, block)
			}
			for _, single := range []bool{false, true} {
				u := append([]int64(nil), v...)
				if single {
					for i := range u {
						u[i] = int64(uint32(u[i]))
					}
				}
				block = w.appendFloats(nil, u, single)
				if rest, ok := readFloats(block, out, single); !ok || len(rest) != 0 || len(v) > 0 && !reflect.DeepEqual(out, u) {
					t.Fatalf("floats %x become %x, %v: %x", u, out, ok, block)
				}
			}
		}
	})
}
