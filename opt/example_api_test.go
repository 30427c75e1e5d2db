package opt_test

import (
	"database/sql"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/weftcodec/weft/opt"
)

func ExampleNullOf() {
	owner := opt.NullOf("ann")
	fmt.Println(owner, sql.Null[string](owner).V)
	// Output: ann ann
}

func ExampleValOf() {
	limit := opt.ValOf(0)
	v, ok := limit.Get()
	fmt.Println(v, ok, limit == opt.ValOf(0))
	// Output: 0 true true
}

func ExampleFieldOf() {
	age := opt.FieldOf(7)
	fmt.Println(age.State, age.Or(18))
	age.Unset()
	fmt.Println(age.State, age.Or(18))
	// Output:
	// set 7
	// absent 18
}

func ExampleFieldNull() {
	gone := opt.FieldNull[string]()
	fmt.Println(gone, gone.IsNull(), gone.IsSet())
	// Output: null true false
}

func ExampleNullFrom() {
	five := 5
	fmt.Println(opt.NullFrom(&five), opt.NullFrom[int](nil))
	// Output: 5 null
}

func ExampleFromPtr() {
	var p *string
	fmt.Println(opt.FromPtr(p), opt.NullOf("x").Ptr() != nil)
	// Output: null true
}

func ExampleValFrom() {
	five := 5
	fmt.Println(opt.ValFrom(&five), opt.ValFrom[int](nil))
	// Output: 5 absent
}

func ExampleFieldFrom() {
	five := 5
	fmt.Println(opt.FieldFrom(&five), opt.FieldFrom[int](nil))
	// Output: 5 absent
}

func ExampleNullToField() {
	fmt.Println(opt.NullToField(opt.NullOf(5)), opt.NullToField(opt.Null[int]{}))
	// Output: 5 null
}

func ExampleValToField() {
	fmt.Println(opt.ValToField(opt.ValOf(5)), opt.ValToField(opt.Val[int]{}))
	// Output: 5 absent
}

func ExampleFieldToNull() {
	fmt.Println(opt.FieldToNull(opt.FieldOf(5)), opt.FieldToNull(opt.Field[int]{}))
	// Output: 5 null
}

func ExampleFieldToVal() {
	fmt.Println(opt.FieldToVal(opt.FieldOf(5)), opt.FieldToVal(opt.FieldNull[int]()))
	// Output: 5 absent
}

func ExampleMapNull() {
	fmt.Println(opt.MapNull(opt.NullOf("rex"), strings.ToUpper), opt.MapNull(opt.String{}, strings.ToUpper))
	// Output: REX null
}

func ExampleMapVal() {
	length := func(s string) int { return len(s) }
	fmt.Println(opt.MapVal(opt.ValOf("rex"), length), opt.MapVal(opt.Val[string]{}, length))
	// Output: 3 absent
}

func ExampleMapField() {
	length := func(s string) int { return len(s) }
	fmt.Println(opt.MapField(opt.FieldOf("rex"), length), opt.MapField(opt.FieldNull[string](), length))
	// Output: 3 null
}

func ExampleNewFlag() {
	var port opt.Val[uint16]
	var verbose opt.Val[bool]
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	fs.Var(opt.NewFlag(&port), "port", "`number` to listen on")
	fs.Var(opt.NewFlag(&verbose), "v", "say more")
	err := fs.Parse([]string{"-v"})
	fmt.Println(port, verbose, err)
	// Output: absent true <nil>
}

func ExampleRawUUID() {
	var id opt.UUID
	err := id.Scan("0190b2f4-7c1e-7aaa-8bbb-0123456789ab") // as database/sql does
	fmt.Println(id, id.V[0], err)
	// Output: 0190b2f4-7c1e-7aaa-8bbb-0123456789ab 1 <nil>
}

func ExampleParseDate() {
	d, err := opt.ParseDate("2026-02-28")
	fmt.Println(d, err)
	_, err = opt.ParseDate("2026-02-29")
	fmt.Println(err)
	// Output:
	// 2026-02-28 <nil>
	// must be a date, not "2026-02-29"
}

func ExampleDateOf() {
	fmt.Println(opt.DateOf(time.Date(2026, 7, 1, 9, 30, 0, 0, time.UTC)))
	// Output: 2026-07-01
}
