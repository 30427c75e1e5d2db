package wire

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
	"time"
)

// What [AppendTimeRFC3339] refuses, in the words of package time.
var (
	ErrTimeYear = errors.New("year outside of range [0,9999]")
	ErrTimeZone = errors.New("timezone hour outside of range [0,23]")
)

const (
	secondsPerDay = 24 * 60 * 60
	daysBefore    = 719528 // from 0000-01-01 to 1970-01-01
	daysPerEra    = 146097 // in 400 years
)

// AppendTimeRFC3339 appends t as time.Time.MarshalText writes it: RFC 3339 with as many digits of the second as
// are needed. A year of other than four digits gives ErrTimeYear, a zone of a day or more ErrTimeZone; b is then
// returned unchanged.
func AppendTimeRFC3339(b []byte, t time.Time) ([]byte, error) {
	_, offset := t.Zone()
	sec := t.Unix() + int64(offset) + daysBefore*secondsPerDay
	if uint64(sec) >= 10000*daysPerEra/400*secondsPerDay {
		return b, ErrTimeYear
	}
	zone := offset / 60
	if zone <= -24*60 || zone >= 24*60 {
		return b, ErrTimeZone
	}
	days := uint64(sec) / secondsPerDay
	rest := uint64(sec) - days*secondsPerDay

	const most = 40
	l := len(b)
	if cap(b)-l < most {
		b = slices.Grow(b, most)
	}
	d := (*[most]byte)(b[l : l+most])
	date := digits8(packDate(uint32(days))) | asciiZeros // YYYYMMDD
	binary.LittleEndian.PutUint64(d[0:], date&0xffffffff|'-'<<32|date>>32&0xffff<<40|'-'<<56)
	binary.LittleEndian.PutUint16(d[8:], uint16(date>>48))
	hour, minute := rest/3600, rest/60%60
	clock := digits8(hour*10000+minute*100+rest%60) | asciiZeros // 00hhmmss
	binary.LittleEndian.PutUint64(d[10:], 'T'|clock>>16&0xffff<<8|':'<<24|clock>>32&0xffff<<32|':'<<48|clock>>48<<56)
	d[18] = byte(clock >> 56)
	n := 19
	if ns := uint64(t.Nanosecond()); ns != 0 {
		w, last := digits8(ns/10), ns%10
		d[19] = '.'
		binary.LittleEndian.PutUint64(d[20:], w|asciiZeros)
		d[28] = byte('0' + last)
		n = 29
		if last == 0 {
			n = 28 - bits.LeadingZeros64(w)>>3
		}
	}
	if offset == 0 {
		d[n] = 'Z'
		return b[:l+n+1], nil
	}
	d[n] = '+'
	if zone < 0 {
		d[n] = '-'
		zone = -zone
	}
	w := digits8(uint64(zone/60*1000+zone%60)) | asciiZeros // 000hh0mm
	binary.LittleEndian.PutUint64(d[n+1:], w>>24&0xffff|':'<<16|w>>48<<24)
	return b[:l+n+6], nil
}

// packDate returns the date that many days after 0000-01-01, in the years up to 9999, as the number YYYYMMDD.
//
// It counts in years that start in March and centuries of them (Neri and Schneider, "Euclidean affine functions
// and their application to calendar algorithms").
func packDate(days uint32) uint64 {
	n := 4*(days+daysPerEra-60) + 3 // from March of the year -400
	century := n / daysPerEra
	n = n%daysPerEra | 3
	p := 2939745 * uint64(n)
	year := 100*century + uint32(p>>32) - 400
	day := uint32(p) / 2939745 / 4 // of the year
	m := 2141*day + 197913
	month := m >> 16
	if day >= 306 { // January or February of the next year
		month -= 12
		year++
	}
	return uint64(year*10000 + month*100 + m&0xffff/2141 + 1)
}

// unpackDate returns the number of days from 1970-01-01 to a date of the years from 0 to 9999.
func unpackDate(year, month, day int) int {
	if month <= 2 {
		year--
		month += 12
	}
	year += 400
	century := year / 100
	return 1461*year/4 - century + century/4 + (979*month-2919)>>5 + day - 1 + 60 - daysPerEra - daysBefore
}

// ParseTimeRFC3339 is time.Time.UnmarshalText: the same times, in UTC for Z, else in time.Local when that has the
// offset at the time, else in a zone without a name; the same errors.
func ParseTimeRFC3339(b []byte) (time.Time, error) {
	if t, ok := parseTime(b); ok {
		return t, nil
	}
	var t time.Time
	err := t.UnmarshalText(b)
	return t, err
}

// parseTime parses the times of the usual form: all of RFC 3339 but leap seconds, lower case and more than nine
// digits after the second.
func parseTime(b []byte) (t time.Time, ok bool) {
	if len(b) < len("2006-01-02T15:04:05Z") {
		return t, false
	}
	// YYYY-MM-DDThh:mm:ss as YYYYMMDD and 00hhmmss.
	w0, w1 := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[10:])
	if w0&(0xff<<32|0xff<<56) != '-'<<32|'-'<<56 || w1&(0xff|0xff<<24|0xff<<48) != 'T'|':'<<24|':'<<48 {
		return t, false
	}
	date := w0&0xffffffff | w0>>40&0xffff<<32 | uint64(b[8])<<48 | uint64(b[9])<<56
	clock := '0' | '0'<<8 | w1>>8&0xffff<<16 | w1>>32&0xffff<<32 | w1>>56<<48 | uint64(b[18])<<56
	if !Is8Digits(date) || !Is8Digits(clock) {
		return t, false
	}
	v := int(Parse8Digits(date))
	year, month, day := v/10000, v/100%100, v%100
	v = int(Parse8Digits(clock))
	hour, minute, second := v/10000, v/100%100, v%100
	if uint(month-1) >= 12 || uint(day-1) >= uint(daysIn(year, month)) || hour > 23 || minute > 59 || second > 59 {
		return t, false
	}
	b = b[19:]

	ns := 0
	if b[0] == '.' {
		i := 1
		for i < len(b) && b[i]-'0' <= 9 {
			ns = ns*10 + int(b[i]-'0')
			i++
			if i > 11 {
				return t, false
			}
		}
		if i == 1 || i > 10 {
			return t, false
		}
		for range 10 - i {
			ns *= 10
		}
		b = b[i:]
	}
	sec := int64(unpackDate(year, month, day))*secondsPerDay + int64(hour*3600+minute*60+second)
	if len(b) == 1 && b[0] == 'Z' {
		return time.Unix(sec, int64(ns)).UTC(), true
	}
	if len(b) != len("+00:00") || b[0] != '+' && b[0] != '-' || b[3] != ':' {
		return t, false
	}
	h1, h0, m1, m0 := b[1]-'0', b[2]-'0', b[4]-'0', b[5]-'0'
	if h1 > 9 || h0 > 9 || m1 > 5 || m0 > 9 || h1*10+h0 > 23 {
		return t, false
	}
	offset := (int(h1*10+h0)*60 + int(m1*10+m0)) * 60
	if b[0] == '-' {
		offset = -offset
	}
	t = time.Unix(sec-int64(offset), int64(ns)).In(time.Local)
	if _, local := t.Zone(); local != offset {
		t = t.In(time.FixedZone("", offset))
	}
	return t, true
}

// daysIn returns the number of days of a month from 1 to 12.
func daysIn(year, month int) int {
	if month == 2 {
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 30 + (month+month>>3)&1
}
