package flow

import (
	"errors"
	"net/http"

	"github.com/expr-lang/expr"
)

// switchConfig is a choice by conditions.
type switchConfig struct {
	Matches []switchMatch `flow:"matches,required" doc:"the conditions, of which the first that holds decides"`
}

// switchMatch is one of the ways.
type switchMatch struct {
	When expression `flow:"when" doc:"the condition; without it, always"`
	Port portName   `flow:"port,required" doc:"the output port, such as out[0]"`
}

func newSwitchConfig() config { return new(switchConfig) }

func (cfg *switchConfig) build(b *build) step {
	s := new(switchStep)
	for i, m := range cfg.Matches {
		out, ok := b.way(m.Port)
		if !ok {
			continue
		}
		way := switchWay{out: out}
		if m.When.node != nil {
			way.when = b.expr(m.When, expr.AsBool())
		} else if i != len(cfg.Matches)-1 {
			b.errorf(m.Port.at, "a match without a condition takes everything: it must be the last")
		}
		s.ways = append(s.ways, way)
	}
	return s
}

type switchWay struct {
	when program // nil for always
	out  *port
}

// switchStep sends a message where the first condition that holds says.
type switchStep struct{ ways []switchWay }

var errNoMatch = errors.New("no condition is true: add a last match without a condition")

// run implements step.
func (s *switchStep) run(c *call, m *message) error {
	for _, w := range s.ways {
		if w.when != nil {
			if ok, err := w.when.holds(c, m); err != nil {
				return err
			} else if !ok {
				continue
			}
		}
		return w.out.send(c, m)
	}
	return refuse(http.StatusNotFound, errNoMatch)
}

// ifConfig is a choice between two ways.
type ifConfig struct {
	When expression `flow:"when,required" doc:"the condition"`
}

func newIfConfig() config { return new(ifConfig) }

func (cfg *ifConfig) build(b *build) step {
	s := &ifStep{yes: b.must("out[0]", b.node.spec.pos), no: b.out("out[1]")}
	if cfg.When.node != nil {
		s.when = b.expr(cfg.When, expr.AsBool())
	}
	return s
}

// ifStep sends a message one of two ways. Where the second leads nowhere, the message is the answer.
type ifStep struct {
	when    program
	yes, no *port
}

// run implements step.
func (s *ifStep) run(c *call, m *message) error {
	ok, err := s.when.holds(c, m)
	switch {
	case err != nil:
		return err
	case ok:
		return s.yes.send(c, m)
	}
	return s.no.send(c, m)
}
