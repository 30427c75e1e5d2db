package msgpack_test

import (
	"fmt"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/msgpack"
)

// Values are appended one after another; headers say how many elements or members follow.
func ExampleAppendMapHeader() {
	b := msgpack.AppendMapHeader(nil, 2)
	b = msgpack.AppendString(b, "ok")
	b = msgpack.AppendBool(b, true)
	b = msgpack.AppendString(b, "list")
	b = msgpack.AppendArrayHeader(b, 3)
	b = msgpack.AppendInt(b, -1)
	b = msgpack.AppendUint(b, 300)
	b = msgpack.AppendNil(b)
	fmt.Printf("%x\n", b)

	n, b, err := msgpack.ReadMapHeader(b)
	fmt.Println(n, err)
	for len(b) > 0 {
		var name string
		if name, b, err = msgpack.ReadString(b); err != nil {
			fmt.Println(err)
			return
		}
		switch name {
		case "ok":
			var ok bool
			ok, b, err = msgpack.ReadBool(b)
			fmt.Println(name, ok, err)
		default:
			b, err = msgpack.Skip(b)
			fmt.Println(name, err)
		}
	}
	// Output:
	// 82a26f6bc3a46c69737493ffcd012cc0
	// 2 <nil>
	// ok true <nil>
	// list <nil>
}

func ExampleReadArrayHeader() {
	n, b, err := msgpack.ReadArrayHeader([]byte("\x92\xc0\xcd\x01,"))
	fmt.Println(n, err)
	for range n {
		var null bool
		if b, null = msgpack.ReadNil(b); null {
			fmt.Println("nil")
			continue
		}
		var u uint64
		u, b, err = msgpack.ReadUint(b)
		fmt.Println(u, err)
	}
	// Output:
	// 2 <nil>
	// nil
	// 300 <nil>
}

func ExampleAppendFloat64() {
	b := msgpack.AppendFloat64(nil, 0.1)
	b = msgpack.AppendFloat32(b, 0.5)
	for len(b) > 0 {
		var v float64
		var err error
		v, b, err = msgpack.ReadFloat64(b)
		fmt.Println(v, len(b), err)
	}
	// Output:
	// 0.1 5 <nil>
	// 0.5 0 <nil>
}

func ExampleAppendBytes() {
	b := msgpack.AppendBytes(nil, []byte("abc"))
	v, rest, err := msgpack.ReadBytes(b)
	fmt.Printf("%x %s %d %v\n", b, v, len(rest), err)
	// Output: c403616263 abc 0 <nil>
}

func ExampleAppendTime() {
	b := msgpack.AppendTime(nil, time.Unix(1, 5e8))
	at, rest, err := msgpack.ReadTime(b)
	fmt.Println(len(b), at, len(rest), err)
	// Output: 10 1970-01-01 00:00:01.5 +0000 UTC 0 <nil>
}

func ExampleAppendExt() {
	b := msgpack.AppendExt(nil, 5, []byte{1, 2})
	typ, body, rest, err := msgpack.ReadExt(b)
	fmt.Printf("%x %d %x %d %v\n", b, typ, body, len(rest), err)
	// Output: d5050102 5 0102 0 <nil>
}

func ExampleAppendToken() {
	b, err := msgpack.AppendToken(nil, msgpack.Token{Kind: weft.KindArray, Len: 1})
	if err == nil {
		b, err = msgpack.AppendToken(b, msgpack.Token{Kind: weft.KindString, Data: []byte("x")})
	}
	fmt.Printf("%q %v\n", b, err)
	// Output: "\x91\xa1x" <nil>
}

// The options that change what an interface is set to.
func ExampleOptions() {
	for _, row := range []struct {
		b   string
		opt msgpack.Options
	}{
		{"\x81\x01\xa1x", msgpack.AnyMaps(true)},
		{"\x07", msgpack.AnyUints(true)},
		{"\x07", msgpack.AnyFloats(true)},
		{"\xc4\x01x", msgpack.AnyText(true)},
		{"\xc7\x0c\x05\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00", msgpack.OldTimes(true)},
	} {
		var v any
		err := msgpack.Unmarshal([]byte(row.b), &v, row.opt)
		fmt.Printf("%T %v %v\n", v, v, err)
	}
	// Output:
	// map[interface {}]interface {} map[1:x] <nil>
	// uint64 7 <nil>
	// float64 7 <nil>
	// string x <nil>
	// time.Time 1970-01-01 00:00:01 +0000 UTC <nil>
}

func ExampleExactArrays() {
	var p struct {
		_    struct{} `msgpack:",array"`
		X, Y int
	}
	fmt.Println(msgpack.Unmarshal([]byte{0x91, 1}, &p), p.X)
	fmt.Println(msgpack.Unmarshal([]byte{0x91, 1}, &p, msgpack.ExactArrays(true)))
	// Output:
	// <nil> 1
	// msgpack: at offset 0: length is 1, must be 2
}

func ExampleRejectInvalidUTF8() {
	var s string
	fmt.Println(msgpack.Unmarshal([]byte("\xa1\xff"), &s, msgpack.RejectInvalidUTF8(true)))
	// Output: msgpack: at offset 0: string is not UTF-8
}

func ExampleOldSpec() {
	b, err := msgpack.Marshal([]byte("abc"), msgpack.OldSpec(true))
	fmt.Printf("%q %v\n", b, err)
	// Output: "\xa3abc" <nil>
}
