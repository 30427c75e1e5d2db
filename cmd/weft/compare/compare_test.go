package compare

import (
	"bytes"
	stdjson "encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cmd/weft/convert"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/file"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

var update = flag.Bool("update", false, "write the golden files again")

// fixed is a report with all there can be in it.
func fixed() *Report {
	r := &Report{
		File: "parts <1>.ndjson", Format: "json", Compression: "gzip", Bytes: 54_321, Records: 20_000,
		Results: []Result{
			{Name: "json", Format: "json", Bytes: 1_375_847, Save: 11_234_567, Load: 31_700_000, SaveAllocs: 4,
				LoadAllocs: 40_026, SaveMemory: 10, LoadMemory: 3_000_000},
			{Name: "msgpack+zstd", Format: "msgpack", Compression: "zstd", Bytes: 132_403, Save: 53_400_000, Load: 123_900_000,
				SaveAllocs: 4, LoadAllocs: 40_047},
			{Name: "msgpack", Format: "msgpack", Bytes: 1_115_849, Save: 703_000, Load: 5_310_000, LoadAllocs: 999},
			{Name: "other", Format: "other", Error: "other: at /1/a: no form for <this>"},
			{Name: "msgpack+gzip", Format: "msgpack", Compression: "gzip", Bytes: 133_302, Save: 21_950_000, Load: 26_400_000,
				SaveAllocs: 1, LoadAllocs: 40_006},
		},
	}
	sortResults(r.Results, "size")
	r.Choose = choose(r.Results)
	return r
}

func TestGolden(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{
		"report.txt":  fixed().WriteText,
		"report.html": fixed().WriteHTML,
	} {
		var got bytes.Buffer
		if err := write(&got); err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(golden, got.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s: got\n%s", name, got.Bytes())
		}
	}
}

// The page needs nothing else, and its plot is well-formed.
func TestPage(t *testing.T) {
	var b bytes.Buffer
	if err := fixed().WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, outside := range []string{"http:", "https:", "src=", "href=", "url(", "@import", "<1>", "<this>"} {
		if strings.Contains(text, outside) {
			t.Errorf("the page has %q", outside)
		}
	}
	dec := xml.NewDecoder(strings.NewReader(text[strings.Index(text, "<svg"):strings.Index(text, "</svg>")] + "</svg>"))
	for {
		_, err := dec.Token()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(text, "<circle"); n != 4 {
		t.Errorf("%d points", n)
	}
}

func TestSort(t *testing.T) {
	for order, want := range map[string]string{
		"size": "msgpack+zstd msgpack+gzip msgpack json other",
		"save": "msgpack json msgpack+gzip msgpack+zstd other",
		"load": "msgpack msgpack+gzip json msgpack+zstd other",
		"time": "msgpack json msgpack+gzip msgpack+zstd other",
		"name": "json msgpack msgpack+gzip msgpack+zstd other",
	} {
		t.Run(order, func(t *testing.T) {
			r := fixed()
			sortResults(r.Results, order)
			var got []string
			for _, s := range r.Results {
				got = append(got, s.Name)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %s", order, got)
			}
		})
	}
	if got, want := fixed().Choose, (Choice{"msgpack+zstd", "msgpack", "msgpack+gzip"}); got != want {
		t.Errorf("chose %v", got)
	}
}

// Every kind of file gives the same sizes for the same data.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	list := make([]map[string]any, 200)
	for i := range list {
		list[i] = map[string]any{"id": i, "name": fmt.Sprint("part ", i), "price": float64(i) + 0.25, "tags": []string{"a", "b"}, "next": nil}
	}
	want := map[string]int{}
	for _, s := range subjects(2) {
		b, err := s.format.MarshalAppend(nil, list)
		if err != nil {
			t.Fatal(err)
		}
		want[s.Name] = len(b)
	}
	for _, f := range []weft.Format{
		json.Format, file.NDJSON, msgpack.Format, file.Records(msgpack.Format), tagged.Format, tagged.Framed,
		compress.Gzip(json.Format), compress.Zstd(file.NDJSON),
	} {
		name := filepath.Join(dir, "data")
		if err := file.SaveFile(name, list, file.As(f)); err != nil {
			t.Fatal(err)
		}
		last := 0.0
		r, err := File(name, Options{Sort: "name", Progress: func(done float64) {
			if done < last || done > 1 {
				t.Errorf("progress went from %v to %v", last, done)
			}
			last = done
		}})
		if err != nil {
			t.Fatal(f.Name(), err)
		}
		if r.Records != len(list) || r.Bytes == 0 || last != 1 || len(r.Results) != len(want) {
			t.Errorf("%s: %d records, %d bytes, %v done", f.Name(), r.Records, r.Bytes, last)
		}
		for _, s := range r.Results {
			if plain := s.Compression == "" && s.Format != "framed"; s.Error != "" || plain && s.Bytes != want[s.Name] ||
				s.Save == 0 || s.Load == 0 || s.LoadAllocs == 0 {
				t.Errorf("%s: %+v, want %d bytes", f.Name(), s, want[s.Name])
			}
		}
	}
}

// A document is measured as it is.
func TestDocument(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.json")
	os.WriteFile(name, []byte("{\n  \"a\": [1, 2.5, {\"b\": \"x\"}]\n}\n"), 0o666)
	r, err := File(name, Options{Sort: "name", Budget: time.Millisecond})
	if err != nil || r.Records != 1 || r.Results[6].Name != "json" ||
		r.Results[6].Bytes != len(`{"a":[1,2.5,{"b":"x"}]}`) || len(r.Results) != 15 || r.As != "structs" {
		t.Fatalf("%+v %v", r, err)
	}
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), "1 record of json, 32 bytes, measured as Go structs\n") {
		t.Errorf("%s %v", text.String(), err)
	}
}

