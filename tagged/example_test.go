package tagged_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/tagged"
)

type pet struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

func ExampleMarshal() {
	b, err := tagged.Marshal(map[string]int32{"a": 1, "b": 2})
	fmt.Printf("%x %v\n", b, err)
	_, err = tagged.Marshal(map[string]int{"priceIndex": 1, "roleCreated": 2})
	fmt.Println(err != nil)
	// Output:
	// 01964487020141f9e8040a0000000c0196448701610141f9e80162 <nil>
	// true
}

func ExampleMarshalAppend() {
	b, err := tagged.MarshalAppend([]byte{0xff}, "Hello")
	fmt.Printf("%x %v\n", b, err)
	// Output: ff070000000548656c6c6f <nil>
}

func ExampleMarshalWrite() {
	var out bytes.Buffer
	err := tagged.MarshalWrite(&out, int32(150))
	fmt.Printf("%x %v\n", out.Bytes(), err)
	// Output: 01000000ac02 <nil>
}

func ExampleUnmarshal() {
	b, _ := tagged.Marshal(pet{7, "Tom"})
	var p pet
	err := tagged.Unmarshal(b, &p)
	fmt.Println(p, err)
	// Output: {7 Tom} <nil>
}

func ExampleUnmarshalRead() {
	var v any
	err := tagged.UnmarshalRead(bytes.NewReader([]byte{1, 0, 0, 0, 2}), &v)
	fmt.Println(v, err)
	// Output: 1 <nil>
}

func ExampleValid() {
	fmt.Println(tagged.Valid([]byte{1, 0, 0, 0, 2}), tagged.Valid([]byte{1, 0, 0, 0}))
	// Output: true false
}

func ExampleHash() {
	fmt.Printf("%06x %06x\n", tagged.Hash("priceIndex"), tagged.Hash("roleCreated"))
	// Output: 2bb16a 2bb16a
}

func ExampleNewEncoder() {
	var stream bytes.Buffer
	e := tagged.NewEncoder(&stream)
	fmt.Println(e.Encode(pet{1, "Tom"}), e.Encode(pet{2, "Kit"}))
	d := tagged.NewDecoder(&stream)
	for d.More() {
		var p pet
		err := d.Decode(&p)
		fmt.Println(p, err)
	}
	// Output:
	// <nil> <nil>
	// {1 Tom} <nil>
	// {2 Kit} <nil>
}

func ExampleMarshalFramed() {
	var pets []pet
	for i := range 1000 {
		pets = append(pets, pet{i, fmt.Sprint("pet-", i)})
	}
	b, err := tagged.MarshalFramed(pets)
	fmt.Println(len(b) < 100, err)
	var back []pet
	err = tagged.UnmarshalFramed(b, &back)
	fmt.Println(len(back), back[999], err)
	// Output:
	// true <nil>
	// 1000 {999 pet-999} <nil>
}

