// Package temporal makes workflows and activities of go.temporal.io/sdk exchange their values in any format of weft.
//
//	c, err := client.Dial(client.Options{DataConverter: wefttemporal.DataConverter(msgpack.Format)})
//
// JSON is the same as that of the SDK's own converter, with the encoding json/plain, so each reads what the other has
// written. MessagePack and CBOR have the encodings binary/msgpack and binary/cbor. A converter for one of them also
// reads JSON, so workflows that have already begun can continue.
package temporal

import (
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/value"
)

// DataConverter returns the default converter of the SDK with weft in the place of encoding/json: values without a form
// of their own are written in the format, and read in it and in JSON. The options are those of the format.
func DataConverter(f weft.Format, opts ...weft.Options) converter.DataConverter {
	list := []converter.PayloadConverter{
		converter.NewNilPayloadConverter(),
		converter.NewByteSlicePayloadConverter(),
		converter.NewProtoJSONPayloadConverter(),
		converter.NewProtoPayloadConverter(),
		PayloadConverter(f, opts...),
	}
	if f.Name() != json.Format.Name() {
		list = append(list, PayloadConverter(json.Format))
	}
	return converter.NewCompositeDataConverter(list...)
}

// PayloadConverter returns the converter of one format, for converters that one composes. The options are those of the
// format.
func PayloadConverter(f weft.Format, opts ...weft.Options) converter.PayloadConverter {
	c := &payloads{f, weft.Join(opts...), "binary/" + f.Name()}
	if f.Name() == json.Format.Name() {
		c.encoding = converter.MetadataEncodingJSON
	}
	return c
}

type payloads struct {
	f        weft.Format
	opts     weft.Options
	encoding string
}

func (c *payloads) Encoding() string { return c.encoding }

func (c *payloads) ToPayload(v any) (*commonpb.Payload, error) {
	b, err := c.f.MarshalAppend(nil, v, c.opts)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", converter.ErrUnableToEncode, err)
	}
	return &commonpb.Payload{Metadata: map[string][]byte{converter.MetadataEncoding: []byte(c.encoding)}, Data: b}, nil
}

func (c *payloads) FromPayload(p *commonpb.Payload, v any) error {
	if err := c.f.Unmarshal(p.GetData(), v, c.opts); err != nil {
		return fmt.Errorf("%w: %w", converter.ErrUnableToDecode, err)
	}
	return nil
}

// ToString returns the payload as JSON, for people.
func (c *payloads) ToString(p *commonpb.Payload) string {
	if c.encoding == converter.MetadataEncodingJSON {
		return string(p.GetData())
	}
	var v value.Value
	err := c.f.Unmarshal(p.GetData(), &v)
	if err == nil {
		var b []byte
		if b, err = json.Format.MarshalAppend(nil, v); err == nil {
			return string(b)
		}
	}
	return err.Error()
}
