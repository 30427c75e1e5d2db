package opt

import (
	"encoding/xml"
	"reflect"
)

// xsi is the namespace of the attribute nil (XML Schema Part 1, section 2.6.2).
const xsi = "http://www.w3.org/2001/XMLSchema-instance"

// MarshalXML implements [xml.Marshaler]. Null is an empty element with the
// attribute xsi:nil.
func (o Null[T]) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	return marshalXML(e, start, o.state(), &o.V)
}

// UnmarshalXML implements [xml.Unmarshaler]. If there is an error, o keeps its value.
func (o *Null[T]) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	return o.keep(unmarshalXML[T](d, start))
}

// MarshalXMLAttr implements [xml.MarshalerAttr]. Null is not an attribute.
func (o Null[T]) MarshalXMLAttr(name xml.Name) (xml.Attr, error) {
	return marshalAttr(name, o.state(), &o.V)
}

// UnmarshalXMLAttr implements [xml.UnmarshalerAttr] as [Null.UnmarshalText]
// reads a text.
func (o *Null[T]) UnmarshalXMLAttr(a xml.Attr) error { return o.UnmarshalText([]byte(a.Value)) }

// MarshalXML implements [xml.Marshaler]. An absent value is not an element.
func (o Val[T]) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	return marshalXML(e, start, o.state(), &o.V)
}

// UnmarshalXML implements [xml.Unmarshaler]. The attribute xsi:nil is an error.
// If there is an error, o keeps its value.
func (o *Val[T]) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	return o.keep(unmarshalXML[T](d, start))
}

// MarshalXMLAttr implements [xml.MarshalerAttr]. An absent value is no
// attribute.
func (o Val[T]) MarshalXMLAttr(name xml.Name) (xml.Attr, error) {
	return marshalAttr(name, o.state(), &o.V)
}

// UnmarshalXMLAttr implements [xml.UnmarshalerAttr] as [Val.UnmarshalText]
// reads a text.
func (o *Val[T]) UnmarshalXMLAttr(a xml.Attr) error { return o.UnmarshalText([]byte(a.Value)) }

// MarshalXML implements [xml.Marshaler]. An absent value is not an element, and
// null is an empty element with the attribute xsi:nil.
func (o Field[T]) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	return marshalXML(e, start, o.state(), &o.V)
}

// UnmarshalXML implements [xml.Unmarshaler]. If there is an error, o keeps its value.
func (o *Field[T]) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	return o.keep(unmarshalXML[T](d, start))
}

// MarshalXMLAttr implements [xml.MarshalerAttr]. Absent and null are no
// attribute.
func (o Field[T]) MarshalXMLAttr(name xml.Name) (xml.Attr, error) {
	return marshalAttr(name, o.state(), &o.V)
}

// UnmarshalXMLAttr implements [xml.UnmarshalerAttr] as [Field.UnmarshalText]
// reads a text.
func (o *Field[T]) UnmarshalXMLAttr(a xml.Attr) error { return o.UnmarshalText([]byte(a.Value)) }

func marshalXML(e *xml.Encoder, start xml.StartElement, s State, v any) error {
	switch s {
	case IsSet:
		return e.EncodeElement(v, start)
	case IsNull:
		// With the prefix that everybody uses, where the encoder would make one up.
		start.Attr = append(start.Attr, xml.Attr{Name: xml.Name{Local: "xmlns:xsi"}, Value: xsi},
			xml.Attr{Name: xml.Name{Local: "xsi:nil"}, Value: "true"})
		if err := e.EncodeToken(start); err != nil {
			return err
		}
		return e.EncodeToken(start.End())
	}
	return nil
}

func unmarshalXML[T any](d *xml.Decoder, start xml.StartElement) (v T, s State, err error) {
	own := new(T)
	null, err := readXML(d, &start, own)
	if null {
		return v, IsNull, err
	}
	return *own, IsSet, err
}

// readXML reads into what v points to, or reports that the element is null.
func readXML(d *xml.Decoder, start *xml.StartElement, v any) (null bool, err error) {
	for _, a := range start.Attr {
		if a.Name.Space == xsi && a.Name.Local == "nil" && (a.Value == "true" || a.Value == "1") {
			return true, d.Skip()
		}
	}
	return false, d.DecodeElement(v, start)
}

func marshalAttr(name xml.Name, s State, v any) (xml.Attr, error) {
	if s != IsSet {
		return xml.Attr{}, nil
	}
	text, err := appendText(nil, reflect.ValueOf(v).Elem())
	return xml.Attr{Name: name, Value: string(text)}, err
}
