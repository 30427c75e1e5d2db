package flow

import (
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/file"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsontext"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

// media is a format that bodies come in. Another format of weft is another row of the table.
type media struct {
	name   string // in documents
	format weft.Format
	types  []string // media types; the first is the one that is written
}

var (
	mediaJSON    = &media{"json", json.Format, []string{"application/json", "text/json"}}
	mediaMsgpack = &media{"msgpack", msgpack.Format, []string{"application/msgpack", "application/vnd.msgpack",
		"application/x-msgpack"}}
	mediaCBOR   = &media{"cbor", cbor.Format, []string{"application/cbor"}}
	mediaTagged = &media{"tagged", tagged.Format, []string{"application/x-weft-tagged"}}
	mediaNDJSON = &media{"ndjson", file.NDJSON, []string{"application/x-ndjson", "application/ndjson",
		"application/jsonl"}}

	medias = []*media{mediaJSON, mediaMsgpack, mediaCBOR, mediaTagged, mediaNDJSON}
)

// decodeOptions are strict where two readers of one document could differ: names stand in an object once, and
// text is UTF-8.
var decodeOptions = []weft.Options{weft.RejectDuplicates(true), jsontext.AllowInvalidUTF8(false),
	msgpack.RejectInvalidUTF8(true)}

// mediaOf returns the format that a Content-Type tells, or nil.
func mediaOf(contentType string) *media {
	if contentType == "application/json" {
		return mediaJSON
	}
	t, _, _ := strings.Cut(contentType, ";")
	t = strings.ToLower(strings.TrimSpace(t))
	for _, m := range medias {
		for _, known := range m.types {
			if t == known {
				return m
			}
		}
	}
	return suffixed(t)
}

// suffixed returns the format that a structured suffix tells, such as that of application/problem+json, or nil.
func suffixed(mediaType string) *media {
	_, suffix, _ := strings.Cut(mediaType, "+")
	for _, m := range []*media{mediaJSON, mediaMsgpack, mediaCBOR} {
		if suffix == m.name {
			return m
		}
	}
	return nil
}

// isText reports whether a body of the type is text that is not a format's.
func isText(contentType string) bool {
	return len(contentType) >= 5 && strings.EqualFold(contentType[:5], "text/")
}

// The compressions of bodies, by the names of Content-Encoding.
var (
	gzipCodec = compress.NewGzip(compress.Level(1))
	zstdCodec = compress.NewZstd(compress.Level(1))
)

// codecOf returns the compression that a Content-Encoding tells: nil for none, and
// ok false for one that is not known.
func codecOf(encoding string) (c *compress.Codec, ok bool) {
	switch encoding {
	case "", "identity":
		return nil, true
	case "gzip", "x-gzip":
		return gzipCodec, true
	case "zstd":
		return zstdCodec, true
	}
	switch e := strings.ToLower(strings.TrimSpace(encoding)); e {
	case encoding:
		return nil, false
	default:
		return codecOf(e)
	}
}
