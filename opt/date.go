package opt

import (
	"errors"
	"fmt"
	"time"
)

// Date is a day of the calendar, without a time and a zone: a full-date of RFC
// 3339 §5.6, such as 2006-01-02, which every format writes as that text. The zero
// Date is not a day and has no text.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the day of t in the location of t.
func DateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{year, month, day}
}

// ParseDate parses a text such as "2006-01-02".
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("must be a date, not %.40q", s)
	}
	return DateOf(t), nil
}

// In returns midnight at the beginning of the day in the zone.
func (d Date) In(zone *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, zone)
}

// IsZero reports whether d is the zero Date.
func (d Date) IsZero() bool { return d == Date{} }

// Compare returns -1 if d is before e, 1 if it is after e, and 0 if they are the
// same day.
func (d Date) Compare(e Date) int { return d.In(time.UTC).Compare(e.In(time.UTC)) }

// String returns the text, such as "2006-01-02".
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day) }

// MarshalText implements [encoding.TextMarshaler]. What is not a day from year 0 to
// 9999 is an error.
func (d Date) MarshalText() ([]byte, error) {
	if d.Year < 0 || d.Year > 9999 || d.Month < time.January || d.Month > time.December || d.Day < 1 || d.Day > d.days() {
		return nil, errors.New(d.String() + " is not a date")
	}
	b := []byte("0000-00-00")
	for i, rest := len(b)-1, (d.Year*100+int(d.Month))*100+d.Day; rest > 0; i-- {
		if b[i] == '0' {
			b[i] += byte(rest % 10)
			rest /= 10
		}
	}
	return b, nil
}

// days returns how many days the month of d has.
func (d Date) days() int {
	switch {
	case d.Month == time.April || d.Month == time.June || d.Month == time.September || d.Month == time.November:
		return 30
	case d.Month != time.February:
		return 31
	case d.Year%4 == 0 && (d.Year%100 != 0 || d.Year%400 == 0):
		return 29
	}
	return 28
}

// UnmarshalText implements [encoding.TextUnmarshaler]. If there is an error, d keeps its
// value.
func (d *Date) UnmarshalText(b []byte) error {
	v, err := ParseDate(string(b))
	if err == nil {
		*d = v
	}
	return err
}
