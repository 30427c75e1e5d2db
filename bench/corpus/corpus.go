// Package corpus provides the documents that the benchmarks read and write,
// and Go types for each of them.
//
// The seven large documents are those of the Go toolchain that runs the
// benchmark; nothing of them is kept here. The small and the huge one are
// made from constants and a seed.
package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Corpus is one document with the Go type that fits it.
type Corpus struct {
	Name string
	// Data returns the document. The caller must not change it.
	Data func() ([]byte, error)
	// New returns a pointer to a zero value of the document's type.
	New func() any
}

// All returns the nine corpora in the order in which tables show them.
func All() []Corpus {
	return []Corpus{
		{"canada_geometry", Document("canada_geometry"), func() any { return new(Canada) }},
		{"citm_catalog", Document("citm_catalog"), func() any { return new(Citm) }},
		{"golang_source", Document("golang_source"), func() any { return new(Golang) }},
		{"string_escaped", Document("string_escaped"), func() any { return new(Strings) }},
		{"string_unicode", Document("string_unicode"), func() any { return new(Strings) }},
		{"synthea_fhir", Document("synthea_fhir"), func() any { return new(Fhir) }},
		{"twitter_status", Document("twitter_status"), func() any { return new(Twitter) }},
		{"pet", func() ([]byte, error) { return []byte(PetJSON), nil }, func() any { return new(Pet) }},
		{"result_18mb", Result18MB, func() any { return new(Results) }},
	}
}

// Small returns documents that are measured besides the nine: a single tweet.
func Small() []Corpus {
	return []Corpus{
		{"tweet", Tweet, func() any { return new(TwitterStatus) }},
	}
}

// Document returns a function that reads a document of the Go toolchain. It is
// not kept: a large heap would make collections rare.
func Document(name string) func() ([]byte, error) {
	return func() ([]byte, error) {
		root, err := GOROOT()
		if err != nil {
			return nil, err
		}
		file := filepath.Join(root, "src/encoding/json/internal/jsontest/testdata", name+".json.zst")
		packed, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("corpus: the Go toolchain lacks its JSON test data: %w; set WEFT_GOROOT to one that has it", err)
		}
		r, err := zstd.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return io.ReadAll(r)
	}
}

// GOROOT returns where the toolchain lies: what WEFT_GOROOT says, else what the
// go command answers. A toolchain that the go command has fetched as a module
// comes without test data, so that another one's has to do.
var GOROOT = sync.OnceValues(func() (string, error) {
	if root := os.Getenv("WEFT_GOROOT"); root != "" {
		return root, nil
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("corpus: go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
})

// tweetIndex is the status of twitter_status whose compact text is nearest to
// 3.5 KB.
const tweetIndex = 42

// Tweet is one status cut out of twitter_status, without insignificant space.
func Tweet() ([]byte, error) {
	doc, err := Document("twitter_status")()
	if err != nil {
		return nil, err
	}
	var t struct {
		Statuses []json.RawMessage `json:"statuses"`
	}
	if err := json.Unmarshal(doc, &t); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Compact(&b, t.Statuses[tweetIndex]); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
