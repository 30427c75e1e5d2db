// Package gateway measures package flow: servers, each in a process of its own, are given the same requests in
// turns, and tell what CPU time they took. docs/flow.md says what came of it.
//
// Its module has a go.work of its own, so that nobody waits for what flow is compared with.
package gateway
