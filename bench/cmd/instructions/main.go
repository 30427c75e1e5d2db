// Command instructions counts, by callgrind, what the checks of generated models
// cost, and what a oneOf costs beside the variant that it turns out to be.
//
//	go run ./bench/cmd/instructions
//
// It runs itself under valgrind, which must be installed, for each case with a
// few rounds and with more, and prints the difference for one round: the
// collector is off, so that counts are the same again and again. Callgrind has
// no AVX-512: what weft does with it is done with AVX2.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/bench/corpus"
	"github.com/weftcodec/weft/bench/petstore"
	"github.com/weftcodec/weft/bench/petstore/unchecked"
	"github.com/weftcodec/weft/bench/unions"
	"github.com/weftcodec/weft/json"
	"github.com/weftcodec/weft/msgpack"
)

// work is something whose instructions are counted.
type work struct {
	name   string
	rounds int // of the shorter run
	begin  func() (func() error, error)
}

func main() {
	name := flag.String("case", "", "run this case and count nothing")
	rounds := flag.Int("rounds", 1, "how often")
	only := flag.String("only", "", "count the cases whose names begin so, and those alone")
	flag.Parse()
	var err error
	if *name != "" {
		err = run(*name, *rounds)
	} else {
		err = report(*only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "instructions:", err)
		os.Exit(1)
	}
}

// cases are what can be counted.
func cases() []work {
	var list []work
	pet := []byte(corpus.TaggedPetJSON)
	packed := func(do func(doc []byte) error) (func() error, error) {
		var v petstore.Pet
		if err := json.UnmarshalWith(pet, &v); err != nil {
			return nil, err
		}
		doc, err := msgpack.Marshal(&v)
		return func() error { return do(doc) }, err
	}
	results := func(do func(doc []byte) error) (func() error, error) {
		doc, err := corpus.Result18MB()
		return func() error { return do(doc) }, err
	}
	off := weft.Unchecked(true)
	list = append(list,
		work{"Pet checked", 2000, func() (func() error, error) {
			return func() error { return json.UnmarshalWith(pet, new(petstore.Pet)) }, nil
		}},
		work{"Pet off", 2000, func() (func() error, error) {
			return func() error { return json.UnmarshalWith(pet, new(petstore.Pet), off) }, nil
		}},
		work{"Pet without", 2000, func() (func() error, error) {
			return func() error { return json.UnmarshalWith(pet, new(unchecked.Pet)) }, nil
		}},
		work{"18 MB checked", 1, func() (func() error, error) {
			return results(func(doc []byte) error { return json.UnmarshalWith(doc, new(petstore.Results)) })
		}},
		work{"18 MB off", 1, func() (func() error, error) {
			return results(func(doc []byte) error { return json.UnmarshalWith(doc, new(petstore.Results), off) })
		}},
		work{"18 MB without", 1, func() (func() error, error) {
			return results(func(doc []byte) error { return json.UnmarshalWith(doc, new(unchecked.Results)) })
		}},
		work{"Pet msgpack checked", 2000, func() (func() error, error) {
			return packed(func(doc []byte) error { return msgpack.Unmarshal(doc, new(petstore.Pet)) })
		}},
		work{"Pet msgpack off", 2000, func() (func() error, error) {
			return packed(func(doc []byte) error { return msgpack.Unmarshal(doc, new(petstore.Pet), off) })
		}},
		work{"Pet msgpack without", 2000, func() (func() error, error) {
			return packed(func(doc []byte) error { return msgpack.Unmarshal(doc, new(unchecked.Pet)) })
		}},
	)
	for _, p := range unions.Places {
		doc := unions.Document(200, p.At)
		mixed, pushes, releases, watches := unions.Mixed(100, p.At)
		for _, f := range []weft.Format{json.Format, msgpack.Format} {
			at := " of " + f.Name() + ", tag " + p.Name
			list = append(list, reading("variant"+at, f, part[unions.Push](doc)), reading("union"+at, f, part[unions.Event](doc)),
				reading("variants"+at, f, part[unions.Push](pushes), part[unions.Release](releases), part[unions.Watch](watches)),
				reading("mixed union"+at, f, part[unions.Event](mixed)))
		}
	}
	return list
}

