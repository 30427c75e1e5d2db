package jsonlog_test

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"errors"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/slogtest"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/jsonlog"
)

type user struct {
	Name string             `json:"name"`
	Tags []string           `json:"tags,omitempty"`
	Meta map[string]int     `json:"meta"`
	Next *user              `json:"next,omitempty"`
	Any  any                `json:"any"`
	When time.Time          `json:"when"`
	Raw  stdjson.RawMessage `json:"raw"`
}

// secret is a value that defines how it is logged.
type secret string

func (s secret) LogValue() slog.Value {
	return slog.GroupValue(slog.Int("length", len(s)), slog.Any("again", hidden{}))
}

type hidden struct{}

func (hidden) LogValue() slog.Value { return slog.StringValue("<hidden>") }

// fails has an error of marshaling, and is itself an error that encoding/json writes.
type fails struct{}

func (fails) Error() string                { return "never seen" }
func (fails) MarshalJSON() ([]byte, error) { return nil, errors.New("does <not> marshal") }

// careless panics.
type careless struct{ text string }

func (c *careless) MarshalText() ([]byte, error) { return []byte(c.text), nil }

// values are of each kind.
var values = []any{
	"", "plain", "<a&b>\u2028\"\\\n\x01\xff héé 😀", strings.Repeat("long ", 100),
	0, -1, int64(math.MinInt64), uint64(math.MaxUint64), 1.5, 1e21, 1e-7, float32(0.1), math.NaN(), math.Inf(-1), true, false,
	time.Second, time.Date(2026, 2, 3, 4, 5, 6, 7000, time.UTC), time.Date(1, 1, 1, 0, 0, 0, 0, time.FixedZone("", -5*3600)),
	time.Date(2026, 2, 3, 4, 5, 6, 0, time.FixedZone("", 25*3600)),
	nil, errors.New("it <failed>"), user{Name: "<x>", Raw: stdjson.RawMessage(`{ "a" : 1 }`)}, &user{Next: &user{}, Any: 1.0},
	[]byte("bytes"), []int(nil), map[string]any{"b": 1, "a": nil}, make(chan int), fails{}, &careless{"x"}, (*careless)(nil),
	secret("abc"), hidden{}, slog.LevelWarn + 1, netip.MustParseAddr("::1"), (*slog.Source)(nil), &slog.Source{},
	&slog.Source{Function: "f", File: "x.go", Line: 3}, &slog.Source{File: "x.go"}, (*user)(nil), 3 + 4i,
}

// attr returns a random attribute. Where empty is true, groups may turn out to have no members.
func attr(r *rand.Rand, depth int, empty bool) slog.Attr {
	key := []string{"a", "b", "", "a key", "<k>\n", "time"}[r.IntN(6)]
	if depth < 3 && r.IntN(4) == 0 {
		var list []any
		for range r.IntN(4) {
			list = append(list, attr(r, depth+1, empty))
		}
		if !empty {
			list = append(list, slog.Int("n", 1))
		}
		return slog.Group(key, list...)
	}
	v := values[r.IntN(len(values))]
	if s, ok := v.(*slog.Source); ok && !empty && (s == nil || *s == slog.Source{}) {
		v = 1
	}
	if v == nil && !empty {
		key += "k"
	}
	return slog.Any(key, v)
}

// replacers are nil, and functions that rename, change and leave out.
func replacers(empty bool) []func([]string, slog.Attr) slog.Attr {
	list := []func([]string, slog.Attr) slog.Attr{
		nil,
		func(groups []string, a slog.Attr) slog.Attr {
			return slog.Attr{Key: strings.Join(groups, ".") + ":" + a.Key, Value: a.Value}
		},
		func(groups []string, a slog.Attr) slog.Attr {
			if a.Key == "a" || a.Key == slog.LevelKey {
				a.Value = slog.AnyValue(secret("x"))
			}
			return a
		},
	}
	if empty {
		list = append(list, func(groups []string, a slog.Attr) slog.Attr {
			if a.Key == "n" || a.Key == slog.TimeKey || a.Key == slog.MessageKey {
				return slog.Attr{}
			}
			return a
		})
	}
	return list
}

