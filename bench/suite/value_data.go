package suite

import (
	"time"

	"github.com/weftcodec/weft/value"
)

// The data of the value group: a struct of two strings, ten fields, nested
// structs and a thousand elements.
type (
	valuePair struct {
		Foo string `json:"foo" mapstructure:"foo"`
		Bar string `json:"bar" mapstructure:"bar"`
	}
	valueTen struct {
		ID      int64     `json:"id" mapstructure:"id"`
		Name    string    `json:"name" mapstructure:"name"`
		Email   string    `json:"email" mapstructure:"email"`
		Age     int       `json:"age" mapstructure:"age"`
		Score   float64   `json:"score" mapstructure:"score"`
		Active  bool      `json:"active" mapstructure:"active"`
		Created time.Time `json:"created" mapstructure:"created"`
		City    string    `json:"city" mapstructure:"city"`
		Rank    uint32    `json:"rank" mapstructure:"rank"`
		Note    *string   `json:"note" mapstructure:"note"`
	}
	valueNested struct {
		Head  valuePair   `json:"head" mapstructure:"head"`
		Owner *valueTen   `json:"owner" mapstructure:"owner"`
		Items []valuePair `json:"items" mapstructure:"items"`
		Sizes []float64   `json:"sizes" mapstructure:"sizes"`
	}
)

// valueSample is one Go value that is turned into a Value and back.
type valueSample struct {
	key, name string
	in        any // a pointer
	// The same by hand; out has the type of in, and what it points at is zero.
	toValue   func() value.Value
	fromValue func(v value.Value, out any)
}

func valueSamples() []valueSample {
	p := valuePair{"foo value", "bar value"}
	m := map[string]string{"foo": p.Foo, "bar": p.Bar}
	note := "a note"
	ten := valueTen{1, "Ada", "ada@example.com", 36, 9.5, true, time.Date(2024, 1, 2, 3, 4, 5, 6, time.UTC), "London", 3, &note}
	nested := valueNested{p, &ten, []valuePair{p, p, p}, []float64{1, 2.5, 3}}
	many := make([]valueTen, 1000)
	for i := range many {
		many[i] = ten
	}
	return []valueSample{
		{"struct", "struct of two strings", &p,
			func() value.Value { return pairByHand(&p) },
			func(v value.Value, out any) { pairFrom(v, out.(*valuePair)) }},
		{"map", "map of two strings", &m,
			func() value.Value {
				members := make([]value.Member, 0, len(m))
				for k, x := range m {
					members = append(members, value.Member{Name: k, Value: value.String(x)})
				}
				return value.Map(members...)
			},
			func(v value.Value, to any) {
				out := make(map[string]string, v.Len())
				for k, x := range v.Members() {
					out[k], _ = x.Text()
				}
				*to.(*map[string]string) = out
			}},
		{"ten", "ten fields", &ten,
			func() value.Value { return tenByHand(&ten) },
			func(v value.Value, out any) { tenFrom(v, out.(*valueTen)) }},
		{"nested", "nested structs", &nested,
			func() value.Value {
				items := make([]value.Value, len(nested.Items))
				for i := range items {
					items[i] = pairByHand(&nested.Items[i])
				}
				sizes := make([]value.Value, len(nested.Sizes))
				for i := range sizes {
					sizes[i] = value.Float(nested.Sizes[i])
				}
				return value.Map(value.Member{Name: "head", Value: pairByHand(&nested.Head)}, value.Member{Name: "owner", Value: tenByHand(nested.Owner)},
					value.Member{Name: "items", Value: value.List(items...)}, value.Member{Name: "sizes", Value: value.List(sizes...)})
			},
			func(v value.Value, to any) {
				out := to.(*valueNested)
				out.Owner = new(valueTen)
				x, _ := v.Get("head")
				pairFrom(x, &out.Head)
				x, _ = v.Get("owner")
				tenFrom(x, out.Owner)
				x, _ = v.Get("items")
				out.Items = make([]valuePair, x.Len())
				for i, e := range x.All() {
					pairFrom(e, &out.Items[i])
				}
				x, _ = v.Get("sizes")
				out.Sizes = make([]float64, x.Len())
				for i, e := range x.All() {
					out.Sizes[i], _ = e.Float()
				}
			}},
		{"1000", "1,000 of ten fields", &many,
			func() value.Value {
				elems := make([]value.Value, len(many))
				for i := range elems {
					elems[i] = tenByHand(&many[i])
				}
				return value.List(elems...)
			},
			func(v value.Value, to any) {
				out := make([]valueTen, v.Len())
				for i, e := range v.All() {
					tenFrom(e, &out[i])
				}
				*to.(*[]valueTen) = out
			}},
	}
}

func pairByHand(p *valuePair) value.Value {
	return value.Map(value.Member{Name: "foo", Value: value.String(p.Foo)}, value.Member{Name: "bar", Value: value.String(p.Bar)})
}

func pairFrom(v value.Value, p *valuePair) {
	x, _ := v.Get("foo")
	p.Foo, _ = x.Text()
	x, _ = v.Get("bar")
	p.Bar, _ = x.Text()
}

func tenByHand(t *valueTen) value.Value {
	note := value.Null()
	if t.Note != nil {
		note = value.String(*t.Note)
	}
	return value.Map(
		value.Member{Name: "id", Value: value.Int(t.ID)}, value.Member{Name: "name", Value: value.String(t.Name)},
		value.Member{Name: "email", Value: value.String(t.Email)}, value.Member{Name: "age", Value: value.Int(int64(t.Age))},
		value.Member{Name: "score", Value: value.Float(t.Score)}, value.Member{Name: "active", Value: value.Bool(t.Active)},
		value.Member{Name: "created", Value: value.Time(t.Created)}, value.Member{Name: "city", Value: value.String(t.City)},
		value.Member{Name: "rank", Value: value.Uint(uint64(t.Rank))}, value.Member{Name: "note", Value: note})
}

func tenFrom(v value.Value, t *valueTen) {
	get := func(name string) value.Value {
		x, _ := v.Get(name)
		return x
	}
	t.ID, _ = get("id").Int()
	t.Name, _ = get("name").Text()
	t.Email, _ = get("email").Text()
	age, _ := get("age").Int()
	t.Age = int(age)
	t.Score, _ = get("score").Float()
	t.Active, _ = get("active").Bool()
	t.Created, _ = get("created").Time()
	t.City, _ = get("city").Text()
	rank, _ := get("rank").Uint()
	t.Rank = uint32(rank)
	if note := get("note"); !note.IsNull() {
		s, _ := note.Text()
		t.Note = &s
	}
}
