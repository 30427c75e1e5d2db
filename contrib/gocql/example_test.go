package gocql_test

import (
	"fmt"

	driver "github.com/gocql/gocql"

	"github.com/weftcodec/weft/contrib/gocql"
	"github.com/weftcodec/weft/opt"
)

// What Query and Scan of the driver do with their arguments.
func Example() {
	var person struct {
		Name opt.String
		Age  opt.Field[int]
	}
	text, number := driver.NewNativeType(4, driver.TypeText, ""), driver.NewNativeType(4, driver.TypeInt, "")

	person.Name.Set("Ann")
	name, _ := driver.Marshal(text, gocql.AsNull(&person.Name))
	age, _ := driver.Marshal(number, gocql.AsField(&person.Age))
	fmt.Printf("%q, a null: %t\n", name, age == nil)

	_ = driver.Unmarshal(text, nil, gocql.AsNull(&person.Name))
	_ = driver.Unmarshal(number, []byte{0, 0, 0, 42}, gocql.AsField(&person.Age))
	fmt.Println(person.Name, person.Age)
	// Output:
	// "Ann", a null: true
	// null 42
}

func ExampleAsNull() {
	name := opt.NullOf("Ann")
	b, err := driver.Marshal(driver.NewNativeType(4, driver.TypeText, ""), gocql.AsNull(&name))
	fmt.Printf("%q %v\n", b, err)
	// Output: "Ann" <nil>
}

func ExampleAsVal() {
	var age opt.Val[int]
	err := driver.Unmarshal(driver.NewNativeType(4, driver.TypeInt, ""), []byte{0, 0, 0, 42}, gocql.AsVal(&age))
	fmt.Println(age, err)
	// Output: 42 <nil>
}

func ExampleAsField() {
	var age opt.Field[int]
	err := driver.Unmarshal(driver.NewNativeType(4, driver.TypeInt, ""), nil, gocql.AsField(&age))
	fmt.Println(age, err)
	// Output: null <nil>
}
