package opt

// The conversions between the three types are functions: as methods they would
// make a program that uses one of them for a T hold, and compile, all three.

// NullToField returns the value as one that may be absent too.
func NullToField[T any](o Null[T]) Field[T] {
	if !o.Valid {
		return Field[T]{State: IsNull}
	}
	return Field[T]{V: o.V, State: IsSet}
}

// ValToField returns the value as one that may be null too.
func ValToField[T any](o Val[T]) Field[T] {
	if !o.Valid {
		return Field[T]{}
	}
	return Field[T]{V: o.V, State: IsSet}
}

// FieldToNull returns the value as one that is never absent: an absent one is
// null.
func FieldToNull[T any](o Field[T]) Null[T] {
	if o.State != IsSet {
		return Null[T]{}
	}
	return Null[T]{V: o.V, Valid: true}
}

// FieldToVal returns the value as one that is never null: a null is absent.
func FieldToVal[T any](o Field[T]) Val[T] {
	if o.State != IsSet {
		return Val[T]{}
	}
	return Val[T]{V: o.V, Valid: true}
}