// A format that cannot hold the data is told, and the others are measured.
func TestCannotHold(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.mp")
	os.WriteFile(name, []byte("\x81\xa1a\xd4\x05\x01\x81\xa1a\x01"), 0o666) // an extension
	r, err := File(name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	r.WriteText(&text)
	if r.Choose.Size == "" || strings.HasPrefix(r.Choose.Size, "json") || !strings.Contains(text.String(), "not measured:\n  cbor: ") {
		t.Errorf("%s", text.String())
	}
	if b, err := stdjson.Marshal(r); err != nil || !bytes.Contains(b, []byte(`"error":"`)) {
		t.Errorf("%s %v", b, err)
	}
}

// What structs hold is the data, whatever its shape; else they are not used.
func TestStructs(t *testing.T) {
	tests := []struct {
		text string
		want string // the Go type, "" for none
	}{
		{`[{"a":1,"b":"x"},{"a":2,"b":"y"}]`, "[]struct { F0 int64 \"json:\\\"a\\\"\"; F1 string \"json:\\\"b\\\"\" }"},
		{`[{"a":1},{"a":2,"b":"y"},{"b":"z"}]`, "[]struct { F0 *int64 \"json:\\\"a,omitzero\\\"\"; F1 *string \"json:\\\"b,omitzero\\\"\" }"},
		{`[{"a":null},{"a":2.5},{"a":1}]`, "[]struct { F0 *float64 \"json:\\\"a\\\"\" }"},
		{`[{"a":[]},{"a":[true]}]`, "[]struct { F0 []bool \"json:\\\"a\\\"\" }"},
		{`[[1,2],[],[3]]`, "[][]int64"},
		{`[{"a b":1},{"c d":2}]`, "[]map[string]int64"},
		{`[{"a":1},{"b":1},{"c":1},{"d":1},{"e":1}]`, "[]map[string]int64"},
		{`[{"a":1},{"a":null},{}]`, ""}, // absent and null
		{`[1,"x"]`, ""},
		{`[1,null]`, "[]*int64"},
		{`[18446744073709551615]`, "[]uint64"},
		{`[123456789012345678901234567890]`, ""},
		{`[{"a":1,"a":2}]`, "[]struct { F0 int64 \"json:\\\"a\\\"\" }"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var v value.Value
			if err := json.Unmarshal([]byte(tt.text), &v); err != nil {
				t.Fatal(err)
			}
			s := new(sample)
			for e := range v.Values() {
				s.list = append(s.list, e)
			}
			whole := v
			if len(s.list) == 1 {
				whole = s.list[0]
			}
			data, why := s.asStructs(whole)
			got := ""
			if data != nil {
				got = fmt.Sprintf("%T", data)
			}
			if want := tt.want; got != want && "[]"+got != want || (got == "") != (why != "") {
				t.Errorf("%s, want %s (%s)", got, want, why)
			}
		})
	}
}

