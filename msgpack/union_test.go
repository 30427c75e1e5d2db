package msgpack

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/plan"
)

type (
	guessUnion struct{ V guessCase }
	guessCase  interface{ guessed() }

	guessBox struct {
		ID   int64        `json:"id"`
		Type string       `json:"type"`
		Note *string      `json:"note"`
		List []guessUnion `json:"list"`
		Any  any          `json:"any"`
	}
	guessRule struct {
		Type string         `json:"type" check:"required"`
		ID   int64          `json:"id" check:"required,minimum=3"`
		Tags []string       `json:"tags" check:"maxItems=2"`
		Map  map[string]int `json:"map"`
		Next *guessUnion    `json:"next"`
		At   time.Time      `json:"at"`
	}
	guessHook struct {
		ID   int64     `json:"id"`
		Hook guessText `json:"hook"`
		Type string    `json:"type"`
	}
	guessBare struct { // has no field for the discriminator
		ID   int64          `json:"id"`
		Rest map[string]any `json:",unknown"`
	}
	guessName struct {
		Note string   `json:"note"`
		Type guessTag `json:"type" check:"enum=name|nom"`
	}
	guessTag  string
	guessText struct{ s string }
)

func (*guessBox) guessed()  {}
func (*guessRule) guessed() {}
func (guessHook) guessed()  {}
func (*guessBare) guessed() {}
func (*guessName) guessed() {}

func (*guessRule) WeftRules() weft.Rules { return weft.Rules{Strict: true} }
func (*guessUnion) WeftRules() weft.Rules {
	return weft.Rules{Union: &weft.Variants{Discriminator: "type", Cases: []weft.UnionCase{
		weft.Variant[*guessBox]("box", "crate"), weft.Variant[*guessRule]("rule"), weft.Variant[guessHook]("hook"),
		weft.Variant[*guessBare]("bare"), weft.Variant[*guessName]("name", "nom"),
	}}}
}

// guessCalls counts those of the method of guessText.
var guessCalls int

func (h *guessText) UnmarshalText(b []byte) error {
	guessCalls++
	if string(b) == "bad" {
		return errors.New("bad text")
	}
	h.s = string(b)
	return nil
}

