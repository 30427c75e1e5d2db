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
		frames := NewFrameDecoder(bytes.NewReader(b))
		for frames.read <= 1<<13 {
			if _, err := frames.SkipFrame(); err != nil {
				break
			}
		}
		if frames.read > 1<<13 {
			t.Skip("equal records take no bytes, and many of them their time")
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
