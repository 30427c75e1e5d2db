package convert

import (
	"errors"
	"fmt"
	"io"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/backend"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// UnmarshalWeft converts the value that d is at.
func (v *record) UnmarshalWeft(d *weft.Decoder) error { return v.c.one(d.Reader()) }

// copier writes the value that a reader is at.
type copier struct{ r backend.Reader }

// MarshalWeft copies the value.
func (c copier) MarshalWeft(e *weft.Encoder) error { return e.Copy(c.r) }

// keep gathers the value that r is at, as a record of frames or a message of the
// hashed-tag format.
func (c *converter) keep(r backend.Reader) error {
	err := c.write(r)
	if failed := r.Err(); failed != nil {
		return failed
	}
	var located *weft.Error
	if errors.As(err, &located) {
		// The reader knows the offset. Its format is another than the one of which the error speaks.
		if err = located.Err; err == tagged.ErrBool {
			err = errBool
		}
		r.Fail(fmt.Errorf("cannot be written as %s: %w", c.to, err))
		return r.Err()
	}
	if err != nil {
		return err
	}
	c.records++
	c.report(r)
	return nil
}

var errBool = errors.New("the format has no booleans: with --bools-as-ints they become 0 and 1")

func (c *converter) write(r backend.Reader) error {
	if c.frames != nil {
		return c.frames.Encode(copier{r})
	}
	b, err := tagged.Marshal(copier{r}, tagged.BoolsAsInts(c.boolsAsInts))
	if err != nil {
		return err
	}
	return c.messages.add(b)
}

// stream converts a stream of frames, whose records become the elements of an
// array in a JSON file.
func (c *converter) stream() error {
	d := tagged.NewFrameDecoder(c.in, tagged.Compress(compress.NewZstd()))
	single, err := d.Single()
	if err != nil {
		return err
	}
	if c.to == JSON && !single {
		c.out.WriteByte('[')
	}
	c.list = !single
	for {
		var v value.Value
		if err := d.Decode(&v); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		if err := value.Unmarshal(v, &record{c}); err != nil {
			var located *weft.Error
			if errors.As(err, &located) {
				err = located.Err
			}
			return fmt.Errorf("record %d: %w", c.records, err)
		}
	}
	if c.to != JSON {
		return nil
	}
	if !single {
		c.out.WriteByte(']')
	}
	return c.out.WriteByte('\n')
}

// finish writes what was kept.
func (c *converter) finish() error {
	switch {
	case c.frames != nil:
		err := c.frames.Close()
		var late *weft.Error
		if errors.As(err, &late) && late.Offset < 0 { // of a record that waited for the others of its frame
			last := *late
			last.Offset = c.base
			return &last
		}
		return err
	case c.to != Tagged:
		return nil
	}
	return c.messages.writeTo(c.out, c.list)
}
