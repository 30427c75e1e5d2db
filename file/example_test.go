package file_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/file"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

type Reading struct {
	Sensor string  `json:"sensor"`
	Value  float64 `json:"value"`
}

// scratch returns a name in a new folder.
func scratch(name string) (path string, remove func()) {
	dir, err := os.MkdirTemp("", "weft")
	if err != nil {
		panic(err)
	}
	return filepath.Join(dir, name), func() { os.RemoveAll(dir) }
}

func ExampleSaveFile() {
	name, remove := scratch("readings.ndjson")
	defer remove()
	err := file.SaveFile(name, []Reading{{"a", 1}, {"b", 2.5}})
	text, _ := os.ReadFile(name)
	fmt.Print(string(text), err)
	// Output:
	// {"sensor":"a","value":1}
	// {"sensor":"b","value":2.5}
	// <nil>
}

func ExampleLoadFile() {
	name, remove := scratch("readings.json.gz")
	defer remove()
	if err := file.SaveFile(name, []Reading{{"a", 1}}); err != nil {
		fmt.Println(err)
	}
	var list []Reading
	err := file.LoadFile(name, &list)
	fmt.Println(list, err)
	// Output: [{a 1}] <nil>
}

func ExampleAs() {
	name, remove := scratch("readings.data")
	defer remove()
	format := compress.Zstd(msgpack.Format, compress.Level(9))
	if err := file.SaveFile(name, Reading{"a", 1}, file.As(format)); err != nil {
		fmt.Println(err)
	}
	var r Reading
	err := file.LoadFile(name, &r) // the content tells
	fmt.Println(r, err)
	// Output: {a 1} <nil>
}