// TestWhy checks that the report names the member that no struct holds, and its lines.
func TestWhy(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a.ndjson", "{\"id\":1,\"note\":\"x\"}\n\n{\"id\":2}\n{\"id\":3,\"note\":null}\n",
			"since /note is absent from line 3 and null in line 4, which Go"},
		{"a.ndjson", "{\"o\":{\"a/b\":null}}\n{\"o\":{}}\n{\"o\":{\"a/b\":1}}\n",
			"since /o/a~1b is absent from line 2 and null in line 1, which Go"},
		{"a.json", `[{"o":{"n":null,"k":1}},{"o":{"k":2}},{"o":{"n":1,"k":1}}]`,
			"since /o/n is absent from record 2 and null in record 1, which Go"},
		{"a.ndjson", "{\"a\":1}\n\"x\"\n", "since line 1 is map and line 2 is string"},
		{"a.ndjson", "{\"a\":1}\n{\"a\":2}\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), tt.name)
			if err := os.WriteFile(name, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := File(name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			if err := r.WriteText(&text); err != nil || (tt.want != "") != (r.Why != "") || !strings.Contains(text.String(), tt.want) {
				t.Errorf("%s: %v, %q, want %q\n%s", tt.text, err, r.Why, tt.want, text.String())
			}
		})
	}
}

// TestSample checks that a file that is larger than the sample takes the memory of the
// sample, and that the report says so.
func TestSample(t *testing.T) {
	const size = 64 << 20
	name := filepath.Join(t.TempDir(), "a.ndjson")
	line := `{"id":1234567,"name":"a name of some length","tags":["a","b","c"],"price":12.5}` + "\n"
	if err := os.WriteFile(name, []byte(strings.Repeat(line, size/len(line))), 0o600); err != nil {
		t.Fatal(err)
	}
	peak, before := uint64(0), runtime.MemStats{}
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, err := File(name, Options{Sample: 256 << 10, Progress: func(float64) {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		peak = max(peak, now.HeapInuse)
	}})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	r.WriteText(&text)
	if want := fmt.Sprintf("a sample, the first %s records, of ndjson, ", grouped(int64(r.Records))); !r.Sampled ||
		r.Records > 260<<10/len(line) || r.Records < 200<<10/len(line) || !strings.Contains(text.String(), want) {
		t.Errorf("%d records\n%s", r.Records, text.String())
	}
	grown := int64(peak) - int64(before.HeapInuse)
	if t.Logf("%d bytes of memory", grown); grown > 192<<20 { // most of it of compressions
		t.Errorf("%d bytes took %d bytes of memory", size, grown)
	}
	os.WriteFile(name, []byte(line+line), 0o600)
	if r, err := File(name, Options{Sample: 2 * len(line)}); err != nil || r.Sampled || r.Records != 2 {
		t.Errorf("%d records, sampled %v: %v", r.Records, r.Sampled, err)
	}
}

