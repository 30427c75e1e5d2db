package formats

import (
	std "encoding/base64"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"
)

// tests are strings of each format, which a blank parts, and such as nearly are.
var tests = []struct{ format, good, bad string }{
	{"date", "2024-02-29 2000-02-29 0000-02-29 2023-12-31 2023-11-30", "2023-02-29 1900-02-29 24-1-1 2023-00-01 2023-13-01 2023-01-00 " +
		"2023-01-32 2023-04-31 2023-11-31 2023-01-0a 2023/01/01 20230101 2023-01-011 +023-01-01"},
	{"time", "10:20:30Z 10:20:30.5+01:00 10:20:30z 23:59:60Z 01:29:60.9+01:30 15:59:60-08:00 00:00:00-23:59", "10:20 25:00:00Z 10:20:30 " +
		"10:20:30+24:00 10:20:30+10:60 10:20:61Z 22:59:60Z 23:59:60+01:00 10:20:30.Z 10:20:30+0100 10:60:00Z 10:20:30Zx 1:20:30Z 10:20:30. " +
		"10:20:30*01:00 10:20:30+01-00 10-20-30Z 10:20:30.5 10:20:3aZ"},
	{"date-time", "2024-02-29T10:20:30.123456789Z 2024-02-29t10:20:30z 1998-12-31T15:59:60.123-08:00", "2024-02-29 2024-02-29T10:20:30 " +
		"2023-02-29T10:20:30Z 2024-02-29T10:20:30+24:00 2024-02-29_10:20:30Z"},
	{"duration", "P1Y2M3DT4H5M6S P2W PT1M P1D P1M1D PT0S", "P 1D PT P1S P1DT P1Y3D P1W2D PT1H1S P1.5D p1D P1D1M P-1D PW P1"},
	{"uuid", "01234567-89ab-cdef-0123-456789ABCDEF 00000000-0000-0000-0000-000000000000", "01234567 0123456789abcdef0123456789abcdef " +
		"g1234567-89ab-cdef-0123-456789abcdef 0123456:-89ab-cdef-0123-456789abcdef 01234567-89ab-cdef-0123-456789abcde@ " +
		"01234567-89ab-cdef-0123-456789abcd\xe2\x81 01234567-89ab-cdef-0123_456789abcdef 01234567-89ab-cdef-0123-456789abcdef0 " +
		"0123456/-89ab-cdef-0123-456789abcdef 01234567-89`b-cdef-0123-456789abcdef 01234567-89ab-cdeG-0123-456789abcdef"},
	{"ipv4", "192.0.2.1 0.0.0.0 255.255.255.255",
		"192.0.2 192.0.2.256 ::1 1.2.3.4.5 01.2.3.4 1..2.3 1.2.3. .1.2.3 1.2.3.4. 1.2.3.300 1.2.3.0x1 1.2.3.1000"},
	{"ipv6", "::1 2001:db8::1 :: 1:: 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:: ::2:3:4:5:6:7:8 ::1.2.3.4 1:2:3:4:5:6:1.2.3.4 FFFF::abcd",
		"1.2.3.4 fe80::1%eth0 g:: 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7::8 1:::2 ::1:: 12345:: 1: :1 ::1.2.3 " +
			"::1.2.3.4:5 1:2:3:4:5:6:7:1.2.3.4 : :::"},
	{"uri", "https://example.com/ urn:a:b mailto:a@b http://u:p@h:80/a?b=%20#c http://[::1]:8/ file:///a h: http://[v1.a:b]/ a:/b/?c/?#d/? " +
		"http://h a+b-c.1:x http://h? http://h# http://%41/ http://u%40@h:/ http://[::1]", "/path example a^b:c " +
		"http://h:8a/ http://[::1 http://[g::]/ http://[::1]x/ http://a:1:2/ a:%2 a:%zz 1a:b :a http://[u]@h/ http://h]/ " +
		"a:é a:b#c#d http:/[::1] http://a@b@c/ a:b?[ http://[v.a]/ http://[v1.]/ http://a\\b/ http://[v1.%41]/ http://[v1:a]/ a_b:c a:<b>"},
	{"email",
		`a@b ann.b@example.com "a@b"@c "a\"b"@c a@[192.0.2.1] a@[IPv6:::1] a+b@x-y.z a@[x-tag:a] a@[x:@] !#$%&'*/=?^{|}~@a ""@b`,
		"a @b a@ a.@b a..b@c a@.b a,b@c " +
			`a@b_c a@-b a@b- a@[192.0.2.300] a@[IPv6:192.0.2.1] a@[::1] é@a a@é "a"b"@c "@c "a\"@c a@b..c a@b. a@[x:] a@[1.2.3.4 .a@b a@[ a@b,c ` +
			strings.Repeat("a", 65) + "@b a@" + strings.Repeat("b", 64) + " a@" + strings.Repeat("b.", 127) + "b"},
	{"decimal", "1 -1.50 +2 1e9 007 1E+9 0.1e-5", "1. .5 1,5 --1 1e x 1e+ + - 1.e5 1.5.2 1e5.0 1e5x"},
	{"byte", "AA== aGVsbG8= AAAA +/A= A\nA=\r=\n", "A %%% AA AA= AAA AA=A AAA== AAAA= = == A=== AA==AA=="},
}

