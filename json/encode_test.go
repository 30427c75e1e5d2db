package json

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"math"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/internal/sample"
)

// The types of the table.
type (
	encFloat   float64
	encScalars struct {
		B   bool
		I   int
		I8  int8
		I16 int16
		I32 int32
		I64 int64
		U   uint
		U8  uint8
		U16 uint16
		U32 uint32
		U64 uint64
		Up  uintptr
		F32 float32
		F64 float64
		S   string
	}
	encNames struct {
		A   int `json:"a"`
		LT  int `json:"<&>"`
		Uni int `json:"日本語"`
		Mid int `json:"exactly_eighteen_b"`
		L21 int `json:"name_of_twenty_bytes_"`
		L22 int `json:"name_of_twenty_bytes_2"`
		L28 int `json:"name_of_twenty_eight_bytes__"`
		L29 int `json:"name_of_twenty_eight_bytes__1"`
		Lng int `json:"a_very_long_name_that_does_not_fit_the_room_for_one_at_all"`
		Bad int `json:"with\"quote"`
		Das int `json:"-,"`
		No  int `json:"-"`
	}
	encOmit struct {
		B   bool           `json:"b,omitempty"`
		I   int            `json:"i,omitempty"`
		I8  int8           `json:"i8,omitempty"`
		U   uint64         `json:"u,omitempty"`
		F   float64        `json:"f,omitempty"`
		F32 float32        `json:"f32,omitempty"`
		S   string         `json:"s,omitempty"`
		L   []int          `json:"l,omitempty"`
		By  []byte         `json:"by,omitempty"`
		M   map[string]int `json:"m,omitempty"`
		P   *int           `json:"p,omitempty"`
		A   any            `json:"a,omitempty"`
		E   error          `json:"e,omitempty"`
		Arr [0]int         `json:"arr,omitempty"`
		Ar2 [2]int         `json:"ar2,omitempty"`
		St  struct{}       `json:"st,omitempty"`
		T   time.Time      `json:"t,omitempty"`
		N   Number         `json:"n,omitempty"`
		R   RawMessage     `json:"r,omitempty"`
	}
	encOmitZero struct {
		B    bool               `json:"b,omitzero"`
		I    int                `json:"i,omitzero"`
		F    float64            `json:"f,omitzero"`
		S    string             `json:"s,omitzero"`
		L    []int              `json:"l,omitzero"`
		T    time.Time          `json:"t,omitzero"`
		P    *time.Time         `json:"p,omitzero"`
		St   struct{ A, B int } `json:"st,omitzero"`
		Ar   [2]int             `json:"ar,omitzero"`
		Z    encIsZero          `json:"z,omitzero"`
		ZP   *encIsZero         `json:"zp,omitzero"`
		ZA   encIsZeroAddr      `json:"za,omitzero"`
		ZI   encZeroer          `json:"zi,omitzero"`
		Both []int              `json:"both,omitempty,omitzero"`
	}
	encIsZero     struct{ N int }
	encIsZeroAddr struct{ N int }
	encZeroer     interface{ IsZero() bool }

	encQuoted struct {
		B  bool          `json:",string"`
		I  int           `json:",string"`
		I8 int8          `json:",string"`
		U  uint32        `json:",string"`
		F  float64       `json:",string"`
		F3 float32       `json:",string"`
		S  string        `json:",string"`
		N  Number        `json:",string"`
		P  *int          `json:",string"`
		PS *string       `json:",string"`
		PP **int         `json:",string"`
		L  []int         `json:",string"`
		A  any           `json:",string"`
		D  time.Duration `json:",string"`
		T  encText       `json:",string"`
		E  float64       `json:",string,omitempty"`
	}

	encInner  struct{ X, Y int }
	encInner2 struct{ Y, Z int }
	encEmbed  struct {
		encInner
		*encInner2
		W int
	}
	EncPub struct {
		Q *EncPub2
		R int
	}
	EncPub2     struct{ Deep string }
	encEmbedPtr struct {
		*EncPub
		*EncPub2 `json:"named"`
		Tail     bool
	}
	encChain struct {
		V    int
		Next *encChain
		Kids []encChain
		M    map[string]encChain
	}
	encPtrMarshaler struct{ V int }
	encValMarshaler struct{ V string }
	encText         string
	encPtrText      struct{ S string }
	encBoth         struct{}
	encMapMarshaler map[string]int
	encErrMarshaler struct{}
	encErrText      struct{}
	encBadMarshaler struct{ Out string }
	encByte         byte
	encStamp        struct{ time.Time }
	encStampSecond  struct {
		N int
		time.Time
	}
	encStampOwn  struct{ time.Time }
	encStampAddr struct{ time.Time }
	encStampDeep struct{ encStamp }
	encStampTwo  struct {
		time.Time
		encValMarshaler
	}
	encStampText struct {
		time.Time
		Text encText
	}
	encByteM        byte
	encNamedBytes   []byte
	encNamedMap     map[string]any
	encNamedSlice   []any
	encNamedAny     any
	encKeyText      struct{ A, B int }
	encKeyErr       struct{ A int }
	encKeyPtr       struct{ A int }
	encKeyStr       string
	encNamedBool    bool
	encNamedInt     int
	encNamedStr     string
	encNamedStrings []string
	encKeyInt       int8
	encHolder       struct {
		P  encPtrMarshaler
		V  encValMarshaler
		T  encText
		PT encPtrText
		PP *encPtrMarshaler
		VP *encValMarshaler
		I  stdjson.Marshaler
		B  encBoth
		MM encMapMarshaler
	}
)

