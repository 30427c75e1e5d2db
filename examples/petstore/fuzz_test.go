package main

import (
	"reflect"
	"testing"

	"github.com/weftcodec/weft/examples/petstore/api"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/schema"
)

// Whatever is read is valid, and comes back equal.
func FuzzReadJSON(f *testing.F) {
	for _, text := range []string{
		`{"total":1,"pets":[{"name":"Rex","kind":"dog","owner":null,"tags":["a"],"id":1,"added":"2026-04-01T12:00:00Z",` +
			`"chip":null,"home":{"bars":12,"type":"cage"}}],"next":""}`,
		`{"total":0,"pets":[]}`, `{"pets":[{}]}`, `null`, `{"total":-1,"pets":[],"x":[{}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var v, w api.PetList
		if json.Unmarshal(text, &v) != nil {
			return
		}
		if err := schema.Validate(&v); err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &w); err != nil || !reflect.DeepEqual(v, w) {
			t.Fatalf("%v: %s", err, b)
		}
	})
}

func FuzzReadMsgpack(f *testing.F) {
	for _, v := range []api.PetList{
		{Pets: []api.Pet{{Name: "Rex", Kind: api.KindDog, ID: 1}}},
		{},
	} {
		b, err := msgpack.Marshal(&v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var v, w api.PetList
		if msgpack.Unmarshal(text, &v) != nil {
			return
		}
		if err := schema.Validate(&v); err != nil {
			t.Fatal(err)
		}
		b, err := msgpack.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		if err := msgpack.Unmarshal(b, &w); err != nil {
			t.Fatalf("%v: %x", err, b)
		}
		b2, err := msgpack.Marshal(&w)
		if err != nil || len(b) != len(b2) {
			t.Fatalf("%v: %x, then %x", err, b, b2)
		}
	})
}