func ExampleNewFrameEncoder() {
	var file bytes.Buffer
	e := tagged.NewFrameEncoder(&file)
	for i := range 3 {
		if err := e.Encode(pet{i, "pet"}); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(e.Close())
	d := tagged.NewFrameDecoder(&file)
	fmt.Println(d.Schema())
	for {
		var p struct {
			Name string `json:"name"`
		}
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(p.Name)
	}
	// Output:
	// <nil>
	// struct{id int; name string} <nil>
	// pet
	// pet
	// pet
}

func ExampleOpenFrames() {
	b, _ := tagged.MarshalFramed([]pet{{1, "Tom"}, {2, "Kit"}})
	f, err := tagged.OpenFrames(bytes.NewReader(b), int64(len(b)))
	fmt.Println(f.Len(), f.Frames(), err)
	var p pet
	fmt.Println(f.Record(1, &p), p)
	var all []pet
	fmt.Println(f.ReadAll(&all, 4), all)
	// Output:
	// 2 1 <nil>
	// <nil> {2 Kit}
	// <nil> [{1 Tom} {2 Kit}]
}

// A large slice is written by several goroutines, to the same bytes.
func ExampleWriteFrames() {
	type point struct{ X, Y int }
	points := make([]point, 100_000)
	for i := range points {
		points[i] = point{i, -i}
	}
	var w bytes.Buffer
	if err := tagged.WriteFrames(&w, points, runtime.GOMAXPROCS(0)); err != nil {
		fmt.Println(err)
	}
	b, _ := tagged.MarshalFramed(points)
	fmt.Println(bytes.Equal(b, w.Bytes()), w.Len() < 400)
	// Output: true true
}

// Frames that are compressed one by one are read from any record on.
func ExampleCompress() {
	list := make([]string, 20_000)
	for i := range list {
		list[i] = fmt.Sprintf("message %d of %d: all is as it was before", i, len(list))
	}
	zstd := tagged.Compress(compress.NewZstd())
	b, err := tagged.MarshalFramed(list, zstd)
	if err != nil {
		fmt.Println(err)
	}
	f, err := tagged.OpenFrames(bytes.NewReader(b), int64(len(b)), zstd)
	if err != nil {
		fmt.Println(err)
	}
	var one string
	fmt.Println(f.Record(12_345, &one), one)
	// Output: <nil> message 12345 of 20000: all is as it was before
}

// A stream that is compressed as a whole goes on in another member.
func ExampleContinueFrames() {
	gzip := compress.NewGzip()
	b, _ := compress.Gzip(tagged.Framed).MarshalAppend(nil, []int{1, 2, 3})
	var more bytes.Buffer
	z := gzip.NewWriter(&more)
	e, err := tagged.ContinueFrames(z, gzip.NewReader(bytes.NewReader(b)))
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(e.Encode(4), e.Close(), z.Close())
	var list []int
	fmt.Println(compress.Gzip(tagged.Framed).Unmarshal(append(b, more.Bytes()...), &list), list)
	// Output:
	// <nil> <nil> <nil>
	// <nil> [1 2 3 4]
}

func ExampleBegins() {
	b, _ := tagged.Marshal(pet{7, "Tom"})
	fmt.Println(tagged.Begins(b[:len(b)/2]), tagged.Begins([]byte("text")))
	// Output: true false
}

func ExampleBoolsAsInts() {
	_, err := tagged.Marshal([]any{true})
	fmt.Println(err)
	b, err := tagged.Marshal([]any{true}, tagged.BoolsAsInts(true))
	fmt.Println(len(b) > 0, err)
	// Output:
	// tagged: at /0: the format has no booleans: use the option tagged.BoolsAsInts to write them as 0 and 1
	// true <nil>
}

// A file of frames grows from one run of a program to the next.
func ExampleAppendFrames() {
	f, err := os.CreateTemp("", "*.frames")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(f.Name())
	defer f.Close()
	for i := range 2 {
		e, err := tagged.AppendFrames(f)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(e.Encode(pet{i, "pet"}), e.Close())
	}
	var all []pet
	b, _ := os.ReadFile(f.Name())
	fmt.Println(tagged.UnmarshalFramed(b, &all), all)
	// Output:
	// <nil> <nil>
	// <nil> <nil>
	// <nil> [{0 pet} {1 pet}]
}

func ExampleWholeFrames() {
	var b bytes.Buffer
	enc := tagged.NewFrameEncoder(&b)
	for i := range 3 {
		enc.Encode(pet{ID: i})
		enc.Flush()
	}
	enc.Close()
	damaged := bytes.NewReader(append(b.Bytes()[:60], b.Bytes()[61:]...))
	lost := func(from, to int64) { fmt.Println("lost:", from, "to", to) }
	dec := tagged.NewFrameDecoder(tagged.WholeFrames(damaged, damaged.Size(), lost))
	for {
		var p pet
		if err := dec.Decode(&p); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.ID)
	}
	// Output:
	// 0
	// 1
	// lost: 57 to 73
	// EOF
}
