package corpus

// Golang is golang_source: a tree of files with their history, recursive.
type Golang struct {
	Tree     *GolangNode `json:"tree"`
	Username string      `json:"username"`
}

// GolangNode is a file or folder.
type GolangNode struct {
	Name     string       `json:"name"`
	Kids     []GolangNode `json:"kids"`
	CLWeight float64      `json:"cl_weight"`
	Touches  int          `json:"touches"`
	MinT     int64        `json:"min_t"`
	MaxT     int64        `json:"max_t"`
	MeanT    int64        `json:"mean_t"`
}