// manyNamed returns a map of more entries than one table of a map has.
func manyNamed() map[encKeyStr]string {
	m := map[encKeyStr]string{}
	for i := range 3000 {
		m[encKeyStr(strconv.Itoa(i*7919))] = strconv.Itoa(i)
	}
	return m
}

func (z encIsZero) IsZero() bool      { return z.N == 7 }
func (z *encIsZeroAddr) IsZero() bool { return z.N == 7 }
func (m *encPtrMarshaler) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte(`"nil receiver"`), nil
	}
	return []byte(`{ "ptr" : [1, "<x>"] }`), nil
}
func (m encValMarshaler) MarshalJSON() ([]byte, error) { return stdjson.Marshal("val:" + m.V) }
func (t encText) MarshalText() ([]byte, error)         { return []byte("text<" + string(t) + ">\xff"), nil }
func (t *encPtrText) MarshalText() ([]byte, error)     { return []byte("ptext:" + t.S), nil }
func (encBoth) MarshalJSON() ([]byte, error)           { return []byte(`"json"`), nil }
func (encBoth) MarshalText() ([]byte, error)           { return []byte(`text`), nil }
func (encMapMarshaler) MarshalJSON() ([]byte, error)   { return []byte(`"map"`), nil }
func (encErrMarshaler) MarshalJSON() ([]byte, error)   { return nil, errors.New("no json") }
func (encErrText) MarshalText() ([]byte, error)        { return nil, errors.New("no text") }
func (m encBadMarshaler) MarshalJSON() ([]byte, error) { return []byte(m.Out), nil }
func (b encByteM) MarshalText() ([]byte, error)        { return []byte{'b', '0' + byte(b)}, nil }
func (k encKeyText) MarshalText() ([]byte, error) {
	return []byte{'k', byte('0' + k.A), byte('0' + k.B)}, nil
}
func (encStampOwn) MarshalJSON() ([]byte, error)   { return []byte(`" own "`), nil }
func (*encStampAddr) MarshalJSON() ([]byte, error) { return []byte(`" addr "`), nil }
func (k encKeyErr) MarshalText() ([]byte, error)   { return nil, errors.New("bad \"key\"") }
func (k *encKeyPtr) MarshalText() ([]byte, error)  { return []byte{'p', byte('0' + k.A)}, nil }
func (k encKeyStr) MarshalText() ([]byte, error)   { return []byte("never"), nil }
func (k encKeyInt) MarshalText() ([]byte, error)   { return []byte{'i', byte('0' + k)}, nil }

func ptr[T any](v T) *T { return &v }

// encRow is a value of the table, with the place where it stands.
type encRow struct {
	line int
	v    any
}

func row(v any) encRow {
	_, _, line, _ := runtime.Caller(1)
	return encRow{line, v}
}

