//go:build js && wasm

// Command wasm is the playground in a worker of a browser: functions that return JSON.
package main

import (
	"syscall/js"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/site/play"
)

func main() {
	p := &play.Play{Progress: func(what string, done float64) { js.Global().Call("progress", what, done) }}
	answer := func(f func(args []js.Value) any) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any {
			text, err := json.Marshal(f(args))
			if err != nil {
				return js.Global().Get("Error").New(err.Error())
			}
			return string(text)
		})
	}
	js.Global().Set("weft", map[string]any{
		"types":  answer(func(a []js.Value) any { return p.Types(a[0].String()) }),
		"encode": answer(func(a []js.Value) any { return p.Encode(a[0].String(), a[1].String()) }),
		"rows":   answer(func(a []js.Value) any { return p.Rows(a[0].String(), a[1].Int()) }),
		"open": answer(func(a []js.Value) any {
			data := make([]byte, a[1].Length())
			js.CopyBytesToGo(data, a[1])
			return p.Open(a[0].String(), data)
		}),
	})
	js.Global().Call("ready")
	select {}
}