// before127 undoes what go1.27 changed in log/slog: text that is not UTF-8, and the name of a type whose method fails.
var before127 = strings.NewReplacer("\uFFFD", `\ufffd`, "type *jsonlog_test.", "type jsonlog_test.")

// TestSame compares lines with those of slog.JSONHandler. Groups that turn out empty break lines of that, so that with
// them ours have to be JSON only.
func TestSame(t *testing.T) {
	cases, lines := 4000, 0
	if testing.Short() {
		cases = 1000
	}
	for _, empty := range []bool{false, true} {
		for seed := range cases {
			r := rand.New(rand.NewPCG(uint64(seed), 21))
			opts := &slog.HandlerOptions{AddSource: r.IntN(2) == 0, ReplaceAttr: replacers(empty)[r.IntN(len(replacers(empty)))]}
			if r.IntN(8) == 0 {
				opts.Level = slog.LevelDebug
			}
			var got, want bytes.Buffer
			ours, theirs := slog.Handler(jsonlog.New(&got, opts)), slog.Handler(slog.NewJSONHandler(&want, opts))
			for range r.IntN(4) {
				if r.IntN(2) == 0 {
					name := []string{"g", "h<"}[r.IntN(2)]
					ours, theirs = ours.WithGroup(name), theirs.WithGroup(name)
					continue
				}
				var list []slog.Attr
				for range r.IntN(3) {
					list = append(list, attr(r, 0, empty))
				}
				ours, theirs = ours.WithAttrs(list), theirs.WithAttrs(list)
			}
			when := time.Time{}
			if r.IntN(4) > 0 {
				when = time.Unix(r.Int64N(4e9), r.Int64N(1e9))
			}
			rec := slog.NewRecord(when, slog.Level(r.IntN(14)-5), "a <message>\n", 0)
			if r.IntN(2) == 0 {
				rec.PC = reflect.ValueOf(TestSame).Pointer()
			}
			for range r.IntN(4) {
				rec.AddAttrs(attr(r, 0, empty))
			}
			if a, b := ours.Enabled(t.Context(), rec.Level), theirs.Enabled(t.Context(), rec.Level); a != b {
				t.Fatalf("seed %d: enabled %t, want %t", seed, a, b)
			}
			if err := ours.Handle(t.Context(), rec); err != nil {
				t.Fatal(err)
			}
			if err := theirs.Handle(t.Context(), rec); err != nil {
				t.Fatal(err)
			}
			if empty && !stdjson.Valid(want.Bytes()) {
				if !stdjson.Valid(got.Bytes()) {
					t.Fatalf("seed %d: no JSON: %s", seed, &got)
				}
				continue
			}
			if !empty && got.String() != before127.Replace(want.String()) {
				t.Fatalf("seed %d:\n%swant\n%s", seed, &got, &want)
			}
			lines++
		}
	}
	t.Logf("%d lines", lines)
}

