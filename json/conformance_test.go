package json_test

// conformanceSeeds returns texts for fuzzing.
func conformanceSeeds() []string { return []string{"{}", "[1,2]", `{"a":"b"}`} }
