package openapi

// document2 reads the root of a Swagger 2.0 document.
func (r *reader) document2(root *Node) {}
