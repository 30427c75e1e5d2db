package suite

import (
	"bytes"
	"compress/gzip"
	"encoding/gob"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"

	"github.com/bytedance/sonic"
	"github.com/fxamacker/cbor/v2"
	gojson "github.com/goccy/go-json"
	"github.com/shamaton/msgpack/v3"
	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/compress"
	"github.com/weftcodec/weft/file"
	weftjson "github.com/weftcodec/weft/json"
	weftpack "github.com/weftcodec/weft/msgpack"
	"github.com/weftcodec/weft/tagged"

	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/peers"
	"github.com/weftcodec/weft/bench/records"
)

// persistModules lists the modules whose versions belong beside the figures.
var persistModules = []string{
	"github.com/weftcodec/weft", "github.com/tinylib/msgp", "github.com/shamaton/msgpack/v3", "github.com/fxamacker/cbor/v2",
	"github.com/goccy/go-json", "github.com/bytedance/sonic", "github.com/klauspost/compress",
}

// msgpTuple is the row that the others are measured by.
const msgpTuple = "msgp tuple"

// persistGroup compares what it takes to save records to a file and to load them:
// 20,000 ModuleIDs, on a file system in memory and on disk, and records that do
// not repeat. Ratios refer to msgp's generated code, laid out as arrays.
func persistGroup() Group {
	return Group{Name: "persist", Modules: persistModules, Run: func(r *Runner) (string, error) {
		ids, err := moduleIDs()
		if err != nil {
			return "", err
		}
		summary := "persist:"
		places := []struct{ name, dir string }{{"disk", ""}}
		if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
			places = []struct{ name, dir string }{{"tmpfs", "/dev/shm"}, {"disk", ""}}
		}
		for i, p := range places {
			dir, err := os.MkdirTemp(p.dir, "weft-persist-")
			if err != nil {
				return "", err
			}
			part, err := r.persist("20000 ModuleIDs, "+p.name, dir, idStores(ids), i == 0)
			if i == 0 {
				part += r.random(dir, &err)
				part += r.parallel(dir, ids, &err)
			}
			os.RemoveAll(dir)
			if err != nil {
				return "", err
			}
			summary += part
		}
		return summary, nil
	}}
}

// persist runs the contests of saving and of loading, and says how ours do.
func (r *Runner) persist(corpus, dir string, stores []store, sum bool) (string, error) {
	var summary string
	for _, op := range []string{"save", "load"} {
		c := &harness.Contest{Group: "persist", Corpus: corpus, Op: op, Ref: msgpTuple}
		for i := range stores {
			c.Cases = append(c.Cases, stores[i].fileCase(op, filepath.Join(dir, fmt.Sprint(op, i))))
		}
		rows, err := r.contest(c)
		if err != nil {
			return "", err
		}
		for _, ours := range []struct{ key, name string }{{"tagged", "weft tagged"}, {"framed", "weft framed"}, {"framed-zstd", "weft framed + zstd"}} {
			row := find(rows, ours.name)
			if row == nil || !row.Timed() || !sum {
				continue
			}
			if op == "save" {
				summary += fmt.Sprintf(" %s-bytes=%d", ours.key, row.Size)
			}
			if ours.key == "tagged" {
				if text := find(rows, "weft json"); text != nil && text.Timed() {
					ratio, _ := row.Versus(text)
					summary += fmt.Sprintf(" tagged-%s-to-json=%.2f", op, ratio.Median)
				}
				continue
			}
			summary += fmt.Sprintf(" %s-%s=%.2f", ours.key, op, row.Ratio.Median)
		}
	}
	return summary, nil
}

// store is a way to keep records.
type store struct {
	name, class string
	v           any
	marshal     func(v any) ([]byte, error)
	unmarshal   func(b []byte, v any) error
}

