package opttest

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/weftcodec/weft/opt"
)

// cell writes a document with l, and tells what was written and what it is read back as where that is another.
func cell(l *library, from, to any) (string, error) {
	b, err := l.marshal(from)
	if err != nil {
		return "", err
	}
	said := fmt.Sprintf("`%s`", strings.TrimSpace(string(b)))
	if l.binary {
		said = fmt.Sprintf("`%x`", b)
	}
	if err = l.unmarshal(b, to); err != nil {
		return said + ", not read back", nil
	}
	if reflect.DeepEqual(from, to) {
		return said, nil
	}
	if f, ok := to.(*FieldDocument); ok {
		return said + ", read as " + map[opt.State]string{opt.Absent: "absent", opt.IsNull: "null"}[f.V.State], nil
	}
	return said + fmt.Sprintf(", read as %+v", to), nil
}

// TestDocsTable makes every cell of the table of libraries. With WEFT_PRINT set it prints them.
func TestDocsTable(t *testing.T) {
	text, err := os.ReadFile("../../docs/opt.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows[cells[0]] = cells[1:]
	}
	for _, l := range libraries() {
		if l.name == "encoding/gob" {
			continue // its bytes number the types of the process
		}
		var row []string
		for _, state := range []struct{ from, to any }{
			{&NullDocument{}, new(NullDocument)},
			{&NullDocument{opt.NullOf(0)}, new(NullDocument)},
			{&ValDocument{}, new(ValDocument)},
			{&ValDocument{opt.ValOf(0)}, new(ValDocument)},
			{&FieldDocument{}, new(FieldDocument)},
			{&FieldDocument{opt.FieldNull[int]()}, new(FieldDocument)},
			{&FieldDocument{opt.FieldOf(0)}, new(FieldDocument)},
		} {
			got, err := cell(&l, state.from, state.to)
			if err != nil {
				t.Errorf("%s: %+v: %v", l.name, state.from, err)
			}
			row = append(row, got)
		}
		if os.Getenv("WEFT_PRINT") != "" {
			fmt.Printf("| %s | %s |\n", l.name, strings.Join(row, " | "))
			continue
		}
		want := rows[l.name]
		if len(want) != len(row) {
			t.Errorf("%s: no row of %d cells", l.name, len(row))
			continue
		}
		for i := range row {
			if row[i] != want[i] {
				t.Errorf("%s, column %d: %s; the page has %s", l.name, i+1, row[i], want[i])
			}
		}
	}
}
