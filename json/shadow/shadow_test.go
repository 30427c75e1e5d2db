package shadow_test

import (
	stdjson "encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/json/shadow"
)

type pet struct {
	Name string `json:"name"`
	Age  int    `json:"age"`
}

var (
	std    = shadow.Library{Marshal: stdjson.Marshal, Unmarshal: stdjson.Unmarshal}
	ours   = shadow.Library{Marshal: json.Marshal, Unmarshal: json.Unmarshal}
	faulty = shadow.Library{
		Marshal:   func(any) ([]byte, error) { return []byte("{}"), nil },
		Unmarshal: func([]byte, any) error { return errors.New("no") },
	}
	panics = shadow.Library{
		Marshal:   func(any) ([]byte, error) { panic("oh") },
		Unmarshal: func(b []byte, _ any) error { clear(b); panic("oh") },
	}
)

// TestCodec compares libraries that agree, that differ, that fail and that panic. The result is always that of the
// library that serves.
func TestCodec(t *testing.T) {
	for _, tt := range []struct {
		name     string
		old, new shadow.Library
		serve    bool // the new one
		text     string
		want     []string // the differences of an Unmarshal and of a Marshal
	}{
		{"equal", std, ours, false, `{"name":"Tom","age":3}`, nil},
		{"equal, new serves", std, ours, true, `{"name":"Tom","age":3}`, nil},
		{"both fail", std, ours, false, `{"name":`, nil},
		{"new fails", std, faulty, false, `{"name":"Tom"}`, []string{"only the new library fails: no", "the results differ"}},
		{"old fails", faulty, std, true, `{"name":"Tom"}`, []string{"only the old library fails: no", "the results differ"}},
		{"new panics", std, panics, false, `{"name":"Tom"}`,
			[]string{"only the new library fails: panic: oh", "only the new library fails: panic: oh"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			c := shadow.New(shadow.Config{Old: tt.old, New: tt.new, Sample: 1, Report: func(d *shadow.Difference) {
				got = append(got, d.String())
				if d.Call == "Unmarshal" && string(d.Text) != tt.text {
					t.Errorf("the difference has the text %q", d.Text)
				}
			}})
			c.ServeNew(tt.serve)
			var p, want pet
			err, wantErr := c.Unmarshal([]byte(tt.text), &p), stdjson.Unmarshal([]byte(tt.text), &want)
			if (err == nil) != (wantErr == nil) || p != want {
				t.Errorf("Unmarshal: %v, %v", p, err)
			}
			if b, err := c.Marshal(want); err != nil || string(b) != marshal(t, want) {
				t.Errorf("Marshal: %s, %v", b, err)
			}
			if len(got) != len(tt.want) {
				t.Fatalf("differences %q, want %q", got, tt.want)
			}
			for i := range got {
				if !strings.Contains(got[i], tt.want[i]) {
					t.Errorf("difference %q, want %q", got[i], tt.want[i])
				}
			}
			if n := c.Counts(); n != (shadow.Counts{Compared: 2, Differed: uint64(len(tt.want))}) {
				t.Errorf("%+v", n)
			}
		})
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := stdjson.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestSample checks the share of the compared calls, targets that cannot be compared, and equality by functions.
func TestSample(t *testing.T) {
	c := shadow.New(shadow.Config{Old: std, New: faulty})
	for range 100 {
		c.Marshal(1)
	}
	if n := c.Counts(); n != (shadow.Counts{}) {
		t.Errorf("without a sample: %+v", n)
	}
	c.SetSample(0.5)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 1000 {
				c.Marshal(1)
			}
		})
	}
	all.Wait()
	if n := c.Counts(); n.Compared < 1600 || n.Compared > 2400 || n.Differed != n.Compared {
		t.Errorf("half of 4000: %+v", n)
	}
	c = shadow.New(shadow.Config{Old: std, New: faulty, Sample: 1,
		SameText: func(a, b []byte) bool { return true }, SameValue: func(a, b any) bool { return true }})
	p := pet{Age: 1}
	if err := c.Unmarshal([]byte(`{"name":"Tom"}`), &p); err != nil || p != (pet{"Tom", 1}) {
		t.Errorf("%v, %v", p, err)
	}
	if _, err := c.Marshal(p); err != nil {
		t.Error(err)
	}
	if n := c.Counts(); n != (shadow.Counts{Compared: 1, Skipped: 1}) {
		t.Errorf("%+v", n)
	}
}