// Lines that slog.JSONHandler breaks.
func TestBetter(t *testing.T) {
	for _, tt := range []struct {
		name string
		log  func(l *slog.Logger)
		want string
	}{
		{"empty group", func(l *slog.Logger) { l.Info("m", slog.Group("g", slog.Attr{}), "b", 1) }, `{"msg":"m","b":1}`},
		{"empty groups", func(l *slog.Logger) { l.Info("m", slog.Group("g", slog.Group("h", slog.Attr{})), "b", 1) }, `{"msg":"m","b":1}`},
		{"empty and full", func(l *slog.Logger) { l.WithGroup("g").With(slog.Group("h", slog.Attr{})).Info("m", "b", 1) },
			`{"msg":"m","g":{"b":1}}`},
		{"year", func(l *slog.Logger) { l.Info("m", "t", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)) },
			`{"msg":"m","t":"!ERROR:time.Time year outside of range [0,9999]"}`},
		{"no name", func(l *slog.Logger) { slog.New(l.Handler().WithGroup("")).Info("m", "b", 1) }, `{"msg":"m","b":1}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			tt.log(slog.New(jsonlog.New(&b, &slog.HandlerOptions{ReplaceAttr: terse})))
			if got := strings.TrimSuffix(b.String(), "\n"); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// terse leaves out the time and the level.
func terse(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey) {
		return slog.Attr{}
	}
	return a
}

// The laws of the standard library.
func TestHandler(t *testing.T) {
	var b bytes.Buffer
	err := slogtest.TestHandler(jsonlog.New(&b, nil), func() []map[string]any {
		var all []map[string]any
		for text := range bytes.Lines(b.Bytes()) {
			var m map[string]any
			if err := stdjson.Unmarshal(text, &m); err != nil {
				t.Fatal(err)
			}
			all = append(all, m)
		}
		return all
	})
	if err != nil {
		t.Error(err)
	}
}

// point writes itself in every format of weft.
type point struct{ x, y int }

var pointFields = weft.NewFields("x", "y")

func (p point) MarshalWeft(e *weft.Encoder) error {
	o := e.Object(pointFields)
	o.Int(0, p.x)
	o.Int(1, p.y)
	return o.End()
}

func TestValues(t *testing.T) {
	var b bytes.Buffer
	l := slog.New(jsonlog.New(&b, &slog.HandlerOptions{ReplaceAttr: terse}, json.FormatNilSliceAsNull(false), json.EscapeForHTML(true)))
	l.Info("<m>", "p", point{1, 2}, "s", []int(nil), "v", []string{"<"})
	if want := `{"msg":"<m>","p":{"x":1,"y":2},"s":[],"v":["\u003c"]}` + "\n"; b.String() != want {
		t.Errorf("%s, want %s", &b, want)
	}
}

// whole counts calls of Write and keeps their lines.
type whole struct {
	mu    sync.Mutex
	lines []string
}

func (w *whole) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, string(b))
	return len(b), nil
}

func TestConcurrent(t *testing.T) {
	w := new(whole)
	base := slog.New(jsonlog.New(w, nil)).WithGroup("g")
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			l := base.With("worker", i)
			for k := range 50 {
				l.Info("done", "k", k, "u", user{Name: "x"})
			}
		})
	}
	wait.Wait()
	if len(w.lines) != 400 || slices.ContainsFunc(w.lines, func(s string) bool { return !stdjson.Valid([]byte(s)) }) {
		t.Errorf("%d lines, some of which are not JSON", len(w.lines))
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteError(t *testing.T) {
	err := jsonlog.New(broken{}, nil).Handle(context.Background(), slog.NewRecord(time.Now(), 0, "m", 0))
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

func BenchmarkHandler(b *testing.B) {
	for _, tt := range []struct {
		name string
		h    slog.Handler
	}{{"weft", jsonlog.New(io.Discard, nil)}, {"slog", slog.NewJSONHandler(io.Discard, nil)}} {
		l := slog.New(tt.h.WithAttrs([]slog.Attr{slog.String("service", "pets"), slog.Int("shard", 3)}))
		u := &user{Name: "Ann", Tags: []string{"a", "b"}, Meta: map[string]int{"x": 1}, Raw: stdjson.RawMessage("1")}
		b.Run("plain/"+tt.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.LogAttrs(context.Background(), slog.LevelInfo, "request served", slog.String("method", "GET"), slog.String("path", "/pets/12/toys"),
					slog.Int("status", 200), slog.Duration("took", 1234567), slog.Float64("load", 0.73))
			}
		})
		b.Run("struct/"+tt.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.LogAttrs(context.Background(), slog.LevelInfo, "user stored", slog.Any("user", u))
			}
		})
	}
}
