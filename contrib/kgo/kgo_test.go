package kgo_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	driver "github.com/twmb/franz-go/pkg/kgo"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/contrib/kgo"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// petV1 is what a pet was first.
type petV1 struct {
	FullName string `json:"fullName"`
}

type pet struct {
	First string `json:"first" check:"minLength=1"`
	Last  string `json:"last"`
}

func upgrade(p petV1) (pet, error) {
	first, last, ok := strings.Cut(p.FullName, " ")
	if !ok {
		return pet{}, errors.New("no last name")
	}
	return pet{first, last}, nil
}

// TestKafka produces records of several formats and versions to a broker, which kfake is, and consumes them by one codec.
func TestKafka(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.SeedTopics(1, "pets"))
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	client, err := driver.NewClient(driver.SeedBrokers(cluster.ListenAddrs()...), driver.ConsumeTopics("pets"))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()

	var records []*driver.Record
	add := func(r *driver.Record, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	for _, f := range []weft.Format{json.Format, msgpack.Format, cbor.Format, compress.Zstd(json.Format)} {
		add(kgo.New[petV1](f, 1).Record("pets", petV1{"rex " + f.Name()}))
		add(kgo.New[pet](f, 2).Record("pets", pet{"rex", f.Name()}))
	}
	if err := client.ProduceSync(t.Context(), records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
	codec := kgo.New(compress.Zstd(json.Format), 2, kgo.From(1, upgrade))
	var got []pet
	for len(got) < len(records) {
		fetches := client.PollFetches(t.Context())
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		fetches.EachRecord(func(r *driver.Record) {
			p, err := codec.Decode(r)
			if err != nil {
				t.Error(err)
			}
			got = append(got, p)
		})
	}
	for i, p := range got {
		if want := (pet{"rex", string(records[i].Headers[0].Value)}); p != want {
			t.Errorf("record %d: %+v, want %+v", i, p, want)
		}
	}
}

func TestDecode(t *testing.T) {
	codec := kgo.New(msgpack.Format, 2, kgo.From(1, upgrade))
	header := func(list ...string) (h []driver.RecordHeader) {
		for i := 0; i < len(list); i += 2 {
			h = append(h, driver.RecordHeader{Key: list[i], Value: []byte(list[i+1])})
		}
		return h
	}
	for _, tt := range []struct {
		name    string
		value   []byte
		headers []driver.RecordHeader
		want    string // the value, or a part of the error
	}{
		{"no headers", []byte("\x81\xa5first\xa3rex"), nil, "{rex }"},
		{"other headers", []byte("\x81\xa5first\xa3rex"), header("trace", "1"), "{rex }"},
		{"format", []byte(`{"first":"rex"}`), header("weft-format", "json"), "{rex }"},
		{"version", []byte("\x81\xa8fullName\xa5rex x"), header("weft-version", "1"), "{rex x}"},
		{"newer", []byte("\x80"), header("weft-version", "3"), "kgo: topic pets, partition 4, offset 5: version 3 of the type is not known"},
		{"no version", []byte("\x80"), header("weft-version", "v1"), `the version "v1" is not a number`},
		{"unknown format", []byte("\x80"), header("weft-format", "avro"), `the format "avro" is not known`},
		{"cannot upgrade", []byte(`{"fullName":"rex"}`), header("weft-format", "json", "weft-version", "1"), "no last name"},
		{"rule", []byte(`{"first":""}`), header("weft-format", "json"),
			"offset 5: json: at /first, offset 9: must have at least 1 character, not 0"},
		{"broken", []byte("\xc1"), nil, "msgpack: at offset 0"},
		{"tombstone", nil, nil, "kgo: the record has no value"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := codec.Decode(&driver.Record{Topic: "pets", Partition: 4, Offset: 5, Value: tt.value, Headers: tt.headers})
			if got := fmt.Sprint(p); err == nil && got != tt.want || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s, %v, want %s", got, err, tt.want)
			}
		})
	}
	if _, err := codec.Decode(&driver.Record{}); !errors.Is(err, kgo.ErrTombstone) {
		t.Error(err)
	}
}

func TestEncode(t *testing.T) {
	r := &driver.Record{Headers: []driver.RecordHeader{{Key: "weft-version", Value: []byte("1")}, {Key: "trace", Value: []byte("x")}}}
	before := r.Headers
	if err := kgo.New[chan int](json.Format, 1).Encode(r, nil); err == nil || r.Value != nil {
		t.Errorf("a channel has been written: %v", err)
	}
	if err := kgo.New[pet](json.Format, 2).Encode(r, pet{First: "rex"}); err != nil {
		t.Fatal(err)
	}
	want := []driver.RecordHeader{
		{Key: "trace", Value: []byte("x")},
		{Key: "weft-format", Value: []byte("json")},
		{Key: "weft-version", Value: []byte("2")},
	}
	if !reflect.DeepEqual(r.Headers, want) || string(before[0].Value) != "1" {
		t.Errorf("%s", r.Headers)
	}
}

func ExampleNew() {
	pets := kgo.New[pet](msgpack.Format, 2, kgo.From(1, upgrade))
	r, err := pets.Record("pets", pet{First: "rex"}) // for Produce of a client
	fmt.Printf("%q %s %v\n", r.Value, r.Headers, err)
	p, err := pets.Decode(r) // from Fetches of a client
	fmt.Println(p.First, err)
	// Output:
	// "\x82\xa5first\xa3rex\xa4last\xa0" [{weft-format msgpack} {weft-version 2}] <nil>
	// rex <nil>
}

func ExampleFrom() {
	old, err := kgo.New[petV1](json.Format, 1).Record("pets", petV1{"Rex Smith"})
	if err != nil {
		fmt.Println(err)
		return
	}
	pets := kgo.New(msgpack.Format, 2, kgo.From(1, upgrade))
	p, err := pets.Decode(old)
	fmt.Printf("%+v %v\n", p, err)
	// Output: {First:Rex Last:Smith} <nil>
}
