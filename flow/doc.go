// Package flow runs a server that is a page of YAML: nodes that take a message, work on it, and pass it along links to
// others.
//
//	f, err := flow.Load("gateway.yaml")
//	if err != nil {
//		return err // every mistake, as file:line:col
//	}
//	return f.Run(ctx)
//
// The names that matter:
//
//   - [Load] and [Parse]: a document compiled to a [Flow]
//   - [Flow.Run], and [Flow.Handler] for a program with a server of its own
//   - [Check]: all findings about a document
//   - [Test] and [Replay]: its tests, and recorded traffic sent again
//
// A document is compiled when it is loaded: a node calls the nodes it links to as a method is called, and only forks and
// queues have goroutines. The body of a message stays the bytes that arrived until a node asks for its value.
//
// The kinds of nodes and their fields are in docs/flow.md; the command weft-flow runs, checks and draws documents.
package flow
