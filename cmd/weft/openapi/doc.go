// Package openapi reads OpenAPI documents into a resolved model in which
// every part knows where it stands.
//
// [Load] and [Parse] accept JSON and YAML 1.2. A document goes through four
// stages: text to a tree of [Node]s with positions, tree to model types,
// references to their targets, and checks. Each stage reports what it finds as
// a located [Diagnostic] and goes on, so one run names every mistake. A
// document with mistakes that leave its meaning clear is read with warnings;
// one whose meaning is lost gives errors.
//
// The model is the same for every version of OpenAPI: what older versions
// write differently (a boolean exclusiveMinimum, nullable, body parameters) is
// expressed in the terms of the newest one, and the original stays reachable
// through the nodes.
package openapi
