package formal

import (
	"context"
	"fmt"
)

// Induction holds the properties of the top of a block that are proven by one induction.
type Induction struct {
	p     *prover
	goals goals
}

// Induction proves as many properties as possible. Bounded properties, and rules that hold for any behaviour of the children, may be
// left out.
func (b Block) Induction(ctx context.Context, o Options) (*Induction, error) {
	p := &prover{Block: b, options: o, spec: b.Specs[b.Design.Name()], abstract: map[string]bool{}}
	if p.spec == nil {
		return nil, fmt.Errorf("%s has no properties", b.Design.Name())
	}
	p.start()
	if err := p.induction(ctx); err != nil {
		return nil, err
	}
	in := &Induction{p: p}
	for _, r := range p.results {
		if r.Kind == Proven && !p.spec.isAlone(r.Property) {
			in.goals = append(in.goals, r.Property)
		}
	}
	return in, nil
}

// Breaks returns a property that is not proven with another text of the top, or "" if all are.
func (in *Induction) Breaks(ctx context.Context, text string) (property string, err error) {
	if len(in.goals) == 0 {
		return "", nil
	}
	v := view{goals: in.goals, edit: func(string) string { return text }}
	for _, ask := range []func(*model) (verdict, error){
		func(m *model) (verdict, error) { return m.search(ctx, in.p.spec.Depth+1) },
		func(m *model) (verdict, error) { return m.induce(ctx, in.p.spec.Depth) },
	} {
		said, err := in.p.ask(ctx, v, ask)
		if err != nil {
			return "", err
		}
		if !said.holds {
			return said.failed[0], nil
		}
	}
	return "", nil
}
