package jsontext

import (
	"errors"
	"slices"

	"github.com/weftcodec/weft"
)

var (
	errChangedNames = errors.New("cannot change duplicate name checks after a JSON object has already begun processing")
	errChangedUTF8  = errors.New("cannot change UTF-8 checks after a JSON object has already begun processing")
	errChangedSpace = errors.New("cannot change whitespace formatting within a MarshalEncode call")
)

// WithOptions calls f with opts added to the options of e. The options must not change whitespace. If the name of a
// member is expected, they must not change whether names may be duplicates or contain bytes that are not UTF-8,
// because the names before it have been checked differently. Otherwise WithOptions returns an error and does not call
// f.
func (e *Encoder) WithOptions(f func() error, opts ...Options) error {
	was, opt := e.settings, e.opts
	to := weft.Join(slices.Concat([]Options{opt}, opts)...)
	s := settingsOf(&to)
	s.flags = s.flags&^flagSequence | was.flags&flagSequence
	err := e.changed(was.flags ^ s.flags)
	if (was.flags^s.flags)&flagsSpace != 0 || was.indent != s.indent || was.prefix != s.prefix {
		err = errChangedSpace
	}
	if err != nil {
		return err
	}
	e.settings, e.opts = s, to
	defer func() { e.settings, e.opts = was, opt }()
	return f()
}

// WithOptions calls f with opts added to the options of d; [MaxSize] and [TextSequence] have no effect. If the name
// of a member is expected, opts must not change whether names may be duplicates or contain bytes that are not UTF-8,
// because the names before it have been checked differently. Then WithOptions returns an error and does not call f.
func (d *Decoder) WithOptions(f func() error, opts ...Options) error {
	was, opt := d.settings, d.opts
	to := weft.Join(slices.Concat([]Options{opt}, opts)...)
	s := settingsOf(&to)
	s.flags = s.flags&^flagSequence | was.flags&flagSequence
	s.limit = was.limit
	if err := d.changed(was.flags ^ s.flags); err != nil {
		return err
	}
	d.settings, d.opts = s, to
	defer func() { d.settings, d.opts = was, opt }()
	return f()
}

// changed returns the error for a change of these flags at this place.
func (s *state) changed(flags uint64) error {
	switch {
	case !s.naming:
	case flags&flagRejectDuplicates != 0:
		return errChangedNames
	case flags&flagInvalidUTF8 != 0:
		return errChangedUTF8
	}
	return nil
}
