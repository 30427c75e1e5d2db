package value_test

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/weftcodec/weft/value"
)

func ExampleNull() {
	v := value.Null()
	fmt.Println(v, v.IsNull(), v.Equal(value.Value{}))
	// Output: null true true
}

func ExampleBool() {
	b, ok := value.Bool(true).Bool()
	fmt.Println(b, ok)
	// Output: true true
}

func ExampleInt() {
	v := value.Int(-5)
	i, ok := v.Int()
	fmt.Println(v.Kind(), i, ok)
	_, ok = v.Uint()
	fmt.Println("as a uint64:", ok)
	// Output:
	// int -5 true
	// as a uint64: false
}

func ExampleUint() {
	u, ok := value.Uint(1 << 63).Uint()
	_, signed := value.Uint(1 << 63).Int()
	fmt.Println(u, ok, signed)
	// Output: 9223372036854775808 true false
}

func ExampleFloat() {
	v := value.Float(2.5)
	f, _ := v.Float()
	_, whole := v.Int()
	i, ok := value.Float(3).Int()
	fmt.Println(f, whole, i, ok)
	// Output: 2.5 false 3 true
}

func ExampleNumber() {
	v, err := value.Number("0.10000000000000000000000001")
	fmt.Println(v, err) // to the last digit
	_, err = value.Number("1,5")
	fmt.Println(err)
	// Output:
	// 0.10000000000000000000000001 <nil>
	// value: not a number in JSON's grammar: "1,5"
}

func ExampleString() {
	v := value.String("text")
	s, ok := v.Text()
	fmt.Println(s, ok, v.Len())
	// Output: text true 4
}

func ExampleBytes() {
	b := []byte("hi")
	v := value.Bytes(b)
	b[0] = 'H' // v has a copy
	got, _ := v.Bytes()
	fmt.Printf("%s %v\n", got, v)
	// Output: hi "aGk="
}

func ExampleTime() {
	zone := time.FixedZone("", 3600)
	v := value.Time(time.Date(2024, 1, 2, 3, 4, 5, 678901234, zone))
	t, ok := v.Time()
	fmt.Println(t.Nanosecond(), ok, v.Equal(value.Time(t.UTC())))
	// Output: 678901234 true true
}

func ExampleExt() {
	v := value.Ext(7, []byte{0xab, 0xcd})
	typ, data, ok := v.Ext()
	fmt.Println(typ, data, ok)
	// Output: 7 [171 205] true
}

func ExampleList() {
	v := value.List(value.Int(1), value.String("two"))
	fmt.Println(v, v.Len(), v.At(1))
	// Output: [1,"two"] 2 two
}

func ExampleListOf() {
	v := value.List(value.Int(3), value.Int(1), value.Int(2))
	sorted := value.ListOf(slices.Values(slices.SortedFunc(v.Values(), value.Compare)))
	fmt.Println(sorted)
	// Output: [1,2,3]
}

func ExampleMap() {
	v := value.Map(
		value.Member{Name: "b", Value: value.Int(1)},
		value.Member{Name: "a", Value: value.Int(2)},
		value.Member{Name: "b", Value: value.Int(3)}, // the last one counts, in the place of the first
	)
	fmt.Println(v, v.Sorted())
	// Output: {"b":3,"a":2} {"a":2,"b":3}
}

func ExampleMapOf() {
	v := value.Map(value.Member{Name: "a", Value: value.Int(1)}, value.Member{Name: "b", Value: value.Int(2)})
	m := maps.Collect(v.Members())
	m["c"] = value.Int(3)
	fmt.Println(value.MapOf(maps.All(m)).Sorted())
	// Output: {"a":1,"b":2,"c":3}
}

func ExampleMapSorted() {
	fmt.Println(value.MapSorted(map[string]value.Value{"b": value.Int(2), "a": value.Int(1)}))
	// Output: {"a":1,"b":2}
}

func ExampleCompare() {
	vs := []value.Value{value.String("x"), value.Float(1.5), value.Null(), value.Uint(1), value.Bool(true), value.Int(2)}
	slices.SortFunc(vs, value.Compare)
	fmt.Println(vs)
	// Output: [null true 1 1.5 2 x]
}

func ExampleEqual() {
	a := []value.Value{value.Int(1), value.String("x")}
	b := []value.Value{value.Float(1), value.String("x")}
	fmt.Println(slices.EqualFunc(a, b, value.Equal))
	// Output: true
}

func ExampleKind() {
	for _, v := range []value.Value{value.Float(1), value.List()} {
		fmt.Println(v.Kind().String(), v.Kind().IsNumber())
	}
	// Output:
	// float true
	// list false
}

func ExampleFloat32() {
	v := value.Float32(0.1) // written as 0.1, in four bytes where the format can
	fmt.Println(v, v.Kind())
	// Output: 0.1 float
}
