package records

//go:generate go run github.com/tinylib/msgp -file moduleid.go -o moduleid_msgp.go -tests=false -io=false

// ModuleID is the record of the persistence tables. It has no methods.
//
//msgp:ignore ModuleID
type ModuleID struct {
	Organization string `json:"organization"`
	Name         string `json:"name"`
	Revision     string `json:"revision"`
}

// ModuleIDMap is a [ModuleID] whose generated code writes a map.
type ModuleIDMap struct {
	Organization string `json:"organization" msg:"organization"`
	Name         string `json:"name" msg:"name"`
	Revision     string `json:"revision" msg:"revision"`
}

// ModuleIDTuple is a [ModuleID] whose generated code writes an array.
//
//msgp:tuple ModuleIDTuple
type ModuleIDTuple struct {
	Organization string `json:"organization" msg:"organization"`
	Name         string `json:"name" msg:"name"`
	Revision     string `json:"revision" msg:"revision"`
}

// ModuleIDMaps is a list of the kind that generated code writes as maps.
type ModuleIDMaps []ModuleIDMap

// ModuleIDTuples is a list of the kind that generated code writes as arrays.
type ModuleIDTuples []ModuleIDTuple

// Noise is a record of numbers and text that do not repeat. It has no methods.
//
//msgp:ignore Noise
type Noise struct {
	ID    int64
	Key   string
	Text  string
	Score float64
	Small int
}

// NoiseTuple is a [Noise] whose generated code writes an array.
//
//msgp:tuple NoiseTuple
type NoiseTuple struct {
	ID    int64
	Key   string
	Text  string
	Score float64
	Small int
}

// NoiseTuples is a list of the kind that generated code writes as arrays.
type NoiseTuples []NoiseTuple
