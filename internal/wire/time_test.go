package wire

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

func checkTime(t *testing.T, x time.Time) {
	t.Helper()
	want, err := x.MarshalText()
	got, gotErr := AppendTimeRFC3339([]byte("ab"), x)
	if err != nil {
		if gotErr == nil || err.Error() != "Time.MarshalText: "+gotErr.Error() || string(got) != "ab" {
			t.Fatalf("AppendTimeRFC3339(%v) = %q, %v, want error %v", x, got, gotErr, err)
		}
		return
	}
	if gotErr != nil || string(got) != "ab"+string(want) {
		t.Fatalf("AppendTimeRFC3339(%v) = %q, %v, want %q", x, got, gotErr, want)
	}
	checkParseTime(t, string(want))
	if _, ok := parseTime(want); !ok {
		t.Fatalf("%s took the slow way", want)
	}
}

func checkParseTime(t *testing.T, s string) {
	t.Helper()
	var want time.Time
	err := want.UnmarshalText([]byte(s))
	got, gotErr := ParseTimeRFC3339([]byte(s))
	if !reflect.DeepEqual(err, gotErr) {
		t.Fatalf("ParseTimeRFC3339(%q): error %v, want %v", s, gotErr, err)
	}
	if err == nil && !reflect.DeepEqual(got, want) {
		t.Fatalf("ParseTimeRFC3339(%q) = %#v, want %#v", s, got, want)
	}
}

// withLocals runs f with time.Local being several zones.
func withLocals(t *testing.T, f func(t *testing.T)) {
	old := time.Local
	defer func() { time.Local = old }()
	for _, zone := range []*time.Location{time.UTC, time.FixedZone("X", 3600), time.FixedZone("", -(5*3600 + 1800)), old} {
		time.Local = zone
		t.Run(zone.String(), f)
	}
	if zone, err := time.LoadLocation("Europe/Berlin"); err == nil {
		time.Local = zone
		t.Run(zone.String(), f)
	}
}

func TestTime(t *testing.T) {
	zones := []*time.Location{time.UTC, time.Local}
	for _, offset := range []int{
		0, 1, -1, 59, -59, 60, -60, 3600, -3600, 5*3600 + 1800, 86399, -86399, 86400, -86400, 100 * 3600, -100 * 3600, 3601,
	} {
		zones = append(zones, time.FixedZone("x", offset))
	}
	withLocals(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(23, 24))
		for _, zone := range zones {
			for _, year := range []int{-10000, -1, 0, 1, 4, 99, 100, 400, 1582, 1900, 1969, 1970, 1999, 2000, 2024, 2100, 9999, 10000, 99999} {
				for _, md := range [][2]int{{1, 1}, {2, 28}, {2, 29}, {3, 1}, {12, 31}, {6, 15}} {
					for _, ns := range []int{0, 1, 10, 999_999_999, 123_000_000, 500_000_000, 120_450_000} {
						checkTime(t, time.Date(year, time.Month(md[0]), md[1], 23, 59, 59, ns, zone))
						checkTime(t, time.Date(year, time.Month(md[0]), md[1], 0, 0, 0, ns, zone))
					}
				}
			}
			for range 2000 {
				checkTime(t, time.Unix(rnd.Int64N(1<<39)-1<<38, rnd.Int64N(1e9)).In(zone))
			}
		}
		checkTime(t, time.Time{})
		checkTime(t, time.Now())
		checkTime(t, time.Unix(math.MaxInt64, 0))
		checkTime(t, time.Unix(math.MinInt64, 0).UTC())
	})
}

