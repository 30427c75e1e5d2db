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

// Profile is what a program keeps, and ProfilePatch what a client may change.
type Profile struct {
	Name    string
	Phone   *string
	Address Address
}

// Address is a part of a [Profile].
type Address struct {
	Street, City string
}

// ProfilePatch has the three states of each member.
type ProfilePatch struct {
	Name    opt.Field[string]       `json:"name,omitzero"`
	Phone   opt.Field[string]       `json:"phone,omitzero"`
	Address opt.Field[AddressPatch] `json:"address,omitzero"`
}

// AddressPatch is a part of a [ProfilePatch].
type AddressPatch struct {
	Street opt.Field[string] `json:"street,omitzero"`
	City   opt.Field[string] `json:"city,omitzero"`
}

// The fields of a Profile have no tags: they are matched by their Go names.
func ExampleApply() {
	phone := "+01"
	user := Profile{Name: "John", Phone: &phone, Address: Address{"Elm Street", "Springwood"}}
	for _, body := range []string{`{"phone":null,"address":{"city":"Salem"}}`, `{"address":{"city":null}}`} {
		var patch ProfilePatch
		if err := json.Unmarshal([]byte(body), &patch); err != nil {
			fmt.Println(err)
		}
		err := opt.Apply(&user, patch)
		fmt.Println(user.Name, user.Phone, user.Address, err)
	}
	// Output:
	// John <nil> {Elm Street Salem} <nil>
	// John <nil> {Elm Street Salem} opt: at /address/city: null does not fit type string
}
