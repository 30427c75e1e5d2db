package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/msgpack"
)

type pet struct {
	ID   int64    `msgpack:"id"`
	Name string   `msgpack:"name"`
	Tags []string `msgpack:"tags,omitempty"`
}

func ExampleMarshal() {
	b, err := msgpack.Marshal(pet{ID: 7, Name: "rex"})
	fmt.Printf("%q %v\n", b, err)
	b, err = msgpack.Marshal(pet{ID: 7, Name: "rex"}, weft.StructAsArray(true))
	fmt.Printf("%q %v\n", b, err)
	// Output:
	// "\x82\xa2id\a\xa4name\xa3rex" <nil>
	// "\x93\a\xa3rex\xc0" <nil>
}

func ExampleMarshalAppend() {
	buf := make([]byte, 0, 64)
	for _, name := range []string{"rex", "tom"} {
		buf, _ = msgpack.MarshalAppend(buf, name)
	}
	fmt.Printf("%q\n", buf)
	// Output: "\xa3rex\xa3tom"
}

func ExampleMarshalWrite() {
	var w bytes.Buffer
	fmt.Println(msgpack.MarshalWrite(&w, []int{1, -1, 1000}), w.Bytes())
	// Output: <nil> [147 1 255 205 3 232]
}

func ExampleUnmarshal() {
	var p pet
	err := msgpack.Unmarshal([]byte("\x82\xa2id\a\xa4name\xa3rex"), &p)
	fmt.Println(p, err)
	err = msgpack.Unmarshal([]byte("\x82\xa2id\a\xa4tags\x92\xa3old\xc3"), &p)
	fmt.Println(err)
	var where *weft.Error
	if errors.As(err, &where) {
		fmt.Println(where.Path, where.Offset)
	}
	// Output:
	// {7 rex []} <nil>
	// msgpack: at /tags/1, offset 15: cannot read bool as string
	// /tags/1 15
}

func ExampleUnmarshalRead() {
	var v any
	err := msgpack.UnmarshalRead(strings.NewReader("\x92\x01\xa1x"), &v)
	fmt.Println(v, err)
	// Output: [1 x] <nil>
}

func ExampleDecoder() {
	d := msgpack.NewDecoder(strings.NewReader("\x01\xa3two\x93\x03\x03\x03"))
	for {
		var v any
		if err := d.Decode(&v); err == io.EOF {
			break
		} else if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v)
	}
	// Output:
	// 1
	// two
	// [3 3 3]
}

func ExampleEncoder() {
	var w bytes.Buffer
	e := msgpack.NewEncoder(&w)
	for i := range 3 {
		if err := e.Encode(i * 100); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(w.Bytes())
	// Output: [0 100 204 200]
}

func ExampleRaw() {
	var envelope struct {
		Kind string
		Body msgpack.Raw
	}
	err := msgpack.Unmarshal([]byte("\x82\xa4Kind\xa3pet\xa4Body\x81\xa2id\x05"), &envelope)
	fmt.Println(envelope.Kind, err)
	var p pet
	err = msgpack.Unmarshal(envelope.Body, &p)
	fmt.Println(p.ID, err)
	// Output:
	// pet <nil>
	// 5 <nil>
}

// id reads and writes itself.
type id struct{ n uint64 }

func (v id) AppendMsgpack(b []byte) ([]byte, error) {
	return msgpack.AppendString(b, fmt.Sprintf("#%d", v.n)), nil
}

func (v *id) ReadMsgpack(r *msgpack.Reader) error {
	if _, err := fmt.Sscanf(r.String(), "#%d", &v.n); err != nil {
		r.Fail(err)
	}
	return r.Err()
}

func ExampleRead() {
	b, _ := msgpack.Marshal([]id{{5}, {6}})
	fmt.Printf("%q\n", b)
	var v id
	err := msgpack.Read([]byte("\xa2#7"), &v)
	fmt.Println(v.n, err)
	// Output:
	// "\x92\xa2#5\xa2#6"
	// 7 <nil>
}

func ExampleValid() {
	fmt.Println(msgpack.Valid([]byte("\x91\x01")), msgpack.Valid([]byte("\x92\x01")))
	// Output: true false
}

func ExampleSkip() {
	rest, err := msgpack.Skip([]byte("\x92\x01\x02\xa4next"))
	fmt.Printf("%q %v\n", rest, err)
	// Output: "\xa4next" <nil>
}

func Example_format() {
	var f weft.Format = msgpack.Format
	b, err := f.MarshalAppend(nil, true)
	fmt.Println(f.Name(), b, err)
	// Output: msgpack [195] <nil>
}

func ExampleCodecs() {
	type celsius float64
	codecs := msgpack.Codecs(msgpack.ExtCodec(7,
		func(b []byte, c celsius) ([]byte, error) { return append(b, byte(c)), nil },
		func(body []byte) (celsius, error) {
			if len(body) != 1 {
				return 0, errors.New("not a temperature")
			}
			return celsius(body[0]), nil
		}))
	b, err := msgpack.Marshal([]celsius{21, 22}, codecs)
	fmt.Printf("%x %v\n", b, err)
	var back []celsius
	err = msgpack.Unmarshal(b, &back, codecs)
	fmt.Println(back, err)
	// Output:
	// 92d40715d40716 <nil>
	// [21 22] <nil>
}

func ExampleTypeCodec() {
	codecs := msgpack.Codecs(msgpack.TypeCodec(
		func(b []byte, v bool) ([]byte, error) {
			if v {
				return msgpack.AppendInt(b, 1), nil
			}
			return msgpack.AppendInt(b, 0), nil
		},
		func(r *msgpack.Reader) (bool, error) { return r.Int() != 0, nil }))
	b, err := msgpack.Marshal([]bool{true, false}, codecs)
	fmt.Printf("%x %v\n", b, err)
	// Output: 920100 <nil>
}

func ExampleReadToken() {
	b, _ := msgpack.Marshal([]any{1, "two", nil})
	for len(b) > 0 {
		t, rest, err := msgpack.ReadToken(b)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v %d %d %q\n", t.Kind, t.Len, t.Uint, t.Data)
		b = rest
	}
	// Output:
	// array 3 0 ""
	// uint 0 1 ""
	// string 0 0 "two"
	// null 0 0 ""
}

func ExampleReadInt() {
	b := msgpack.AppendString(msgpack.AppendInt(nil, -5), "rest")
	n, b, err := msgpack.ReadInt(b)
	fmt.Println(n, err)
	s, _, err := msgpack.ReadString(b)
	fmt.Println(s, err)
	// Output:
	// -5 <nil>
	// rest <nil>
}
