package jsonlog

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/weftcodec/weft/internal/wire"
	"github.com/weftcodec/weft/json"
)

// line is a line that is being written.
type line struct {
	h      *Handler
	b      []byte
	groups []string // that are open, for ReplaceAttr; nil where slog counts none
}

var lines = sync.Pool{New: func() any { return &line{b: make([]byte, 0, 1024), groups: make([]string, 0, 8)} }}

// maxKept bounds the memory of a line that is used again.
const maxKept = 16 << 10

func (h *Handler) start() *line {
	s := lines.Get().(*line)
	s.h, s.b, s.groups = h, s.b[:0], append(s.groups[:0], h.groups[:h.opened]...)
	return s
}

func (s *line) release() {
	if cap(s.b) <= maxKept {
		s.h = nil
		lines.Put(s)
	}
}

// comma writes what separates a member from what stands before it. No value ends with a brace that opens.
func (s *line) comma() {
	if n := len(s.b); n > 0 && s.b[n-1] != '{' {
		s.b = append(s.b, ',')
	}
}

func (s *line) key(name string) {
	s.comma()
	s.string(name)
	s.b = append(s.b, ':')
}

func (s *line) string(v string) { s.b = wire.AppendJSONString(s.b, v, 0) }

// open begins the groups of the handler that its attributes have not.
func (s *line) open() {
	for _, name := range s.h.groups[s.h.opened:] {
		s.begin(name)
	}
}

func (s *line) begin(group string) {
	s.key(group)
	s.b = append(s.b, '{')
	if s.groups != nil {
		s.groups = append(s.groups, group)
	}
}

// builtin writes what a record has by itself, which is in no group.
func (s *line) builtin(r *slog.Record) {
	opts := &s.h.opts
	if opts.ReplaceAttr == nil {
		if !r.Time.IsZero() {
			s.b = append(s.b, `"time":`...)
			s.time(r.Time)
		}
		s.comma()
		s.b = append(append(append(s.b, `"level":"`...), r.Level.String()...), '"')
		if opts.AddSource {
			s.attr(slog.Any(slog.SourceKey, r.Source()))
		}
		s.b = append(s.b, `,"msg":`...)
		s.string(r.Message)
		return
	}
	within := s.groups
	s.groups = nil
	if !r.Time.IsZero() {
		s.attr(slog.Time(slog.TimeKey, r.Time.Round(0)))
	}
	s.attr(slog.Any(slog.LevelKey, r.Level))
	if opts.AddSource {
		source := r.Source()
		if source == nil {
			source = &slog.Source{}
		}
		s.attr(slog.Any(slog.SourceKey, source))
	}
	s.attr(slog.String(slog.MessageKey, r.Message))
	s.groups = within
}

// attrs writes attributes, and reports whether there is something to write.
func (s *line) attrs(list []slog.Attr) bool {
	some := false
	for _, a := range list {
		some = s.attr(a) || some
	}
	return some
}

// attr writes an attribute, and reports whether there is something to write.
func (s *line) attr(a slog.Attr) bool {
	a.Value = a.Value.Resolve()
	if replace := s.h.opts.ReplaceAttr; replace != nil && a.Value.Kind() != slog.KindGroup {
		a = replace(s.groups, a)
		a.Value = a.Value.Resolve()
	}
	kind := a.Value.Kind()
	if kind == slog.KindAny {
		v := a.Value.Any()
		if v == nil && a.Key == "" {
			return false
		}
		if source, ok := v.(*slog.Source); ok {
			if source == nil || *source == (slog.Source{}) {
				return false
			}
			a.Value, kind = place(source), slog.KindGroup
		}
	}
	if kind != slog.KindGroup {
		s.key(a.Key)
		s.value(kind, a.Value)
		return true
	}
	// As with slog, an empty group counts as something that is written.
	list := a.Value.Group()
	if len(list) == 0 {
		return true
	}
	before, open := len(s.b), len(s.groups)
	if a.Key != "" {
		s.begin(a.Key)
	}
	some := s.attrs(list)
	s.groups = s.groups[:open]
	if !some {
		s.b = s.b[:before]
	} else if a.Key != "" {
		s.b = append(s.b, '}')
	}
	return some
}

// place returns what is known of a place in source code as a group.
func place(source *slog.Source) slog.Value {
	list := make([]slog.Attr, 0, 3)
	if source.Function != "" {
		list = append(list, slog.String("function", source.Function))
	}
	if source.File != "" {
		list = append(list, slog.String("file", source.File))
	}
	if source.Line != 0 {
		list = append(list, slog.Int("line", source.Line))
	}
	return slog.GroupValue(list...)
}

func (s *line) value(kind slog.Kind, v slog.Value) {
	switch kind {
	case slog.KindString:
		s.string(v.String())
	case slog.KindInt64:
		s.b = strconv.AppendInt(s.b, v.Int64(), 10)
	case slog.KindUint64:
		s.b = strconv.AppendUint(s.b, v.Uint64(), 10)
	case slog.KindFloat64:
		f := v.Float64()
		if f-f != 0 {
			_, err := json.Marshal(f) // which says what is wrong
			s.failed(err)
			return
		}
		s.b = wire.AppendFloat64(s.b, f)
	case slog.KindBool:
		s.b = strconv.AppendBool(s.b, v.Bool())
	case slog.KindDuration:
		s.b = strconv.AppendInt(s.b, int64(v.Duration()), 10)
	case slog.KindTime:
		s.time(v.Time())
	default:
		s.any(v.Any())
	}
}

var errYear = errors.New("time.Time year outside of range [0,9999]")

func (s *line) time(t time.Time) {
	b, err := wire.AppendTimeRFC3339(append(s.b, '"'), t)
	switch {
	case err == wire.ErrTimeYear:
		s.failed(errYear)
		return
	case err != nil:
		b = t.AppendFormat(b, time.RFC3339Nano) // an offset of a day or more
	}
	s.b = append(b, '"')
}

func (s *line) any(v any) {
	before := len(s.b)
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		s.b = s.b[:before]
		if v := reflect.ValueOf(v); v.Kind() == reflect.Pointer && v.IsNil() {
			s.string("<nil>") // a method that does not expect nil
		} else {
			s.string(fmt.Sprintf("!PANIC: %v", p))
		}
	}()
	if err, ok := v.(error); ok {
		if _, ok := v.(json.Marshaler); !ok {
			s.string(err.Error())
			return
		}
	}
	b, err := json.MarshalAppend(s.b, v, s.h.json)
	s.b = b
	s.failed(err)
}

// failed writes an error, if there is one, in the place of the value.
func (s *line) failed(err error) {
	if err != nil {
		s.string(fmt.Sprintf("!ERROR:%v", err))
	}
}
