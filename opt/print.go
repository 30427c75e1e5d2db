package opt

import (
	"fmt"
	"log/slog"
	"reflect"
)

// text returns what a value prints as.
func text[T any](s State, v *T) string {
	if s == IsSet {
		return fmt.Sprint(*v)
	}
	return s.String()
}

// goText returns the Go expression that makes a value of the kind, which v points to.
func goText(kind string, s State, v any) string {
	rv := reflect.ValueOf(v).Elem()
	of := rv.Type().String()
	switch {
	case s == IsSet:
		return fmt.Sprintf("opt.%sOf[%s](%#v)", kind, of, rv.Interface())
	case s == IsNull && kind == "Field":
		return "opt.FieldNull[" + of + "]()"
	}
	return "opt." + kind + "[" + of + "]{}"
}

// logValue returns the value for a log: an absent one is an empty group, which
// handlers leave out.
func logValue[T any](s State, v *T) slog.Value {
	switch s {
	case IsSet:
		return slog.AnyValue(*v)
	case IsNull:
		return slog.AnyValue(nil)
	}
	return slog.GroupValue()
}

// LogValue implements [slog.LogValuer].
func (o Null[T]) LogValue() slog.Value { return logValue(o.state(), &o.V) }

// LogValue implements [slog.LogValuer]: an absent value is left out.
func (o Val[T]) LogValue() slog.Value { return logValue(o.state(), &o.V) }

// LogValue implements [slog.LogValuer]: an absent value is left out.
func (o Field[T]) LogValue() slog.Value { return logValue(o.state(), &o.V) }

// equal compares two values by the method of T, or deeply.
func equal[T any](a, b *T) bool {
	if e, ok := any(*a).(interface{ Equal(T) bool }); ok {
		return e.Equal(*b)
	}
	return reflect.DeepEqual(*a, *b)
}
