package json

import (
	"io"

	"github.com/weftcodec/weft"
)

// An Encoder writes JSON values to a stream.
type Encoder struct {
	w      io.Writer
	err    error // of the writer: nothing is written after it
	with   encodeOptions
	opts   Options // those of with
	prefix string
	indent string
	text   []byte // scratch for indented text
}

// NewEncoder returns an encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder { return &Encoder{w: w, with: plainEncoding} }

// NewEncoderWith is like [NewEncoder] with options.
func NewEncoderWith(w io.Writer, opts ...Options) *Encoder {
	return &Encoder{w: w, with: encodingOf(opts), opts: weft.Join(opts...)}
}

// Encode writes the encoding of v and a line break. See [Marshal] for the encoding.
func (enc *Encoder) Encode(v any) error {
	if enc.err != nil {
		return enc.err
	}
	s := takeBuffer()
	b, err := marshalTo(s.b[:0], v, enc.with)
	if err != nil {
		s.give(b)
		return err
	}
	b = append(b, '\n')
	out := b
	if enc.prefix != "" || enc.indent != "" {
		if enc.text, err = appendIndent(enc.text[:0], b, enc.prefix, enc.indent); err != nil {
			s.give(b)
			return err
		}
		out = enc.text
	}
	if _, err = enc.w.Write(out); err != nil {
		enc.err = err
	}
	s.give(b)
	return err
}

// SetIndent makes the encoder write each following value as if by [Indent] with the prefix and the
// indent. Two empty strings turn this off.
func (enc *Encoder) SetIndent(prefix, indent string) { enc.prefix, enc.indent = prefix, indent }

// SetEscapeHTML specifies whether <, >, and & are written as escapes within strings, so that the text is safe within
// HTML. By default they are.
func (enc *Encoder) SetEscapeHTML(on bool) {
	if o := &enc.with; o.slow == nil && o.after == nil && o.set == &variants[o.flags.variant()] { // there are only flags
		o.flags = o.flags&^flagEscapeHTML | pick(on, flagEscapeHTML, 0)
		o.set = &variants[o.flags.variant()]
		return
	}
	enc.opts = weft.Join(enc.opts, EscapeForHTML(on))
	enc.with = encodingOf([]Options{enc.opts})
}
