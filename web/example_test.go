package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/weftcodec/weft/schema"
	"github.com/weftcodec/weft/web"
)

type order struct {
	Item  string `json:"item" check:"required,minLength=1"`
	Count int    `json:"count" check:"minimum=1"`
}

func ExampleHandle() {
	http.Handle("POST /orders", web.Handle(func(r *http.Request, o order) (order, error) {
		return o, nil
	}))

	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/orders", strings.NewReader(`{"item":"lamp","count":0}`))
	http.DefaultServeMux.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body)
	// Output: 422 {"title":"Unprocessable Entity","status":422,"detail":"json: at /count, offset 23: must be at least 1, not 0","errors":[{"detail":"must be at least 1, not 0","pointer":"#/count","offset":23}]}
}

func ExampleRead() {
	handler := func(w http.ResponseWriter, r *http.Request) {
		var o order
		if err := web.Read(r, &o, web.MaxSize(10_000)); err != nil {
			web.Fail(w, err)
			return
		}
		fmt.Println(o.Count, o.Item)
		w.WriteHeader(http.StatusNoContent)
	}
	r := httptest.NewRequest("POST", "/", strings.NewReader("\x82\xa4item\xa4lamp\xa5count\x02"))
	r.Header.Set("Content-Type", "application/msgpack")
	handler(httptest.NewRecorder(), r)
	// Output: 2 lamp
}

func ExampleWrite() {
	handler := func(w http.ResponseWriter, r *http.Request) {
		if err := web.Write(w, r, http.StatusCreated, order{"lamp", 2}, web.Compress(true)); err != nil {
			web.Fail(w, err)
		}
	}
	w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "/", nil)
	r.Header.Set("Accept", "application/cbor, application/json;q=0.9")
	handler(w, r)
	fmt.Printf("%d %s %q\n", w.Code, w.Header().Get("Content-Type"), w.Body)
	// Output: 201 application/cbor "\xa2ditemdlampecount\x02"
}

func ExampleFail() {
	w := httptest.NewRecorder()
	web.Fail(w, schema.Validate(order{"lamp", 0}))
	fmt.Println(w.Code, w.Header().Get("Content-Type"))
	// Output: 422 application/problem+json
}

func ExampleReadResponse() {
	s := httptest.NewServer(web.Handle(func(r *http.Request, o order) (order, error) { return o, nil }))
	defer s.Close()
	resp, err := http.Post(s.URL, "application/json", strings.NewReader(`{"item":"lamp","count":2}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var o order
	fmt.Println(web.ReadResponse(resp, &o), o)
	// Output: <nil> {lamp 2}
}
