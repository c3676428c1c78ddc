package formal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rnicgen/rnicgen/hdl/aig"
)

// synthesize makes and gates of the text of a model, with memories as registers. labels are the goals of its assertions.
func (m *model) synthesize(ctx context.Context) (n *aig.Netlist, labels []string, err error) {
	if out, err := run(ctx, m.dir, m.options.Timeout, "yosys", "-q", "-p", fmt.Sprintf(toGates, m.top, m.goals.cells())); err != nil {
		return nil, nil, fmt.Errorf("%s: %w %s", m.top, err, out)
	}
	text, err := os.ReadFile(filepath.Join(m.dir, "block.aag"))
	if err != nil {
		return nil, nil, err
	}
	cells, err := os.ReadFile(filepath.Join(m.dir, "assertions"))
	if err != nil {
		return nil, nil, err
	}
	for _, cell := range strings.Fields(string(cells)) {
		labels = append(labels, m.goals.labelOf(cell[strings.Index(cell, "/")+1:]))
	}
	if n, err = aig.Read(text); err == nil && len(n.Bad) != len(labels) {
		err = fmt.Errorf("a netlist has %d assertions for %d labels", len(n.Bad), len(labels))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", m.top, err)
	}
	return n, labels, nil
}

// step proves the induction step on gates: goals that held for depth cycles hold in the next. known is false if time runs out.
func (m *model) step(ctx context.Context, depth int) (v verdict, known bool, err error) {
	n, labels, err := m.synthesize(ctx)
	if err != nil {
		return v, false, err
	}
	of := map[string][]int{}
	var all []int
	for i, label := range labels {
		of[label], all = append(of[label], i), append(all, i)
	}
	v.step = depth
	if v.holds, known, err = n.Follows(ctx, all, depth, m.options.Timeout); err != nil || !known || v.holds {
		return v, known, err
	}
	for _, label := range m.goals {
		holds, known, err := n.Follows(ctx, of[label], depth, m.options.Timeout)
		if err != nil {
			return v, false, err
		}
		if !known || !holds {
			v.failed = append(v.failed, label)
		}
	}
	return v, true, nil
}

// gates is a netlist whose output is 1 in a cycle in which an assertion fails and no assumption has failed.
func (m *model) gates(ctx context.Context) (netlist []byte, err error) {
	n, _, err := m.synthesize(ctx)
	if err != nil {
		return nil, err
	}
	b := aig.NewBuilder()
	started := b.Register()
	b.Set(started, 1)
	of := make([]aig.Lit, n.Vars)
	as := func(l aig.Lit) aig.Lit { return of[l>>1].As(l) }
	for _, l := range n.Inputs {
		of[l>>1] = b.Input()
	}
	raw := make([]aig.Lit, len(n.Latches))
	for i, l := range n.Latches {
		first := l.Start // 0, 1, or any value
		if l.Start == l.Is {
			first = b.Input()
		}
		raw[i], of[l.Is>>1] = b.Starting(started, first)
	}
	b.Copy(n, of)
	for i, l := range n.Latches {
		b.Set(raw[i], as(l.Next))
	}
	bad, kept := aig.Lit(0), aig.Lit(1)
	for _, l := range n.Bad {
		bad = b.Or(bad, as(l))
	}
	for _, l := range n.Constraints {
		kept = b.And(kept, as(l))
	}
	broken := b.Register()
	b.Set(broken, b.Or(broken, kept.Not()))
	return b.Binary(b.And(bad, b.And(kept, broken.Not())), nil), nil
}

// toGates is like [script], but ends with gates and 1-bit registers.
const toGates = "read_verilog -formal block.v; hierarchy -check -top %s; proc -norom; flatten; opt_expr -keepdc; opt_clean; " +
	"select -set others t:$assert %s %%d; delete @others; chformal -cover -remove; chformal -early; delete -port o:*; opt_clean -purge; opt; " +
	"memory -nordff; opt -full; techmap; opt; setundef -zero; dffunmap; aigmap; opt_clean; " +
	"tee -q -o assertions select -list t:$assert; write_aiger -ascii -symbols block.aag"

// first searches the first cycles from reset for a counterexample, on gates. known is false if time runs out.
func (m *model) first(ctx context.Context, steps int, limit time.Duration) (v verdict, known bool, err error) {
	netlist, err := m.gates(ctx)
	if err != nil {
		return v, false, err
	}
	clock, known, err := aig.First(ctx, netlist, steps, limit)
	if clock >= 0 {
		return verdict{step: clock, failed: m.goals}, known, err
	}
	return verdict{holds: true}, known, err
}
