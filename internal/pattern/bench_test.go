package pattern

import (
	"fmt"
	"strings"
	"testing"
)

// benchmarks are patterns of kinds that documents have, each with strings that it matches.
var benchmarks = []struct {
	name, pattern string
	texts         []string
}{
	{"slug", "^[a-z][a-z0-9-]*$",
		[]string{"tags", "new-arrivals", "a-longer-name-of-a-resource-in-eu-west-1", strings.Repeat("resource-", 113)}},
	{"uuid", "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
		[]string{"0b9d1cd6-52a4-4e1f-9c3a-2f6f3c1d7e55"}},
	{"sid", "^(SM|MM)[0-9a-fA-F]{32}$", []string{"SM0123456789abcdef0123456789abcdef"}},
	{"prefix", "^/v1/billing_portal/configurations", []string{"/v1/billing_portal/configurations"}},
	{"search", `\{user_question\}`,
		[]string{"Answer {user_question} in one word.", strings.Repeat("some words ahead of it ", 40) + "{user_question}"}},
	{"letters", `^\p{L}+$`, []string{
		"Schmetterling", "Größenverhältnis", "Здравствуйте", "こんにちは世界",
		strings.Repeat("достопримечательность", 40),
	}},
	{"e-mail", `^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$`, []string{"jane@example.com", "first.last+tag@mail.sub.example.co.uk"}},
	{"time", `^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$`, []string{"23:59:59"}},
	{"bounded", `^[\s\S]{1,2048}$`, []string{"twelve chars", strings.Repeat("ninety bytes ", 70)}},
	{"number", `^(0|[1-9][0-9]*)$`, []string{"0", "1234567890"}},
}

func BenchmarkMatch(b *testing.B) {
	for _, bb := range benchmarks {
		p, err := Compile(bb.pattern)
		if err != nil {
			b.Fatal(err)
		}
		matchers := map[string]func(string) bool{"pattern": p.Match}
		if re := reference(bb.pattern); re != nil {
			matchers["regexp"] = re.MatchString
		}
		for _, text := range bb.texts {
			for name, match := range matchers {
				b.Run(fmt.Sprintf("%s/%d/%s", bb.name, len(text), name), func(b *testing.B) {
					for b.Loop() {
						if !match(text) {
							b.Fatal("no match")
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(text)), "ns/byte")
				})
			}
		}
	}
}

// BenchmarkCompile also reports the memory that a compiled pattern keeps.
func BenchmarkCompile(b *testing.B) {
	for _, bb := range benchmarks {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Compile(bb.pattern); err != nil {
					b.Fatal(err)
				}
			}
			p, _ := Compile(bb.pattern)
			size := 2*len(p.machine.table) + 256 + 512
			if p.machine.wide {
				size += 2*len(p.machine.beyond.top) + 2*len(p.machine.beyond.middle) + len(p.machine.beyond.leaves)
			}
			b.ReportMetric(float64(size), "kept-B")
		})
	}
}
