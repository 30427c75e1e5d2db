package opt_test

import (
	"encoding"
	stdjson "encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"database/sql"
	"database/sql/driver"

	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/opt"
	"github.com/weftcodec/weft/value"
)

// doc is the struct of the table, with the name of its XML element.
type doc[T any] struct {
	XMLName xml.Name `json:"-" xml:"d"`
	V       T        `json:"v" xml:"v"`
}

// zeroDoc leaves out what is zero.
type zeroDoc[T any] struct {
	V T `json:"v,omitzero"`
}

// writer is a row of the table: it writes a struct, or the value alone.
type writer struct {
	alone, omit bool
	write       func(v any) (string, error)
	read        func(text string, v any) error
}

func hexed(b []byte, err error) (string, error) { return fmt.Sprintf("%x", b), err }

func unhex(text string) (b []byte, err error) {
	_, err = fmt.Sscanf(text, "%x", &b)
	return b, err
}

var writers = map[string]writer{
	"weft json": {write: func(v any) (string, error) { b, err := json.Marshal(v); return string(b), err },
		read: func(s string, v any) error { return json.Unmarshal([]byte(s), v) }},
	"weft msgpack": {write: func(v any) (string, error) { return hexed(msgpack.Marshal(v)) },
		read: func(s string, v any) error {
			b, err := unhex(s)
			if err != nil {
				return err
			}
			return msgpack.Unmarshal(b, v)
		}},
	"weft cbor": {write: func(v any) (string, error) { return hexed(cbor.Marshal(v)) },
		read: func(s string, v any) error {
			b, err := unhex(s)
			if err != nil {
				return err
			}
			return cbor.Unmarshal(b, v)
		}},
	"weft value": {write: func(v any) (string, error) {
		x, err := value.Marshal(v)
		if err != nil {
			return "", err
		}
		b, err := json.Marshal(x)
		return string(b), err
	}, read: func(s string, v any) error {
		var x value.Value
		if err := json.Unmarshal([]byte(s), &x); err != nil {
			return err
		}
		return value.Unmarshal(x, v)
	}},
	"encoding/json":           standard(false),
	"encoding/json, omitzero": standard(true),
	"encoding/xml": {write: func(v any) (string, error) { b, err := xml.Marshal(v); return string(b), err },
		read: func(s string, v any) error { return xml.Unmarshal([]byte(s), v) }},
	"MarshalText": {alone: true, write: func(v any) (string, error) {
		b, err := v.(encoding.TextMarshaler).MarshalText()
		return string(b), err
	}, read: func(s string, v any) error { return v.(encoding.TextUnmarshaler).UnmarshalText([]byte(s)) }},
	"MarshalBinary": {alone: true, write: func(v any) (string, error) { return hexed(v.(encoding.BinaryMarshaler).MarshalBinary()) },
		read: func(s string, v any) error {
			b, err := unhex(s)
			if err != nil {
				return err
			}
			return v.(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
		}},
	"database/sql": {alone: true, write: func(v any) (string, error) {
		x, err := v.(driver.Valuer).Value()
		if x == nil {
			return "NULL", err
		}
		return fmt.Sprint(x), err
	}, read: func(s string, v any) error {
		if s == "NULL" {
			return v.(sql.Scanner).Scan(nil)
		}
		return v.(sql.Scanner).Scan(s)
	}},
}

func standard(omit bool) writer {
	return writer{omit: omit, write: func(v any) (string, error) { b, err := stdjson.Marshal(v); return string(b), err },
		read: func(s string, v any) error { return stdjson.Unmarshal([]byte(s), v) }}
}

// cell returns what a writer makes of a value, as the table has it.
func cell[T any](w writer, v T, absent, null any) (string, error) {
	var from, to any = &doc[T]{V: v}, new(doc[T])
	at := func() any { return to.(*doc[T]).V }
	switch {
	case w.alone:
		from, to = v, new(T)
		at = func() any { return *to.(*T) }
	case w.omit:
		from, to = zeroDoc[T]{v}, new(zeroDoc[T])
		at = func() any { return to.(*zeroDoc[T]).V }
	}
	text, err := w.write(from)
	if err != nil {
		return "", err
	}
	said := "`" + text + "`"
	if text == "" {
		said = "empty"
	}
	err = w.read(text, to)
	switch {
	case err != nil:
		return said + ", not read back", nil
	case reflect.DeepEqual(at(), any(v)):
		return said, nil
	case reflect.DeepEqual(at(), null):
		return said + ", read as null", nil
	case reflect.DeepEqual(at(), absent):
		return said + ", read as absent", nil
	}
	return said + fmt.Sprintf(", read as %#v", at()), nil
}

// TestDocsTable makes every cell of the table of formats.
func TestDocsTable(t *testing.T) {
	text, err := os.ReadFile("../docs/opt.md")
	if err != nil {
		t.Fatal(err)
	}
	absent, null := any(opt.Field[int]{}), any(opt.FieldNull[int]())
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		w, ok := writers[strings.TrimSpace(cells[0])]
		if !ok || len(cells) != 8 {
			continue
		}
		rows++
		for i, make := range []func() (string, error){
			func() (string, error) { return cell(w, opt.Int{}, nil, nil) },
			func() (string, error) { return cell(w, opt.NullOf(0), nil, nil) },
			func() (string, error) { return cell(w, opt.Val[int]{}, nil, nil) },
			func() (string, error) { return cell(w, opt.ValOf(0), nil, nil) },
			func() (string, error) { return cell(w, opt.Field[int]{}, absent, null) },
			func() (string, error) { return cell(w, opt.FieldNull[int](), absent, null) },
			func() (string, error) { return cell(w, opt.FieldOf(0), absent, null) },
		} {
			if got, err := make(); err != nil || got != strings.TrimSpace(cells[i+1]) {
				t.Errorf("%s, column %d: %s, %v; the page has %s", cells[0], i+1, got, err, cells[i+1])
			}
		}
	}
	if rows != len(writers) {
		t.Errorf("%d rows, want %d", rows, len(writers))
	}
}

// TestDocs checks that the Go of the pages compiles, each as one package.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	for page, blocks := range map[string]int{"opt": 5, "migrating-nan": 1} {
		text, err := os.ReadFile("../docs/" + page + ".md")
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"vet"}
		dir := t.TempDir()
		for i, m := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
			name := filepath.Join(dir, fmt.Sprintf("block%d.go", i+1))
			if err := os.WriteFile(name, []byte("package doc\n\n"+m[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, name)
		}
		if len(args) != blocks+1 {
			t.Errorf("%s: %d blocks", page, len(args)-1)
		}
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", page, err, out)
		}
	}
}
