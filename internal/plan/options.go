package plan

import (
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
)

// OnlyFlags returns the flags that opts turn on, and whether they say nothing
// else that changes how a value is written or read: no codecs, no setting that is
// more than a flag, and no [weft.Dialect].
func OnlyFlags(opts []weft.Options) (f uint64, ok bool) {
	for i := range opts {
		if !opts[i].Bare() {
			return 0, false
		}
		f = opts[i].Flags(f)
	}
	return f, f&setting.Dialect == 0
}

// DialectOf returns the Dialect that opts ask for, nil for the usual one.
func DialectOf(opts []weft.Options) (d *weft.Dialect) {
	for i := range opts {
		d = opts[i].Dialect(d)
	}
	return d
}

// FlagsOf returns the flags that opts turn on.
func FlagsOf(opts []weft.Options) (f uint64) {
	for i := range opts {
		f = opts[i].Flags(f)
	}
	return f
}

// DepthOf returns the nesting that opts allow.
func DepthOf(opts []weft.Options) int {
	if len(opts) == 1 {
		return opts[0].Depth()
	}
	return weft.Join(opts...).Depth()
}

// ValueOf returns the value of the last of opts that has one for the key, or nil.
func ValueOf(opts []weft.Options, key any) any {
	for i := len(opts) - 1; i >= 0; i-- {
		if v, ok := opts[i].Value(key); ok {
			return v
		}
	}
	return nil
}
