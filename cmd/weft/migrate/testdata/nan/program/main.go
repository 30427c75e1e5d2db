// Command program does all that one does with nan, and prints what comes of it.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/kak-tus/nan"

	"example.com/program/model"
)

// Some has a few types.
type Some struct {
	Bool   nan.NullBool   `json:"bool"`
	String nan.NullString `json:"string"`
	Int64  nan.NullInt64  `json:"int64"`
}

func pointers() Some {
	text, number := "p", int64(9)
	return Some{nan.BoolAddr(nil), nan.StringAddr(&text), nan.Int64Addr(&number)}
}

func literals() []nan.NullString {
	return []nan.NullString{{String: "keyed", Valid: true}, {"plain", true}, {}, {Valid: true}}
}

// orElse reads through a pointer.
func orElse(n *nan.NullString, v string) string {
	if n.Valid && n.String != "" {
		return n.String
	}
	return v
}

// Name is declared by a type of nan.
type Name nan.NullString

func kind(v any) string {
	switch v := v.(type) {
	case nan.NullString:
		return "string " + v.String
	case *nan.NullInt64:
		return fmt.Sprint("int64 ", v.Int64)
	}
	return "other"
}

func apply[T any](v T, f func(T) nan.NullInt64) int64 { return f(v).Int64 }

func main() {
	for _, some := range []Some{{}, {nan.Bool(len(os.Args) > 0), nan.String("a" + "b"), nan.Int64(1 << len(os.Args))}, pointers()} {
		text, err := json.Marshal(some)
		var again Some
		if err := json.Unmarshal(text, &again); err != nil || again != some {
			fmt.Println("not the same:", err)
		}
		fmt.Println(string(text), err)
	}
	for _, n := range literals() {
		fmt.Println(n.Valid, n.String, orElse(&n, "none"), n.IsValid(), n.IsDefined(), n.Addr() == nil, kind(n))
	}
	number := nan.Int64(4)
	number.Int64++
	number.Valid = !number.Valid
	fmt.Println(number.Int64, number.Valid, kind(&number), nan.NullInt64.Addr(number) == nil)
	number.Int64, number.Valid = 7, true
	address := number.Addr
	fmt.Println(*address(), *nan.String("helper").Addr(), number == nan.Int64(7))
	of, from := nan.Int64, nan.Int64Addr
	fmt.Println(apply(int64(6), of), apply(number.Addr(), from), apply(int64(1), nan.Int64))
	name := Name(nan.String("declared"))
	fmt.Println(name.String, name.Valid, nan.NullString(name).String)
	byKey := map[string]nan.NullBool{"yes": nan.Bool(true), "no": {}}
	fmt.Println(byKey["yes"].Bool, byKey["no"].Valid)
	scanned := model.Row{Embedded: model.Embedded{NullInt32: nan.Int32(1)}}
	err := scanned.Title.Scan("scanned")
	written, _ := scanned.Title.Value()
	fmt.Println(err, written, scanned.Title.String, scanned.Title.Valid, scanned.NullInt32.Int32, scanned.Int32)
	other(os.Stdout)
}
