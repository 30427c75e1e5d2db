package flow

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// preference is an entry of Accept or Accept-Encoding (RFC 9110 §12.5).
type preference struct {
	name string // in lower case, without parameters
	q    float64
}

// preferences reads Accept or Accept-Encoding.
func preferences(values []string) []preference {
	var all []preference
	for _, v := range values {
		for entry := range strings.SplitSeq(v, ",") {
			name, rest, _ := strings.Cut(entry, ";")
			p := preference{strings.ToLower(strings.TrimSpace(name)), 1}
			for rest != "" {
				var parameter string
				parameter, rest, _ = strings.Cut(rest, ";")
				if q, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameter)), "q="); ok {
					if x, err := strconv.ParseFloat(q, 64); err == nil && x >= 0 && x <= 1 {
						p.q = x
					}
				}
			}
			if p.name != "" {
				all = append(all, p)
			}
		}
	}
	return all
}

// quality returns how much one of the names is wanted, by the entry that says most of it: 0
// for not at all.
func quality(all []preference, names ...string) float64 {
	best, said := 0.0, 0
	for _, name := range names {
		family, _, _ := strings.Cut(name, "/")
		for _, p := range all {
			weight := 0
			switch p.name {
			case name:
				weight = 3
			case family + "/*":
				weight = 2
			case "*/*", "*":
				weight = 1
			}
			if weight > said || weight == said && weight > 0 && p.q > best {
				best, said = p.q, weight
			}
		}
	}
	return best
}

// acceptedMedia returns the format that Accept wants most of a body that comes as
// own: own itself where nothing is wanted more, or nothing that there is.
func acceptedMedia(accept []string, own *media, mediaType string) *media {
	if len(accept) == 0 || len(accept) == 1 && (accept[0] == "*/*" || accept[0] == mediaType) {
		return own
	}
	all := preferences(accept)
	mediaType, _, _ = strings.Cut(mediaType, ";")
	best, most := own, quality(all, append([]string{strings.ToLower(mediaType)}, own.types...)...)
	for _, m := range medias {
		if m == own || m == mediaNDJSON {
			continue
		}
		if q := quality(all, m.types...); q > most {
			best, most = m, q
		}
	}
	return best
}

// codings are the compressions that are offered, best first.
var codings = []string{"zstd", "gzip"}

// acceptedCoding returns the compression that Accept-Encoding wants most of a body
// that comes in own, "" for none.
func acceptedCoding(accept []string, own string) string {
	if len(accept) == 0 {
		return ""
	}
	all := preferences(accept)
	plain := quality(all, "identity")
	if !slices.ContainsFunc(all, func(p preference) bool { return p.name == "identity" }) {
		plain = 0.001 // always acceptable, never preferred
	}
	best, most := "", plain
	for _, c := range append([]string{own}, codings...) {
		if q := quality(all, c); c != "" && q > most {
			best, most = c, q
		}
	}
	return best
}

// vary adds names to the header Vary.
func vary(h http.Header, names ...string) {
	have := strings.ToLower(strings.Join(h["Vary"], ","))
	for _, name := range names {
		if !slices.Contains(strings.Split(strings.ReplaceAll(have, " ", ""), ","), strings.ToLower(name)) {
			h["Vary"] = append(slices.Clone(h["Vary"]), name)
		}
	}
}

// mediaTypeFor returns the Content-Type of a body that was mediaType and is now m's.
func mediaTypeFor(mediaType string, m *media) string {
	t, _, _ := strings.Cut(mediaType, ";")
	t = strings.TrimSpace(t)
	if base, suffix, ok := strings.Cut(t,
		"+"); ok && (suffix == "json" || suffix == "msgpack") && (m == mediaJSON || m == mediaMsgpack) {
		return base + "+" + m.name
	}
	return m.types[0]
}
