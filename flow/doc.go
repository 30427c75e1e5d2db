// Package flow runs a server that is described by a page of YAML: nodes that receive a message, process it, and pass
// it along links to other nodes.
//
//	f, err := flow.Load("gateway.yaml")
//	if err != nil {
//		return err // lists every error, as file:line:col
//	}
//	return f.Run(ctx)
//
// The names that matter:
//
//   - [Load] and [Parse]: compile a document to a [Flow]
//   - [Flow.Run], and [Flow.Handler] for a program that runs its own server
//   - [Check]: reports all errors and warnings about a document
//   - [Test] and [Replay]: run the tests of a document, and send recorded traffic again
//
// A document is compiled when it is loaded: a link is a method call, and only forks and queues start goroutines. The
// body of a message remains the received bytes until a node asks for its value.
//
// The kinds of nodes and their fields are in docs/flow.md; the command weft-flow runs, checks and draws documents.
package flow
