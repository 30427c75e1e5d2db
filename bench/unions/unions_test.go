package unions

import (
	"errors"
	"reflect"
	"testing"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

//go:generate go run github.com/weftcodec/weft/cmd/weft gen openapi openapi.yaml --out . --package unions

// A union holds what the variant alone is read as, wherever the discriminator
// stands.
func TestUnion(t *testing.T) {
	for _, p := range Places {
		doc := Document(50, p.At)
		var events Events
		var pushes Pushes
		if err := json.Unmarshal(doc, &events); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		if err := json.Unmarshal(doc, &pushes); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		packed, err := msgpack.Marshal(&events)
		if err != nil {
			t.Fatal(err)
		}
		var again Events
		if err := msgpack.Unmarshal(packed, &again); err != nil || !reflect.DeepEqual(again, events) {
			t.Errorf("%s: MessagePack gives %v, %v", p.Name, again, err)
		}
		if len(events) != len(pushes) {
			t.Fatalf("%s: %d, %d", p.Name, len(events), len(pushes))
		}
		for i := range events {
			if push, ok := events[i].V.(*Push); !ok || !reflect.DeepEqual(*push, pushes[i]) {
				t.Errorf("%s: %d: %+v, want %+v", p.Name, i, events[i].V, pushes[i])
			}
		}
	}
}

// A list of all variants holds those of the lists of each, in their order.
func TestMixed(t *testing.T) {
	for _, p := range Places {
		mixed, a, b, c := Mixed(20, p.At)
		var events Events
		var pushes Pushes
		var releases Releases
		var watches Watches
		if err := errors.Join(json.Unmarshal(mixed, &events), json.Unmarshal(a, &pushes), json.Unmarshal(b, &releases),
			json.Unmarshal(c, &watches)); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		for i := range pushes {
			want := []EventVariant{&pushes[i], &releases[i], &watches[i]}
			for k, w := range want {
				if got := events[3*i+k].V; !reflect.DeepEqual(got, w) {
					t.Errorf("%s: %d: %+v, want %+v", p.Name, 3*i+k, got, w)
				}
			}
		}
	}
}
