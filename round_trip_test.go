package weft_test

import (
	"database/sql"
	stdjson "encoding/json"
	"fmt"
	"log/slog"
	"math"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/sample"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/value"
)

// Keys of maps that have another text than their kind says.
type (
	textKey    string // by methods of its own
	ptrTextKey string // by methods of its address
	ptrIntKey  int
	structKey  struct{ s string }
	foldKey    string // two of one text
	onlyWrites string // that is not what it reads
)

func (k textKey) MarshalText() ([]byte, error)     { return []byte("<" + k), nil }
func (k *textKey) UnmarshalText(b []byte) error    { return cutKey((*string)(k), b) }
func (k *ptrTextKey) MarshalText() ([]byte, error) { return []byte("<" + *k), nil }
func (k *ptrTextKey) UnmarshalText(b []byte) error { return cutKey((*string)(k), b) }
func (k *structKey) MarshalText() ([]byte, error)  { return []byte("<" + k.s), nil }
func (k *structKey) UnmarshalText(b []byte) error  { return cutKey(&k.s, b) }
func (k foldKey) MarshalText() ([]byte, error)     { return []byte("<" + strings.ToLower(string(k))), nil }
func (k *foldKey) UnmarshalText(b []byte) error    { return cutKey((*string)(k), b) }
func (k onlyWrites) MarshalText() ([]byte, error)  { return []byte("<" + k), nil }
func (k *ptrIntKey) MarshalText() ([]byte, error)  { return []byte("<" + strconv.Itoa(int(*k))), nil }
func (k *ptrIntKey) UnmarshalText(b []byte) (e error) {
	var s string
	if e = cutKey(&s, b); e == nil {
		*(*int)(k), e = strconv.Atoi(s)
	}
	return e
}

// cutKey sets s to the text without the sign that it begins with.
func cutKey(s *string, text []byte) error {
	rest, ok := strings.CutPrefix(string(text), "<")
	if *s = rest; !ok {
		return fmt.Errorf("%q is not a key", text)
	}
	return nil
}

// Types with parts that only methods for JSON know.
type (
	jsonOnly  struct{ s string }
	jsonMixed struct {
		Kind string
		rest stdjson.RawMessage
	}
	jsonCached struct {
		N     int
		cache int `weft:"-"`
		//lint:ignore U1000 it is there to be passed over
		mu *sync.Mutex
	}
	jsonWrites struct{ s string }
	jsonLooks  struct {
		N int
		//lint:ignore U1000 it is there to be passed over
		cache int
	}
	jsonHolder struct {
		jsonMixed
		A int
	}
)

func (v jsonOnly) MarshalJSON() ([]byte, error)  { return stdjson.Marshal(v.s) }
func (v *jsonOnly) UnmarshalJSON(b []byte) error { return stdjson.Unmarshal(b, &v.s) }
func (v jsonMixed) MarshalJSON() ([]byte, error) { return stdjson.Marshal([]any{v.Kind, v.rest}) }
func (v *jsonMixed) UnmarshalJSON(b []byte) error {
	return stdjson.Unmarshal(b, &[]any{&v.Kind, &v.rest})
}
func (v *jsonCached) MarshalJSON() ([]byte, error) { return stdjson.Marshal(v.N) }
func (v *jsonCached) UnmarshalJSON(b []byte) error { return stdjson.Unmarshal(b, &v.N) }
func (v jsonWrites) MarshalJSON() ([]byte, error)  { return stdjson.Marshal(v.s) }
func (v jsonLooks) MarshalJSON() ([]byte, error)   { return stdjson.Marshal(map[string]int{"N": v.N}) }

type wrapped[V any] struct{ V V }

func (wrapped[V]) WeftRules() weft.Rules { return weft.Rules{Strict: true, Wrapper: true} }

type (
	needed struct {
		A int `json:"a" check:"required"`
	}
	nilNeeded struct {
		*needed
		B int `json:"b"`
	}
	unnamedKey struct{ A, b int }
	self       struct {
		Next *self
		Kids []*self
		By   map[string]self
	}
	ints8 [3]int8
)

