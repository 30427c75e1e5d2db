// Package declared has the types of package unions as a union that is declared by
// rules and structs without methods.
package declared

import (
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/opt"
)

// The types of the document as a union that is declared and structs without methods.
type (
	Event        struct{ V EventVariant }
	EventVariant interface{ isDeclared() }

	Actor struct {
		ID    int64  `json:"id" check:"required,minimum=1"`
		Login string `json:"login" check:"required,minLength=1,maxLength=39"`
		URL   string `json:"url" check:"required"`
		Admin bool   `json:"admin" check:"required"`
	}
	Commit struct {
		Sha      string `json:"sha" check:"required,minLength=40,maxLength=40"`
		Message  string `json:"message" check:"required"`
		Author   string `json:"author" check:"required"`
		Distinct bool   `json:"distinct" check:"required"`
	}
	Push struct {
		Type      string           `json:"type" check:"required"`
		ID        string           `json:"id" check:"required"`
		Actor     Actor            `json:"actor" check:"required"`
		Ref       string           `json:"ref" check:"required"`
		Head      string           `json:"head" check:"required"`
		Before    string           `json:"before" check:"required"`
		Size      int64            `json:"size" check:"required,minimum=0"`
		Score     opt.Val[float64] `json:"score,omitzero"`
		Public    opt.Val[bool]    `json:"public,omitzero"`
		CreatedAt time.Time        `json:"created_at" check:"required"`
		Labels    []string         `json:"labels,omitzero"`
		Commits   []Commit         `json:"commits" check:"required,maxItems=20"`
	}
	Release struct {
		Type      string             `json:"type" check:"required"`
		ID        string             `json:"id" check:"required"`
		Actor     Actor              `json:"actor" check:"required"`
		Tag       string             `json:"tag" check:"required"`
		Notes     opt.Val[string]    `json:"notes,omitzero"`
		Draft     opt.Val[bool]      `json:"draft,omitzero"`
		CreatedAt opt.Val[time.Time] `json:"created_at,omitzero"`
	}
	Watch struct {
		Type      string             `json:"type" check:"required"`
		ID        string             `json:"id" check:"required"`
		Actor     Actor              `json:"actor" check:"required"`
		Action    opt.Val[string]    `json:"action,omitzero"`
		CreatedAt opt.Val[time.Time] `json:"created_at,omitzero"`
	}
)

func (*Push) isDeclared()    {}
func (*Release) isDeclared() {}
func (*Watch) isDeclared()   {}

func (Event) WeftRules() weft.Rules {
	return weft.Rules{Union: &weft.Variants{
		OneOf: true, Discriminator: "type",
		Cases: []weft.UnionCase{weft.Variant[*Push]("push"), weft.Variant[*Release]("release"), weft.Variant[*Watch]("watch")},
	}}
}
