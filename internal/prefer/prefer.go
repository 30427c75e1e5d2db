// Package prefer parses the preferences of clients: the headers Accept and Accept-Encoding.
package prefer

import (
	"strconv"
	"strings"
)

// Preference is an entry of Accept or Accept-Encoding (RFC 9110 §12.5).
type Preference struct {
	Name string  // in lower case, without parameters
	Q    float64 // how much it is wanted, from 0 to 1
}

// Parse reads Accept or Accept-Encoding.
func Parse(values []string) []Preference {
	var all []Preference
	for _, v := range values {
		for entry := range strings.SplitSeq(v, ",") {
			name, rest, _ := strings.Cut(entry, ";")
			p := Preference{strings.ToLower(strings.TrimSpace(name)), 1}
			for rest != "" {
				var parameter string
				parameter, rest, _ = strings.Cut(rest, ";")
				if q, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameter)), "q="); ok {
					if x, err := strconv.ParseFloat(q, 64); err == nil && x >= 0 && x <= 1 {
						p.Q = x
					}
				}
			}
			if p.Name != "" {
				all = append(all, p)
			}
		}
	}
	return all
}

// Quality returns how much one of the names is wanted, by the entry that says most of it: 0
// for not at all.
func Quality(all []Preference, names ...string) float64 {
	best, said := 0.0, 0
	for _, name := range names {
		family, _, _ := strings.Cut(name, "/")
		for _, p := range all {
			weight := 0
			switch p.Name {
			case name:
				weight = 3
			case family + "/*":
				weight = 2
			case "*/*", "*":
				weight = 1
			}
			if weight > said || weight == said && weight > 0 && p.Q > best {
				best, said = p.Q, weight
			}
		}
	}
	return best
}