// roundTrips are values and what becomes of them: they are read as they were, or there is an error that says err.
// An entry of but is another error of one format, or "differs", which documentation says.
var roundTrips = []struct {
	name string
	v    any
	err  string
	but  map[string]string
}{
	{"string keys of texts", map[textKey]int{"a": 1}, "", map[string]string{"json": `"a" is not a key`}},
	{"in lists", []map[textKey]any{{"a": "x"}}, "", map[string]string{"json": `"a" is not a key`}},
	{"in structs", struct{ M map[textKey]string }{map[textKey]string{"a": "x"}}, "", map[string]string{"json": `"a" is not a key`}},
	{"string keys of texts by address", map[ptrTextKey]int{"a": 1}, "", map[string]string{"json": `"a" is not a key`}},
	{"integer keys of texts by address", map[ptrIntKey]int{5: 1}, "", map[string]string{"json": `"5" is not a key`}},
	{"struct keys of texts by address", map[structKey]int{{"a"}: 1}, "", map[string]string{"json": "unsupported type"}},
	{"keys of one text", map[foldKey]int{"A": 1, "a": 2}, "duplicate member name", map[string]string{"json": `is not a key`}},
	{"keys that are only written", map[onlyWrites]int{"a": 1}, "", map[string]string{"json V2": "differs", "msgpack": "differs",
		"msgpack arrays": "differs", "cbor": "differs", "cbor arrays": "differs"}},

	{"an option of an absent option", opt.ValOf(opt.Val[int]{}), "", nil},
	{"in a member", struct{ O opt.Val[opt.Val[int]] }{opt.ValOf(opt.Val[int]{})}, "", nil},
	{"in a member that may be left out", struct {
		O opt.Val[opt.Val[int]] `json:"o,omitzero"`
	}{opt.ValOf(opt.Val[int]{})}, "", nil},
	{"absent in a member", struct{ O opt.Val[opt.Val[int]] }{}, "", nil},
	{"an option of null", struct{ O opt.Val[opt.Null[int]] }{opt.ValOf(opt.Null[int]{})}, "", nil},
	{"null of null", struct{ O opt.Null[opt.Null[int]] }{opt.NullOf(opt.Null[int]{})}, "", nil},
	{"options in lists", []opt.Val[int]{{}, opt.ValOf(1)}, "", nil},

	{"a wrapper of a nil list", wrapped[[]int]{}, "differs", nil}, // it is empty
	{"in lists", []wrapped[[]int]{{}, {[]int{1}}}, "differs", nil},
	{"a wrapper of a nil map", wrapped[map[string]int]{}, "differs", nil},
	{"a wrapper of nil bytes", wrapped[[]byte]{}, "differs", nil},
	{"a wrapper of a nil pointer", wrapped[*int]{}, "have wrapped", nil},
	{"a wrapper of an absent option", wrapped[opt.Val[int]]{}, "have wrapped", nil},
	{"a wrapper of null", wrapped[opt.Null[int]]{}, "", nil},
	{"a wrapper of a nil interface", wrapped[any]{}, "", nil},

	{"required behind nil", nilNeeded{B: 1}, `missing required member "a"`, map[string]string{"msgpack arrays": "", "cbor arrays": ""}},

	{"keys of several types", map[any]int{1: 1, int64(1): 2}, "duplicate member name", noAnyKeys},
	{"a name and a string", map[any]int{"a": 1, textString("a"): 2}, "duplicate member name", noAnyKeys},
	{"keys in a dynamic map", []any{map[any]any{"x": map[any]any{uint8(1): 1, 1: 2}}}, "at /0/x/1: duplicate member name", noAnyKeys},
	{"different keys", map[any]int{int64(1): 1, "1": 2, int64(-1): 4, "b": 5}, "", map[string]string{"json": "unsupported",
		"json V2": "duplicate", "tagged": "cannot be", "framed": "cannot be", "value": "cannot be"}},
	{"different keys, one a bool", map[any]int{int64(1): 1, "2": 2, true: 3, int64(-1): 4, "b": 5}, "", map[string]string{
		"json": "unsupported", "json V2": "unsupported", "tagged": "cannot be", "framed": "cannot be", "value": "cannot be"}},
	{"strings", map[any]int{"a": 1, "b": 2}, "", map[string]string{"json": "unsupported type", "tagged": "cannot be names",
		"framed": "cannot be names", "value": "cannot be names"}},
	{"keys with parts that are not written", map[unnamedKey]int{{1, 1}: 1, {1, 2}: 2}, "duplicate member name", map[string]string{
		"json": "unsupported", "json V2": "unsupported", "tagged": "cannot be", "framed": "cannot be", "value": "cannot be"}},
	{"instants of two zones", map[time.Time]int{time.Unix(5, 0).UTC(): 1, time.Unix(6, 0).In(time.FixedZone("", 60)): 2}, "", nil},

	{"what only MarshalJSON knows", jsonOnly{"x"}, "field s: it is not exported and MarshalJSON is not called", forJSON},
	{"behind a pointer", struct{ P *jsonOnly }{&jsonOnly{"x"}}, "MarshalJSON is not called", forJSON},
	{"in a map", map[string]jsonOnly{"a": {"x"}}, "MarshalJSON is not called", forJSON},
	{"beside members", []jsonMixed{{"a", stdjson.RawMessage(`1`)}}, "field rest: it is not exported and MarshalJSON is not called", forJSON},
	{"embedded", jsonHolder{jsonMixed{"a", stdjson.RawMessage(`1`)}, 0}, "field jsonMixed.rest: it is not exported", forJSON},
	{"hidden by a tag", &jsonCached{N: 5, cache: 0}, "", nil},
	{"written for JSON", jsonWrites{"x"}, "MarshalJSON is not called", map[string]string{"json": "jsonWrites", "json V2": "jsonWrites"}},
	{"written otherwise for JSON", jsonLooks{N: 5}, "", nil},

	{"numbers of many digits", []stdjson.Number{"0.12345678901234567890123", "12345678901234567890123", "1e400", "-1e-400", "-0", "0.1"},
		"", nil},
	{"in members", struct{ N stdjson.Number }{"18446744073709551616"}, "", nil},

	{"netip.Addr", []netip.Addr{netip.MustParseAddr("1.2.3.4"), netip.MustParseAddr("fe80::1%eth0"), {}}, "", nil},
	{"netip.AddrPort", netip.MustParseAddrPort("[::1]:80"), "", nil},
	{"netip.Prefix", map[netip.Prefix]bool{netip.MustParsePrefix("10.0.0.0/8"): true}, "", nil},
	{"net.IP", []net.IP{net.IPv4(1, 2, 3, 4), net.ParseIP("::1"), nil}, "", nil},
	{"net.IPNet", net.IPNet{IP: net.IPv4(1, 2, 3, 0), Mask: net.CIDRMask(24, 32)}, "", nil},
	{"net.HardwareAddr", net.HardwareAddr{1, 2, 3}, "", nil},
	{"url.URL", &url.URL{Scheme: "http", Host: "a.b", Path: "/c", User: url.UserPassword("u", "p")}, "",
		map[string]string{"json": "differs", "json V2": "no exported fields", "tagged": "differs", "framed": "differs",
			"value": "no field is exported"}},
	{"url.Values", url.Values{"a": {"b", "c"}}, "", nil},
	{"http.Header", http.Header{"A": {"b"}, "C": nil}, "", nil},
	{"http.Cookie", http.Cookie{Name: "a", Value: "b", Expires: time.Unix(1e9, 0).UTC(), SameSite: 2}, "", nil},
	{"time.Time", []time.Time{{}, time.Unix(1e9, 5), time.Unix(-1e10, 999).UTC(), time.Unix(5, 0).In(time.FixedZone("x", 3600))}, "", nil},
	{"time.Duration", []time.Duration{0, 5, math.MinInt64}, "", map[string]string{"json V2": "needs a format"}},
	{"time.Month", map[time.Month]time.Weekday{3: 4}, "", nil},
	{"big.Int", []*big.Int{big.NewInt(0), big.NewInt(-5), new(big.Int).Lsh(big.NewInt(-7), 200), nil}, "", nil},
	{"big.Int by value", struct{ A, B big.Int }{*big.NewInt(5), *new(big.Int).Lsh(big.NewInt(7), 200)}, "",
		map[string]string{"json": "cannot unmarshal"}},
	{"big.Rat", []*big.Rat{big.NewRat(1, 3), big.NewRat(-5, 1)}, "", nil},
	{"big.Float", []*big.Float{big.NewFloat(1.5), big.NewFloat(-0.25)}, "", nil},
	{"regexp.Regexp", regexp.MustCompile("^a+$"), "", nil},
	{"slog.Level", map[slog.Level]slog.Level{slog.LevelInfo: slog.LevelDebug + 1}, "", nil},
	{"slog.LevelVar", new(slog.LevelVar), "", nil},
	{"slog.Attr", slog.Int("a", 5), "no field is exported", map[string]string{"json": "differs", "json V2": "no exported fields"}},
	{"sql.NullString", []sql.NullString{{}, {String: "a", Valid: true}}, "", nil},
	{"sql.NullInt64", []sql.NullInt64{{}, {Int64: math.MaxInt64, Valid: true}}, "", nil},
	{"sql.NullTime", []sql.NullTime{{}, {Time: time.Unix(5, 0).UTC(), Valid: true}}, "", nil},
	{"sql.NullByte", sql.NullByte{Byte: 5, Valid: true}, "", nil},
	{"sql.NullBool", sql.NullBool{Bool: true, Valid: true}, "", nil},
	{"sql.NullFloat64", sql.NullFloat64{Float64: 0.1, Valid: true}, "", nil},
	{"sql.Null", sql.Null[[]int]{V: []int{1}, Valid: true}, "", nil},
	{"sql.RawBytes", sql.RawBytes("ab"), "", nil},
	{"json.RawMessage", []stdjson.RawMessage{[]byte(`{"a":[1,null]}`), []byte(`"x"`)}, "", map[string]string{"value": "no form"}},
	{"nil json.RawMessage", struct{ R stdjson.RawMessage }{}, "", map[string]string{"json": "differs", "json V2": "differs",
		"value": "no form"}},
	{"value.Value", value.List(value.Int(1), value.Float(0.5), value.String("x"), value.Null()), "", nil},
	{"opt.Date", []opt.Date{{Year: 2024, Month: 2, Day: 29}}, "", nil},
	{"recursive types", self{Next: &self{}, Kids: []*self{nil, {}}, By: map[string]self{"a": {}}}, "", nil},
	{"arrays", [2]ints8{{1, 2, -128}, {127}}, "", nil},
	{"arrays of bytes", [][3]byte{{1, 2, 3}, {}}, "", nil},
	{"empty and nil", struct {
		A, B []int
		C, D map[string]int
		E, F []byte
	}{A: []int{}, C: map[string]int{}, E: []byte{}}, "", nil},
	{"floats", []float64{0, math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64, 0.1, 1e21, 1 << 53}, "", nil},
	{"single floats", []float32{0.1, math.MaxFloat32, math.SmallestNonzeroFloat32, 16777216}, "", nil},
	{"integers", []any{[]int64{math.MinInt64, math.MaxInt64}, []uint64{math.MaxUint64}}[0], "", nil},
	{"unsigned integers", []uint64{math.MaxUint64, 1 << 63, 0}, "", nil},
	{"infinities", []float64{math.Inf(1), math.NaN()}, "", map[string]string{"json": "unsupported value", "json V2": "unsupported value",
		"tagged": "differs"}},
	{"strings of any bytes", []string{"\xff\xfe", "a\x00b"}, "", map[string]string{"json": "differs", "json V2": "UTF-8",
		"cbor": "UTF-8", "cbor arrays": "UTF-8"}},
	{"complex numbers", []complex128{complex(1, -2)}, "", map[string]string{"json": "unsupported type", "json V2": "complex128",
		"cbor": "complex", "cbor arrays": "complex", "tagged": "complex", "framed": "complex", "value": "complex"}},
	{"atomic.Int64", [1]atomic.Int64{}, "no field is exported", map[string]string{"json": "", "json V2": "no exported fields"}},
	{"sync.Mutex", struct {
		N  int
		Mu *sync.Mutex
	}{5, new(sync.Mutex)}, "", map[string]string{"json V2": "no exported fields"}},
}