func (s *store) fileCase(op, name string) harness.Case {
	data, err := s.marshal(s.v)
	k := harness.Case{Name: s.name, Class: s.class, Size: len(data)}
	if err == nil {
		err = os.WriteFile(name, data, 0o600)
	}
	k.Check = func() (string, error) {
		if err != nil {
			return "", err
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		got := fresh(s.v)
		if err := s.unmarshal(b, got); err != nil {
			return "", err
		}
		if !reflect.DeepEqual(got, s.v) {
			return "", errors.New("loads another value than it saved")
		}
		return "", nil
	}
	k.Run = func() {
		if b, err := s.marshal(s.v); err == nil {
			_ = os.WriteFile(name, b, 0o600)
		}
	}
	if op == "load" {
		k.Run = func() {
			if b, err := os.ReadFile(name); err == nil {
				_ = s.unmarshal(b, fresh(s.v))
			}
		}
	}
	return k
}

// formatStore keeps v in a format of weft.
func formatStore(name, class string, f weft.Format, v any, opts ...weft.Options) store {
	return store{name, class, v,
		func(v any) ([]byte, error) { return f.MarshalAppend(nil, v, opts...) },
		func(b []byte, v any) error { return f.Unmarshal(b, v, opts...) }}
}

// weftStores are all formats of weft, and these compressed.
func weftStores(v any) []store {
	array := weft.StructAsArray(true)
	return []store{
		{"weft json", "json", v, func(v any) ([]byte, error) { return weftjson.Marshal(v) }, func(b []byte, v any) error { return weftjson.Unmarshal(b, v) }},
		formatStore("weft json + gzip", "json packed", compress.Gzip(weftjson.Format), v),
		formatStore("weft json + zstd", "json packed", compress.Zstd(weftjson.Format), v),
		{"weft msgpack map", "binary", v, func(v any) ([]byte, error) { return weftpack.Marshal(v) }, func(b []byte, v any) error { return weftpack.Unmarshal(b, v) }},
		{"weft msgpack array", "binary", v, func(v any) ([]byte, error) { return weftpack.Marshal(v, array) }, func(b []byte, v any) error { return weftpack.Unmarshal(b, v, array) }},
		formatStore("weft msgpack array + zstd", "binary packed", compress.Zstd(weftpack.Format), v, array),
		{"weft tagged", "binary", v, func(v any) ([]byte, error) { return tagged.Marshal(v) }, func(b []byte, v any) error { return tagged.Unmarshal(b, v) }},
		formatStore("weft tagged + zstd", "binary packed", compress.Zstd(tagged.Format), v),
		{"weft framed", "binary", v, func(v any) ([]byte, error) { return tagged.MarshalFramed(v) }, func(b []byte, v any) error { return tagged.UnmarshalFramed(b, v) }},
		formatStore("weft framed + gzip", "binary packed", compress.Gzip(tagged.Framed), v),
		formatStore("weft framed + zstd", "binary packed", compress.Zstd(tagged.Framed), v),
	}
}

// peerStores are the other libraries' formats.
func peerStores(v any) []store {
	return []store{
		{"encoding/json", "json", v, stdjson.Marshal, stdjson.Unmarshal},
		{"encoding/json + gzip", "json packed", v, func(v any) ([]byte, error) {
			var w bytes.Buffer
			z := gzip.NewWriter(&w)
			err := errors.Join(stdjson.NewEncoder(z).Encode(v), z.Close())
			return w.Bytes(), err
		}, func(b []byte, v any) error {
			z, err := gzip.NewReader(bytes.NewReader(b))
			if err != nil {
				return err
			}
			return stdjson.NewDecoder(z).Decode(v)
		}},
		{"go-json", "json", v, gojson.Marshal, gojson.Unmarshal},
		{"sonic std", "json", v, sonic.ConfigStd.Marshal, sonic.ConfigStd.Unmarshal},
		{"shamaton array", "binary", v, msgpack.MarshalAsArray, msgpack.UnmarshalAsArray},
		{"fxamacker/cbor", "binary", v, cbor.Marshal, cbor.Unmarshal},
		{"gob", "binary", v, func(v any) ([]byte, error) {
			var w bytes.Buffer
			err := gob.NewEncoder(&w).Encode(v)
			return w.Bytes(), err
		}, func(b []byte, v any) error { return gob.NewDecoder(bytes.NewReader(b)).Decode(v) }},
	}
}

// msgpStore keeps v by msgp's generated code.
func msgpStore(name string, v any) store {
	type coder interface {
		MarshalMsg(b []byte) ([]byte, error)
		UnmarshalMsg(b []byte) ([]byte, error)
	}
	return store{name, peers.Generated, v,
		func(v any) ([]byte, error) { return v.(coder).MarshalMsg(nil) },
		func(b []byte, v any) error {
			_, err := v.(coder).UnmarshalMsg(b)
			return err
		}}
}

func idStores(ids []records.ModuleID) []store {
	tuples, maps := make(records.ModuleIDTuples, len(ids)), make(records.ModuleIDMaps, len(ids))
	for i, id := range ids {
		tuples[i], maps[i] = records.ModuleIDTuple(id), records.ModuleIDMap(id)
	}
	stores := append([]store{msgpStore(msgpTuple, &tuples), msgpStore("msgp map", &maps)}, weftStores(&ids)...)
	return append(stores, peerStores(&ids)...)
}

// random compares sizes and times on records that do not repeat.
func (r *Runner) random(dir string, failed *error) string {
	if *failed != nil {
		return ""
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(33 + rnd.IntN(94))
		}
		return string(b)
	}
	rows := make([]records.Noise, 10000)
	tuples := make(records.NoiseTuples, len(rows))
	for i := range rows {
		rows[i] = records.Noise{ID: int64(rnd.Uint64()), Key: text(12), Text: text(rnd.IntN(30)), Score: rnd.NormFloat64(), Small: int(rnd.Int32())}
		tuples[i] = records.NoiseTuple(rows[i])
	}
	stores := append([]store{msgpStore(msgpTuple, &tuples)}, weftStores(&rows)...)
	_, err := r.persist("10000 random records", dir, append(stores, peerStores(&rows)...), false)
	if err != nil {
		*failed = err
		return ""
	}
	tuple, err1 := tuples.MarshalMsg(nil)
	framed, err2 := tagged.MarshalFramed(&rows)
	*failed = errors.Join(err1, err2)
	return fmt.Sprintf(" framed-random-to-msgp-bytes=%.3f", float64(len(framed))/float64(len(tuple)))
}

