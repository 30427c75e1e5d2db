package interop

import (
	"reflect"
	"testing"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/cbor/cboritem"
	kubernetes "k8s.io/apimachinery/pkg/runtime/serializer/cbor/direct"
)

// TestCBORKubernetes: items are read in the mode of Kubernetes as its own functions read them, or refused as they do.
func TestCBORKubernetes(t *testing.T) {
	type object struct {
		Name  string            `json:"name"`
		Data  []byte            `json:"data"`
		Count int64             `json:"count"`
		Ratio float64           `json:"ratio"`
		Notes map[string]string `json:"notes"`
	}
	strict := weft.Join(cbor.Kubernetes.Strict(), weft.RejectUnknown(true))
	for _, tt := range []struct {
		text string
		into any
	}{
		{`'a'`, new(any)},
		{`"a"`, new(any)},
		{`22('a')`, new(any)},
		{`21(h'fbff')`, new(any)},
		{`23(h'fbff')`, new(any)},
		{`0("2024-02-29T12:00:00.5Z")`, new(any)},
		{`1(1709208000)`, new(any)},
		{`7000("x")`, new(any)},
		{`18446744073709551616`, new(any)},
		{`9223372036854775808`, new(any)},
		{`-9223372036854775809`, new(any)},
		{`NaN`, new(any)},
		{`[Infinity]`, new(any)},
		{`[undefined, simple(99)]`, new(any)},
		{`[simple(99)]`, new(any)},
		{`{'a': [1, -1, 1.5, true, null], "b": {}}`, new(any)},
		{`{'a': 1, 'a': 2}`, new(any)},
		{`{'a': 1, "a": 2}`, new(any)},
		{`{1: 2}`, new(any)},
		{`[_ (_ 'a', 'b')]`, new(any)},
		{`55799('a')`, new(any)},
		{`22('a')`, new(string)},
		{`21(h'fbff')`, new(string)},
		{`23(h'fbff')`, new(string)},
		{`'a'`, new(string)},
		{`"a"`, new(string)},
		{`22(h'ff')`, new([]byte)},
		{`'/w=='`, new([]byte)},
		{`"/w=="`, new([]byte)},
		{`'?'`, new([]byte)},
		{`[255]`, new([]byte)},
		{`1`, new(float64)},
		{`1.0`, new(int64)},
		{`1.5`, new(int64)},
		{`{'name': 'x', 'data': 22(h'0102'), 'count': 7, 'ratio': 1.5, 'notes': {'a': 'b'}}`, new(object)},
		{`{"name": "x", "data": "AQI=", "count": 7, "ratio": 2, "notes": {"a": "b"}}`, new(object)},
		{`{'count': 7, 'count': 8}`, new(object)},
		{`{'notes': null, 'data': null}`, new(object)},
		{`{'Count': 7}`, new(object)},
	} {
		t.Run(tt.text, func(t *testing.T) {
			b, err := cboritem.ParseDiagnostic(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			own, theirs := fresh(tt.into), fresh(tt.into)
			err, failed := cbor.Unmarshal(b, own, strict), kubernetes.Unmarshal(b, theirs)
			if (err == nil) != (failed == nil) {
				t.Errorf("%v %v, want %v %v", reflect.ValueOf(own).Elem(), err, reflect.ValueOf(theirs).Elem(), failed)
			} else if err == nil && !reflect.DeepEqual(own, theirs) {
				t.Errorf("%#v, want %#v", reflect.ValueOf(own).Elem(), reflect.ValueOf(theirs).Elem())
			}
		})
	}
}