// guessDoc appends a union, mostly of members that fit.
func guessDoc(b []byte, rnd *rand.Rand, deep int) []byte {
	if rnd.IntN(40) == 0 {
		return append(b, [][]byte{{0xc0}, {0x01}, {0x90}, {0x80}}[rnd.IntN(4)]...)
	}
	text := func(b []byte) []byte {
		s := []string{"", "a", "bad", "box", "2026-06-09T12:47:28Z", "a text that takes more than one word and a head"}[rnd.IntN(6)]
		return AppendString(b, s)
	}
	list := func(b []byte) []byte {
		n := rnd.IntN(3)
		b = AppendArrayHeader(b, n)
		for range n {
			b = guessDoc(b, rnd, deep-1)
		}
		return b
	}
	tags := []string{"box", "crate", "rule", "hook", "bare", "name", "nom", "none", ""}
	k := rnd.IntN(len(tags))
	number := func(b []byte) []byte { return AppendInt(b, int64(rnd.IntN(300))-2) }
	texts := func(b []byte) []byte {
		n := rnd.IntN(4)
		b = AppendArrayHeader(b, n)
		for range n {
			b = text(b)
		}
		return b
	}
	values := map[string]func(b []byte) []byte{
		"id": number, "note": text, "list": list, "tags": texts, "hook": text, "other": texts, "at": text,
		"any":  func(b []byte) []byte { return append(b, 0x81, 0xa1, 'x', 0x01) },
		"map":  func(b []byte) []byte { return append(b, 0x81, 0xa1, 'x', 0x01) },
		"next": func(b []byte) []byte { return guessDoc(b, rnd, deep-1) },
	}
	members := map[int][]string{0: {"id", "note", "list", "any"}, 1: {"id", "note", "list"}, 2: {"id", "tags", "map", "next"},
		3: {"id", "hook"}, 4: {"id", "other"}, 5: {"note"}, 6: {"note"}, 7: {"id"}, 8: {"id"}}[k]
	members = slices.Clone(members)
	if deep <= 0 {
		members = slices.DeleteFunc(members, func(s string) bool { return s == "list" || s == "next" })
	}
	if rnd.IntN(8) == 0 { // of another case, or of none, or twice
		members = append(members, []string{"hook", "other", "tags", "id", "note", "type"}[rnd.IntN(6)])
	}
	if rnd.IntN(3) == 0 {
		rnd.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	if rnd.IntN(30) > 0 {
		members = slices.Insert(members, rnd.IntN(len(members)+1), "type")
	}
	b = AppendMapHeader(b, len(members))
	for _, name := range members {
		if rnd.IntN(60) == 0 {
			b = append(append(b, 0xd9, byte(len(name))), name...) // longer than it has to be
		} else {
			b = AppendString(b, name)
		}
		switch {
		case name != "type":
			b = values[name](b)
		case rnd.IntN(20) == 0:
			b = [](func([]byte) []byte){number, text, texts,
				func(b []byte) []byte { return append(b, 0xc0) },
				func(b []byte) []byte { return AppendBytes(b, []byte(tags[k])) },
				func(b []byte) []byte { return AppendString(b, tags[rnd.IntN(len(tags))]) },
			}[rnd.IntN(6)](b)
		default:
			b = AppendString(b, tags[k])
		}
	}
	return b
}

// readGuessing reads b, guessing that unions are the case k, and not at all if that is -1.
func readGuessing(b []byte, v any, k int, opts ...Options) error {
	r := newReader(b, opts)
	r.guesses, r.guessing = new(plan.Guesses), guessFree
	if k < 0 {
		r.guessing = guessOff
	} else {
		for i := range r.guesses {
			for r.guesses[i].Case() != k {
				r.guesses[i].Note(k)
			}
		}
	}
	r.document(v, programs.Find(v), false)
	r.guessing = guessFree
	return r.finish()
}

// What a union is guessed to be makes no difference to what is read, to the errors and to what methods are called with, but
// for those of a value that is not well-formed.
func TestUnionGuesses(t *testing.T) {
	programs.compile(reflect.TypeFor[*[]guessUnion]())
	rnd := rand.New(rand.NewPCG(1, 2))
	n := 20000
	if testing.Short() {
		n = 6000
	}
	options := [][]Options{nil, {weft.AllViolations(true)}, {weft.Unchecked(true)}, {weft.RejectUnknown(true)}}
	fine, failed := 0, 0
	again := []byte("\x92\x84\xa5other\x01\xa4type\xa3box\xa4note\xa0\xa4type\xa4name\x82\xa4type\xa3box\xa4note\xd9\x40" +
		strings.Repeat("x", 64))
	for i := range n {
		b := AppendArrayHeader(nil, 2)
		b = guessDoc(guessDoc(b, rnd, 2), rnd, 2)
		if i == 0 {
			b = again // a member comes once more among those that are read at a run
		}
		if i > 0 && rnd.IntN(4) == 0 {
			b = b[:rnd.IntN(len(b)+1)]
		}
		if i > 0 && rnd.IntN(4) == 0 && len(b) > 0 {
			b[rnd.IntN(len(b))] = byte(rnd.Uint32())
		}
		opts := options[rnd.IntN(len(options))]
		var want []guessUnion
		guessCalls = 0
		wantErr := readGuessing(b, &want, -1, opts...)
		calls := guessCalls
		if wantErr == nil {
			fine++
		} else {
			failed++
		}
		for k := range 5 {
			var got []guessUnion
			guessCalls = 0
			err := readGuessing(b, &got, k, opts...)
			if !reflect.DeepEqual(err, wantErr) ||
				!reflect.DeepEqual(got, want) || guessCalls != calls {
				t.Fatalf("%d: %x as case %d: %v, %d calls\n%+v\nwant %v, %d calls\n%+v", i, b, k, err, guessCalls, got, wantErr, calls, want)
			}
		}
	}
	if fine < n/10 || failed < n/10 {
		t.Errorf("%d documents are fine, %d are not", fine, failed)
	}
}
