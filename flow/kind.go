package flow

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// kind is what a node can be.
type kind struct {
	name    string
	aliases []string
	field   string // that tells it from another kind of the name, or ""
	doc     string
	ins     []string
	out     []string // output ports beside error; out[*] stands for out[0], out[1] and so on
	source  bool     // messages begin here
	breaks  bool     // what comes in does not wait for what goes out
	config  func() config
}

// config is the fields of a kind, which the decoder fills in by their tags.
type config interface {
	// build makes the step of a node. What is wrong goes to b.
	build(b *build) step
}

// kinds is the table of kinds, in the order of the documentation.
func kinds() []*kind {
	one, many, in := []string{"out"}, []string{"out[*]"}, []string{"in"}
	return []*kind{
		{name: "http", aliases: []string{"listener"}, doc: "a server", out: one, source: true, config: newHTTPConfig},
		{name: "route", aliases: []string{"router"}, doc: "a choice by method and path", ins: in, out: many,
			config: newRouteConfig},
		{name: "snippet", doc: "a text, a value or what an expression makes", ins: in, out: one, config: newSnippetConfig},
		{name: "client", doc: "a service that is asked", ins: in, out: one, config: newClientConfig},
		{name: "switch", doc: "a choice by conditions", ins: in, out: many, config: newSwitchConfig},
		{name: "if", doc: "a choice between two ways", ins: in, out: []string{"out[0]", "out[1]"}, config: newIfConfig},
		{name: "map", doc: "a change of the body and the headers", ins: in, out: one, config: newMapConfig},
		{name: "transcode", doc: "formats and compressions", ins: in, out: one, config: newTranscodeConfig},
		{name: "decode", doc: "a body that becomes a value", ins: in, out: one, config: newDecodeConfig},
		{name: "encode", doc: "a body that becomes a document", ins: in, out: one, config: newEncodeConfig},
		{name: "validate", doc: "checks by an OpenAPI document or a JSON Schema", ins: in, out: one,
			config: newValidateConfig},
		{name: "assert", doc: "a condition that has to hold", ins: in, out: one, config: newAssertConfig},
		{name: "split", doc: "a list whose elements become messages", ins: in, out: one, config: newSplitConfig},
		{name: "merge", doc: "several answers that become one", ins: in, out: many, config: newMergeConfig},
		{name: "join", doc: "several messages that become one", ins: in, out: one, config: newJoinConfig},
		{name: "retry", doc: "what is sent again when it fails", ins: in, out: one, config: newAgainConfig},
		{name: "throttle", doc: "a bound on how many messages pass in a time", ins: in, out: one, config: newThrottleConfig},
		{name: "cache", doc: "answers that are kept", ins: in, out: one, config: newCacheConfig},
		{name: "record", doc: "messages that are written to a file", ins: in, out: one, config: newRecordConfig},
		{name: "queue", doc: "a bounded queue with workers", ins: in, out: one, breaks: true, config: newQueueConfig},
		{name: "file", field: "read", doc: "a file whose records become messages", out: one, source: true,
			config: newFileReadConfig},
		{name: "file", doc: "a file to which messages are written", ins: in, out: one, config: newFileWriteConfig},
		{name: "stdin", doc: "the standard input, whose records become messages", out: one, source: true,
			config: newStdinConfig},
		{name: "stdout", doc: "the standard output", ins: in, out: one, config: newStdoutConfig},
		{name: "nats", field: "publish", doc: "a subject under which messages are kept", ins: in, out: one,
			config: newNatsPublishConfig},
		{name: "nats", field: "consume", doc: "messages that are kept, to be worked on", out: one, source: true,
			config: newNatsConsumeConfig},
		{name: "nats", field: "request", doc: "somebody who replies under a subject", ins: in, out: one,
			config: newNatsRequestConfig},
		{name: "nats", field: "reply", doc: "requests under a subject", out: one, source: true, config: newNatsReplyConfig},
		{name: "nats", doc: "the server of the others of this kind", source: true, config: newNatsConfig},
		{name: "admin", doc: "health, metrics and profiles", source: true, config: newAdminConfig},
		{name: "test", doc: "a test of the document", source: true, config: newCaseConfig},
	}
}

// kindNames returns the names of the kinds.
func kindNames() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return slices.Compact(names)
}

// findKind returns the kind called name, or nil. The kind http with an url, but no
// address, is a client.
func findKind(name string, n *yaml.Node) *kind {
	if name == "http" && member(n, "url") != nil && member(n, "address") == nil {
		name = "client"
	}
	for _, k := range kinds() {
		if (k.name == name || slices.Contains(k.aliases, name)) && (k.field == "" || member(n, k.field) != nil) {
			return k
		}
	}
	return nil
}

// outs returns the names of the output ports.
func (k *kind) outs() []string { return append(slices.Clone(k.out), "error") }

// hasOut reports whether the kind has the output port.
func (k *kind) hasOut(name string) bool { return hasPort(k.outs(), name) }

// hasIn reports whether the kind has the input port.
func (k *kind) hasIn(name string) bool { return hasPort(k.ins, name) }

func hasPort(ports []string, name string) bool {
	if slices.Contains(ports, name) {
		return true
	}
	for _, p := range ports {
		family, ok := strings.CutSuffix(p, "[*]")
		if index, is := strings.CutPrefix(name, family+"["); ok && is {
			index, is = strings.CutSuffix(index, "]")
			_, err := strconv.ParseUint(index, 10, 16)
			return is && err == nil
		}
	}
	return false
}