func TestTimeDays(t *testing.T) {
	x := time.Date(0, 1, 1, 12, 0, 0, 0, time.UTC)
	for x.Year() < 10000 {
		year, month, day := x.Date()
		days := int((x.Unix() - 12*3600) / secondsPerDay)
		if got := unpackDate(year, int(month), day); got != days {
			t.Fatalf("unpackDate(%v) = %d, want %d", x, got, days)
		}
		if got, want := packDate(uint32(days+daysBefore)), uint64(year*10000+int(month)*100+day); got != want {
			t.Fatalf("packDate(%v) = %d", x, got)
		}
		next := x.AddDate(0, 0, 1)
		if next.Month() != month {
			if got := daysIn(year, int(month)); got != day {
				t.Fatalf("daysIn(%d, %d) = %d", year, month, got)
			}
		}
		x = next
	}
}

func TestParseTime(t *testing.T) {
	good := []string{"2006-01-02T15:04:05Z", "2006-01-02T15:04:05.123456789+07:30", "2024-02-29T23:59:59.5-23:59"}
	withLocals(t, func(t *testing.T) {
		for _, s := range good {
			checkParseTime(t, s)
			for i := range len(s) {
				checkParseTime(t, s[:i])
				for c := range 256 {
					checkParseTime(t, s[:i]+string([]byte{byte(c)})+s[i+1:])
					if c%8 == 0 {
						checkParseTime(t, s[:i]+string([]byte{byte(c)})+s[i:])
					}
				}
			}
		}
		for _, s := range []string{"", "Z", "2006-01-02", "2023-02-29T00:00:00Z", "2024-02-30T00:00:00Z",
			"2006-13-01T00:00:00Z", "2006-00-01T00:00:00Z",
			"2006-01-00T00:00:00Z", "2006-04-31T00:00:00Z", "2006-01-02T24:00:00Z", "2006-01-02T23:60:00Z", "2006-01-02T23:59:60Z",
			"2006-01-02T3:04:05Z", "2006-01-02T15:04:05,5Z", "2006-01-02T15:04:05.Z", "2006-01-02T15:04:05.1234567890Z",
			"2006-01-02T15:04:05." + strings.Repeat("9", 30) + "+01:00", "2006-01-02T15:04:05+24:00", "2006-01-02T15:04:05+23:60",
			"2006-01-02T15:04:05+2:000", "2006-01-02T15:04:05+01:00", "2006-01-02T15:04:05-05:30", "2006-01-02T15:04:05+00:00",
			"2006-01-02T15:04:05-00:00", "2006-07-02T15:04:05+02:00", "2006-01-02t15:04:05z", "0000-01-01T00:00:00Z",
			"9999-12-31T23:59:59.999999999Z",
			"9999-12-31T23:59:59-23:59", "0000-01-01T00:00:00+23:59", "10000-01-01T00:00:00Z", "2006-01-02T15:04:05ZZ", "2006-01-02 15:04:05Z"} {
			checkParseTime(t, s)
		}
	})
}

func FuzzParseTime(f *testing.F) {
	f.Add("2006-01-02T15:04:05.999999999+07:00")
	f.Add("2006-01-02T15:04:05Z")
	f.Fuzz(checkParseTime)
}

func BenchmarkTime(b *testing.B) {
	dst := make([]byte, 0, 64)
	for _, x := range []struct {
		name string
		t    time.Time
	}{
		{"utc", time.Date(2024, 5, 17, 12, 34, 56, 0, time.UTC)},
		{"nanos", time.Date(2024, 5, 17, 12, 34, 56, 123456789, time.FixedZone("", 7200))},
	} {
		b.Run(x.name+"/append/wire", func(b *testing.B) {
			for b.Loop() {
				dst, _ = AppendTimeRFC3339(dst[:0], x.t)
			}
		})
		b.Run(x.name+"/append/time", func(b *testing.B) {
			for b.Loop() {
				dst, _ = x.t.AppendText(dst[:0])
			}
		})
		text, _ := x.t.MarshalText()
		b.Run(x.name+"/parse/wire", func(b *testing.B) {
			for b.Loop() {
				if _, err := ParseTimeRFC3339(text); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(x.name+"/parse/time", func(b *testing.B) {
			for b.Loop() {
				var t time.Time
				if err := t.UnmarshalText(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
