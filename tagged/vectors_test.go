package tagged

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
)

// vector is a row of sjson_binary.jsonl, made by running the original program.
type vector struct{ Name, Value, Hex string }

func vectors(t testing.TB) (out []vector) {
	f, err := os.Open("testdata/sjson_binary.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var v vector
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if len(out) != 44 {
		t.Fatalf("%d vectors", len(out))
	}
	return out
}

// vectorValues are the Go values of the vectors that are not plain numbers.
var vectorValues = map[string]any{
	"double NaN": math.NaN(), "double Inf": math.Inf(1), "float 4.2f": float32(4.2),
	"true": true, "false": false, "null": nil, "bigdecimal 42": json.Number("42"),
	"string Hello": "Hello", "string empty": "", "string utf8": "日本語😀",
	"map a1 b2": map[string]int32{"a": 1, "b": 2}, "map b2 a1 (order is by signed tag)": map[string]int32{"b": 2, "a": 1},
	"map empty": map[string]int32{}, "map same name two types in two objects": []any{map[string]int32{"a": 1}, map[string]string{"a": "x"}},
	"map non-ascii names": map[string]int32{"é": 1, "名前": 2, "あ": 3, "ключ": 4},
	"map null field":      map[string]any{"a": nil}, "nested": map[string]map[string]int32{"b": {"a": 1}},
	"list 1 2": []int32{1, 2}, "list empty": []int32{}, "list of map": []map[string]int32{{"a": 1, "b": 2}},
	"list of empty maps": []map[string]int32{{}, {}},
}

func TestVectors(t *testing.T) {
	done := map[string]bool{}
	for _, v := range vectors(t) {
		want, err := hex.DecodeString(v.Hex)
		if err != nil {
			t.Fatal(err)
		}
		kind, text, _ := strings.Cut(v.Name, " ")
		var val any
		switch {
		case strings.HasPrefix(v.Name, "map star"), strings.HasPrefix(v.Name, "COLLISION"), kind == "uint", kind == "fixed":
			continue // read only: see the tests below
		case vectorValues[v.Name] != nil || v.Name == "null":
			val = vectorValues[v.Name]
		case kind == "int":
			var n int32
			err = json.Unmarshal([]byte(text), &n)
			val = n
		case kind == "long":
			var n int64
			err = json.Unmarshal([]byte(text), &n)
			val = n
		case kind == "double":
			var n float64
			err = json.Unmarshal([]byte(text), &n)
			if text == "-0.0" {
				n = math.Copysign(0, -1)
			}
			val = n
		default:
			t.Errorf("%s: no value", v.Name)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		done[v.Name] = true
		got, err := Marshal(val)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: Marshal(%#v) = %x, %v, want %s", v.Name, val, got, err, v.Hex)
		}
		if !Valid(want) {
			t.Errorf("%s: %s is not valid", v.Name, v.Hex)
		}
		if val == nil || strings.HasSuffix(v.Name, "NaN") || strings.HasSuffix(v.Name, "Inf") {
			continue
		}
		back := reflect.New(reflect.TypeOf(val))
		if err := Unmarshal(want, back.Interface()); err != nil || !reflect.DeepEqual(back.Elem().Interface(), val) &&
			v.Name != "map same name two types in two objects" {
			t.Errorf("%s: Unmarshal(%s) = %#v, %v, want %#v", v.Name, v.Hex, back.Elem().Interface(), err, val)
		}
		var any any
		if err := Unmarshal(want, &any); err != nil {
			t.Errorf("%s: %v", v.Name, err)
		}
		var raw Raw
		if err := Unmarshal(want, &raw); err != nil || !bytes.Equal(raw, want) {
			t.Errorf("%s: raw %x, %v, want %s", v.Name, raw, err, v.Hex)
		}
		if again, err := Marshal(raw); err != nil || !bytes.Equal(again, want) {
			t.Errorf("%s: raw is written as %x, %v, want %s", v.Name, again, err, v.Hex)
		}
	}
	for name := range vectorValues {
		if !done[name] {
			t.Errorf("%s: no such vector", name)
		}
	}
}

// TestReadOnlyVectors reads what the original wrote and this package does not.
func TestReadOnlyVectors(t *testing.T) {
	for _, v := range vectors(t) {
		b, _ := hex.DecodeString(v.Hex)
		var got any
		err := Unmarshal(b, &got)
		var want any
		switch v.Name {
		case "uint 300":
			want = int64(300)
		case "fixed int 150":
			want = int64(150)
		case "map star":
			want = int64(1)
		case "map star+a":
			want = map[string]any{"*": int64(1), "a": int64(2)}
		default:
			if strings.HasPrefix(v.Name, "COLLISION same") {
				if !errors.Is(err, errTwice) {
					t.Errorf("%s: %v, %v", v.Name, got, err)
				}
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v, want %v", v.Name, got, err, want)
		}
	}
}

// moduleID is a record of the benchmark that this format lost in 2016.
type moduleID struct {
	Organization string `json:"organization"`
	Name         string `json:"name"`
	Revision     string `json:"revision"`
}

func moduleIDs(t testing.TB) (ids []moduleID) {
	f, err := os.Open("testdata/moduleids.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&ids); err != nil || len(ids) != 20000 {
		t.Fatal(len(ids), err)
	}
	return ids
}

func TestModuleIDs(t *testing.T) {
	ids := moduleIDs(t)
	b, err := Marshal(ids)
	if err != nil || len(b) != 895897 {
		t.Fatalf("%d bytes, %v, want 895897", len(b), err)
	}
	var back []moduleID
	if err := Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, ids) {
		t.Fatal("another value comes back", err)
	}
	var tree any
	if err := Unmarshal(b, &tree); err != nil {
		t.Fatal(err)
	}
	if again, err := Marshal(tree); err != nil || !bytes.Equal(again, b) {
		t.Fatal("the tree is written in other bytes", err)
	}
	if !Valid(b) {
		t.Fatal("not valid")
	}
}
