package value

// Kind is the kind of a [Value].
type Kind uint8

// The kinds, in the order in which [Value.Compare] puts values of different kinds;
// Int, Uint, Float and Number are compared as numbers.
const (
	KindNull   Kind = iota
	KindBool        // a boolean
	KindInt         // a signed integer of 64 bits
	KindUint        // an unsigned integer of 64 bits
	KindFloat       // a floating-point number of 64 bits, or 32
	KindNumber      // a number as decimal text, of any size and precision
	KindString      // a string
	KindBytes       // a string of bytes
	KindTime        // an instant with its time zone
	KindList        // a list of values
	KindMap         // values by name, in order
	KindExt         // an extension of a format: a type and a string of bytes

	numKinds
)

var kindNames = [numKinds]string{
	"null", "bool", "int", "uint", "float", "number", "string", "bytes", "time", "list", "map", "ext",
}

// String returns the lower-case name of the kind.
func (k Kind) String() string {
	if k < numKinds {
		return kindNames[k]
	}
	return "invalid"
}

// IsNumber reports whether values of the kind are numbers.
func (k Kind) IsNumber() bool { return KindInt <= k && k <= KindNumber }
