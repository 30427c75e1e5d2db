package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Results is the type of [Result18MB]: one page of a search engine's answers,
// far too long.
type Results struct {
	Total  int      `json:"total"`
	Result []Result `json:"result"`
}

// Result is one answer.
type Result struct {
	A         string     `json:"a"`
	B         int64      `json:"b"`
	Date      string     `json:"date"`
	Highlight []string   `json:"highlight"`
	C         string     `json:"c"`
	D         float64    `json:"d"`
	E         bool       `json:"e"`
	F         *string    `json:"f,omitempty"`
	G         []int      `json:"g"`
	H         ResultSite `json:"h"`
}

// ResultSite says where an answer was found.
type ResultSite struct {
	URL  string `json:"url"`
	Lang string `json:"lang"`
	Rank int    `json:"rank"`
}

// resultCount is the number of answers; with the texts below it makes 18 MB.
const resultCount = 20000

// Result18MB is an 18 MB document made from a fixed seed.
func Result18MB() ([]byte, error) {
	r := rand.New(rand.NewPCG(18, 2018))
	doc := Results{Total: resultCount, Result: make([]Result, resultCount)}
	for i := range doc.Result {
		doc.Result[i] = result(r, i)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(&doc); err != nil {
		return nil, err
	}
	return bytes.Clone(bytes.TrimRight(b.Bytes(), "\n")), nil
}

var (
	resultWords = strings.Fields(`the of a search index holds every word once and points at each
		document where it occurs so that answers come before the question is typed whole
		loom thread shuttle cloth pattern weave fabric spindle yarn linen wool silk
		São façade über naïve 東京 данные`)
	resultEpoch = time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)
)

// result makes answer number i.
func result(r *rand.Rand, i int) Result {
	v := Result{
		A:    fmt.Sprintf("%08x-%04x-%04x", r.Uint32(), r.Uint32()&0xffff, i&0xffff),
		B:    r.Int64N(1 << 40),
		Date: resultEpoch.Add(time.Duration(r.Int64N(1e8)) * time.Second).Format(time.RFC3339),
		C:    sentence(r, 38+r.IntN(20)),
		D:    float64(r.IntN(1e6)) / 1e4,
		E:    r.IntN(2) == 0,
		G:    []int{r.IntN(10), r.IntN(1000), r.IntN(100000)},
		H:    ResultSite{URL: fmt.Sprintf("https://www.example.org/%s/%d", resultWords[r.IntN(20)], r.IntN(1e6)), Lang: "en", Rank: i},
	}
	for range 3 + r.IntN(3) {
		v.Highlight = append(v.Highlight, sentence(r, 7)+" <em>"+resultWords[r.IntN(len(resultWords))]+"</em> "+sentence(r, 7))
	}
	if r.IntN(3) == 0 {
		s := "said \"" + sentence(r, 3) + "\"\n"
		v.F = &s
	}
	return v
}

// sentence joins n words.
func sentence(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(resultWords[r.IntN(len(resultWords))])
	}
	return b.String()
}