// parallel compares what it takes to save and load a large file on one and on two
// processors, as time on the wall, of which the best rounds count. What is saved
// and loaded is the same.
func (r *Runner) parallel(dir string, ids []records.ModuleID, failed *error) (summary string) {
	if *failed != nil || runtime.NumCPU() < 2 {
		return ""
	}
	many := make([]records.ModuleID, 0, 10*len(ids))
	for range 10 {
		many = append(many, ids...)
	}
	for _, f := range []struct {
		name   string
		format weft.Format
	}{
		{"ndjson", file.NDJSON}, {"ndjson+zstd", compress.Zstd(file.NDJSON)}, {"msgpack-records", file.Records(weftpack.Format)},
		{"framed", tagged.Framed},
	} {
		for _, op := range []string{"save", "load"} {
			c := parallelContest(dir, f.name, f.format, op, many)
			rows, err := r.contest(c)
			if err != nil {
				*failed = err
				return ""
			}
			if one, two := find(rows, "1 worker"), find(rows, "2 workers"); one != nil && two != nil && one.Timed() && two.Timed() {
				summary += fmt.Sprintf(" %s-%s-2-workers=%.2f", f.name, op, one.Best/two.Best)
			}
		}
	}
	return summary
}

// parallelContest saves or loads a file by one worker and by two.
func parallelContest(dir, name string, f weft.Format, op string, list []records.ModuleID) *harness.Contest {
	c := &harness.Contest{Group: "persist", Corpus: fmt.Sprintf("%d records as %s, time on the wall:", len(list), name), Op: op, Ref: "1 worker"}
	var first []byte
	for workers := 1; workers <= 2; workers++ {
		path := filepath.Join(dir, fmt.Sprint("workers", workers))
		opts := weft.Join(file.As(f), file.Workers(workers))
		err := file.SaveFile(path, &list, opts)
		b, read := os.ReadFile(path)
		if err = errors.Join(err, read); err == nil && workers > 1 && !bytes.Equal(b, first) {
			err = errors.New("the bytes depend on the workers")
		}
		first = b
		k := harness.Case{Name: fmt.Sprintf("%d worker%s", workers, "s"[:workers-1]), Class: "weft", Size: len(b)}
		k.Check = func() (string, error) {
			if err != nil {
				return "", err
			}
			var got []records.ModuleID
			if err := file.LoadFile(path, &got, opts); err != nil {
				return "", err
			}
			if !slices.Equal(got, list) {
				return "", errors.New("loads another value than it saved")
			}
			return "", nil
		}
		k.Run = func() { _ = file.SaveFile(path, &list, opts) }
		if op == "load" {
			k.Run = func() {
				var got []records.ModuleID
				_ = file.LoadFile(path, &got, opts)
			}
		}
		k.Measure = harness.OnWall(2, k.Run)
		c.Cases = append(c.Cases, k)
	}
	return c
}

// moduleIDs reads the records of the comparison of 2016.
func moduleIDs() ([]records.ModuleID, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return nil, errors.New("no source tree")
	}
	b, err := os.ReadFile(filepath.Join(filepath.Dir(file), "..", "..", "tagged", "testdata", "moduleids.json.gz"))
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	var ids []records.ModuleID
	err = stdjson.NewDecoder(z).Decode(&ids)
	return ids, err
}