func ExampleCreate() {
	name, remove := scratch("readings.ndjson.zst")
	defer remove()
	w, err := file.Create(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Abort()
	for i := range 3 {
		if err := w.Encode(Reading{"a", float64(i)}); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Close(); err != nil { // now the file is there
		fmt.Println(err)
	}
	for r, err := range file.All[Reading](name) {
		fmt.Println(r, err)
	}
	// Output:
	// {a 0} <nil>
	// {a 1} <nil>
	// {a 2} <nil>
}

func ExampleOpenReader() {
	name, remove := scratch("readings.ndjson")
	defer remove()
	// The writer was stopped in its third line.
	os.WriteFile(name, []byte(`{"sensor":"a","value":1}`+"\n"+`{"sensor":"b","value":2}`+"\n"+`{"sensor":"c","va`), 0o666)
	r, err := file.OpenReader(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for {
		var v Reading
		err := r.Decode(&v) // io.EOF at the end of a file that is whole
		if errors.Is(err, file.ErrTorn) {
			fmt.Println("torn")
			break
		} else if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(v)
	}
	// Output:
	// {a 1}
	// {b 2}
	// torn
}

func ExampleElements() {
	name, remove := scratch("points.json")
	defer remove()
	if err := file.SaveFile(name, [][]int{{1, 2}, {3, 4}}); err != nil {
		fmt.Println(err)
	}
	for _, on := range []bool{true, false} {
		r, err := file.OpenReader(name, file.Elements(on))
		if err != nil {
			fmt.Println(err)
			continue
		}
		var v any
		err = r.Decode(&v)
		fmt.Println(r.Format().Name(), v, err)
		r.Close()
	}
	// Output:
	// json [1 2] <nil>
	// json [[1 2] [3 4]] <nil>
}

func ExampleOpenAppender() {
	name, remove := scratch("readings.ndjson.gz")
	defer remove()
	for i := range 2 {
		a, err := file.OpenAppender(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		a.Encode(Reading{"a", float64(i)})
		if err := a.Close(); err != nil {
			fmt.Println(err)
		}
	}
	var list []Reading
	err := file.LoadFile(name, &list)
	fmt.Println(list, err)
	// Output: [{a 0} {a 1}] <nil>
}

func ExampleRecords() {
	b, err := file.Records(msgpack.Format).MarshalAppend(nil, []int{1, 2, 300})
	fmt.Printf("%x %v\n", b, err)
	// Output: 0102cd012c <nil>
}

func ExampleDetect() {
	fmt.Println(file.Detect([]byte(` {"a":1}`)).Name(), file.Detect([]byte("\x81\xa1a\x01")).Name())
	// Output: json msgpack
}

func ExampleFormatOfName() {
	fmt.Println(file.FormatOfName("parts.ndjson.zst").Name(), file.FormatOfName("parts.txt"))
	// Output: ndjson+zstd <nil>
}

func ExampleOpenContent() {
	gz := compress.Gzip(json.Format)
	b, _ := gz.MarshalAppend(nil, []int{1, 2})
	c, err := file.OpenContent(bytes.NewReader(b), "numbers.json.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	text, err := io.ReadAll(c)
	fmt.Println(c.Format().Name(), c.Compression(), string(text), err)
	_, err = file.OpenContent(strings.NewReader("<html>502 Bad Gateway</html>"), "numbers.json")
	fmt.Println(err)
	// Output:
	// json gzip [1,2] <nil>
	// numbers.json: json: at offset 0: the content looks like HTML: name the file by what it holds, or give its format
}

func ExampleReplace() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "report.txt")
	err := file.Replace(name, func(w io.Writer) error {
		_, err := io.WriteString(w, "all of it")
		return err
	})
	b, _ := os.ReadFile(name)
	fmt.Println(string(b), err)
	// Output: all of it <nil>
}

func ExampleRecognise() {
	name, remove := scratch("readings.ndjson.gz")
	defer remove()
	if err := file.SaveFile(name, []Reading{{"a", 1}}, file.Workers(1)); err != nil {
		fmt.Println(err)
	}
	f, compression, err := file.Recognise(name)
	fmt.Println(f.Name(), compression, err)
	// Output: ndjson gzip <nil>
}

func ExampleRepair() {
	name, remove := scratch("readings.ndjson")
	defer remove()
	os.WriteFile(name, []byte(`{"sensor":"a","value":1}`+"\n"+`{"sensor":"b","va`), 0o666) // a writer was stopped
	_, err := file.OpenAppender(name)
	fmt.Println(errors.Is(err, file.ErrTorn))
	a, err := file.OpenAppender(name, file.Repair(true))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Encode(Reading{"c", 3}), a.Close())
	text, _ := os.ReadFile(name)
	fmt.Print(string(text))
	// Output:
	// true
	// <nil> <nil>
	// {"sensor":"a","value":1}
	// {"sensor":"c","value":3}
}

func ExampleSkipDamaged() {
	name, remove := scratch("readings.framed")
	defer remove()
	for _, sensor := range []string{"a", "b", "c"} { // each is a frame of its own
		a, err := file.OpenAppender(name)
		if err == nil {
			err = errors.Join(a.Encode(Reading{sensor, 1}), a.Close())
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	b, _ := os.ReadFile(name)
	b[bytes.IndexByte(b, 'b')] = 'x'
	os.WriteFile(name, b, 0o666)
	var list []Reading
	err := file.LoadFile(name, &list, file.SkipDamaged(func(from, to int64) { fmt.Println("lost:", to-from, "bytes") }))
	fmt.Println(list, err)
	// Output:
	// lost: 21 bytes
	// [{a 1} {c 1}] <nil>
}

func ExampleAll() {
	name, remove := scratch("readings.cbor.zst")
	defer remove()
	if err := file.SaveFile(name, []Reading{{"a", 1}, {"b", 2}}); err != nil {
		fmt.Println(err)
	}
	for r, err := range file.All[Reading](name) {
		fmt.Println(r, err)
	}
	// Output:
	// {a 1} <nil>
	// {b 2} <nil>
}
