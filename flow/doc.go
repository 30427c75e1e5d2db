// Package flow runs a server that is a page of YAML: nodes which take a message,
// work on it, and hand it along links to others.
//
//	f, err := flow.Load("gateway.yaml")
//	if err != nil {
//		return err // every mistake, as file:line:col
//	}
//	return f.Run(ctx)
//
// A document is compiled when it is loaded: what a node links to is called as a
// method is, and there is no goroutine but at forks and queues. The body of a
// message stays the bytes that came, until a node asks for its value.
//
// The kinds of nodes and their fields are in docs/flow.md; the command weft-flow
// runs and checks documents, and draws them.
package flow
