package flow

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/expr-lang/expr"
)

// assertConfig is a condition that has to hold.
type assertConfig struct {
	On     string     `flow:"on" enum:"request,answer" doc:"request: what comes in; answer: what comes back"`
	That   expression `flow:"that,required" doc:"the condition"`
	Error  string     `flow:"error" doc:"what the error says, else the condition"`
	Status int        `flow:"status" doc:"the status that tells it"`
}

func newAssertConfig() config { return new(assertConfig) }

func (cfg *assertConfig) build(b *build) step {
	s := &assertStep{out: b.out("out"), answer: cfg.On == "answer", status: cfg.Status}
	if s.status == 0 {
		if s.status = http.StatusUnprocessableEntity; s.answer {
			s.status = http.StatusBadGateway
		}
	}
	if s.status < 400 || s.status > 599 {
		b.errorf(b.node.spec.pos, "%d is not a status of an error: expected 400 to 599", s.status)
	}
	if cfg.That.node != nil {
		s.that = b.expr(cfg.That, expr.AsBool())
	}
	if s.wrong = errors.New(cfg.Error); cfg.Error == "" {
		s.wrong = fmt.Errorf("the condition is false: %s", cfg.That.s)
	}
	return s
}

// assertStep fails where the condition does not hold.
type assertStep struct {
	out    *port
	answer bool
	that   program
	status int
	wrong  error
}

// run implements step.
func (s *assertStep) run(c *call, m *message) error {
	if s.answer {
		if err := s.out.send(c, m); err != nil {
			return err
		}
		return s.check(c, m)
	}
	if err := s.check(c, m); err != nil {
		return err
	}
	return s.out.send(c, m)
}

func (s *assertStep) check(c *call, m *message) error {
	ok, err := s.that.holds(c, m)
	if err == nil && !ok {
		err = refuse(s.status, s.wrong)
	}
	return err
}
