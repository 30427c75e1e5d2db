package flow

import (
	"net/http"
	"slices"
	"strings"

	"github.com/weftcodec/weft/internal/prefer"
)

// acceptedMedia returns the format that Accept wants most of a body that comes as
// own: own itself where nothing is wanted more, or nothing that there is.
func acceptedMedia(values []string, own *media, mediaType string) *media {
	if len(values) == 0 || len(values) == 1 && (values[0] == "*/*" || values[0] == mediaType) {
		return own
	}
	all := prefer.Parse(values)
	mediaType, _, _ = strings.Cut(mediaType, ";")
	best, most := own, prefer.Quality(all, append([]string{strings.ToLower(mediaType)}, own.types...)...)
	for _, m := range medias {
		if m == own || m == mediaNDJSON {
			continue
		}
		if q := prefer.Quality(all, m.types...); q > most {
			best, most = m, q
		}
	}
	return best
}

// codings are the compressions that are offered, best first.
var codings = []string{"zstd", "gzip"}

// acceptedCoding returns the compression that Accept-Encoding wants most of a body
// that comes in own, "" for none.
func acceptedCoding(values []string, own string) string {
	if len(values) == 0 {
		return ""
	}
	all := prefer.Parse(values)
	plain := prefer.Quality(all, "identity")
	if !slices.ContainsFunc(all, func(p prefer.Preference) bool { return p.Name == "identity" }) {
		plain = 0.001 // always acceptable, never preferred
	}
	best, most := "", plain
	for _, c := range append([]string{own}, codings...) {
		if q := prefer.Quality(all, c); c != "" && q > most {
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
	if suffixed(t) != nil && suffixed("+"+m.name) != nil {
		base, _, _ := strings.Cut(t, "+")
		return base + "+" + m.name
	}
	return m.types[0]
}
