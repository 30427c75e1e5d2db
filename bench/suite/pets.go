package suite

import (
	"bytes"
	"fmt"
	"reflect"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/examples/petstore/api"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/opt/slim"
	"github.com/weftcodec/weft/schema"

	"github.com/weftcodec/weft/bench/harness"
)

// The types of the pet store's list without rules, but for those that say which home is which.
type (
	looseList struct {
		Total int64              `json:"total"`
		Pets  []loosePet         `json:"pets"`
		Next  slim.Field[string] `json:"next,omitzero"`
	}
	loosePet struct {
		Name    string             `json:"name"`
		Kind    string             `json:"kind"`
		Nick    slim.Val[string]   `json:"nick,omitzero"`
		Owner   slim.Field[string] `json:"owner,omitzero"`
		Born    slim.Val[opt.Date] `json:"born,omitzero"`
		Weight  slim.Val[float64]  `json:"weight,omitzero"`
		Tags    []string           `json:"tags,omitzero"`
		Labels  map[string]string  `json:"labels,omitzero"`
		ID      int64              `json:"id"`
		Added   time.Time          `json:"added"`
		Chip    slim.Null[string]  `json:"chip"`
		Parents []loosePet         `json:"parents,omitzero"`
		Home    looseHome          `json:"home,omitzero"`
	}
	looseHome        struct{ V looseHomeVariant }
	looseHomeVariant interface{ isLooseHome() }
	looseCage        struct {
		Type string `json:"type"`
		Bars int32  `json:"bars"`
	}
	looseTank struct {
		Type   string         `json:"type"`
		Litres float64        `json:"litres"`
		Salt   slim.Val[bool] `json:"salt,omitzero"`
	}
)

func (*looseCage) isLooseHome() {}
func (*looseTank) isLooseHome() {}

// WeftRules implements [weft.Ruled].
func (*looseHome) WeftRules() weft.Rules {
	return weft.Rules{Union: &weft.Variants{
		Cases:         []weft.UnionCase{weft.Variant[*looseCage]("cage"), weft.Variant[*looseTank]("tank")},
		Discriminator: "type",
	}}
}

// petPage returns a page of n pets that have all members.
func petPage(n int) *api.PetList {
	page := &api.PetList{Total: int64(n), Next: slim.FieldOf("page 2")}
	for i := range n {
		p := api.Pet{
			ID: int64(i + 1), Name: fmt.Sprintf("Rex the %dth", i), Kind: api.KindDog,
			Nick: slim.ValOf("rexy"), Owner: slim.FieldOf("Ann Example"), Born: slim.ValOf(opt.Date{Year: 2020, Month: 2, Day: 1 + i%28}),
			Weight: slim.ValOf(12.5 + float64(i%7)), Tags: []string{"loud", "friendly", "house-trained"},
			Labels: map[string]string{"colour": "brown", "size": "large"}, Added: time.Date(2026, 4, 1, 12, i%60, 0, 0, time.UTC),
			Chip: slim.NullOf(fmt.Sprintf("01234567-89ab-cdef-0123-%012x", i)),
			Home: api.Home{V: &api.Cage{Type: "cage", Bars: 12}},
		}
		if i%2 == 1 {
			p.Kind, p.Home.V = api.KindFish, &api.Tank{Type: "tank", Litres: 40.5, Salt: slim.ValOf(true)}
		}
		page.Pets = append(page.Pets, p)
	}
	return page
}

// petContests are the page of pets with rules, beside the same struct without rules.
func petContests() (list []*harness.Contest, err error) {
	page := petPage(200)
	if err := schema.Validate(page); err != nil {
		return nil, err
	}
	for _, f := range []weft.Format{json.Format, msgpack.Format} {
		doc, err := f.MarshalAppend(nil, page)
		if err != nil {
			return nil, err
		}
		loose := new(looseList)
		if err := f.Unmarshal(doc, loose); err != nil {
			return nil, err
		}
		for _, op := range []string{"decode", "append"} {
			c := &harness.Contest{Group: "openapi", Corpus: "page of pets with rules", Op: f.Name() + " " + op, Bytes: len(doc), Ref: "without rules"}
			for _, v := range []any{loose, page} {
				k := harness.Case{Name: "without rules", Class: "weft", Size: len(doc), Note: "(checks nothing)"}
				if v == any(page) {
					k.Name, k.Note = generatedName, "(checks all)"
				}
				var room []byte
				fresh := func() any { return reflect.New(reflect.TypeOf(v).Elem()).Interface() }
				k.Run = func() { room, _ = f.MarshalAppend(room[:0], v) }
				if op == "decode" {
					k.Run = func() { _ = f.Unmarshal(doc, fresh()) }
				}
				k.Check = func() (string, error) {
					w := fresh()
					if err := f.Unmarshal(doc, w); err != nil {
						return "", err
					}
					text, err := f.MarshalAppend(nil, w)
					if err == nil && len(text) != len(doc) || !reflect.DeepEqual(v, w) {
						err = fmt.Errorf("is written as %.100q", text)
					}
					bad := bytes.Replace(doc, []byte("house-trained"), []byte("HOUSE-trained"), 1)
					if err == nil && (f.Unmarshal(bad, fresh()) == nil) != (k.Name == "without rules") {
						err = fmt.Errorf("a tag that the pattern refuses is taken with rules, or refused without")
					}
					return "", err
				}
				c.Cases = append(c.Cases, k)
			}
			list = append(list, c)
		}
	}
	return list, nil
}

// petRatios runs the contests and returns how many times the time of the struct without rules the one with rules takes.
func petRatios(r *Runner) (out []string, err error) {
	list, err := petContests()
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		rows, err := r.contest(c)
		if err != nil {
			return nil, err
		}
		own, other := find(rows, generatedName), find(rows, c.Ref)
		if own == nil || other == nil || !own.Timed() || !other.Timed() {
			return nil, fmt.Errorf("%s: a row is missing", c.Op)
		}
		ratio, _ := other.Versus(own)
		out = append(out, fmt.Sprintf("rules-%s=%.2f", hyphens(c.Op), ratio.Median))
	}
	return out, nil
}
