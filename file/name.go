package file

import (
	"path/filepath"
	"strings"
	"sync"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
)

const extensions = ".json, .ndjson, .jsonl, .msgpack, .mp, .cbor, .framed or .tagged"

// FormatOfName returns the format that the end of a name selects, with its compression: .json, .ndjson, .jsonl,
// .msgpack, .mp, .cbor, .framed and .tagged, optionally followed by .gz, .zst or .zstd. It returns nil if the name
// does not select a format.
func FormatOfName(name string) weft.Format {
	f, c := formatOfName(name)
	switch {
	case f == nil:
		return nil
	case c != nil:
		return c.Format(f)
	}
	return f
}

// The codecs of all files that bring none, so that coders are used again.
var (
	gzipCodec = sync.OnceValue(func() *compress.Codec { return compress.NewGzip() })
	zstdCodec = sync.OnceValue(func() *compress.Codec { return compress.NewZstd() })
)

func formatOfName(name string) (weft.Format, *compress.Codec) {
	ext := strings.ToLower(filepath.Ext(name))
	var codec *compress.Codec
	switch ext {
	case ".gz":
		codec = gzipCodec()
	case ".zst", ".zstd":
		codec = zstdCodec()
	}
	if codec != nil {
		ext = strings.ToLower(filepath.Ext(name[:len(name)-len(ext)]))
	}
	switch ext {
	case ".json":
		return json.Format, codec
	case ".ndjson", ".jsonl":
		return NDJSON, codec
	case ".msgpack", ".mp":
		return msgpack.Format, codec
	case ".cbor":
		return cbor.Format, codec
	case ".framed":
		return tagged.Framed, codec
	case ".tagged":
		return tagged.Format, codec
	}
	return nil, codec
}

// choose returns the format and the compression to write a file of that name in.
func (s *settings) choose(name string) error {
	if s.format != nil {
		return nil
	}
	s.format, s.codec = formatOfName(name)
	if s.format == nil {
		return errNoFormat(name)
	}
	return nil
}
