package opttest

import (
	"database/sql"
	"fmt"
	"math"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/ncruces/go-sqlite3/driver"
	_ "github.com/ncruces/go-sqlite3/embed"

	"github.com/weftcodec/weft/column"
	"github.com/weftcodec/weft/internal/postgres"
	"github.com/weftcodec/weft/opt"
)

// trip stores values and NULL in a column of the type, and reads them back.
func trip[T any](t *testing.T, db *sql.DB, column string, values ...T) {
	t.Helper()
	// A name of its own for each: pgx remembers the plans of statements.
	table := fmt.Sprintf("t%x", fmt.Sprintf("%T %s", *new(T), column))
	if _, err := db.Exec("CREATE TABLE " + table + " (v " + column + ")"); err != nil {
		t.Fatal(err)
	}
	list := []opt.Null[T]{{}}
	for _, v := range values {
		list = append(list, opt.NullOf(v))
	}
	for _, want := range list {
		var n opt.Null[T]
		var o opt.Val[T]
		var f opt.Field[T]
		_, err := db.Exec("DELETE FROM " + table)
		if err == nil {
			_, err = db.Exec("INSERT INTO "+table+" VALUES ($1)", want)
		}
		if err == nil {
			err = db.QueryRow("SELECT v, v, v FROM "+table).Scan(&n, &o, &f)
		}
		if err != nil || !n.Equal(want) || !opt.FieldToNull(opt.ValToField(o)).Equal(want) ||
			!opt.FieldToNull(f).Equal(want) || f.State == opt.Absent {
			t.Errorf("%s: %#v comes back as %#v, %#v, %#v, %v", column, want, n, o, f, err)
		}
	}
}

// tripAll has a column for each type.
func tripAll(t *testing.T, db *sql.DB, bytes, stamp string) {
	trip(t, db, "text", "", "x", "null")
	trip(t, db, "boolean", true, false)
	trip(t, db, bytes, []byte("a\x00\xff"))
	trip[int8](t, db, "smallint", math.MinInt8, math.MaxInt8)
	trip[int16](t, db, "smallint", math.MinInt16, math.MaxInt16)
	trip[int32](t, db, "integer", math.MinInt32, math.MaxInt32)
	trip[int64](t, db, "bigint", math.MinInt64, math.MaxInt64, 0)
	trip[uint8](t, db, "smallint", 0, math.MaxUint8)
	trip[uint16](t, db, "integer", math.MaxUint16)
	trip[uint32](t, db, "bigint", math.MaxUint32)
	trip[float32](t, db, "real", 0, 0.1, math.MaxFloat32)
	trip[float64](t, db, "double precision", 0, 0.1, 1e300)
	trip(t, db, "text", 1+2i)
	trip(t, db, stamp, time.Date(2026, 7, 1, 9, 30, 0, 123456000, time.UTC))
	trip(t, db, "bigint", 90*time.Minute)
	trip(t, db, "text", struct{ X, Y int }{1, 2})
	trip(t, db, "text", column.JSON[struct{ X, Y int }]{V: struct{ X, Y int }{1, 2}})
}

func TestSQLite(t *testing.T) {
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	tripAll(t, db, "blob", "datetime")
	trip[uint64](t, db, "text", 0, math.MaxUint64)
	trip(t, db, "text", opt.RawUUID{1, 15: 2})
}

// TestPostgreSQL runs against a server of its own.
func TestPostgreSQL(t *testing.T) {
	db, err := sql.Open("pgx", postgres.Start(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tripAll(t, db, "bytea", "timestamptz")
	trip[uint64](t, db, "numeric(20)", 0, math.MaxUint64)
	trip(t, db, "uuid", opt.RawUUID{1, 15: 2})
	trip(t, db, "jsonb", struct{ X, Y int }{1, 2}, struct{ X, Y int }{})
	trip(t, db, "jsonb", column.JSON[map[string][]int]{V: map[string][]int{"a": {1, 2}, "b": nil}}, column.JSON[map[string][]int]{})
	trip(t, db, "json", column.JSON[any]{V: []any{"<a>", 1.5, true}}, column.JSON[any]{})
}
