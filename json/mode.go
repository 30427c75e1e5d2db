package json

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json/jsontext"
)

// mode is a combination of settings for which types are compiled anew, beyond the few flags that
// have programs of their own already.
type mode struct {
	modeKey
	bare bool // of the key there are only flags
	enc  programs
	dec  nodeSet
	vals Options // those of the settings that are not flags
	code modeCode
}

// modeCode is what programs of modes alone do. It hangs on the modes and is called through them, so that a Go program
// that gives no options is linked without it.
type modeCode struct {
	finished   afterFunc
	reformat   func(b, raw []byte, o ...Options) ([]byte, error)            // what a method returned
	keyName    func(*encoder, int, int, *sorter, *program, *mapRange) error // keyValue, of keys with programs
	rest       func(c *compiler, pr *program, t *plan.Type)                 // under flagV2
	written    func(b []byte, start int, name string) bool                  // under flagRefuseDuplicates
	describeV2 func(s *nodeSet, n *node, t *plan.Type)                      // after describe
	quotedTo   func(v any, f encodeFlags) ([]byte, error)                   // marshalStd, with the option string
	quotedFrom func(data []byte, v any, f encodeFlags) error                // unmarshalStd, with that option
	of         func(k modeKey) *mode                                        // modeOf

	// Errors of a call, and of methods and functions with a coder.
	explained  func(data []byte, v any, o decodeOptions, err error, checked bool) error
	positioned func(c wire.Stack, depth int, own int64, t reflect.Type, name string, err error) error
}

// encodeFunc appends the encoding of v, not nil.
type encodeFunc func(b []byte, v any, o encodeOptions) ([]byte, error)

// afterFunc ends a call that has written a value to b from start on, by programs of a mode or under a limit of depth:
// see [finished].
type afterFunc func(b []byte, start, most int, deep bool, m *mode, err error) ([]byte, error)

func newModeCode() modeCode {
	return modeCode{
		finished:   finished,
		reformat:   jsontext.AppendFormat[[]byte],
		keyName:    (*encoder).keyValue,
		rest:       (*compiler).restV2,
		written:    written,
		describeV2: (*nodeSet).describeV2,
		explained:  explained,
		positioned: positioned,
		quotedTo:   marshalQuotedStd,
		quotedFrom: unmarshalQuotedStd,
		of:         modeOf,
	}
}

// modeKey is what the programs of a mode depend on.
type modeKey struct {
	flags        encodeFlags // of keyFlags
	in           *dialect
	time         string
	bytes        string
	duration     string
	legacy       setting.Legacy // under flagV2
	marshalers   *Marshalers
	unmarshalers *Unmarshalers
	root         spec // of the value of a call
}

// plainMode is the mode of the programs that have none.
var plainMode = &mode{}

// modes are caches of what types say, as variants are. Those with functions of the caller's are kept
// by these and go with them.
type modes struct {
	list atomic.Pointer[[]*mode]
	mu   sync.Mutex // held while one is added
}

// mostModes bounds the modes that are kept: a program has a handful, unless it makes formats up.
const mostModes = 200

var sharedModes modes

// modeOf returns the mode of the key.
func modeOf(k modeKey) *mode {
	c := &sharedModes
	switch {
	case k.marshalers != nil:
		c = &k.marshalers.modes
	case k.unmarshalers != nil:
		c = &k.unmarshalers.modes
	case k.in != nil:
		c = &k.in.modes
	}
	if m := c.find(k); m != nil {
		return m
	}
	return c.add(k)
}

func (c *modes) find(k modeKey) *mode {
	if l := c.list.Load(); l != nil {
		for _, m := range *l {
			if m.flags == k.flags && m.modeKey == k {
				return m
			}
		}
	}
	return nil
}

// modeOfFlags returns the mode of a key that has only flags.
func modeOfFlags(f encodeFlags) *mode {
	if l := sharedModes.list.Load(); l != nil {
		for _, m := range *l {
			if m.flags == f && m.bare {
				return m
			}
		}
	}
	return modeOf(modeKey{flags: f})
}

