package suite

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/shamaton/msgpack/v3"
	"github.com/tinylib/msgp/msgp"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
	weftpack "github.com/weftcodec/weft/msgpack"

	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/peers"
	"github.com/weftcodec/weft/bench/records"
)

// msgpackGroup compares MessagePack libraries on the struct of 2018, in both
// layouts, on untyped values and on times. Ratios refer to msgp's generated
// code.
func msgpackGroup() Group {
	return Group{Name: "msgpack", Modules: peers.PackModules, Run: func(r *Runner) (string, error) {
		summary := "msgpack:"
		behind, cells := 0, 0
		note := func(key string, rows []harness.Row, err error) error {
			if err != nil {
				return err
			}
			if leaf := find(rows, "weft leaf"); leaf != nil {
				summary += fmt.Sprintf(" leaf-%s=%.2f", key, leaf.Ratio.Median)
			}
			if floor := find(rows, memoryName); floor != nil {
				summary += fmt.Sprintf(" floor-%s=%.2f", key, floor.Ratio.Median)
			}
			if own := find(rows, weftName); own != nil {
				summary += fmt.Sprintf(" %s=%.2f", key, own.Ratio.Median)
				if peer := find(rows, "shamaton"); peer != nil && peer.Class != aliasing && peer.Timed() && own.Timed() {
					ratio, _ := own.Versus(peer)
					summary += fmt.Sprintf(" shamaton-%s=%.2f", key, ratio.Median)
				}
				cells++
				if r.behindAll(rows) {
					behind++
				}
			}
			return nil
		}
		samples := records.Samples()
		for i := range samples {
			for _, layout := range []string{peers.AsMap, peers.AsArray} {
				for _, op := range []string{"encode", "append", "decode"} {
					key := layout + "-" + op
					if i > 0 {
						key = samples[i].Name + "-" + key
					}
					rows, err := r.contest(packContest(&samples[i], layout, op))
					if err := note(key, rows, err); err != nil {
						return "", err
					}
				}
			}
		}
		for _, c := range []struct {
			key  string
			make func() (*harness.Contest, error)
		}{{"any-decode", packAny}, {"intkeys-encode", packIntKeys("encode")}, {"intkeys-decode", packIntKeys("decode")}, {"time-encode", packTimeEncode}, {"time-decode", packTimeDecode}} {
			contest, err := c.make()
			if err != nil {
				return "", err
			}
			rows, err := r.contest(contest)
			if err := note(c.key, rows, err); err != nil {
				return "", err
			}
		}
		return fmt.Sprintf("%s cells-behind=%d/%d", summary, behind, cells), nil
	}}
}

// behindAll prints how weft stands against the fastest row of another library that
// does the same work, generated code included, and reports whether it is behind by
// more than 5 %.
func (r *Runner) behindAll(rows []harness.Row) bool {
	all := append([]harness.Row(nil), rows...)
	for i := range all {
		if all[i].Class != aliasing && all[i].Class != harness.Floor && !strings.HasPrefix(all[i].Case, weftName+" ") {
			all[i].Class = ""
		}
	}
	return r.standing(all, weftName)
}

// aliasing is the class of libraries whose results change with the input: they are
// spared the copy that the others make.
const aliasing = "aliasing"

// aliases reports whether a value that p has read changes when its input does.
func aliases(p peers.Pack, data []byte, v any) bool {
	input, got := bytes.Clone(data), fresh(v)
	if p.Unmarshal(input, got) != nil {
		return false
	}
	clear(input)
	return !peers.Equal(got, v)
}

