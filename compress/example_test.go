package compress_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

func ExampleGzip() {
	format := compress.Gzip(json.Format, compress.Level(9))
	b, err := format.MarshalAppend(nil, strings.Repeat("so it goes ", 100))
	if err != nil {
		fmt.Println(err)
		return
	}
	var back string
	err = format.Unmarshal(b, &back)
	fmt.Println(format.Name(), len(b) < 60, len(back), err)
	// Output: json+gzip true 1100 <nil>
}

func ExampleZstd() {
	format := compress.Zstd(msgpack.Format)
	var file bytes.Buffer
	enc := format.NewEncoder(&file)
	for i := range 3 {
		if err := enc.Encode(map[string]int{"n": i}); err != nil {
			fmt.Println(err)
		}
	}
	if err := enc.Close(); err != nil {
		fmt.Println(err)
	}

	dec := format.NewDecoder(&file)
	defer dec.Close()
	for {
		var v map[string]int
		err := dec.Decode(&v)
		if err == io.EOF {
			break
		} else if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(v)
	}
	// Output:
	// map[n:0]
	// map[n:1]
	// map[n:2]
}

func ExampleMaxSize() {
	format := compress.Gzip(json.Format)
	b, _ := format.MarshalAppend(nil, strings.Repeat(" ", 1<<20))
	var v any
	err := format.Unmarshal(b, &v, compress.MaxSize(64<<10))
	fmt.Println(errors.Is(err, compress.ErrTooLarge))
	// Output: true
}

func ExampleTrain() {
	var samples [][]byte
	for i := range 200 {
		samples = append(samples, fmt.Appendf(nil, `{"customer":"c-%d","status":"shipped","currency":"EUR","lines":%d}`, i*7919, i%9))
	}
	dict, err := compress.Train(samples, 4<<10)
	if err != nil {
		fmt.Println(err)
		return
	}
	// The dictionary belongs to the data: who reads needs it too.
	plain, trained := compress.NewZstd(), compress.NewZstd(compress.Dictionary(dict))
	a, _ := plain.Append(nil, samples[0])
	b, _ := trained.Append(nil, samples[0])
	back, err := trained.Decompress(nil, b)
	fmt.Println(len(b) < len(a)/2, bytes.Equal(back, samples[0]), err)
	// Output: true true <nil>
}

func ExampleDetect() {
	b, _ := compress.NewZstd().Append(nil, []byte("text"))
	fmt.Printf("%q %q\n", compress.Detect(b), compress.Detect([]byte("text")))
	// Output: "zstd" ""
}

func ExampleCodec() {
	codec := compress.NewGzip(compress.Standard(true))
	if err := codec.Err(); err != nil {
		fmt.Println(err)
		return
	}
	var out bytes.Buffer
	w := codec.NewWriter(&out)
	io.WriteString(w, "any bytes")
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	r := codec.NewReader(&out)
	defer r.Close()
	text, err := io.ReadAll(r)
	fmt.Println(string(text), err)
	// Output: any bytes <nil>
}

func ExampleSplit() {
	within, codec, _, ok := compress.Split(compress.Gzip(json.Format))
	fmt.Println(within.Name(), codec.Name(), ok)
	// Output: json gzip true
}