// listOf is a document that is read as a list.
type listOf struct {
	doc   []byte // JSON
	fresh func() any
}

func part[T any](doc []byte) listOf { return listOf{doc, func() any { return new([]T) }} }

// reading is the work of reading lists in a format.
func reading(name string, f weft.Format, parts ...listOf) work {
	return work{name, 10, func() (func() error, error) {
		parts := slices.Clone(parts)
		for i := range parts {
			b, err := weft.Transcode(nil, f, parts[i].doc, json.Format)
			if err != nil {
				return nil, err
			}
			parts[i].doc = b
		}
		return func() error {
			for i := range parts {
				if err := f.Unmarshal(parts[i].doc, parts[i].fresh()); err != nil {
					return err
				}
			}
			return nil
		}, nil
	}}
}

// run does what is counted.
func run(name string, rounds int) error {
	for _, c := range cases() {
		if c.name != name {
			continue
		}
		do, err := c.begin()
		for i := 0; i < rounds && err == nil; i++ {
			err = do()
		}
		return err
	}
	return fmt.Errorf("no case is called %q", name)
}

// report counts all cases, or some, and prints what is to be known of them.
func report(only string) error {
	count := make(map[string]float64)
	for _, c := range cases() {
		if !strings.HasPrefix(c.name, only) {
			continue
		}
		n, err := perRound(c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		count[c.name] = n
		fmt.Fprintf(os.Stderr, "%s: %.0f\n", c.name, n)
	}
	fmt.Println("instructions of reading with checks, with weft.Unchecked, by models of a document without any; what checks add to the last")
	for _, doc := range []string{"Pet", "18 MB", "Pet msgpack"} {
		on, off, without := count[doc+" checked"], count[doc+" off"], count[doc+" without"]
		if without == 0 { // of others than only
			continue
		}
		fmt.Printf("%-14s %12.0f %12.0f %12.0f %6.2f %%\n", doc, on, off, without, 100*(on/without-1))
	}
	fmt.Println("\ninstructions of lists of a oneOf and of its variants alone, by where the discriminator stands: of one variant, of three in turn")
	for _, f := range []weft.Format{json.Format, msgpack.Format} {
		for _, p := range unions.Places {
			at := " of " + f.Name() + ", tag " + p.Name
			union, variant := count["union"+at], count["variant"+at]
			mixed, variants := count["mixed union"+at], count["variants"+at]
			if variant == 0 || variants == 0 {
				continue
			}
			fmt.Printf("%-8s %-14s %12.0f %12.0f %6.2f x %12.0f %12.0f %6.2f x\n", f.Name(), p.Name, union, variant, union/variant, mixed, variants, mixed/variants)
		}
	}
	return nil
}

// perRound returns the instructions of one round of c.
func perRound(c work) (float64, error) {
	few, err := instructions(c.name, c.rounds)
	if err != nil {
		return 0, err
	}
	more, err := instructions(c.name, 3*c.rounds)
	return float64(more-few) / float64(2*c.rounds), err
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// instructions counts those of a run of n rounds.
func instructions(name string, n int) (int, error) {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return 0, fmt.Errorf("valgrind is needed: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "weft-instructions-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command(valgrind, "--tool=callgrind", "--callgrind-out-file="+filepath.Join(dir, "out"), self, "-case", name, "-rounds", strconv.Itoa(n))
	cmd.Env = append(os.Environ(), "GOGC=off", "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1")
	text, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, strings.TrimSpace(string(text)))
	}
	m := collected.FindSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("no count in %s", text)
	}
	return strconv.Atoi(string(m[1]))
}
