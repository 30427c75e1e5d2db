package schema_test

import (
	"fmt"

	"github.com/weftcodec/weft/schema"
)

func ExampleValidate() {
	type Item struct {
		Name  string   `json:"name" check:"minLength=1"`
		Price float64  `json:"price" check:"exclusiveMinimum=0"`
		Tags  []string `json:"tags" check:"items.pattern=^[a-z]+$"`
	}
	fmt.Println(schema.Validate(Item{Name: "lamp", Price: 12.5, Tags: []string{"home"}}))
	fmt.Println(schema.Validate(Item{Name: "", Price: 1, Tags: []string{"home", "NEW"}}))
	// Output:
	// <nil>
	// at /name: must have at least 1 character, not 0; at /tags/1: must match ^[a-z]+$, not "NEW"
}
