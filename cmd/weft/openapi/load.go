package openapi

// Load reads the document in the file called path and the files it refers to.
// It returns a document, maybe incomplete, unless the text is not one at all;
// check the diagnostics' [Diagnostics.Err] before using it.
func Load(path string) (*Document, Diagnostics) { return nil, nil }

// Parse reads a document from data. The name stands for the file in positions;
// references to other files are relative to it.
func Parse(name string, data []byte) (*Document, Diagnostics) { return nil, nil }
