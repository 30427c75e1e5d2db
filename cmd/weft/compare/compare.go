// Package compare measures what a user's own data takes in each format and
// compression: bytes, and time and allocations to save and to load.
//
// The data are Go structs made for them, or dynamic values where no struct fits,
// written to and read from memory. Every result is compared with the data before
// it counts.
package compare

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/cbor"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/file"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"
	"github.com/weftcodec/weft/value"
)

// Report is what was found out about a file.
type Report struct {
	File        string   `json:"file"`
	Format      string   `json:"format"`                // of the file
	Compression string   `json:"compression,omitempty"` // of the file
	Bytes       int64    `json:"bytes"`                 // of the file
	Records     int      `json:"records"`               // 1 for a document that is not a list
	Sampled     bool     `json:"sampled,omitempty"`     // the file has more records than were measured
	As          string   `json:"as"`                    // what the data are in Go: "structs" or "values"
	Why         string   `json:"why,omitempty"`         // why they are not structs
	Results     []Result `json:"results"`               // sorted
	Choose      Choice   `json:"choose"`
}

// Result is what one format and compression takes.
type Result struct {
	Name        string        `json:"name"` // such as "json+gzip"
	Format      string        `json:"format"`
	Compression string        `json:"compression,omitempty"`
	Bytes       int           `json:"bytes,omitempty"`
	Save        time.Duration `json:"saveNs,omitempty"` // the least of several rounds
	Load        time.Duration `json:"loadNs,omitempty"`
	SaveAllocs  int64         `json:"saveAllocs"`
	LoadAllocs  int64         `json:"loadAllocs"`
	SaveMemory  int64         `json:"saveAllocBytes"`
	LoadMemory  int64         `json:"loadAllocBytes"`
	Error       string        `json:"error,omitempty"` // why the format cannot hold the data
}

// Time is what it takes to save and to load.
func (r *Result) Time() time.Duration { return r.Save + r.Load }

// Choice names the results to choose.
type Choice struct {
	Size  string `json:"size,omitempty"`  // the smallest
	Speed string `json:"speed,omitempty"` // the fastest to save and load
	Both  string `json:"both,omitempty"`  // the least product of size and time
}

// Options are what a comparison needs to know.
type Options struct {
	Name   string        // what the file is called in the report and in errors; its name where this is empty
	Format weft.Format   // of the file; nil to recognise it
	Budget time.Duration // for measuring; every format is measured once at least
	Sort   string        // one of Orders
	// Sample is the size of the records to measure, as JSON: those beyond it are left
	// out. 0 stands for DefaultSample.
	Sample int
	// Progress, when set, is told which part of 1 is done.
	Progress func(done float64)
}

// Orders are what results can be sorted by.
func Orders() []string { return []string{"size", "save", "load", "time", "name"} }

// FormatOf returns the format of a name that a user gives, and nil for "".
func FormatOf(name string) (f weft.Format, ok bool) {
	switch name {
	case "":
		return nil, true
	case "json":
		return json.Format, true
	case "ndjson":
		return file.NDJSON, true
	case "msgpack":
		return msgpack.Format, true
	case "cbor":
		return cbor.Format, true
	case "framed":
		return tagged.Framed, true
	case "tagged":
		return tagged.Format, true
	}
	return nil, false
}

// subject is a format that is measured.
type subject struct {
	Result
	format weft.Format
}

// File compares the formats on the data of a file.
func File(name string, o Options) (*Report, error) {
	var opts []weft.Options
	if o.Format != nil {
		opts = append(opts, file.As(o.Format))
	}
	report := &Report{File: cmp.Or(o.Name, name)}
	format, compression, err := file.Recognise(name, opts...)
	if err != nil {
		return nil, err
	}
	report.Format, report.Compression = format.Name(), compression
	if info, err := os.Stat(name); err == nil {
		report.Bytes = info.Size()
	}
	// Until times are taken, memory counts for more than they do.
	percent := debug.SetGCPercent(30)
	defer debug.SetGCPercent(percent)
	size := o.Sample
	if size == 0 {
		size = DefaultSample
	}
	sample, err := read(name, format, size, opts)
	if err != nil {
		return nil, err
	}
	list := sample.list
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: there are no records to measure", report.File)
	}
	report.Records, report.Sampled = len(list), sample.part
	whole := value.List(list...)
	if len(list) == 1 {
		whole = list[0]
	}
	report.As = "structs"
	data, why := sample.asStructs(whole)
	if data == nil {
		report.As, report.Why = "values", why
		if data = list; len(list) == 1 {
			data = list[0]
		}
	}
	report.Results = measure(whole, data, len(list), o, percent)
	sortResults(report.Results, o.Sort)
	report.Choose = choose(report.Results)
	if report.Choose.Size == "" {
		return nil, fmt.Errorf("%s: no format can hold the data: %s", report.File, report.Results[0].Error)
	}
	return report, nil
}

