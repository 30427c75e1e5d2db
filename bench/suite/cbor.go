package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/bench/harness"
	"github.com/weftcodec/weft/bench/peers"
	"github.com/weftcodec/weft/bench/records"
	"github.com/weftcodec/weft/bench/sdk"
)

// cborGroup compares CBOR libraries; ratios refer to fxamacker/cbor.
func cborGroup() Group {
	return Group{Name: "cbor", Modules: peers.ItemModules, Run: func(r *Runner) (string, error) {
		values := cborValues()
		summary := "cbor:"
		for i := range values {
			if err := r.cborValue(&values[i], &summary); err != nil {
				return "", err
			}
		}
		pods, err := r.sdkProgram("cbor")
		return summary + pods, err
	}}
}

// cborValue runs the contests on a value.
func (r *Runner) cborValue(v *cborValue, summary *string) error {
	for _, op := range []string{"encode", "append", "decode"} {
		if v.decodeOnly && op != "decode" {
			continue
		}
		rows, err := r.contest(cborContest(v, op))
		if err != nil {
			return err
		}
		own := find(rows, weftName)
		if own == nil || !own.Timed() {
			continue
		}
		if floor := find(rows, memoryName); floor != nil {
			*summary += fmt.Sprintf(" floor-%s-%s=%.2f", v.key, op, floor.Ratio.Median)
		}
		*summary += fmt.Sprintf(" %s-%s=%.2f", v.key, op, own.Ratio.Median)
		if pack := find(rows, "weft msgpack"); pack != nil && pack.Timed() {
			ratio, _ := pack.Versus(own)
			*summary += fmt.Sprintf(" of-msgpack-%s-%s=%.2f", v.key, op, ratio.Median)
		}
		if strict := find(rows, "weft strict"); strict != nil && strict.Timed() && op == "decode" {
			ratio, _ := own.Versus(strict)
			*summary += fmt.Sprintf(" strict-%s=%.2f", v.key, ratio.Median)
		}
	}
	return nil
}

// cborValue is a value that is measured.
type cborValue struct {
	key, name  string
	layout     string
	value      any // a pointer
	tuple      any // the value for libraries without an option for arrays
	intKeys    bool
	decodeOnly bool
	into       func() any // what is read into, where it is not a new value of the type
	codecs     []weft.Codec
}

// sign1 is a COSE_Sign1 (RFC 9052 §4.2) without its tag.
type sign1 struct {
	_           struct{} `cbor:",toarray" msgpack:",array"`
	Protected   []byte
	Unprotected sign1Header
	Payload     []byte
	Signature   []byte
}

type sign1Header struct {
	Alg int    `cbor:"1,keyasint,omitempty" msgpack:"1,omitempty" json:"1,omitempty"`
	Kid []byte `cbor:"4,keyasint,omitempty" msgpack:"4,omitempty" json:"4,omitempty"`
	IV  []byte `cbor:"5,keyasint,omitempty" msgpack:"5,omitempty" json:"5,omitempty"`
}

// attestation is the attestation object of WebAuthn (§6.5.4), of the format packed.
type attestation struct {
	Fmt     string `json:"fmt"`
	AttStmt struct {
		Alg int      `json:"alg"`
		Sig []byte   `json:"sig"`
		X5C [][]byte `json:"x5c"`
	} `json:"attStmt"`
	AuthData []byte `json:"authData"`
}

