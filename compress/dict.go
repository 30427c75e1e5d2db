package compress

import (
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/klauspost/compress/dict"
	"github.com/klauspost/compress/zstd"
)

// Train returns a dictionary of at most about size bytes for documents that are similar to the samples. It needs a
// few dozen samples or more. A dictionary helps small documents; documents of more than about 64 KiB gain little. A
// good size to begin with is 16 KiB.
func Train(samples [][]byte, size int) (d []byte, err error) {
	if size < 1<<10 || size > 1<<24 {
		return nil, fmt.Errorf("compress: a dictionary of %d bytes: its size is 1 KiB to 16 MiB", size)
	}
	id := fnv.New32a()
	total := 0
	for _, s := range samples {
		id.Write(s)
		total += len(s)
	}
	if len(samples) < 8 || total < 1<<10 {
		return nil, fmt.Errorf("compress: %d samples of %d bytes are too few for a dictionary", len(samples), total)
	}
	defer func() {
		// The builder divides what it finds without looking for too little of it.
		if p := recover(); p != nil {
			d, err = nil, errors.New("compress: the samples have too little in common for a dictionary")
		}
	}()
	d, err = dict.BuildZstdDict(samples, dict.Options{
		MaxDictSize: size,
		HashBytes:   6,
		ZstdDictID:  1<<15 + id.Sum32()%(1<<31-1<<15), // RFC 8878 §5: outside the reserved ranges
		ZstdLevel:   zstd.SpeedDefault,
	})
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return d, NewZstd(Dictionary(d)).Err()
}
