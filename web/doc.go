// Package web reads and writes HTTP bodies in the format that the headers name: JSON, MessagePack or CBOR.
//
// The names that matter:
//
//   - [Handle]: makes a handler from a function on Go types
//   - [Read] and [Write]: the two halves of Handle, for handlers that do more
//   - [Fail]: writes an error as a [Problem] (RFC 9457) with the location of the error in the body
//   - [ReadResponse]: reads an answer, for clients
//   - [MaxSize] and [Compress]: options
//
// Read accepts at most [DefaultMaxSize] bytes, decompresses gzip and zstd, and checks the rules of the type. Unless
// an option allows them, duplicate names in an object and invalid UTF-8 are errors.
package web

import (
	"mime"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// media is a format that bodies come in.
type media struct {
	weft.StreamFormat
	types  []string // media types; the first is the one that is written
	suffix string   // of other media types
	valid  func([]byte) bool
}

var medias = []*media{
	{json.Format, []string{"application/json", "text/json"}, "+json", json.Valid},
	{msgpack.Format, []string{"application/vnd.msgpack", "application/msgpack", "application/x-msgpack"}, "+msgpack",
		msgpack.Valid},
	{cbor.Format, []string{"application/cbor"}, "+cbor", func(b []byte) bool { return cbor.Valid(b) }},
}

// mediaOf returns the format that a Content-Type names, nil for none. Text in another encoding than UTF-8 is none.
func mediaOf(contentType string) *media {
	name, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return nil
	}
	switch strings.ToLower(params["charset"]) {
	case "", "utf-8", "utf8", "us-ascii":
	default:
		return nil
	}
	for _, m := range medias {
		for _, known := range m.types {
			if name == known {
				return m
			}
		}
		if strings.HasSuffix(name, m.suffix) {
			return m
		}
	}
	return nil
}

// written are the media types that are written, as a header lists them.
func written() string {
	var list []string
	for _, m := range medias {
		list = append(list, m.types[0])
	}
	return strings.Join(list, ", ")
}

// codecs are the compressions, best first, by the names of Content-Encoding.
var codecs = []struct {
	name  string
	codec *compress.Codec
}{
	{"zstd", compress.NewZstd(compress.Level(1))},
	{"gzip", compress.NewGzip(compress.Level(1))},
}

// codecOf returns the compression that a Content-Encoding names: nil for none, and ok false for one that is not known.
func codecOf(encoding string) (c *compress.Codec, ok bool) {
	switch encoding = strings.ToLower(strings.TrimSpace(encoding)); encoding {
	case "", "identity":
		return nil, true
	case "x-gzip":
		encoding = "gzip"
	}
	for _, c := range codecs {
		if c.name == encoding {
			return c.codec, true
		}
	}
	return nil, false
}