// cborValues returns the values.
func cborValues() []cborValue {
	random := rand.New(rand.NewPCG(1, 2))
	some := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		return b
	}
	record := records.New()
	sign := &sign1{Protected: []byte("\xa1\x01\x26"), Payload: some(80), Signature: some(64)}
	sign.Unprotected.Kid = some(16)
	att := &attestation{Fmt: "packed", AuthData: some(196)}
	att.AttStmt.Alg, att.AttStmt.Sig, att.AttStmt.X5C = -7, some(71), [][]byte{some(705)}
	list := make([]*records.Record, anyRecords)
	for i := range list {
		list[i] = records.New()
		list[i].Int, list[i].String = i, fmt.Sprintf("this is text %d.", i)
	}
	floats, bytes := make([]float64, 1000), make([][]byte, 100)
	for i := range floats {
		floats[i] = random.NormFloat64()
	}
	for i := range bytes {
		bytes[i] = some(16 + random.IntN(500))
	}
	return []cborValue{
		{key: "map", name: "record as map", layout: peers.AsMap, value: record},
		{key: "array", name: "record as array", layout: peers.AsArray, value: record, tuple: peers.ArrayOf(record)},
		{key: "sign1", name: "COSE_Sign1", layout: peers.AsMap, value: sign, intKeys: true},
		{key: "attestation", name: "WebAuthn attestation", layout: peers.AsMap, value: att},
		{key: "any", name: fmt.Sprintf("%d records into any", anyRecords), layout: peers.AsMap, value: &list, decodeOnly: true,
			into: func() any { return new(any) }},
		{key: "floats", name: "1000 floats", layout: peers.AsMap, value: &floats},
		{key: "bytes", name: "100 byte strings", layout: peers.AsMap, value: &bytes},
	}
}

// CBORPods runs the contests on the document of pods, of Kubernetes' own types.
func (r *Runner) CBORPods(documents []sdk.Document) error {
	for _, d := range documents {
		if d.Name != "k8s pods large" {
			continue
		}
		text, err := d.Data()
		if err != nil {
			return err
		}
		list := d.New()
		if err := json.Unmarshal(text, list); err != nil {
			return err
		}
		items := reflect.ValueOf(list).Elem().FieldByName("Items")
		if items.Len() == 0 {
			break
		}
		for items.Len() < 100 {
			items.Set(reflect.AppendSlice(items, items))
		}
		items.SetLen(100)
		summary := ""
		err = r.cborValue(&cborValue{key: "pods", name: "PodList of 100 pods", layout: peers.AsMap, value: list, codecs: d.Codecs}, &summary)
		r.Report.Summaries = append(r.Report.Summaries, summary)
		return err
	}
	return errors.New("suite: no pods")
}

// cborContest makes the contest of one value and operation.
func cborContest(v *cborValue, op string) *harness.Contest {
	c := &harness.Contest{Group: "cbor", Corpus: v.name, Op: op, Ref: "fxamacker"}
	for _, p := range peers.AllItems(v.layout, v.codecs...) {
		value := v.value
		if v.tuple != nil && p.Name == "fxamacker" {
			value = v.tuple
		}
		if v.intKeys && !p.IntKeys || op == "append" && p.Append == nil && p.Name != "fxamacker" {
			continue
		}
		into := func() any { return fresh(value) }
		if v.into != nil {
			into = v.into
		}
		data, err := p.Marshal(value)
		k := harness.Case{Name: p.Name, Class: p.Class, Size: len(data)}
		k.Check = func() (string, error) {
			if err != nil {
				return "", err
			}
			got := into()
			if err := p.Unmarshal(data, got); err != nil || v.into != nil {
				return "", err
			}
			back, err := p.Marshal(got)
			if err == nil && len(back) != len(data) { // maps are in any order
				err = errors.New("decodes another value than it encoded")
			}
			return "", err
		}
		switch {
		case op == "decode":
			k.Run = func() { _ = p.Unmarshal(data, into()) }
		case op == "append" && p.Append != nil:
			var buf []byte
			k.Run = func() { buf, _ = p.Append(buf[:0], value) }
		default:
			k.Run = func() { _, _ = p.Marshal(value) }
		}
		c.Cases = append(c.Cases, k)
	}
	if op == "encode" {
		c.Cases = append(c.Cases, memoryAlone(c.Cases[0].Size))
	}
	return c
}