type textString string

var (
	noAnyKeys = map[string]string{"json": "unsupported type", "tagged": "cannot be", "framed": "cannot be", "value": "cannot be"}
	forJSON   = map[string]string{"json": "", "json V2": ""}
)

// TestRoundTrips: what is written is read as it was, or one of both is an error that tells where.
func TestRoundTrips(t *testing.T) {
	for _, f := range heldFormats {
		marshal := func(v any) (any, error) { return f.f.MarshalAppend(nil, v, f.opts...) }
		roundTrip(t, f.name, marshal, func(doc, v any) error { return f.f.Unmarshal(doc.([]byte), v, f.opts...) })
	}
	marshal := func(v any) (any, error) { return value.Marshal(v) }
	roundTrip(t, "value", marshal, func(doc, v any) error { return value.Unmarshal(doc.(value.Value), v) })
}

func roundTrip(t *testing.T, format string, marshal func(v any) (any, error), unmarshal func(doc, v any) error) {
	for _, r := range roundTrips {
		t.Run(format+"/"+r.name, func(t *testing.T) {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("%v\n%s", p, debug.Stack())
				}
			}()
			want, other := r.but[format]
			if !other {
				want = r.err
			}
			got := reflect.New(reflect.TypeOf(r.v))
			doc, err := marshal(r.v)
			if err == nil {
				err = unmarshal(doc, got.Interface())
			}
			differs := ""
			if err == nil {
				differs = sample.Same(reflect.ValueOf(r.v), got, strings.HasSuffix(format, "arrays"))
			}
			switch {
			case err != nil && (want == "" || !strings.Contains(err.Error(), want)):
				t.Errorf("%v, want %q", err, want)
			case err == nil && (want == "differs") != (differs != ""):
				t.Errorf("%s, want %q", differs, want)
			case err == nil && want != "" && want != "differs":
				t.Errorf("no error, want %q", want)
			}
		})
	}
}
