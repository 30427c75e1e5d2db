package transcode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// BenchmarkAppend turns 100 KB of rows, in memory.
func BenchmarkAppend(b *testing.B) {
	var text strings.Builder
	text.WriteByte('[')
	for i := range 1000 {
		fmt.Fprintf(&text, `{"id":%d,"name":"%s","price":%v,"tags":[true,null,-1]},`, int64(i)<<33, strings.Repeat("é", i%20), float64(i)/7)
	}
	text.WriteString("0]")
	src := []byte(text.String())
	to := Options{From: json.Format, To: msgpack.Format}
	pack, err := to.Append(nil, src)
	if err != nil {
		b.Fatal(err)
	}
	from := Options{From: msgpack.Format, To: json.Format}
	zstd := compress.NewZstd(compress.Level(1))
	packed, _ := zstd.Append(nil, pack)
	for _, bb := range []struct {
		name string
		n    int
		do   func(dst []byte) ([]byte, error)
	}{
		{"json to msgpack", len(src), func(dst []byte) ([]byte, error) { return to.Append(dst, src) }},
		{"msgpack to json", len(src), func(dst []byte) ([]byte, error) { return from.Append(dst, pack) }},
		{"json to msgpack by the library", len(src), func(dst []byte) ([]byte, error) { return to.readWrite(dst, src) }},
		{"msgpack to json by the library", len(src), func(dst []byte) ([]byte, error) { return from.readWrite(dst, pack) }},
		{"zstd", len(pack), func(dst []byte) ([]byte, error) { return zstd.Append(dst, pack) }},
		{"unzstd", len(pack), func(dst []byte) ([]byte, error) { return zstd.Decompress(dst, packed) }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(bb.n))
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				var err error
				if dst, err = bb.do(dst[:0]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
