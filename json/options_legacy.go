package json

import (
	"github.com/weftcodec/weft/internal/plan"
	"github.com/weftcodec/weft/internal/setting"
)

// legacyOf returns what encoding/json does and encoding/json/v2 does not that opts have on.
func legacyOf(opts []Options) (all setting.Legacy) {
	for l := setting.Legacy(1); l < setting.LegacyEnd; l <<= 1 {
		if on, _ := lastOf(opts, l).(bool); on {
			all |= l
		}
	}
	return all
}

// v2 specifies whether the mode has the rules of encoding/json/v2, and but has none of what is asked for.
func (m *mode) v2(but setting.Legacy) bool {
	return m != nil && m.flags&flagV2 != 0 && m.legacy&but == 0
}

// has specifies whether the mode has the rules of encoding/json/v2, but for l.
func (m *mode) has(l setting.Legacy) bool { return m != nil && m.legacy&l != 0 }

// quoted specifies whether the tag option string of f is obeyed by the program of the value, or else around it, as
// encoding/json does.
func (m *mode) quoted(f *plan.Field) (within, around bool) {
	switch {
	case !f.Quoted:
		return false, false
	case !m.v2(0):
		return false, true
	case m.v2(setting.LegacyStrings):
		return m.v2(setting.LegacyErrors) || takesString(f.Type, true), false
	}
	around = takesString(f.Type, false)
	return !around && m.v2(setting.LegacyErrors), around
}

// takesString specifies whether the tag option string is for values of type t, by the rules of encoding/json/v2 or by
// those of encoding/json.
func takesString(t *plan.Type, v2 bool) bool {
	switch {
	case t.Kind == plan.Pointer:
		return (v2 || t.Elem.Kind != plan.Pointer) && takesString(t.Elem, v2)
	case t.Kind == plan.Option:
		return takesString(t.Option.Value, v2)
	case t.Kind == plan.Bool || t.Kind == plan.String:
		return !v2
	case t.Kind == plan.Time:
		return v2
	}
	return keyIsNumber(t) || t.Kind == plan.Duration
}

// durationName returns the name of the format of durations for which a tag has the given one, "" for none.
func (m *mode) durationName(format string) string {
	switch {
	case format != "":
		return format
	case m.duration == "" && m.has(setting.LegacyDurations):
		return "nano"
	}
	return m.duration
}

// listsBytes specifies whether values of type t, bytes, are arrays of numbers by an option of encoding/json's.
func (m *mode) listsBytes(t *plan.Type) bool {
	return t.Kind == plan.ByteArray && m.has(setting.LegacyByteArrays)
}