func TestFormats(t *testing.T) {
	for _, tt := range tests {
		is, what := Named(tt.format)
		if is == nil || !strings.HasPrefix(what, "a ") && !strings.HasPrefix(what, "an ") {
			t.Fatalf("%s: %q", tt.format, what)
		}
		for want, list := range map[bool]string{true: tt.good, false: tt.bad} {
			for s := range strings.SplitSeq(list, " ") {
				t.Run(tt.format+"/"+s, func(t *testing.T) {
					if is(s) != want {
						t.Errorf("%q is %s: %v", s, what, !want)
					}
					if n := testing.AllocsPerRun(10, func() { is(s) }); n != 0 {
						t.Errorf("%v allocations", n)
					}
				})
			}
		}
		if tt.format != "uri" && is("") != (tt.format == "byte") {
			t.Errorf("%s: the empty string is %v", tt.format, is(""))
		}
	}
	if is, _ := Named("color"); is != nil {
		t.Error("a format that is not known has a function")
	}
}

// Grammars, as the RFCs have them.
var (
	uuidText     = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	timeText     = regexp.MustCompile(`^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[zZ]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$`)
	durationText = regexp.MustCompile(`^P(?:` + durationDate + `(?:` + durationTime + `)?|` + durationTime + `|\d+W)$`)
	decimalText  = regexp.MustCompile(`^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$`)
	uriText      = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:` +
		`(?://(?:` + pchar(":") + `*@)?(?:\[([^\]]*)\]|` + pchar("") + `*)(?::[0-9]*)?(?:/` + pchar(":@/") + `*)?` +
		`|(?:/|/` + pchar(":@") + pchar(":@/") + `*|` + pchar(":@") + pchar(":@/") + `*)?)` +
		`(?:\?` + pchar(":@/?") + `*)?(?:#` + pchar(":@/?") + `*)?$`)
	futureText = regexp.MustCompile(`^[vV][0-9a-fA-F]+\.[a-zA-Z0-9._~!$&'()*+,;=:-]+$`)
	emailText  = regexp.MustCompile(`^(` + atomText + `(?:\.` + atomText + `)*|"(?:[ !#-\[\]-~]|\\[ -~])*")` +
		`@(?:` + labelText + `(?:\.` + labelText + `)*|\[(.*)\])$`)
	tagText = regexp.MustCompile(`^` + labelText + `:[!-Z^-~]+$`)
)

const (
	durationTime = `T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)`
	durationDate = `(?:\d+D|\d+M(?:\d+D)?|\d+Y(?:\d+M(?:\d+D)?)?)`
	atomText     = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+"
	labelText    = `[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?`
)

// pchar returns the expression of a character of a URI, or of more.
func pchar(more string) string {
	return `(?:[a-zA-Z0-9._~!$&'()*+,;=` + more + `-]|%[0-9a-fA-F]{2})`
}