func encodeTable() []encRow {
	one := 1
	now := time.Date(2026, 11, 21, 20, 50, 3, 123456789, time.FixedZone("x", 5*3600+1800))
	late := now.AddDate(8000, 0, 0)
	many, manyLists := map[string]string{}, map[string][]string{}
	for i := range 20 {
		name := strings.Repeat("n", i%7) + string(rune(48+i))
		many[name], manyLists[name] = name+"<", []string{name}
	}
	self := &encChain{V: 1}
	self.Next = self
	cyclicSlice := []any{nil}
	cyclicSlice[0] = cyclicSlice
	cyclicMap := map[string]any{}
	cyclicMap["x"] = []any{1, cyclicMap}
	cyclicTyped := map[string]encChain{}
	cyclicTyped["a"] = encChain{M: cyclicTyped}
	kids := make([]encChain, 1)
	kids[0].Kids = kids
	var cyclicAny any
	cyclicAny = &cyclicAny
	deep := &encChain{}
	for range 1200 {
		deep = &encChain{Next: deep}
	}
	var deepAny any = "x"
	for i := range 1500 {
		if i%2 == 0 {
			deepAny = []any{deepAny}
		} else {
			deepAny = map[string]any{"k": deepAny}
		}
	}
	wide := map[string]any{}
	for i := range 300 {
		wide[strings.Repeat("k", i%9)+string(rune('a'+i%26))+string(rune('0'+i%10))] = i
	}
	return []encRow{
		row(nil), row(true), row(false), row(0), row(-1), row(int64(math.MinInt64)), row(uint64(math.MaxUint64)),
		row(int8(-128)), row(int16(-32768)), row(int32(math.MinInt32)), row(uint8(255)), row(uint16(65535)),
		row(uint32(math.MaxUint32)), row(uintptr(12345)),
		row(0.0), row(math.Copysign(0, -1)), row(1.5), row(1e-6), row(9.99e-7), row(1e20), row(1e21),
		row(1.7976931348623157e308), row(5e-324), row(-1e-9), row(123456789.125), row(0.1), row(100.0),
		row(float32(0)), row(float32(1e-6)), row(float32(9.9e-7)), row(float32(1e21)), row(float32(3.4028235e38)),
		row(float32(0.1)), row(float32(16777216)),
		row(math.NaN()), row(math.Inf(1)), row(math.Inf(-1)), row(float32(math.Inf(-1))), row([]float64{1, math.NaN()}),
		row([]float32{1, float32(math.Inf(1))}), row(map[string]float64{"a": math.NaN()}),
		row(""), row("plain"), row("a longer plain string of more than thirty-two bytes"), row("\"\\/\b\f\n\r\t\x00\x1f\x7f"),
		row("<script>&amp;</script>"), row("é日本\U0001F600"), row("\u2028\u2029"),
		row("bad\xff\xfeutf\xc0\x80\xed\xa0\x80"), row("cut \xe2\x80"),
		row(strings.Repeat("x", 100) + "\xe2\x80\xa8<" + strings.Repeat("y", 100)),
		row([]byte(nil)), row([]byte{}), row([]byte("a")), row([]byte("ab")), row([]byte("hello, world")),
		row(encNamedBytes("named")), row([]encByte{1, 2, 3}), row([]encByteM{1, 2, 3}), row([3]byte{1, 2, 3}),
		row([]*byte{nil}), row([]uint8(nil)),
		row([]int(nil)), row([]int{}), row([]int{1, 2, 3}), row([]int64{-1}), row([]string{"a", "<"}), row([]string(nil)),
		row([]bool{true, false}), row([][]int{nil, {}, {1}}), row([]any{nil, 1, "x", 2.5, []any{}, map[string]any{}}),
		row([]uint16{1, 2}), row([]int8{-3}), row([]uint{7}), row([]float32{1.25}),
		row([0]int{}), row([2]string{"a", "b"}), row([2][2]int{{1, 2}, {3, 4}}), row([]struct{}{{}, {}}), row([1]*int{&one}),
		row(struct{}{}), row(&struct{}{}), row(struct{ a int }{1}), row(encScalars{}),
		row(&encScalars{true, -1, -2, -3, -4, -5, 6, 7, 8, 9, 10, 11, 12.5, 13.25, "s"}),
		row(encNames{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
		row(encOmit{}), row(&encOmit{}), row(encOmit{true, 1, 2, 3, 4, 5, "6", []int{7}, []byte("8"), map[string]int{"9": 9},
			&one, 10, errors.New("x"), [0]int{}, [2]int{}, struct{}{}, now, "11", RawMessage("12")}),
		row(encOmit{F: math.Copysign(0, -1), L: []int{}, By: []byte{}, M: map[string]int{}, R: RawMessage{}, A: 0}),
		row(encOmitZero{}), row(&encOmitZero{}),
		row(encOmitZero{
			L:    []int{},
			Both: []int{},
			Z:    encIsZero{7},
			ZP:   &encIsZero{7},
			ZA:   encIsZeroAddr{7},
			ZI:   encIsZero{7},
		}), row(&encOmitZero{
			B: true, I: 1, F: math.Copysign(0, -1), S: "x", T: now, P: &time.Time{}, St: struct{ A, B int }{1, 0},
			Ar: [2]int{0, 1}, Z: encIsZero{1}, ZP: &encIsZero{1}, ZA: encIsZeroAddr{1}, ZI: &encIsZeroAddr{1}, Both: []int{1},
		}),
		row(encOmitZero{ZI: (*encIsZero)(nil)}),
		row(encQuoted{}),
		row(&encQuoted{true, 1, 2, 3, 4.5, 5.5, "six<\"", "7", &one, ptr("p<"), ptr(&one), []int{1}, 2, 3, "t", 1e30}),
		row(encQuoted{N: "1e5", T: "x"}),
		row(encEmbed{}), row(encEmbed{encInner{1, 2}, &encInner2{3, 4}, 5}), row(encEmbedPtr{}),
		row(&encEmbedPtr{&EncPub{&EncPub2{"d"}, 1}, &EncPub2{"e"}, true}),
		row(*self), row(self), row([]any{self}), row(cyclicSlice), row(cyclicMap), row(cyclicTyped), row(kids),
		row(cyclicAny), row(&cyclicAny), row(deep), row(deepAny), row([]*encChain{deep, deep}),
		row(map[string]any{"d": deepAny, "e": deepAny}),
		row(encPtrMarshaler{1}), row(&encPtrMarshaler{1}), row((*encPtrMarshaler)(nil)), row([]encPtrMarshaler{{1}}),
		row([1]encPtrMarshaler{{1}}), row(&[1]encPtrMarshaler{{1}}), row(map[string]encPtrMarshaler{"a": {1}}),
		row(map[string]*encPtrMarshaler{"a": {1}, "n": nil}), row([]any{encPtrMarshaler{1}, &encPtrMarshaler{2}}),
		row(struct{ encPtrMarshaler }{}), row(&struct{ encPtrMarshaler }{}), row(ptr(ptr(encPtrMarshaler{}))),
		row(encValMarshaler{"<"}), row(&encValMarshaler{"x"}), row((*encValMarshaler)(nil)), row([]encValMarshaler{{"a"}}),
		row(map[string]encValMarshaler{"a": {"b"}}), row(struct{ A encValMarshaler }{}),
		row(encText("a")), row(ptr(encText("a"))), row((*encText)(nil)), row([]encText{"a"}), row(encPtrText{"a"}),
		row(&encPtrText{"a"}), row([]encPtrText{{"a"}}), row(map[string]encPtrText{"a": {"b"}}),
		row(encHolder{}), row(&encHolder{}), row(encHolder{I: (*encPtrMarshaler)(nil)}),
		row(&encHolder{PP: &encPtrMarshaler{}, VP: &encValMarshaler{}, I: encValMarshaler{"i"}, MM: encMapMarshaler{}}),
		row(encMapMarshaler(nil)), row(encBoth{}),
		row(encErrMarshaler{}), row(&encErrMarshaler{}), row([]any{1, encErrMarshaler{}}), row(encErrText{}),
		row(&encErrText{}), row(struct{ E encErrText }{}), row(map[string]any{"a": encErrText{}}),
		row(encBadMarshaler{""}), row(encBadMarshaler{"{"}), row(encBadMarshaler{"[1,]"}), row(encBadMarshaler{"nul"}),
		row(encBadMarshaler{"1 2"}), row(encBadMarshaler{"\"\x01\""}), row(encBadMarshaler{"01"}),
		row(encBadMarshaler{" \t\r\n{\"a\" : [ 1 , 2 ] , \"b\":\"<\u2028\" } \n"}),
		row(encBadMarshaler{strings.Repeat("[", 10001) + strings.Repeat("]", 10001)}),
		row(encBadMarshaler{strings.Repeat("[", 300) + strings.Repeat("]", 300)}), row([]encBadMarshaler{{"1"}, {"}"}}),
		row(RawMessage(nil)), row(RawMessage{}), row(RawMessage(" { \"a\" : 1 } ")), row(RawMessage("bad")),
		row(struct{ R RawMessage }{RawMessage(`"<"`)}), row(&struct{ R *RawMessage }{ptr(RawMessage("[1 ,2]"))}),
		row([]RawMessage{nil, RawMessage("1")}),
		row(Number("")), row(Number("1.5e3")), row(Number("1.")), row(Number("-")), row(Number("+1")), row(Number("1e")),
		row(Number("1E+05")), row(Number("00")), row([]Number{"1", "x"}), row(map[string]Number{"a": ""}), row(struct {
			N Number `json:",string"`
		}{"bad"}),
		row(encStamp{now}), row(&encStamp{now}), row([]encStamp{{now}}), row([]*encStamp{nil, {now}}), row((*encStamp)(nil)),
		row(struct{ A, B *encStamp }{B: &encStamp{now}}), row(struct{ A encStamp }{encStamp{now}}), row(encStamp{late}), row(&encStamp{late}),
		row(struct{ A encStamp }{encStamp{late}}), row(struct{ A *encStamp }{&encStamp{late}}), row(map[string]encStamp{"a": {now}}),
		row(struct {
			A encStamp  `json:",omitempty"`
			B encStamp  `json:",omitzero"`
			C *encStamp `json:",omitempty"`
			D *encStamp `json:",string"`
		}{D: &encStamp{now}}),
		row(encStampSecond{1, now}), row(&encStampSecond{1, now}), row(struct{ A encStampSecond }{encStampSecond{1, now}}), row(encStampOwn{now}),
		row(&encStampOwn{now}), row(encStampAddr{now}), row(&encStampAddr{now}), row([]encStampAddr{{now}}), row(encStampDeep{encStamp{now}}),
		row(&encStampDeep{encStamp{now}}), row(encStampTwo{now, encValMarshaler{"v"}}), row(encStampText{now, "t"}),
		row([]*time.Time{nil, &now}), row(&late), row(struct{ T *time.Time }{&late}), row(struct{ T *time.Time }{&now}),
		row(map[string]*time.Time{"a": &now}),
		row([]*RawMessage{nil, ptr(RawMessage("1 ")), ptr(RawMessage(nil))}),
		row(struct{ R *RawMessage }{ptr(RawMessage("{"))}), row([]*Number{ptr(Number("1")), nil}),
		row(struct{ N *Number }{ptr(Number("x"))}), row([]*string{ptr("a<"), nil}), row([]*bool{ptr(true)}),
		row([]*float64{ptr(1.5), ptr(math.NaN())}),
		row(struct {
			S *string
			B *bool
			I *int64
			U *uint8
			F *float32
			L *[]string
		}{ptr(strings.Repeat("é<", 40)), ptr(false), ptr(int64(math.MinInt64)), ptr(uint8(9)), ptr(float32(2.5)), &[]string{"x"}}),
		row(struct {
			P *string `json:"a_name_that_is_much_longer_than_the_room_that_there_is_for_names"`
			Q string  `json:"another_name_that_is_much_longer_than_the_room_that_there_is,omitempty"`
		}{P: ptr("v")}),
		row(map[string][]string(nil)), row(map[string][]string{}),
		row(map[string][]string{"b": nil, "a": {}, "<": {"x", "\""}}), row(many), row(manyLists),
		row(map[encText]int{"b": 1, "a": 2}), row(map[encKeyText]string{{1, 2}: "x", {3, 4}: "y"}),
		row(encBadMarshaler{`"a<b"`}), row(encBadMarshaler{`"a"b"`}), row(encBadMarshaler{`"`}), row(encBadMarshaler{`""`}),
		row(encBadMarshaler{`"` + "\xff" + `"`}),
		row(encBadMarshaler{`"a\"`}), row(encBadMarshaler{`{"a<":"b&","c":["` + "\u2029" + `",">"]}`}),
		row(encBadMarshaler{`[1,{"long name of a member":"x"}, 2]`}),
		row(encBadMarshaler{`["\u003c","` + strings.Repeat("x", 70) + `&"]`}), row(encBadMarshaler{`"` + strings.Repeat("long ", 100) + `"`}),
		row(now), row(&now), row(time.Time{}), row([]time.Time{now}), row(now.AddDate(8000, 0, 0)),
		row(now.AddDate(-5000, 0, 0)), row(struct{ T time.Time }{now.AddDate(8000, 0, 0)}),
		row([]any{now.AddDate(8000, 0, 0)}), row(now.In(time.FixedZone("y", 24*3600))), row(time.Second),
		row(map[time.Time]int{now: 1}), row(struct{ T *time.Time }{}),
		row(map[string]int(nil)), row(map[string]int{}), row(map[string]int{"b": 1, "a": 2, "": 3, "<": 4}),
		row(map[string]string(nil)), row(map[string]string{"x": "1", "a": "<"}), row(map[string]string{"one": "1"}),
		row(map[string]any(nil)), row(map[string]any{}), row(wide), row(map[string]bool{"a": true}), row(struct {
			B map[string]bool
			I map[string]int
			L map[string]int64
			F map[string]float64
			N map[encKeyStr]int
		}{
			map[string]bool{"b": true, "a": false}, map[string]int{"x": 1, "<": 2}, map[string]int64{},
			map[string]float64{"y": 1.5, "x": -2}, map[encKeyStr]int{"z": 1, "a": 2},
		}), row(&struct{ F map[string]float64 }{map[string]float64{"a": math.Inf(1)}}), row(map[string]int64{"b": 1, "a": 2}),
		row([]uint32{1, math.MaxUint32}), row([]int16{-5, 5}), row([2]int32{1, -1}), row(map[string][]string{"a": {"b"}}),
		row(map[string]any{"abcdefgh": 1, "abcdefghi": 2, "abcdefg": 3, "abcdefgh\x00": 4, "abcdefg\x00": 5, "a": 6, "a\x00": 7}),
		row(map[int]string{3: "c", -1: "a", 20: "b"}), row(map[int8]int{1: 2}), row(map[uint64]int{math.MaxUint64: 1, 5: 2}),
		row(map[uintptr]int{1: 1}), row(map[encKeyText]int{{1, 2}: 1, {0, 9}: 2}), row(map[encKeyErr]int{{1}: 1}),
		row(map[*encKeyPtr]int{{3}: 1, nil: 2}), row(map[encKeyStr]int{"kept": 1}), row(map[encKeyInt]int{4: 1}),
		row(map[netip.Addr]int{netip.MustParseAddr("10.0.0.1"): 1}), row(map[encText]int{"t": 1}),
		row(map[float64]int{1: 1}), row(map[bool]int(nil)), row(map[any]int{"a": 1}), row(map[[1]int]int{{1}: 1}),
		row(map[struct{}]int{}), row(struct{ M map[bool]int }{}),
		row(encNamedMap{"a": 1, "b": nil}), row(encNamedMap(nil)), row(&encNamedMap{"a": 1}), row(encNamedSlice{1, nil}),
		row(encNamedSlice(nil)), row(struct{ A encNamedAny }{1}), row(map[string]encNamedAny{"a": "b"}),
		row(map[string]error{"a": nil}),
		row(&map[string]*encNamedSlice{"b": {1, "<"}, "a": nil}), row(&map[encText]struct{}{"b": {}, "a": {}}),
		row(&map[string]struct{}{"b": {}, "a": {}}), row(&map[string][]*int{"a": nil, "c": {}, "b": {nil}}), row(manyPointers()),
		row(make(chan int)), row((chan int)(nil)), row(func() {}), row(complex(1, 2)), row(struct{ C chan int }{}),
		row([]chan int{}), row([]chan int{nil}), row([]func(){nil}), row(map[string]chan int{}),
		row(map[string]complex64{"a": 1}), row(struct{ P *chan int }{}), row([]any{make(chan int)}), row(&struct {
			F func() `json:",omitempty"`
		}{}),
		row(big.NewInt(12345)), row(*big.NewInt(5)), row([]*big.Int{nil, big.NewInt(-1)}),
		row(struct{ B big.Int }{*big.NewInt(5)}), row(&struct{ B big.Int }{*big.NewInt(5)}), row(netip.MustParseAddr("::1")),
		row(big.NewFloat(1.5)),
		row((*int)(nil)), row(&one), row(ptr(&one)), row((**int)(nil)), row([]*int{nil, &one}), row(struct{ P **int }{}),
		row(struct{ E error }{}), row(struct{ E error }{errors.New("opaque")}), row(any(ptr[any]("x"))),
		row(struct{ A, B any }{1, nil}),
		row(struct{ P *struct{ Q *int } }{&struct{ Q *int }{&one}}),
		row(struct{ M *map[string]int }{&map[string]int{"a": 1}}), row(struct{ P *int }{&one}), row([1]any{&one}),
		row(struct{ M map[string]any }{map[string]any{"x": 1}}),
		row([]float64{0.1, -2.5, 3, 1e-7, 123456.789, math.Pi, 1e22}), row([]encFloat{-1.1, 2}), row([2]float64{1.5, -1.25}),
		row([][2]float64{{1, 2.5}, {-0.1, 1e300}}), row([2][3]encFloat{{1.1, 2.2, 3.3}, {4.4, 5.5, 6.6}}),
		row([][][2]float64{{{0.1, 0.2}, {0.3, 0.4}}, {}, nil}), row([][0]float64{{}, {}}), row([][1]float64{{1.5}, {2.5}}),
		row(struct{ A [][2]float64 }{[][2]float64{{0.5, 0.7}}}), row(&[2][2]float64{}),
		row([][2]float64{{1.5, 2.5}, {3.5, math.Inf(-1)}}), row([1][1]encFloat{{encFloat(math.NaN())}}),
		row([]encFloat{1.5, encFloat(math.Inf(1))}),
		row(struct {
			A map[encKeyStr]encNamedStr
			B map[encKeyStr]encNamedAny
			C map[encKeyStr]encNamedBool `json:",omitempty"`
			D map[string]encNamedInt
			E map[encKeyStr][]string
			F map[encKeyStr]encNamedStrings
			G map[encKeyStr][]encKeyStr
			H map[encKeyStr]error
			I *map[string]encNamedStr
			J map[encKeyStr]string
		}{
			map[encKeyStr]encNamedStr{"z<": "1", "a": "é"}, map[encKeyStr]encNamedAny{"n": nil, "m": map[encKeyStr]encKeyStr{"k": "v"}},
			map[encKeyStr]encNamedBool{"t": true, "f": false}, map[string]encNamedInt{"b": -1, "a": 1},
			map[encKeyStr][]string{"b": nil, "a": {"x"}}, map[encKeyStr]encNamedStrings{"b": nil, "a": {"x", "y"}},
			map[encKeyStr][]encKeyStr{"b": nil, "a": {"x", "y"}}, map[encKeyStr]error{"e": nil}, &map[string]encNamedStr{"b": "", "a": "\n"},
			manyNamed(),
		}), row(map[encNamedStr]encNamedStr{}), row([]map[encNamedStr]encNamedStr{nil, {"one": "1"}}),
		row(struct {
			A, B, C net.IP
			D       []*net.IP
			E       netip.AddrPort
			F       []netip.Prefix
			G       *big.Rat
			H       *regexp.Regexp
			I       *net.IP
			J       []netip.Addr
			K       struct{ net.IP }
			L       *big.Float
		}{
			A: net.IPv4(127, 0, 0, 1), B: net.IP{}, D: []*net.IP{{1, 2, 3, 4}, nil}, E: netip.MustParseAddrPort("[fe80::1%<eth0>]:80"),
			F: []netip.Prefix{{}, netip.MustParsePrefix("10.0.0.0/8")}, G: big.NewRat(-2, 3),
			H: regexp.MustCompile(`^<a&"b">+\p{Greek}` + strings.Repeat("<&>", 40)),
			J: []netip.Addr{{}, netip.MustParseAddr("fe80::1%" + strings.Repeat("<", 39)),
				netip.MustParseAddr("fe80::1%" + strings.Repeat("&", 40))},
			K: struct{ net.IP }{net.IPv6loopback}, L: new(big.Float).SetInt64(7),
		}), row([]net.IP{{1, 2}}), row(map[string]any{"ip": net.IPv4zero, "p": &net.IP{8, 8, 8, 8}}),
		row([][]*struct{}{{{}}, {nil, {}, {}}, {}}), row([2][]*encInner{{{1, 2}}, {{3, 4}, nil, {5, 6}}}),
		row([][]*struct{ F float64 }{{{1}}, {nil, {2}, {math.NaN()}}}), row([][]*struct{ V any }{{{1}}, {{2}, {"<"}, {func() {}}}}),
	}
}

// encodeBoth marshals v with both packages.
func encodeBoth(v any, html bool) (got, want []byte, gotErr, wantErr error) {
	var b bytes.Buffer
	enc := stdjson.NewEncoder(&b)
	enc.SetEscapeHTML(html)
	wantErr = enc.Encode(v)
	want = bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	got, gotErr = MarshalAppend(nil, v, EscapeForHTML(html))
	return
}

func TestEncodeLikeStandard(t *testing.T) {
	if !classicStd {
		t.Skip("TestEncodeGolden stands in: encoding/json is another one")
	}
	for round := range 3 { // the third one has programs and sizes from before
		for _, r := range encodeTable() {
			for _, html := range []bool{true, false} {
				got, want, gotErr, wantErr := encodeBoth(r.v, html)
				if !sameResult(gotErr, wantErr) {
					t.Errorf("encode_test.go:%d: %T: error %#v (%v), want %#v (%v)", r.line, r.v, gotErr, gotErr, wantErr, wantErr)
				} else if string(got) != string(want) {
					t.Errorf("encode_test.go:%d: %T html=%v: got %.300s, want %.300s", r.line, r.v, html, got, want)
				}
			}
			got, gotErr := Marshal(r.v)
			want, wantErr := stdjson.Marshal(r.v)
			if !sameResult(gotErr, wantErr) || string(got) != string(want) || (got == nil) != (want == nil) {
				t.Errorf("encode_test.go:%d: round %d: Marshal(%T): got %.300s, %v, want %.300s, %v", r.line, round, r.v, got, gotErr, want, wantErr)
			}
			if gotErr == nil && cap(got) > len(got)+len(got)/2+256 {
				t.Errorf("encode_test.go:%d: Marshal(%T): %d bytes in %d", r.line, r.v, len(got), cap(got))
			}
		}
	}
}

// sameResult is sameError where encoding/json is the classic one; else only whether there is an
// error counts.
func sameResult(got, want error) bool {
	if classicStd {
		return sameError(got, want)
	}
	return (got == nil) == (want == nil)
}

// sameError reports whether two errors have the same type, text and exported fields.
func sameError(got, want error) bool {
	if got == nil || want == nil {
		return got == want
	}
	if reflect.TypeOf(got) != reflect.TypeOf(want) || got.Error() != want.Error() {
		return false
	}
	switch g := got.(type) {
	case *MarshalerError:
		w := want.(*MarshalerError)
		return g.Type == w.Type && sameError(g.Err, w.Err)
	case *UnsupportedTypeError:
		return g.Type == want.(*UnsupportedTypeError).Type
	case *UnsupportedValueError:
		return g.Value.Type() == want.(*UnsupportedValueError).Value.Type()
	case *SyntaxError:
		return g.Offset == want.(*SyntaxError).Offset
	}
	return true
}

// TestEncodeOmitted leaves out every choice of members, of which some are skipped together.
func TestEncodeOmitted(t *testing.T) {
	type inner struct {
		In1 int    `json:"a_name_that_is_longer_than_the_others_in_it,omitempty"`
		In2 string `json:",omitempty"`
	}
	type members struct {
		A int            `json:",omitempty"`
		B string         `json:",omitempty"`
		C []int          `json:",omitempty"`
		D *int           `json:",omitempty"`
		E int64          `json:",omitempty"`
		F string         `json:"a_name_for_which_there_is_no_room,omitempty"`
		G []string       `json:",omitempty"`
		H string         `json:",omitempty"`
		I uint64         `json:",omitempty"`
		J bool           `json:"another_name_for_which_there_is_no_room,omitempty"`
		K map[string]int `json:",omitempty"`
		*inner
	}
	n := 7
	for set := range 1 << 13 {
		var v members
		for i, f := range []func(){
			func() { v.A = 1 }, func() { v.B = "x" }, func() { v.C = []int{n} }, func() { v.D = &n }, func() { v.E = -1 },
			func() { v.F = "long" }, func() { v.G = []string{"g"} }, func() { v.H = strings.Repeat("h", 40) }, func() { v.I = 1 << 63 },
			func() { v.J = true }, func() { v.K = map[string]int{"k": 1} }, func() { v.inner = &inner{In1: 5} },
			func() { v.inner = &inner{In2: "in"} },
		} {
			if set>>i&1 != 0 {
				f()
			}
		}
		want, err := stdjson.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Marshal(v); err != nil || string(got) != string(want) {
			t.Fatalf("%+v: %s, %v, want %s", v, got, err, want)
		}
	}
}

func TestMarshalAppendKeepsPrefix(t *testing.T) {
	if !classicStd {
		t.Skip("encoding/json is another one")
	}
	for _, r := range encodeTable() {
		b := append(make([]byte, 0, 8), "pre"...)
		got, err := MarshalAppend(b, r.v)
		want, wantErr := stdjson.Marshal(r.v)
		if (err == nil) != (wantErr == nil) || string(got) != "pre"+string(want) {
			t.Errorf("encode_test.go:%d: got %.200s, %v", r.line, got, err)
		}
	}
}

func TestMarshalIndentLikeStandard(t *testing.T) {
	if !classicStd {
		t.Skip("encoding/json is another one")
	}
	for _, r := range encodeTable() {
		got, gotErr := MarshalIndent(r.v, ">", "  ")
		want, wantErr := stdjson.MarshalIndent(r.v, ">", "  ")
		if !sameResult(gotErr, wantErr) || string(got) != string(want) {
			t.Errorf("encode_test.go:%d: got %.300s, %v, want %.300s, %v", r.line, got, gotErr, want, wantErr)
		}
	}
}

type encPanics struct{}

func (encPanics) MarshalJSON() ([]byte, error) { panic("mine") }

func TestEncodePanicsPassThrough(t *testing.T) {
	defer func() {
		if r := recover(); r != "mine" {
			t.Errorf("recovered %v", r)
		}
	}()
	Marshal([]any{encPanics{}})
	t.Error("no panic")
}

func TestEncodeOptions(t *testing.T) {
	type s struct {
		L []int
		B []byte
		M map[string]int
		A any
		I int
		F float64
		P *int
		N Number
	}
	tests := []struct {
		v    any
		opt  Options
		want string
	}{
		{"<a>", EscapeForHTML(false), `"<a>"`},
		{s{}, FormatNilSliceAsNull(false), `{"L":[],"B":"","M":null,"A":null,"I":0,"F":0,"P":null,"N":0}`},
		{s{}, FormatNilMapAsNull(false), `{"L":null,"B":null,"M":{},"A":null,"I":0,"F":0,"P":null,"N":0}`},
		{s{}, OmitZeroStructFields(true), `{}`},
		{s{I: 1, F: 2, A: 3, L: []int{4}, M: map[string]int{"a": 5}, P: ptr(6)}, StringifyNumbers(true),
			`{"L":["4"],"B":null,"M":{"a":"5"},"A":"3","I":"1","F":"2","P":"6","N":"0"}`},
		{[]any{1, 2.5, "x", int64(3), uint64(4), uint8(5), Number("6")}, StringifyNumbers(true), `["1","2.5","x","3","4","5","6"]`},
		{struct {
			I map[string]int
			F map[string]float64
		}{map[string]int{"a": 1}, map[string]float64{"b": 2}}, StringifyNumbers(true), `{"I":{"a":"1"},"F":{"b":"2"}}`},
		{map[string]int{"a": 1}, StringifyNumbers(true), `{"a":"1"}`},
		{map[string]any{"a": 1}, Deterministic(false), `{"a":1}`},
		{map[string]int{"a": 1}, Deterministic(false), `{"a":1}`},
		{map[string]string{"a": "1"}, Deterministic(false), `{"a":"1"}`},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			got, err := MarshalAppend(nil, tt.v, tt.opt)
			if err != nil || string(got) != tt.want {
				t.Errorf("%#v: got %s, %v, want %s", tt.v, got, err, tt.want)
			}
		})
	}
	m := map[string]int{}
	for i := range 50 {
		m[strings.Repeat("x", i)] = i
	}
	got, err := MarshalAppend(nil, m, Deterministic(false))
	var back map[string]int
	if err != nil || stdjson.Unmarshal(got, &back) != nil || !reflect.DeepEqual(m, back) {
		t.Errorf("unsorted: %s, %v", got, err)
	}
}

