package jsontext

import (
	"errors"
	"slices"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/setting"
	"github.com/weftcodec/weft/internal/wire"
)

var (
	errChangedNames = errors.New("cannot change duplicate name checks after a JSON object has already begun processing")
	errChangedUTF8  = errors.New("cannot change UTF-8 checks after a JSON object has already begun processing")
	errChangedSpace = errors.New("cannot change whitespace formatting within a MarshalEncode call")
)

// coder is what an encoder and a decoder both keep.
type coder struct {
	state
	settings
	opts Options
}

// checkReset panics if the coder must not be reset to read from or write to v.
func (c *coder) checkReset(v any) {
	if v == nil {
		panic("jsontext: Reset without a reader or writer")
	}
	if c.lent || c.outer != nil && c.outer != wire.PlaceOf(v) {
		panic("jsontext: Reset of a coder that package json has given to a method or function")
	}
}

// set makes opts the options.
func (c *coder) set(opts []Options) {
	switch len(opts) {
	case 0:
		c.opts = Options{}
	case 1:
		c.opts = opts[0]
	default:
		c.opts = weft.Join(opts...)
	}
	c.settings.set(&c.opts)
}

// Options returns the options that the coder was made with.
func (c *coder) Options() Options {
	if c.opts.Bare() {
		return c.opts
	}
	// The tag of a field is not said of what is within the value of the field.
	if tag, ok := c.opts.Value(setting.TagKey{}); ok && tag.(setting.Tag).Depth != len(c.stack) {
		return weft.Join(c.opts, weft.With(setting.TagKey{}, setting.Tag{Depth: -1}))
	}
	return c.opts
}

// WithOptions calls f with opts added to the options of e. The options must not change whitespace. If the name of a
// member is expected, they must not change whether names may be duplicates or contain bytes that are not UTF-8,
// because the names before it have been checked differently. Otherwise WithOptions returns an error and does not call
// f.
func (e *Encoder) WithOptions(f func() error, opts ...Options) error { return e.with(f, opts, true) }

// WithOptions calls f with opts added to the options of d; [MaxSize] and [TextSequence] have no effect. If the name
// of a member is expected, opts must not change whether names may be duplicates or contain bytes that are not UTF-8,
// because the names before it have been checked differently. Then WithOptions returns an error and does not call f.
func (d *Decoder) WithOptions(f func() error, opts ...Options) error { return d.with(f, opts, false) }

// with is WithOptions of both coders. Whitespace matters to those that write.
func (c *coder) with(f func() error, opts []Options, writes bool) error {
	was, opt := c.settings, c.opts
	to := weft.Join(slices.Concat([]Options{opt}, opts)...)
	var s settings
	s.set(&to)
	s.flags = s.flags&^flagSequence | was.flags&flagSequence
	s.limit = was.limit
	switch flags := was.flags ^ s.flags; {
	case writes && (flags&flagsSpace != 0 || s.flags&flagMultiline != 0 && marginOf(&opt) != marginOf(&to)):
		return errChangedSpace
	case c.naming && flags&flagRejectDuplicates != 0:
		return errChangedNames
	case c.naming && flags&flagInvalidUTF8 != 0:
		return errChangedUTF8
	}
	c.settings, c.opts = s, to
	defer func() { c.settings, c.opts = was, opt }()
	return f()
}
