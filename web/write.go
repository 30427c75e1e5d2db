package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/weftcodec/weft"
	"github.com/weftcodec/weft/internal/input"
	"github.com/weftcodec/weft/internal/prefer"
)

type compressKey struct{}

// Compress specifies whether answers of a kilobyte or more are compressed as Accept-Encoding requests. It is off by
// default, because a client that controls part of an answer can guess secrets in it from its length. It affects
// marshaling.
func Compress(on bool) weft.Options { return weft.With(compressKey{}, on) }

// minCompressed is the least number of bytes that are worth to be compressed.
const minCompressed = 1 << 10

// Write answers with v and the status, in the format that the request prefers; JSON wins a tie. If the handler has
// already set Content-Type, that selects the format. If v is nil, there is no body.
//
// The error is a *Problem if the request accepts none of the formats (406), or an error from marshaling v or from
// writing to w. In the first two cases nothing has been written, and [Fail] can write the error.
func Write(w http.ResponseWriter, r *http.Request, status int, v any, opts ...weft.Options) error {
	_, err := write(w, r, status, v, opts)
	return err
}

// write reports whether the answer has begun, beside the error.
func write(w http.ResponseWriter, r *http.Request, status int, v any, opts []weft.Options) (begun bool, err error) {
	h := w.Header()
	if v == nil {
		w.WriteHeader(status)
		return true, nil
	}
	own := h.Get("Content-Type")
	m := mediaOf(own)
	if m == nil {
		addVary(h, "Accept")
		if m = accepted(r.Header["Accept"]); m == nil {
			err := fmt.Errorf("web: %q is accepted, not one of %s", strings.Join(r.Header["Accept"], ", "), written())
			return false, problem(http.StatusNotAcceptable, err)
		}
	}
	b := input.Take()
	defer b.Release()
	text, err := m.MarshalAppend(b.B, v, opts...)
	if err != nil {
		return false, err
	}
	b.B = text
	if on, _ := weft.Join(opts...).Value(compressKey{}); on == true && len(text) >= minCompressed {
		addVary(h, "Accept-Encoding")
		if name := acceptedCoding(r.Header["Accept-Encoding"]); name != "" {
			codec, _ := codecOf(name)
			z := input.Take()
			defer z.Release()
			if z.B, err = codec.Append(z.B, text); err != nil {
				return false, err
			}
			text = z.B
			h.Set("Content-Encoding", name)
		}
	}
	if own == "" {
		h.Set("Content-Type", m.types[0])
	}
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, err = w.Write(text)
	return true, err
}

// accepted returns the format that Accept wants most, nil if there is none.
func accepted(values []string) *media {
	if len(values) == 0 || len(values) == 1 && values[0] == "*/*" {
		return medias[0]
	}
	all := prefer.Parse(values)
	var best *media
	var most float64
	for _, m := range medias {
		if q := prefer.Quality(all, m.types...); q > most {
			best, most = m, q
		}
	}
	return best
}

// acceptedCoding returns the compression that Accept-Encoding wants most, "" for none.
func acceptedCoding(values []string) string {
	all := prefer.Parse(values)
	var plain []prefer.Preference
	for _, p := range all {
		if p.Name != "*" { // which no more speaks of no compression than of one
			plain = append(plain, p)
		}
	}
	best, most := "", prefer.Quality(plain, "identity")
	for _, c := range codecs {
		if q := prefer.Quality(all, c.name); q > most {
			best, most = c.name, q
		}
	}
	return best
}

func addVary(h http.Header, name string) {
	for _, v := range h["Vary"] {
		for entry := range strings.SplitSeq(v, ",") {
			if entry = strings.TrimSpace(entry); entry == "*" || strings.EqualFold(entry, name) {
				return
			}
		}
	}
	h.Add("Vary", name)
}

// mediaType returns the Content-Type without its parameters, in lower case.
func mediaType(h http.Header) string {
	name, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(name))
}

// Handle returns a handler that reads the body of a request into an In, calls f with it, and answers with the Out
// that f returns and status 200. The options are those of [Read] and [Write]. [Fail] writes the errors. For a GET,
// HEAD or DELETE without a body, the In is zero.
func Handle[In, Out any](f func(r *http.Request, in In) (Out, error), opts ...weft.Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in In
		switch {
		case r.Body != nil && r.Body != http.NoBody && r.ContentLength != 0,
			r.Method == http.MethodPost, r.Method == http.MethodPut, r.Method == http.MethodPatch:
			if err := Read(r, &in, opts...); err != nil {
				Fail(w, err)
				return
			}
		}
		out, err := f(r, in)
		if err != nil {
			Fail(w, err)
			return
		}
		if begun, err := write(w, r, http.StatusOK, out, opts); err != nil && !begun {
			Fail(w, err)
		}
	})
}