// references report whether a string is of a format by other means.
var references = map[string]func(s string) bool{
	"uuid": uuidText.MatchString,
	"date": func(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil },
	"time": isTime,
	"date-time": func(s string) bool {
		day, rest, ok := strings.Cut(strings.Replace(s, "t", "T", 1), "T")
		_, err := time.Parse(time.DateOnly, day)
		return ok && err == nil && isTime(rest)
	},
	"duration": durationText.MatchString,
	"ipv4":     func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() },
	"ipv6":     isIPv6,
	"uri": func(s string) bool {
		m := uriText.FindStringSubmatch(s)
		return m != nil && (!strings.Contains(s, "[") || isIPv6(m[1]) || futureText.MatchString(m[1]))
	},
	"email": func(s string) bool {
		m := emailText.FindStringSubmatch(s)
		if m == nil || len(m[1]) > 64 || len(s) > 254 {
			return false
		}
		if !strings.HasSuffix(s, "]") {
			return true
		}
		if a, ok := strings.CutPrefix(strings.ToLower(m[2]), "ipv6:"); ok {
			return isIPv6(a)
		}
		a, err := netip.ParseAddr(m[2])
		return tagText.MatchString(m[2]) || err == nil && a.Is4()
	},
	"decimal": decimalText.MatchString,
	"byte":    func(s string) bool { _, err := std.StdEncoding.DecodeString(s); return err == nil },
}

// isTime reports whether s is a time by package time, which has no leap seconds.
func isTime(s string) bool {
	if !timeText.MatchString(s) {
		return false
	}
	x, err := time.Parse("15:04:05.999999999Z07:00", strings.ToUpper(s[:6]+strings.Replace(s[6:], "60", "59", 1)))
	if s[6:8] != "60" {
		return err == nil
	}
	x = x.UTC()
	return err == nil && x.Hour() == 23 && x.Minute() == 59
}

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

// TestReferences holds strings that are nearly of a format against the references.
func TestReferences(t *testing.T) {
	const characters = "0123456789abcdefABCDEFgzGZ-.:/?#[]@!$&'()*+,;=%_~ \"\\<>{}|^`TtZPYMDHSW\r\n\xc3\xa9\x7f"
	r := rand.New(rand.NewPCG(1, 2))
	for _, tt := range tests {
		t.Run(tt.format, func(t *testing.T) {
			is, _ := Named(tt.format)
			seeds := strings.Split(tt.good+" "+tt.bad, " ")
			good := 0
			for range 100_000 {
				s := seeds[r.IntN(len(seeds))]
				for n := r.IntN(4); n > 0; n-- {
					at, c := r.IntN(len(s)+1), characters[r.IntN(len(characters))]
					switch other := seeds[r.IntN(len(seeds))]; r.IntN(4) {
					case 0:
						s = s[:at] + string(c) + s[at:]
					case 1:
						s = s[:at] + s[min(len(s), at+1):]
					case 2:
						s = s[:at] + string([]byte{c}) + s[min(len(s), at+1):]
					default:
						s = s[:at] + other[r.IntN(len(other)+1):]
					}
				}
				got := is(s)
				if want := references[tt.format](s); got != want {
					t.Fatalf("%q: %v, want %v", s, got, want)
				}
				if got {
					good++
				}
			}
			if good < 1000 {
				t.Errorf("%d good strings are too few to tell", good)
			}
		})
	}
}

func FuzzFormats(f *testing.F) {
	for _, tt := range tests {
		for _, s := range strings.Split(tt.good+" "+tt.bad, " ") {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		for format, reference := range references {
			is, _ := Named(format)
			if got, want := is(s), reference(s); got != want {
				t.Errorf("%s %q: %v, want %v", format, s, got, want)
			}
		}
	})
}

func BenchmarkFormats(b *testing.B) {
	for _, bb := range []struct{ format, text string }{
		{"uuid", "0b9d1cd6-52a4-4e1f-9c3a-2f6f3c1d7e55"},
		{"date", "2024-02-29"},
		{"time", "10:20:30+01:00"},
		{"date-time", "2024-02-29T10:20:30.123Z"},
		{"duration", "P1Y2M3DT4H5M6S"},
		{"ipv4", "192.0.2.1"},
		{"ipv6", "2001:db8:85a3::8a2e:370:7334"},
		{"uri", "https://example.com/pets/1234?expand=owner#top"},
		{"email", "first.last+tag@mail.example.com"},
		{"decimal", "-1234.5678e-9"},
		{"byte", "aGVsbG8gd29ybGQsIGhlbGxvIHdvcmxkIQ=="},
	} {
		is, _ := Named(bb.format)
		b.Run(bb.format, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !is(bb.text) {
					b.Fatal("not of the format")
				}
			}
		})
	}
}