// subjects returns the formats for n records.
func subjects(n int) []*subject {
	formats := []weft.Format{json.Format}
	if n > 1 {
		formats = append(formats, file.NDJSON)
	}
	formats = append(formats, msgpack.Format, cbor.Format, tagged.Format, tagged.Framed)
	var list []*subject
	for _, f := range formats {
		list = append(list,
			&subject{format: f, Result: Result{Format: f.Name()}},
			&subject{format: compress.Gzip(f), Result: Result{Format: f.Name(), Compression: compress.NameGzip}},
			&subject{format: compress.Zstd(f), Result: Result{Format: f.Name(), Compression: compress.NameZstd}})
	}
	for _, s := range list {
		s.Name = s.format.Name()
	}
	return list
}

// measure measures all formats in turn, round by round. The data are n records,
// which want is too. Rounds that take times have that percent for the collector.
func measure(want value.Value, data any, n int, o Options, percent int) []Result {
	all := subjects(n)
	progress := func(float64) {}
	if o.Progress != nil {
		progress = o.Progress
	}
	begin := time.Now()
	var buf []byte // what is saved last, by whichever format
	steps, first := 0, float64(2*len(all))
	for round := 0; round < 2 || time.Since(begin) < o.Budget; round++ {
		for _, s := range all {
			if s.Error == "" {
				buf = s.round(buf[:0], want, data, round == 0)
			}
			steps++
			done := float64(steps) / first
			if o.Budget > 0 {
				done = min(done, float64(time.Since(begin))/float64(o.Budget))
			}
			progress(min(done, 1))
		}
		want = value.Null() // nothing is checked again
		debug.SetGCPercent(percent)
	}
	results := make([]Result, len(all))
	for i, s := range all {
		results[i] = s.Result
	}
	return results
}

var errDiffers = errors.New("what is read is not what was written")

// round saves the data in buf, loads them once, and returns buf. The first round checks
// what comes back, and counts allocations when there is memory from a save before.
func (s *subject) round(buf []byte, want value.Value, data any, first bool) []byte {
	var err error
	var back any
	save := func() { buf, err = s.format.MarshalAppend(buf[:0], data) }
	load := func() {
		back = reflect.New(reflect.TypeOf(data)).Interface()
		err = s.format.Unmarshal(buf, back, compress.MaxSize(1<<40))
	}
	if !first {
		s.Save = least(s.Save, save)
		s.Load = least(s.Load, load)
		return buf
	}
	if save(); err == nil {
		s.Bytes = len(buf)
		if load(); err == nil {
			if got, failed := value.Marshal(back); failed != nil || !value.Equal(want, got) {
				err = errDiffers
			}
		}
	}
	if err == nil {
		s.SaveAllocs, s.SaveMemory = allocations(save)
		s.LoadAllocs, s.LoadMemory = allocations(load)
	}
	if err != nil {
		s.Error, s.Bytes = err.Error(), 0
	}
	return buf
}

// least returns the time of f, or what was the least before.
func least(before time.Duration, f func()) time.Duration {
	begin := time.Now()
	f()
	if took := max(time.Since(begin), 1); before == 0 || took < before {
		return took
	}
	return before
}

// allocations returns how many f makes, and how many bytes.
func allocations(f func()) (n, size int64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.Mallocs - before.Mallocs), int64(after.TotalAlloc - before.TotalAlloc)
}

// sortResults sorts, least first and those without a result last.
func sortResults(results []Result, order string) {
	key := func(r *Result) int64 {
		switch order {
		case "save":
			return int64(r.Save)
		case "load":
			return int64(r.Load)
		case "time":
			return int64(r.Time())
		case "name":
			return 0
		}
		return int64(r.Bytes)
	}
	slices.SortStableFunc(results, func(a, b Result) int {
		if (a.Error == "") != (b.Error == "") {
			return cmp.Compare(len(a.Error), len(b.Error))
		}
		if c := cmp.Compare(key(&a), key(&b)); c != 0 {
			return c
		}
		return cmp.Compare(a.Name, b.Name)
	})
}

// choose returns what to choose.
func choose(results []Result) Choice {
	best := func(cost func(r *Result) float64) string {
		name, least := "", 0.0
		for i := range results {
			if r := &results[i]; r.Error == "" {
				if c := cost(r); name == "" || c < least {
					name, least = r.Name, c
				}
			}
		}
		return name
	}
	return Choice{
		Size:  best(func(r *Result) float64 { return float64(r.Bytes) }),
		Speed: best(func(r *Result) float64 { return float64(r.Time()) }),
		Both:  best(func(r *Result) float64 { return float64(r.Bytes) * float64(r.Time()) }),
	}
}