func TestMarshalAppendAllocs(t *testing.T) {
	b := make([]byte, 0, 1<<16)
	v := &struct {
		S encScalars
		L []encScalars
		N encNames
		M map[string]any
		T map[string]string
		G map[int]float64
		A []any
		P *encChain
		W time.Time
		B []byte
		Q struct {
			S string `json:",string"`
			I int    `json:",string"`
		}
		O encOmit
	}{
		L: make([]encScalars, 3), M: map[string]any{"a": 1.5, "b": map[string]any{"c": "d", "e": nil}}, T: map[string]string{"x": "y", "z": ""},
		G: map[int]float64{1: 2, 3: 4}, A: []any{1, "a", true, nil, []any{1.5}}, P: &encChain{Next: &encChain{}}, B: []byte("xyz"),
	}
	for name, v := range map[string]any{
		"pointer": v,
		"value":   *v,
		"map":     v.M,
		"slice":   v.A,
		"string":  "abc",
		"ints":    map[string]int{"a": 1, "b": 2},
		"named":   &[]map[encKeyStr]encNamedStr{{"a": "1", "b": "2"}, nil},
		"texts":   []net.IP{net.IPv4zero, net.IPv6loopback},
	} {
		t.Run(name, func(t *testing.T) {
			got := testing.AllocsPerRun(100, func() {
				var err error
				if b, err = MarshalAppend(b[:0], v); err != nil {
					t.Fatal(err)
				}
			})
			if got != 0 && !memSafe && !sample.Race {
				t.Errorf("%v allocations", got)
			}
		})
	}
	if got := testing.AllocsPerRun(100, func() { Marshal(v) }); got > 1 && !memSafe && !sample.Race {
		t.Errorf("Marshal: %v allocations", got)
	}
}