// packContest makes the contest of one value, layout and operation.
func packContest(s *records.Sample, layout, op string) *harness.Contest {
	c := &harness.Contest{Group: "msgpack", Corpus: s.Name + " as " + layout, Op: op, Ref: "msgp"}
	for _, p := range peers.AllPacks() {
		v := p.Value(s)
		if p.Layout != layout || v == nil {
			continue
		}
		data, err := p.Marshal(v)
		k := harness.Case{Name: p.Name, Class: p.Class, Size: len(data)}
		check := func() (string, error) {
			if err != nil {
				return "", err
			}
			got := fresh(v)
			if err := p.Unmarshal(data, got); err != nil {
				return "", err
			}
			if !peers.Equal(got, v) {
				return "", errors.New("decodes another value than it encoded")
			}
			return "", sameAsMsgp(p, s, layout, data)
		}
		k.Check = check
		switch op {
		case "encode":
			k.Run = func() { _, _ = p.Marshal(v) }
		case "append":
			if p.Append == nil {
				continue
			}
			var buf []byte
			k.Run = func() { buf, _ = p.Append(buf[:0], v) }
		case "decode":
			k.Run = func() { _ = p.Unmarshal(data, fresh(v)) }
			if err == nil && aliases(p, data, v) {
				k.Class = aliasing
			}
		}
		c.Cases = append(c.Cases, k)
	}
	if b, ok := s.Plain.(*records.Blob); ok {
		c.Cases = append(c.Cases, blobAlone(b, op))
	}
	return c
}

// blobAlone is the case of a library that takes no time but for the memory of the
// result and one copy of the bytes: no other can be faster.
func blobAlone(b *records.Blob, op string) harness.Case {
	var buf []byte
	var into *records.Blob
	k := harness.Case{Name: memoryName, Class: harness.Floor, Size: len(b.Data), Note: "(the bytes, and no more)"}
	switch op {
	case "encode":
		k.Run = func() { buf = append([]byte(nil), b.Data...) }
	case "append":
		k.Run = func() { buf = append(buf[:0], b.Data...) }
	case "decode":
		k.Run = func() { into = &records.Blob{Data: append([]byte(nil), b.Data...)} }
	}
	k.Check = func() (string, error) {
		k.Run()
		if into != nil {
			buf = into.Data
		}
		return "", equalText(buf, b.Data)
	}
	return k
}

// sameAsMsgp has msgp's generated code read what a MessagePack library wrote:
// the same value, and no more bytes than msgp needs.
func sameAsMsgp(p peers.Pack, s *records.Sample, layout string, data []byte) error {
	if p.Class == peers.Other {
		return nil
	}
	want := s.Map
	if layout == peers.AsArray {
		want = s.Tuple
	}
	got, ok := fresh(want).(interface {
		UnmarshalMsg(b []byte) ([]byte, error)
	})
	if !ok {
		return errors.New("no generated code")
	}
	if _, err := got.UnmarshalMsg(data); err != nil {
		return fmt.Errorf("msgp cannot read it: %w", err)
	}
	if !reflect.DeepEqual(got, want) {
		return errors.New("msgp reads another value")
	}
	return nil
}

// anyRecords is how many records an untyped document holds.
const anyRecords = 1000

// packAny makes the contest of decoding without a type.
func packAny() (*harness.Contest, error) {
	c := &harness.Contest{Group: "msgpack", Corpus: fmt.Sprintf("%d records", anyRecords), Op: "any decode", Ref: "msgp"}
	list := make([]*records.Record, anyRecords)
	for i := range list {
		list[i] = records.New()
		list[i].Int = i
		list[i].String = fmt.Sprintf("this is text %d.", i)
	}
	data, err := weftpack.Marshal(list)
	if err != nil {
		return nil, err
	}
	c.Bytes = len(data)
	for _, p := range peers.AllPacks() {
		if p.Layout != peers.AsMap || p.Any == nil || p.Class == peers.Other {
			continue
		}
		c.Cases = append(c.Cases, harness.Case{
			Name: p.Name, Class: "plan",
			Run: func() { _, _ = p.Any(data) },
			Check: func() (string, error) {
				v, err := p.Any(data)
				if err != nil {
					return "", err
				}
				got, ok := v.([]any)
				if !ok || len(got) != anyRecords {
					return "", fmt.Errorf("decodes a %T", v)
				}
				return fmt.Sprintf("(%T)", got[0]), nil
			},
		})
	}
	return c, nil
}

