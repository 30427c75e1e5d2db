package flow

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/weftcodec/weft/value"
)

// mergeConfig makes one answer of those of several ways.
type mergeConfig struct {
	Parts []mergePart `flow:"parts,required" doc:"the ways that a message goes at a time, and what becomes of their answers"`
}

// mergePart is one of the ways.
type mergePart struct {
	Port     portName `flow:"port,required" doc:"the output port, such as out[0]"`
	At       string   `flow:"at" doc:"the member that the answer becomes; without it, its members are those of the whole"`
	Optional bool     `flow:"optional" doc:"where it fails, the whole goes without it"`
}

func newMergeConfig() config { return new(mergeConfig) }

func (cfg *mergeConfig) build(b *build) step {
	s := new(mergeStep)
	for _, p := range cfg.Parts {
		out, ok := b.way(p.Port)
		if !ok {
			continue
		}
		s.parts = append(s.parts, mergeWay{out, p.At, p.Optional})
	}
	return s
}

type mergeWay struct {
	out      *port
	at       string
	optional bool
}

// mergeStep sends a message several ways at a time, and answers with an object of the answers.
type mergeStep struct{ parts []mergeWay }

// run implements step.
func (s *mergeStep) run(c *call, m *message) error {
	answers, errs := make([]value.Value, len(s.parts)), make([]error, len(s.parts))
	var wg sync.WaitGroup
	for i, p := range s.parts {
		d, err := c.branch(m)
		if err != nil {
			errs[i] = err
			break
		}
		wg.Go(func() {
			defer d.release()
			answers[i], errs[i] = p.ask(d)
		})
	}
	wg.Wait()
	whole := value.Map()
	for i, p := range s.parts {
		switch {
		case errs[i] != nil && p.optional:
			c.flow.failed(c, errs[i])
		case errs[i] != nil:
			return errs[i]
		case p.at != "":
			whole = whole.WithMember(p.at, answers[i])
		default:
			for name, v := range answers[i].Members() {
				whole = whole.WithMember(name, v)
			}
		}
	}
	m.body.clear()
	m.answer(http.StatusOK)
	m.body.setValue(whole)
	return nil
}

// ask returns the answer to a message on one of the ways.
func (p *mergeWay) ask(c *call) (v value.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	m := &c.message
	if err = p.out.send(c, m); err != nil {
		return v, err
	}
	if m.status >= http.StatusBadRequest {
		return v, refuse(m.status, fmt.Errorf("%s was answered %d %s", p.out.name, m.status, http.StatusText(m.status)))
	}
	if v, err = m.body.value(c); err == nil && p.at == "" && v.Kind() != value.KindMap {
		err = refuse(http.StatusBadGateway, fmt.Errorf("the answer of %s is %s: expected an object, or at", p.out.name, v.Kind()))
	}
	return v, err
}
