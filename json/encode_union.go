package json

import (
	"github.com/weftcodec/weft/internal/mem"
	"github.com/weftcodec/weft/internal/plan"
)

// union makes pr the program of the union t.
func (c *compiler) union(pr *program, t *plan.Type) {
	pr.code, pr.union, pr.codec, pr.cases = opUnion, t.Union, t.Codec, make([]*program, len(t.Union.Cases))
	for i := range pr.cases {
		pr.cases[i] = c.program(c.plans.Of(t.Union.Cases[i].Elem), true)
	}
}

// union appends the union at p. What is not a case, or has no field for what tells the cases apart, is left to the
// codec.
func (e *encoder) union(b []byte, pr *program, p mem.Ptr) ([]byte, error) {
	i, q, _ := pr.union.Load(p)
	if i < 0 || pr.union.Choice().Lacks[i] != "" {
		return weftConfig(e.flags, e.set).AppendCodec(b, pr.codec, p.Addr(pr.mem), e.level)
	}
	_, q, err := pr.union.Tagged(i, q)
	if err != nil {
		return weftConfig(e.flags, e.set).AppendCodec(b, pr.codec, p.Addr(pr.mem), e.level) // which says where
	}
	if e.level >= startCycles {
		return weftConfig(e.flags, e.set).AppendCodec(b, pr.codec, p.Addr(pr.mem), e.level)
	}
	e.level++
	b, err = e.value(b, pr.cases[i], q)
	e.level--
	return b, err
}