// packIntKeys makes the contest of a map whose keys are integers, which msgp's
// generated code writes as strings: ratios refer to shamaton.
func packIntKeys(op string) func() (*harness.Contest, error) {
	return func() (*harness.Contest, error) {
		m := map[int]string{}
		for i := range 100 {
			m[i*i-50] = fmt.Sprintf("value %d", i)
		}
		s := &records.Sample{Plain: &m}
		c := &harness.Contest{Group: "msgpack", Corpus: "map[int]string", Op: op, Ref: "shamaton"}
		for _, p := range peers.AllPacks() {
			if p.Layout != peers.AsMap || p.Value(s) == nil {
				continue
			}
			data, err := p.Marshal(&m)
			k := harness.Case{Name: p.Name, Class: p.Class, Size: len(data)}
			k.Check = func() (string, error) {
				if err != nil {
					return "", err
				}
				var got map[int]string
				if err := p.Unmarshal(data, &got); err != nil {
					return "", err
				}
				if !reflect.DeepEqual(got, m) {
					return "", errors.New("decodes another value than it encoded")
				}
				return "", nil
			}
			k.Run = func() { _, _ = p.Marshal(&m) }
			if op == "decode" {
				k.Run = func() {
					var got map[int]string
					_ = p.Unmarshal(data, &got)
				}
			}
			c.Cases = append(c.Cases, k)
		}
		return c, nil
	}
}

// packTimes are the libraries' functions for a time.Time that lies in a variable
// of the caller. msgp's and the leaf of weft are called with the time itself, the
// others with a pointer in an interface.
var packTimes = []struct {
	name   string
	append func(b []byte, t *time.Time) ([]byte, error)
	read   func(b []byte, t *time.Time) error
}{
	{"msgp", func(b []byte, t *time.Time) ([]byte, error) { return msgp.AppendTimeExt(b, *t), nil }, func(b []byte, t *time.Time) (err error) {
		*t, _, err = msgp.ReadTimeBytes(b)
		return err
	}},
	{"weft", func(b []byte, t *time.Time) ([]byte, error) { return weftpack.MarshalAppend(b, t) }, func(b []byte, t *time.Time) error { return weftpack.Unmarshal(b, t) }},
	{"weft leaf", func(b []byte, t *time.Time) ([]byte, error) { return weftpack.AppendTime(b, *t), nil }, func(b []byte, t *time.Time) (err error) {
		*t, _, err = weftpack.ReadTime(b)
		return err
	}},
	{"shamaton", func(_ []byte, t *time.Time) ([]byte, error) { return msgpack.Marshal(t) }, func(b []byte, t *time.Time) error { return msgpack.Unmarshal(b, t) }},
	{"vmihailenco", func(_ []byte, t *time.Time) ([]byte, error) { return vmihailenco.Marshal(t) }, func(b []byte, t *time.Time) error { return vmihailenco.Unmarshal(b, t) }},
}

// packTime is the time that is measured.
func packTime() *time.Time {
	t := time.Date(2018, 3, 1, 12, 30, 15, 123456789, time.UTC)
	return &t
}

func packTimeEncode() (*harness.Contest, error) {
	c := &harness.Contest{Group: "msgpack", Corpus: "time.Time", Op: "encode", Ref: "msgp"}
	for _, l := range packTimes {
		from := packTime()
		data, err := l.append(nil, from)
		var buf []byte
		c.Cases = append(c.Cases, harness.Case{
			Name: l.name, Class: "plan", Size: len(data),
			Run: func() { buf, _ = l.append(buf[:0], from) },
			Check: func() (string, error) {
				if err != nil {
					return "", err
				}
				return "", checkTime(packTimes[0].read, data)
			},
		})
	}
	return c, nil
}

func packTimeDecode() (*harness.Contest, error) {
	c := &harness.Contest{Group: "msgpack", Corpus: "time.Time", Op: "decode", Ref: "msgp"}
	for _, l := range packTimes {
		data, err := l.append(nil, packTime())
		if err != nil {
			return nil, err
		}
		into := new(time.Time)
		c.Cases = append(c.Cases, harness.Case{
			Name: l.name, Class: "plan",
			Run:   func() { _ = l.read(data, into) },
			Check: func() (string, error) { return "", checkTime(l.read, data) },
		})
	}
	return c, nil
}

// checkTime reads data and compares.
func checkTime(read func(b []byte, t *time.Time) error, data []byte) error {
	var t time.Time
	err := read(data, &t)
	if err == nil && !t.Equal(*packTime()) {
		err = fmt.Errorf("reads %v", t)
	}
	return err
}
