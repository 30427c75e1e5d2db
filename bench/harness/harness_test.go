package harness

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft/bench/clock"
)

func TestSpread(t *testing.T) {
	got := spreadOf([]float64{5, 1, 4, 2, 3})
	if want := (Spread{Median: 3, Q1: 2, Q3: 4, Min: 1, Max: 5}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := spreadOf([]float64{1, 2}); got.Median != 1.5 || got.Q1 != 1.25 {
		t.Errorf("two values: %+v", got)
	}
	if got := spreadOf(nil); got != (Spread{}) {
		t.Errorf("no values: %+v", got)
	}
}

func TestGeoMean(t *testing.T) {
	if got := GeoMean([]float64{2, 8}); math.Abs(got-4) > 1e-12 {
		t.Errorf("got %v, want 4", got)
	}
	if got := GeoMean(nil); got != 0 {
		t.Errorf("no values: %v", got)
	}
}

func TestCPU(t *testing.T) {
	start, end := clock.CPU(), time.Now().Add(20*time.Millisecond)
	for time.Now().Before(end) {
	}
	if used := clock.CPU() - start; used <= 0 || used > int64(10*time.Second) {
		t.Errorf("20 ms of work took %d ns of CPU", used)
	}
}

var sink []byte

// TestContest runs a contest whose outcome is known: work in proportion 1 to
// 4, a case that fails its check, one that panics in it.
func TestContest(t *testing.T) {
	spin := func(n int) func() {
		return func() {
			x := 0
			for i := range n {
				x += i ^ x
			}
			sink = append(sink[:0], byte(x))
		}
	}
	c := &Contest{Group: "g", Corpus: "c", Op: "o", Bytes: 1000, Ref: "one", Cases: []Case{
		{Name: "one", Class: "a", Run: spin(4000)},
		{Name: "four", Class: "a", Run: spin(16000), Check: func() (string, error) { return "noted", nil }},
		{Name: "wrong", Run: spin(1), Check: func() (string, error) { return "", errors.New("other value") }},
		{Name: "panics", Run: spin(1), Check: func() (string, error) { panic("boom") }},
		{Name: "allocates", Run: func() { sink = make([]byte, 1<<10) }},
	}}
	rows := c.Run(Config{Rounds: 5, Batch: 2 * time.Millisecond, Warm: 1})
	if len(rows) != 5 {
		t.Fatalf("%d rows", len(rows))
	}
	if r := rows[1].Ratio.Median; r >= 1 {
		t.Errorf("four times the work runs at %.2f times the speed", r)
	}
	if rows[0].Ratio != (Spread{1, 1, 1, 1, 1}) || rows[1].Note != "noted" || rows[0].MBs <= 0 {
		t.Errorf("rows %+v", rows[:2])
	}
	if rows[2].Timed() || rows[3].Timed() || !strings.Contains(rows[3].Failed, "boom") {
		t.Errorf("failed checks were timed: %+v", rows[2:4])
	}
	if rows[4].Allocs < 0.9 || rows[4].BOp < 1000 {
		t.Errorf("allocations: %v allocs, %v bytes", rows[4].Allocs, rows[4].BOp)
	}
	ratio, tie := rows[0].Versus(&rows[1])
	if ratio.Median <= 1 {
		t.Errorf("one against four: %.2f, tie %v", ratio.Median, tie)
	}
	if _, tie := rows[0].Versus(&rows[0]); !tie {
		t.Error("a row does not tie with itself")
	}
}

func TestReport(t *testing.T) {
	r := &Report{Config: Quick, Summaries: []string{"g: x=1.00"}, Rows: []Row{
		{Group: "g", Corpus: "c", Op: "o", Case: "lib", Class: "k", Ns: Spread{Median: 1234}, MBs: 5, Allocs: 2, BOp: 16,
			Size: 9, Ratio: Spread{Median: 1, Q1: 1, Q3: 1}, Noisy: true, Note: "(n)"},
		{Group: "g", Corpus: "c", Op: "o", Case: "bad", Failed: "a|b\nc"},
		{Group: "g", Corpus: "c", Op: "p", Case: "lib", Ns: Spread{Median: 12.34}},
	}}
	var text, md, js strings.Builder
	if err := WriteText(&text, r.Rows); err != nil {
		t.Fatal(err)
	}
	want := `
c o
  library  class  ns/op  MB/s  B/op  allocs  size  ratio      spread
  lib      k       1234     5    16       2     9   1.00  1.00..1.00  noisy (n)
  bad                 -     -     -       -     -      -           -  NOT EQUAL: a¦b c

c p
  library  class  ns/op  MB/s  B/op  allocs  size  ratio  spread
  lib              12.3           0       0
`
	if text.String() != want {
		t.Errorf("got:%s\nwant:%s", text.String(), want)
	}
	if err := r.WriteMarkdown(&md); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"## g: c o", "| lib | k | 1234 | 5 | 16 | 2 | 9 | 1.00 | 1.00..1.00 | noisy (n) |", "    g: x=1.00"} {
		if !strings.Contains(md.String(), s) {
			t.Errorf("Markdown lacks %q:\n%s", s, md.String())
		}
	}
	if err := r.WriteJSON(&js); err != nil {
		t.Fatal(err)
	}
	back, err := ReadJSON([]byte(js.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, js.String())
	}
	if len(back.Rows) != len(r.Rows) || len(back.Summaries) != 1 || back.Config != Quick ||
		back.Find("g", "c", "p", "lib").Ns.Median != 12.34 || back.Find("g", "c", "p", "no") != nil {
		t.Errorf("comes back as %+v", back)
	}
	js.Reset()
	if err := new(Report).WriteJSON(&js); err != nil {
		t.Fatal(err)
	}
	if back, err := ReadJSON([]byte(js.String())); err != nil || len(back.Rows) != 0 {
		t.Errorf("an empty report: %v\n%s", err, js.String())
	}
}

func TestEnvironment(t *testing.T) {
	e := Environment("golang.org/x/sys")
	if e.Go == "" || e.NumCPU < 1 || !strings.Contains(e.String(), e.Go) {
		t.Errorf("environment %+v", e)
	}
}