func FuzzEncodeString(f *testing.F) {
	for _, s := range []string{"", "a", "\"\\<>&", "\u2028", "\xff", "日本語", strings.Repeat("ab\xe2\x80", 20)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !classicStd {
			t.Skip("encoding/json is another one")
		}
		v := map[string]any{s: s, "x": []string{s}, "y": map[string]string{s: s}, "z": encQuoted{S: s}}
		got, want, gotErr, wantErr := encodeBoth(v, len(s)%2 == 0)
		if string(got) != string(want) || !sameResult(gotErr, wantErr) {
			t.Errorf("got %q, %v, want %q, %v", got, gotErr, want, wantErr)
		}
	})
}

// TestLongNames: members whose names are longer than what a put has of them are left out and written as all others.
func TestLongNames(t *testing.T) {
	type long struct {
		S  string         `json:"a_name_of_more_than_thirty_two_bytes_s,omitempty"`
		P  *string        `json:"a_name_of_more_than_thirty_two_bytes_p,omitempty"`
		B  *bool          `json:"a_name_of_more_than_thirty_two_bytes_b,omitempty"`
		I  *int           `json:"a_name_of_more_than_thirty_two_bytes_i,omitempty"`
		N  *int64         `json:"a_name_of_more_than_thirty_two_bytes_n"`
		PP **string       `json:"a_name_of_more_than_thirty_two_bytes_pp"`
		M  map[string]int `json:"a_name_of_more_than_thirty_two_bytes_m,omitempty"`
		A  any            `json:"a_name_of_more_than_thirty_two_bytes_a,omitempty"`
		E  error          `json:"a_name_of_more_than_thirty_two_bytes_e,omitempty"`
		L  []int          `json:"a_name_of_more_than_thirty_two_bytes_l,omitempty"`
		T  *time.Time     `json:"a_name_of_more_than_thirty_two_bytes_t,omitempty"`
		F  float64        `json:"a_name_of_more_than_thirty_two_bytes_f,omitempty"`
		R  *[]string      `json:"a_name_of_more_than_thirty_two_bytes_r,omitempty"`
		Z  string         `json:"a_name_of_more_than_thirty_two_bytes_and_a_hundred_more______________________________________________________z"`
		SM map[string]int `json:"m,omitempty"`
		SA any            `json:"a,omitempty"`
		SB *bool          `json:"b,omitempty"`
		SI *int           `json:"i"`
	}
	s, b, i, n, at := "text that is long enough <b>", true, -7, int64(1)<<62, time.Unix(1e9, 5).UTC()
	p, r := &s, []string{"x"}
	for _, v := range []long{
		{},
		{M: map[string]int{}, SM: map[string]int{}, A: (*int)(nil), L: []int{}},
		{S: s, P: p, B: &b, I: &i, N: &n, PP: &p, M: map[string]int{"k": 1}, A: 1, L: []int{1}, T: &at, F: 1.5, R: &r, Z: s},
		{SM: map[string]int{"k": 1}, SA: map[string]any{}, SB: new(bool), SI: &i},
	} {
		want, err := stdjson.Marshal([]long{v, v})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Marshal([]long{v, v}); err != nil || !bytes.Equal(got, want) {
			t.Errorf("got %s, %v\nwant %s", got, err, want)
		}
	}
}

// manyPointers returns a map of pointers, one of lists and one of nothing with more entries than there is room for on the stack.
func manyPointers() any {
	var m struct {
		P map[string]*struct{ N int }
		L map[string][]map[string]*int
		S map[string]struct{}
		J map[string]*encPtrMarshaler
		T map[string]*encPtrText
	}
	m.J, m.T = map[string]*encPtrMarshaler{"nil": nil}, map[string]*encPtrText{"nil": nil}
	m.P, m.L, m.S = map[string]*struct{ N int }{"nil": nil}, map[string][]map[string]*int{"nil": nil}, map[string]struct{}{}
	for i := range 30 {
		name := strconv.Itoa(i * 7)
		m.P[name], m.L[name], m.S[name] = &struct{ N int }{i}, []map[string]*int{{"a": &i, "b": nil}, nil}, struct{}{}
		m.J[name], m.T[name] = &encPtrMarshaler{}, &encPtrText{S: name}
	}
	return m
}