// TestSampleDocument: of a document that is larger than the sample its beginning is measured, of a smaller one all.
func TestSampleDocument(t *testing.T) {
	for _, row := range []struct {
		name, text string
		size       int
		want       string // what is measured as JSON
	}{
		{"whole", `{"a":[1,{"b":2}],"a":3,"c":null}`, 100, `{"a":3,"c":null}`},
		{"list", `{"m":1,"a":[1,2,3,4,5,6,7],"z":1}`, 15, `{"m":1,"a":[1,2]}`},
		{"members", `{"a":{"b":1,"c":{"d":[1]},"e":5},"z":1}`, 20, `{"a":{"b":1,"c":{"d":[]}}}`},
		{"a name waits for its value", `{"a":1,"long name of a member":{"b":2},"c":3}`, 10, `{"a":1,"long name of a member":{}}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "a.json")
			os.WriteFile(name, []byte(row.text), 0o600)
			s, err := read(name, json.Format, row.size, nil)
			if err != nil || len(s.list) != 1 || s.part != (row.size < len(row.text)) {
				t.Fatal(s, err)
			}
			if b, err := json.Marshal(s.list[0]); err != nil || string(b) != row.want {
				t.Errorf("%s %v, want %s", b, err, row.want)
			}
		})
	}
}

// TestSampleMemory: a list of the hashed-tag format, whose names stand at its end, and one object take the memory of
// the sample.
func TestSampleMemory(t *testing.T) {
	const size = 32 << 20
	record := `{"id":1234567,"name":"a name of some length","tags":["a","b","c"],"price":12.5}`
	records := strings.Repeat(record+"\n", size/len(record))
	var message bytes.Buffer
	if err := convert.Convert(&message, strings.NewReader(records), convert.Options{From: convert.NDJSON, To: convert.Tagged}); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ file, text string }{
		{"a.tagged", message.String()},
		{"a.json", `{"version":1,"data":[` + strings.Repeat(record+",", size/len(record)) + `1]}`},
	} {
		t.Run(row.file, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), row.file)
			if err := os.WriteFile(name, []byte(row.text), 0o600); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			peak := uint64(0)
			r, err := File(name, Options{Sample: 256 << 10, Progress: func(float64) {
				runtime.ReadMemStats(&after)
				peak = max(peak, after.HeapInuse)
			}})
			if err != nil || !r.Sampled {
				t.Fatal(r, err)
			}
			grown := int64(peak) - int64(before.HeapInuse)
			if t.Logf("%d bytes of memory", grown); grown > 192<<20 { // most of it of compressions
				t.Errorf("%d bytes took %d bytes of memory", size, grown)
			}
			if total := after.TotalAlloc - before.TotalAlloc; total > 3<<30 {
				t.Errorf("%d bytes were allocated", total)
			}
			var text strings.Builder
			if r.WriteText(&text); !strings.Contains(text.String(), ": a sample, the ") {
				t.Error(text.String())
			}
		})
	}
}

func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	gz, _ := compress.NewGzip().Append(nil, []byte(`[1,2]`))
	for content, want := range map[string]string{
		"":                        "the file is empty",
		"[]":                      "there are no records",
		"[1,2":                    "offset 4",
		"{\"a\":1}\n{\"a\":}\n":   "record 2: json: at ",
		"\x81\xa1a":               "record 1: the last record is torn: msgpack: at ",
		"\xc1":                    "neither JSON, MessagePack",
		string(gz[:len(gz)-3]):    "the last record is torn: gzip: at offset",
		"\x1f\x8b\x08 no gzip \n": "gzip: at offset",
	} {
		t.Run(content, func(t *testing.T) {
			name := filepath.Join(dir, "data")
			os.WriteFile(name, []byte(content), 0o666)
			_, err := File(name, Options{})
			if err == nil || !strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v", content, err)
			}
		})
	}
	if _, err := File(filepath.Join(dir, "none"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestNumbers(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:              "0.000",
		1234:           "0.001",
		999_000:        "0.999",
		1_234_567:      "1.23",
		12_345_678:     "12.3",
		123_456_789:    "123",
		12_345_600_000: "12,346",
	} {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			if got := millis(d); got != want {
				t.Errorf("%v: %s, want %s", d, got, want)
			}
		})
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := grouped(n); got != want {
				t.Errorf("%d: %s", n, got)
			}
		})
	}
	for f, want := range map[float64]float64{0: 1, 1: 1, 1.5: 2, 3: 4, 5: 6, 7: 8, 9: 10, 123: 200, 0.03: 0.04} {
		t.Run(fmt.Sprint(f), func(t *testing.T) {
			if got := niceCeil(f); got < want*0.999 || got > want*1.001 {
				t.Errorf("%v: %v, want %v", f, got, want)
			}
		})
	}
	for part, want := range map[float64]int{0: 1, 0.5: 8, 1: 16} {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			if got := strings.TrimRight(bar(part), " "); len([]rune(got)) != want || len([]rune(bar(part))) != 16 {
				t.Errorf("%v: %q", part, got)
			}
		})
	}
}
