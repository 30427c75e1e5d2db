package temporal_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/contrib/temporal"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

type pet struct {
	Name string         `json:"name" check:"minLength=1"`
	Born time.Time      `json:"born"`
	Toys map[string]int `json:"toys"`
	Any  any            `json:"any,omitempty"`
}

func rename(_ context.Context, p pet, name string) (*pet, error) {
	p.Name = name
	return &p, nil
}

func renameTwice(ctx workflow.Context, p pet, names []string) (pet, error) {
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: time.Minute})
	for _, name := range names {
		if err := workflow.ExecuteActivity(ctx, rename, p, name).Get(ctx, &p); err != nil {
			return p, err
		}
	}
	return p, nil
}

// recorder keeps the encodings of payloads.
type recorder struct {
	converter.DataConverter
	seen map[string]bool
}

func (r recorder) ToPayloads(v ...any) (*commonpb.Payloads, error) {
	all, err := r.DataConverter.ToPayloads(v...)
	for _, p := range all.GetPayloads() {
		r.seen[string(p.GetMetadata()[converter.MetadataEncoding])] = true
	}
	return all, err
}

var rex = pet{"rex", time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), map[string]int{"ball": 1}, nil}

// TestWorkflow runs a workflow and its activities in the environment of the SDK.
func TestWorkflow(t *testing.T) {
	for f, encoding := range map[weft.Format]string{
		json.Format:    "json/plain",
		msgpack.Format: "binary/msgpack",
		cbor.Format:    "binary/cbor",
	} {
		t.Run(f.Name(), func(t *testing.T) {
			var suite testsuite.WorkflowTestSuite
			env := suite.NewTestWorkflowEnvironment()
			c := recorder{temporal.DataConverter(f), make(map[string]bool)}
			env.SetDataConverter(c)
			env.RegisterActivity(rename)
			env.ExecuteWorkflow(renameTwice, rex, []string{"max", "<tim>"})
			want, got := rex, pet{}
			want.Name = "<tim>"
			if err := errors.Join(env.GetWorkflowError(), env.GetWorkflowResult(&got)); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, %v", got, err)
			}
			if !reflect.DeepEqual(c.seen, map[string]bool{encoding: true}) {
				t.Errorf("encodings %v, want %s", c.seen, encoding)
			}
			env = suite.NewTestWorkflowEnvironment()
			env.SetDataConverter(c)
			env.RegisterActivity(rename)
			env.ExecuteWorkflow(renameTwice, rex, []string{""})
			if err := env.GetWorkflowError(); err == nil || !strings.Contains(err.Error(), "at /name") {
				t.Errorf("a rule: %v", err)
			}
		})
	}
}

// TestDefault reads what the SDK's own converter writesand vice versa.
func TestDefault(t *testing.T) {
	theirs := converter.GetDefaultDataConverter()
	for _, f := range []weft.Format{json.Format, msgpack.Format} {
		ours := temporal.DataConverter(f)
		for _, v := range []any{
			rex, &rex, "<text>", 1, 1.5, true, nil, []byte("bytes"), []int(nil), map[string]any{"b": 1.0, "a": nil},
			&commonpb.WorkflowType{Name: "x"},
		} {
			want, err := theirs.ToPayload(v)
			if err != nil {
				t.Fatal(err)
			}
			got, err := ours.ToPayload(v)
			if err != nil {
				t.Fatal(err)
			}
			same := string(got.GetData()) == string(want.GetData()) && reflect.DeepEqual(got.GetMetadata(), want.GetMetadata()) &&
				ours.ToString(got) == theirs.ToString(want)
			if f == weft.Format(json.Format) && !same {
				t.Errorf("%v: %v, want %v", v, got, want)
			}
			if v == nil {
				continue
			}
			a, b := reflect.New(reflect.TypeOf(v)), reflect.New(reflect.TypeOf(v))
			err = errors.Join(ours.FromPayload(want, a.Interface()), ours.FromPayload(got, b.Interface()))
			if err != nil || fmt.Sprint(a.Elem()) != fmt.Sprint(b.Elem()) && v != any(&rex) {
				t.Errorf("%v: %v, %v, %v", v, a.Elem(), b.Elem(), err)
			}
		}
		if _, err := ours.ToPayload(make(chan int)); !errors.Is(err, converter.ErrUnableToEncode) {
			t.Errorf("a channel: %v", err)
		}
		p, err := ours.ToPayload(map[string]string{"name": ""})
		if err == nil {
			err = ours.FromPayload(p, new(pet))
		}
		if located, ok := errors.AsType[*weft.Error](err); !ok || located.Path != "/name" || !errors.Is(err, converter.ErrUnableToDecode) {
			t.Errorf("a rule: %v", err)
		}
	}
}

func TestToString(t *testing.T) {
	for _, f := range []weft.Format{json.Format, msgpack.Format, cbor.Format} {
		c := temporal.PayloadConverter(f)
		p, err := c.ToPayload(map[string]any{"a": []int{1, 2}})
		if got := c.ToString(p); err != nil || got != `{"a":[1,2]}` {
			t.Errorf("%s: %s, %v", f.Name(), got, err)
		}
	}
	if got := temporal.PayloadConverter(msgpack.Format).ToString(&commonpb.Payload{Data: []byte{0xc1}}); !strings.HasPrefix(got, "msgpack: ") {
		t.Error(got)
	}
}

func ExampleDataConverter() {
	c := temporal.DataConverter(msgpack.Format) // for client.Options
	p, err := c.ToPayload(map[string]int{"age": 3})
	fmt.Printf("%s %q %s %v\n", p.GetMetadata()["encoding"], p.GetData(), c.ToString(p), err)
	// Output: binary/msgpack "\x81\xa3age\x03" {"age":3} <nil>
}

func ExamplePayloadConverter() {
	c := converter.NewCompositeDataConverter(temporal.PayloadConverter(cbor.Format), temporal.PayloadConverter(json.Format))
	var age int
	err := c.FromPayload(&commonpb.Payload{Metadata: map[string][]byte{"encoding": []byte("json/plain")}, Data: []byte("3")}, &age)
	fmt.Println(age, err)
	// Output: 3 <nil>
}