func (c *modes) add(k modeKey) *mode {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m := c.find(k); m != nil {
		return m
	}
	m := &mode{modeKey: k, bare: k == modeKey{flags: k.flags}, code: newModeCode()}
	m.enc.mode, m.dec.mode, m.enc.in = m, m, k.in
	m.enc.plans = plans
	switch v2 := k.flags&flagV2 != 0; {
	case k.in != nil && v2:
		m.enc.plans = k.in.plansV2[pick(k.flags&flagExtendedTags != 0, 1, 0)]
	case k.in != nil:
		m.enc.plans = k.in.plans
	case v2:
		m.enc.plans = plansV2(k.flags&flagExtendedTags != 0)
	}
	m.dec.plans = m.enc.plans
	var vals []Options
	if k.time != "" {
		vals = append(vals, FormatTime(k.time))
	}
	if k.bytes != "" {
		vals = append(vals, FormatBytes(k.bytes))
	}
	if k.duration != "" {
		vals = append(vals, FormatDuration(k.duration))
	}
	for l := setting.Legacy(1); l < setting.LegacyEnd; l <<= 1 {
		if k.legacy&l != 0 {
			vals = append(vals, extra(l, true))
		}
	}
	if k.marshalers != nil {
		vals = append(vals, WithMarshalers(k.marshalers))
	}
	if k.unmarshalers != nil {
		vals = append(vals, WithUnmarshalers(k.unmarshalers))
	}
	m.vals = weft.Join(vals...)
	old := c.list.Load()
	var list []*mode
	if old != nil {
		list = append(list, *old...)
	}
	if len(list) < mostModes {
		list = append(list, m)
		c.list.Store(&list)
	}
	return m
}

// encodeOptions are options as an encoder uses them.
type encodeOptions struct {
	flags encodeFlags
	set   *programs
	most  int        // depth, 0 for any
	slow  encodeFunc // what encodes with whitespace, or with functions and formats, nil for neither
	after afterFunc  // what ends a call, nil for nothing
	outer *outer     // what the text stands in, nil for nothing
}

// plainEncoding is the options of [Marshal].
var plainEncoding = encodeOptions{flags: flagsDefault, set: &variants[flagEscapeHTML]}

// encodingOf returns the options of a call that marshals.
func encodingOf(opts []Options) encodeOptions {
	if len(opts) == 0 {
		return plainEncoding
	}
	return flagsDefault.encoding(opts)
}

// encoding returns the options that f, as the default, and opts ask for.
func (f encodeFlags) encoding(opts []Options) encodeOptions {
	o := encodeOptions{flags: f.with(opts)}
	if o.flags&flagsSpace != 0 {
		all := weft.Join(opts...)
		o = f.encoding([]Options{all, flagsSpace.options(false)})
		o.slow = spaced(o, all)
		return o
	}
	var in *dialect
	if _, ok := plan.OnlyFlags(opts); !ok {
		o.most = depthIn(opts)
		in = dialectOf(opts)
	}
	if o.flags&flagExtras == 0 {
		o.set = o.flags.programs(in)
	} else {
		k := modeKey{flags: o.flags & keyFlags, in: in}
		k.extras(opts)
		k.marshalers, _ = lastOf(opts, marshalersKey{}).(*Marshalers)
		o.set = &modeOf(k).enc
		o.slow = encodeMode
	}
	if o.most == 0 && o.flags&flagV2 != 0 {
		o.most = setting.DefaultMaxDepth
	}
	if o.most != 0 || o.set.mode != nil {
		o.after = finished
	}
	return o
}

// programs returns the programs of f in a dialect, nil for the usual one. Of the settings that are not flags
// it does not know.
func (f encodeFlags) programs(in *dialect) *programs {
	switch {
	case f&modeFlags != 0:
		if in == nil {
			return &modeOfFlags(f & keyFlags).enc
		}
		return &modeOf(modeKey{flags: f & keyFlags, in: in}).enc
	case in != nil:
		return &in.variants[f.variant()]
	}
	return &variants[f.variant()]
}

// depthIn returns the limit of depth that opts set, 0 for none.
func depthIn(opts []Options) int {
	for i := len(opts) - 1; i >= 0; i-- {
		if n, ok := opts[i].MaxDepth(); ok {
			return max(n, -1) + pick(n == 0, -1, 0)
		}
	}
	return 0
}

// rooted returns the mode that m is for calls of which s is said of the value.
func (m *mode) rooted(s spec) *mode {
	k := m.modeKey
	k.root = s
	return modeOf(k)
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// lastOf returns what the last set of opts that knows key has for it.
func lastOf(opts []Options, key any) any {
	for i := len(opts) - 1; i >= 0; i-- {
		if v, ok := opts[i].Value(key); ok {
			return v
		}
	}
	return nil
}

func (k *modeKey) extras(opts []Options) {
	k.time, _ = lastOf(opts, timeKey{}).(string)
	k.bytes, _ = lastOf(opts, bytesKey{}).(string)
	k.duration, _ = lastOf(opts, durationKey{}).(string)
	if k.flags&flagV2 != 0 {
		k.legacy = legacyOf(opts)
	}
}
