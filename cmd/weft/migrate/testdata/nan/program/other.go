package main

import (
	"fmt"
	"io"

	n "github.com/kak-tus/nan"

	"example.com/program/model"
)

func other(w io.Writer) {
	var opt n.NullUint16 // the name stays free
	opt.Uint16, opt.Valid = 12, true
	row := model.New("row")
	fmt.Fprintln(w, opt.Uint16, row.Title.String, n.Uint16(opt.Uint16).Valid)
}
