package opt_test

import (
	"encoding/json"
	"fmt"

	"github.com/weftcodec/weft/opt"
)

// Book is a document whose members may be patched.
type Book struct {
	Title  opt.Field[string] `json:"title,omitzero"`
	Author opt.Field[Author] `json:"author,omitzero"`
	Phone  opt.Field[string] `json:"phone,omitzero"`
}

// Author is a part of a [Book].
type Author struct {
	Given  opt.Field[string] `json:"given,omitzero"`
	Family opt.Field[string] `json:"family,omitzero"`
}

// A patch says of each member: leave it, remove it, or set it.
func ExampleMerge() {
	var book, patch Book
	if err := json.Unmarshal([]byte(`{"title":"Goodbye","author":{"given":"John","family":"Doe"}}`), &book); err != nil {
		fmt.Println(err)
	}
	if err := json.Unmarshal([]byte(`{"title":"Hello","phone":"+01","author":{"family":null}}`), &patch); err != nil {
		fmt.Println(err)
	}
	text, err := json.Marshal(opt.Merge(book, patch))
	fmt.Println(string(text), err)
	// Output: {"title":"Hello","author":{"given":"John"},"phone":"+01"} <nil>
}

func ExampleDiff() {
	before := Book{Title: opt.FieldOf("Hello"), Phone: opt.FieldOf("+01")}
	after := Book{Title: opt.FieldOf("Hello"), Author: opt.FieldOf(Author{Given: opt.FieldOf("John")})}
	patch, err := opt.Diff(before, after)
	if err != nil {
		fmt.Println(err)
	}
	text, err := json.Marshal(patch)
	fmt.Println(string(text), err)
	// Output: {"author":{"given":"John"},"phone":null} <nil>
}
