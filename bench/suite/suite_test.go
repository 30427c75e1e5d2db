package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/file"
	"github.com/weftcodec/weft/tagged"

	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/peers"
	"github.com/weftcodec/weft/bench/records"
	"github.com/weftcodec/weft/bench/sdk"
	"github.com/weftcodec/weft/bench/sdk/sdktypes"
)

// TestJSONChecks runs the checks of every library on every corpus but the
// huge one, which each run of the tables checks anyway.
func TestJSONChecks(t *testing.T) {
	for _, c := range append(corpus.All(), corpus.Small()...) {
		if c.Name == "result_18mb" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			data, err := c.Data()
			if err != nil {
				t.Fatal(err)
			}
			if testing.Short() && len(data) > 100<<10 {
				t.Skip("-short")
			}
			typed := c.New()
			if err := json.Unmarshal(data, typed); err != nil {
				t.Fatal(err)
			}
			var untyped any
			if err := json.Unmarshal(data, &untyped); err != nil {
				t.Fatal(err)
			}
			for _, l := range peers.AllJSON() {
				for _, op := range jsonOps {
					k, ok, err := jsonCase(l, op, data, typed, untyped)
					if err != nil {
						t.Fatal(err)
					}
					if !ok {
						continue
					}
					note, err := k.Check()
					if err != nil {
						t.Errorf("%s, %s: %v", l.Name, op, err)
					}
					if note != "" && l.Name == weftName {
						t.Errorf("%s, %s: %s", l.Name, op, note)
					}
				}
			}
		})
	}
}

// TestSDKChecks runs weft's checks on the types of SDKs.
func TestSDKChecks(t *testing.T) {
	for _, d := range sdktypes.All() {
		t.Run(d.Name, func(t *testing.T) {
			if testing.Short() && !strings.HasSuffix(d.Name, "small") {
				t.Skip("-short")
			}
			data, err := d.Data()
			if err != nil {
				t.Fatal(err)
			}
			other, err := sdk.Shuffled(data)
			if err != nil {
				t.Fatal(err)
			}
			for _, op := range sdkOps {
				c, err := sdkContest(d, op, map[bool][]byte{false: data, true: other}[strings.HasSuffix(op, "order")])
				if err != nil {
					t.Fatal(err)
				}
				for _, k := range c.Cases {
					note, err := k.Check()
					if err != nil && strings.HasPrefix(k.Name, weftName) && k.Class != peers.Second {
						t.Errorf("%s, %s: %v", k.Name, op, err)
					}
					if note != "" && k.Name == weftName {
						t.Errorf("%s, %s: %s", k.Name, op, note)
					}
				}
			}
		})
	}
}

// The share of a function is that of what it calls too.
func TestOwnShare(t *testing.T) {
	v := make([]float64, 1000)
	run := func() { _, _ = json.Marshal(v) }
	for owner, want := range map[string][2]float64{"encoding/json.": {0.5, 1}, "nobody/": {0, 0}} {
		if got, err := ownShare(owner, run); err != nil || got < want[0] || got > want[1] {
			t.Errorf("%s: %.2f, %v, want %v", owner, got, err, want)
		}
	}
}

// TestPackChecks runs the checks of every MessagePack library.
func TestPackChecks(t *testing.T) {
	contests, samples := []*harness.Contest{}, records.Samples()
	for _, layout := range []string{peers.AsMap, peers.AsArray} {
		for _, op := range []string{"encode", "append", "decode"} {
			for i := range samples {
				contests = append(contests, packContest(&samples[i], layout, op))
			}
		}
	}
	for _, make := range []func() (*harness.Contest, error){
		packAny, packIntKeys("encode"), packIntKeys("decode"), packTimeEncode, packTimeDecode,
	} {
		c, err := make()
		if err != nil {
			t.Fatal(err)
		}
		contests = append(contests, c)
	}
	for _, c := range contests {
		for _, k := range c.Cases {
			if _, err := k.Check(); err != nil {
				t.Errorf("%s %s, %s: %v", c.Corpus, c.Op, k.Name, err)
			}
		}
	}
}

// TestPersistChecks runs the checks of what is saved and loaded, by one worker and
// by two.
func TestPersistChecks(t *testing.T) {
	ids, err := moduleIDs()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	check := func(k harness.Case) {
		if _, err := k.Check(); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
	for i, s := range idStores(ids) {
		check(s.fileCase("load", filepath.Join(dir, fmt.Sprint(i))))
	}
	for _, f := range []weft.Format{file.NDJSON, tagged.Framed} {
		for _, k := range parallelContest(dir, f.Name(), f, "load", ids).Cases {
			check(k)
		}
	}
}

// TestValueChecks runs the checks of the value group.
func TestValueChecks(t *testing.T) {
	var contests []*harness.Contest
	samples := valueSamples()
	for i := range samples {
		contests = append(contests, convertContest(&samples[i], "marshal"), convertContest(&samples[i], "unmarshal"))
	}
	for _, c := range corpus.All() {
		if c.Name == "result_18mb" {
			continue
		}
		data, err := c.Data()
		if err != nil {
			t.Fatal(err)
		}
		contests = append(contests, readContest(c.Name, data), passContest(c.Name, data))
	}
	lookup, err := lookupContest()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range append(contests, lookup) {
		for _, k := range c.Cases {
			if _, err := k.Check(); err != nil {
				t.Errorf("%s %s, %s: %v", c.Corpus, c.Op, k.Name, err)
			}
		}
	}
}

// TestCBORChecks runs the checks of the cbor group.
func TestCBORChecks(t *testing.T) {
	values := cborValues()
	for i := range values {
		c := cborContest(&values[i], "decode")
		for _, k := range c.Cases {
			if _, err := k.Check(); err != nil {
				t.Errorf("%s, %s: %v", c.Corpus, k.Name, err)
			}
		}
		if len(c.Cases) < 4 {
			t.Errorf("%s: %d cases", c.Corpus, len(c.Cases))
		}
	}
}

// TestGroups runs the smallest group for real and looks at its summary.
func TestGroups(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	var out bytes.Buffer
	r := &Runner{Config: harness.Config{Rounds: 1, Batch: 100 * time.Microsecond, Warm: 1}, Out: &out, Report: &harness.Report{}}
	summary, err := msgpackGroup().Run(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"msgpack: ", " map-encode=", " array-decode=", " time-decode=", " floor-blob-map-encode=", " shamaton-array-decode=",
		" cells-behind=",
	} {
		if !strings.Contains(summary, key) {
			t.Errorf("summary %q lacks %q", summary, key)
		}
	}
	if len(r.Report.Rows) == 0 || !strings.Contains(out.String(), "record as map encode") {
		t.Errorf("no tables:\n%s", out.String())
	}
}
