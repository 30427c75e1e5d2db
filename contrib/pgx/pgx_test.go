package pgx_test

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"testing"

	driver "github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/column"
	"github.com/weftcodec/weft/contrib/pgx"
	"github.com/weftcodec/weft/internal/postgres"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// point writes itself by the protocol of weft, which encoding/json does not know: that would write {}.
type point struct{ x, y int }

var pointFields = weft.NewFields("x", "y")

func (p point) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(pointFields)
	o.Int(0, p.x)
	o.Int(1, p.y)
	return o.End()
}

func (p *point) UnmarshalWeft(d *weft.Decoder) error {
	o := d.Object(pointFields)
	for o.Next() {
		switch o.Index() {
		case 0:
			p.x = d.Int()
		case 1:
			p.y = d.Int()
		}
	}
	return o.End()
}

type pet struct {
	Name string   `json:"name" check:"minLength=1"`
	Home point    `json:"home"`
	Tags []string `json:"tags"`
}

// TestPostgreSQL runs against a server of its own.
func TestPostgreSQL(t *testing.T) {
	config, err := pgxpool.ParseConfig(postgres.Start(t))
	if err != nil {
		t.Fatal(err)
	}
	config.AfterConnect = pgx.AfterConnect(json.FormatNilSliceAsNull(false))
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	rex := pet{"rex", point{1, 2}, nil}
	exec(t, pool, "CREATE TABLE pets (id int, j json, b jsonb, list jsonb[], packed bytea)")
	exec(t, pool, "INSERT INTO pets VALUES (1, $1, $2, $3, $4)", rex, &rex, []pet{rex, rex}, column.In(msgpack.Format, &rex))
	exec(t, pool, "INSERT INTO pets VALUES (2, NULL, NULL, NULL, NULL)")
	exec(t, pool, `INSERT INTO pets VALUES (3, $1, $2, '{}', '')`, map[string]any{"name": ""}, `{"name":3}`)

	var text string
	err = pool.QueryRow(t.Context(), "SELECT j::text FROM pets WHERE id = 1").Scan(&text)
	if err != nil || text != `{"name":"rex","home":{"x":1,"y":2},"tags":[]}` {
		t.Errorf("%s, %v", text, err)
	}
	var j pet
	var b *pet
	var list []pet
	var packed pet
	want := pet{"rex", point{1, 2}, []string{}}
	err = pool.QueryRow(t.Context(), "SELECT j, b, list, packed FROM pets WHERE id = 1").
		Scan(&j, &b, &list, column.In(msgpack.Format, &packed))
	if err != nil || !reflect.DeepEqual([]any{j, b, list, packed}, []any{want, &want, []pet{want, want}, rex}) {
		t.Errorf("%+v, %+v, %+v, %+v, %v", j, b, list, packed, err)
	}
	if err := pool.QueryRow(t.Context(), "SELECT b FROM pets WHERE id = 2").Scan(&b); err != nil || b != nil {
		t.Errorf("NULL: %+v, %v", b, err)
	}
	for column, want := range map[string]string{
		"j": "json: at /name, offset 8: must have at least 1 character",
		"b": "json: at /name, offset 9: cannot unmarshal number",
	} {
		err := pool.QueryRow(t.Context(), "SELECT "+column+" FROM pets WHERE id = 3").Scan(&j)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", column, err, want)
		}
	}
	rows, err := pool.Query(t.Context(), "SELECT id, b FROM pets WHERE id < 3 ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	byName, err := driver.CollectRows(rows, driver.RowToStructByName[row])
	if err != nil || len(byName) != 2 || byName[0].B.Name != "rex" || byName[1].B != nil {
		t.Errorf("%+v, %v", byName, err)
	}

	// The same by database/sql.
	db := stdlib.OpenDB(*config.ConnConfig, stdlib.OptionAfterConnect(pgx.AfterConnect()))
	defer db.Close()
	var c column.JSON[pet]
	var n sql.Null[column.JSON[pet]]
	err = db.QueryRow("SELECT j, b FROM pets WHERE id = 1").Scan(&c, &n)
	if err != nil || c.V.Home.y != 2 || n.V.V.Home.y != 2 {
		t.Errorf("%+v, %+v, %v", c, n, err)
	}
	if _, err := db.Exec("UPDATE pets SET b = $1 WHERE id = 2", c); err != nil {
		t.Error(err)
	}
	err = db.QueryRow("SELECT j, b FROM pets WHERE id = 2").Scan(&n, &c)
	if err != nil || n.Valid || c.V.Name != "rex" {
		t.Errorf("%+v, %+v, %v", n, c, err)
	}
}

type row struct {
	ID int
	B  *pet
}

func exec(t *testing.T, pool *pgxpool.Pool, query string, args ...any) {
	t.Helper()
	if _, err := pool.Exec(context.Background(), query, args...); err != nil {
		t.Fatal(err)
	}
}

func ExampleRegister() {
	m := pgtype.NewMap()
	pgx.Register(m, json.FormatNilSliceAsNull(false))
	b, err := m.Encode(pgtype.JSONOID, pgtype.TextFormatCode, pet{Name: "rex"}, nil)
	fmt.Printf("%s %v\n", b, err)
	var p pet
	err = m.Scan(pgtype.JSONOID, pgtype.TextFormatCode, []byte(`{"name":"max","home":{"x":3,"y":4}}`), &p)
	fmt.Println(p.Name, p.Home.x, err)
	// Output:
	// {"name":"rex","home":{"x":0,"y":0},"tags":[]} <nil>
	// max 3 <nil>
}

func ExampleAfterConnect() {
	config, err := pgxpool.ParseConfig("host=localhost dbname=pets")
	if err != nil {
		fmt.Println(err)
		return
	}
	config.AfterConnect = pgx.AfterConnect()
	// pool, err := pgxpool.NewWithConfig(ctx, config)
	// err = pool.QueryRow(ctx, "SELECT pet FROM pets WHERE id = $1", id).Scan(&pet)
	fmt.Println(config.ConnConfig.Database)
	// Output: pets
}
