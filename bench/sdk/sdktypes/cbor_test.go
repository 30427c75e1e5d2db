package sdktypes

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft/cbor"
	kubernetes "k8s.io/apimachinery/pkg/runtime/serializer/cbor/direct"
)

// TestCBOR: objects of Kubernetes' own types are written as its own serializer writes them, byte for byte, and are read
// as it reads them.
func TestCBOR(t *testing.T) {
	for _, d := range All() {
		if !strings.HasPrefix(d.Name, "k8s") {
			continue
		}
		text, err := d.Data()
		if err != nil {
			t.Fatal(err)
		}
		v := d.New()
		if err := json.Unmarshal(text, v); err != nil {
			t.Fatal(err)
		}
		want, err := kubernetes.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := cbor.Marshal(v, cbor.Kubernetes.Strict())
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, not the %d of Kubernetes: %v", d.Name, len(got), len(want), err)
		}
		own, theirs := d.New(), d.New()
		if err := cbor.Unmarshal(want, own, cbor.Kubernetes.Strict()); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
		if err := kubernetes.Unmarshal(want, theirs); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
		if !reflect.DeepEqual(own, theirs) {
			t.Errorf("%s: read as another value than by Kubernetes", d.Name)
		}
		t.Logf("%s: %d bytes", d.Name, len(want))
	}
}
