package declared

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/bench/unions"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// declaredCases are documents of the union, and of its variants alone.
func declaredCases() (list []declaredCase) {
	for _, p := range unions.Places {
		doc := unions.Document(200, p.At)
		mixed, a, b, c := unions.Mixed(100, p.At)
		list = append(list,
			declaredCase{"variant/" + p.Name, [][]byte{doc}, []any{[]Push{}}},
			declaredCase{"union/" + p.Name, [][]byte{doc}, []any{[]Event{}}},
			declaredCase{"variants/" + p.Name, [][]byte{a, b, c}, []any{[]Push{}, []Release{}, []Watch{}}},
			declaredCase{"mixed/" + p.Name, [][]byte{mixed}, []any{[]Event{}}})
	}
	return list
}

type declaredCase struct {
	name string
	docs [][]byte
	into []any // of the types
}

// TestDeclared reads the documents as the union and as its variants alone.
func TestDeclared(t *testing.T) {
	for _, p := range unions.Places {
		var events []Event
		var pushes []Push
		doc := unions.Document(50, p.At)
		if err := json.Unmarshal(doc, &events); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(doc, &pushes); err != nil {
			t.Fatal(err)
		}
		packed, err := msgpack.Marshal(events)
		var again []Event
		if err == nil {
			err = msgpack.Unmarshal(packed, &again)
		}
		if err != nil || !reflect.DeepEqual(again, events) {
			t.Errorf("%s: MessagePack gives %v, %v", p.Name, again, err)
		}
		for i := range events {
			if v, ok := events[i].V.(*Push); !ok || !reflect.DeepEqual(*v, pushes[i]) {
				t.Fatalf("%s: %d: %+v, want %+v", p.Name, i, events[i].V, pushes[i])
			}
		}
	}
}

func BenchmarkDeclared(b *testing.B) {
	for _, c := range declaredCases() {
		packed := make([][]byte, len(c.docs))
		for i, doc := range c.docs {
			// In the order of the document.
			var err error
			if packed[i], err = weft.Transcode(nil, msgpack.Format, doc, json.Format); err != nil {
				b.Fatal(err)
			}
		}
		for name, unmarshal := range map[string]func(doc []byte, v any) error{
			"json":    func(doc []byte, v any) error { return json.Unmarshal(doc, v) },
			"msgpack": func(doc []byte, v any) error { return msgpack.Unmarshal(doc, v) },
		} {
			docs := c.docs
			if name == "msgpack" {
				docs = packed
			}
			b.Run(name+"/"+strings.ReplaceAll(c.name, " ", "-"), func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					for i, doc := range docs {
						if err := unmarshal(doc, reflect.New(reflect.TypeOf(c.into[i])).Interface()); err != nil {
							b.Fatal(strconv.Itoa(i), err)
						}
					}
				}
			})
		}
	}
}
