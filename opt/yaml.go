package opt

// MarshalYAML is the method of this name that github.com/goccy/go-yaml and
// go.yaml.in/yaml ask for.
func (o Null[T]) MarshalYAML() (any, error) { return marshalYAML(o.state(), &o.V) }

// UnmarshalYAML is the method of this name that github.com/goccy/go-yaml and
// go.yaml.in/yaml ask for. If there is an error, o keeps its value.
func (o *Null[T]) UnmarshalYAML(unmarshal func(any) error) error {
	return o.keep(unmarshalYAML[T](unmarshal))
}

// MarshalYAML is the method of this name that github.com/goccy/go-yaml and
// go.yaml.in/yaml ask for. An absent value is left out by the option omitempty;
// where it cannot be left out it is null.
func (o Val[T]) MarshalYAML() (any, error) { return marshalYAML(o.state(), &o.V) }

// UnmarshalYAML is the method of this name that github.com/goccy/go-yaml and
// go.yaml.in/yaml ask for. If there is an error, o keeps its value.
func (o *Val[T]) UnmarshalYAML(unmarshal func(any) error) error {
	return o.keep(unmarshalYAML[T](unmarshal))
}

// MarshalYAML is the method of this name that github.com/goccy/go-yaml and
// go.yaml.in/yaml ask for. An absent value is left out by the option omitempty;
// where it cannot be left out it is null.
func (o Field[T]) MarshalYAML() (any, error) { return marshalYAML(o.state(), &o.V) }

// UnmarshalYAML is the method of this name that github.com/goccy/go-yaml and
// go.yaml.in/yaml ask for. If there is an error, o keeps its value.
func (o *Field[T]) UnmarshalYAML(unmarshal func(any) error) error {
	return o.keep(unmarshalYAML[T](unmarshal))
}

func marshalYAML[T any](s State, v *T) (any, error) {
	if s != IsSet {
		return nil, nil
	}
	return *v, nil
}

func unmarshalYAML[T any](unmarshal func(any) error) (v T, s State, err error) {
	// Not into a *T: goccy/go-yaml leaves a pointer that has been given so nil.
	var is any
	if err = unmarshal(&is); err != nil || is == nil {
		return v, IsNull, err
	}
	own := new(T)
	err = unmarshal(own)
	return *own, IsSet, err
}
