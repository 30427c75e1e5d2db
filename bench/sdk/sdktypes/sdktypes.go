// Package sdktypes has the types of package sdk, and links all that their modules have.
package sdktypes

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-github/v84/github"
	"github.com/moby/moby/api/types/container"
	"github.com/stripe/stripe-go/v83"
	gitlab "gitlab.com/gitlab-org/api/client-go"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/bench/sdk"
)

// source is a type, and how its documents are made.
type source struct {
	name  string
	owner string
	new   func() any
	list  string // the field whose length makes a document small or large, "" for the value itself
}

var sources = []source{
	{"k8s pods", "k8s.io/", func() any { return new(core.PodList) }, "Items"},
	{"github pulls", "github.com/google/go-github/", func() any { return new([]*github.PullRequest) }, ""},
	{"github events", "github.com/google/go-github/", func() any { return new([]*github.Event) }, ""},
	{"aws gateway", "github.com/aws/aws-lambda-go/", func() any { return new([]events.APIGatewayProxyRequest) }, ""},
	{"aws s3", "github.com/aws/aws-lambda-go/", func() any { return new(events.S3Event) }, "Records"},
	{"gitlab merges", "gitlab.com/gitlab-org/", func() any { return new([]*gitlab.MergeRequest) }, ""},
	{"docker containers", "github.com/moby/moby/", func() any { return new([]container.InspectResponse) }, ""},
	{"stripe charges", "github.com/stripe/stripe-go/", func() any { return new([]*stripe.Charge) }, ""},
}

// codecs write values as their types' MarshalJSON does.
var codecs = []weft.Codec{weft.Adapt(func(q resource.Quantity) string { return q.String() }, resource.ParseQuantity)}

// made are the types whose values cannot be had by setting fields.
var made = map[reflect.Type]func(f *filler) any{
	reflect.TypeFor[resource.Quantity](): func(f *filler) any {
		return *resource.NewMilliQuantity(int64(f.IntN(8000)), resource.DecimalSI)
	},
	reflect.TypeFor[intstr.IntOrString](): func(f *filler) any {
		if f.IntN(2) == 0 {
			return intstr.FromString(f.word())
		}
		return intstr.FromInt32(int32(f.IntN(9000)))
	},
}

// Bounds of the documents' sizes in bytes.
const (
	smallFrom, smallTo = 1 << 10, 3 << 10
	largeFrom, largeTo = 200 << 10, 1 << 20
)

// All returns the documents in the order in which tables show them, of each type a small one and a large one.
func All() []sdk.Document {
	var all []sdk.Document
	for _, s := range sources {
		all = append(all,
			sdk.Document{Corpus: corpus.Corpus{Name: s.name + " small", Data: s.small, New: s.new}, Owner: s.owner, Codecs: codecs},
			sdk.Document{Corpus: corpus.Corpus{Name: s.name + " large", Data: s.large, New: s.new}, Owner: s.owner, Codecs: codecs})
	}
	return append(all, toolchain()...)
}

// items returns the list that makes v small or large.
func (s *source) items(v any) reflect.Value {
	e := reflect.ValueOf(v).Elem()
	if s.list != "" {
		e = e.FieldByName(s.list)
	}
	return e
}

// value returns a value with n items, filled as densely as density says.
func (s *source) value(n int, density float64) any {
	f := newFiller(density)
	v := s.new()
	if s.list != "" {
		f.fill(reflect.ValueOf(v).Elem(), 0)
	}
	list := s.items(v)
	list.Set(reflect.MakeSlice(list.Type(), n, n))
	for i := range n {
		f.must(list.Index(i))
	}
	return v
}

// small returns the densest document of few items that is small enough.
func (s *source) small() ([]byte, error) {
	for n := 1; n < 100; n++ {
		for density := 1.0; density > 0.02; density *= 0.9 {
			text, err := json.Marshal(s.value(n, density))
			if err != nil {
				return nil, fmt.Errorf("sdktypes: %s: %w", s.name, err)
			}
			if len(text) < smallFrom {
				break
			}
			if len(text) <= smallTo {
				return text, nil
			}
		}
	}
	return nil, fmt.Errorf("sdktypes: %s: no small document", s.name)
}

// large returns a document of as many items as make it large.
func (s *source) large() ([]byte, error) {
	for n := 1; ; n *= 2 {
		text, err := json.Marshal(s.value(n, largeDensity))
		if err != nil {
			return nil, fmt.Errorf("sdktypes: %s: %w", s.name, err)
		}
		if largeTo < len(text) {
			return nil, fmt.Errorf("sdktypes: %s: no large document", s.name)
		}
		if largeFrom <= len(text) {
			return text, nil
		}
	}
}

// largeDensity is the density of large documents: half of what may be missing is.
const largeDensity = 0.5
