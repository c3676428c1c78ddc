package formal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rnicgen/rnicgen/hdl/aig"
)

// gates synthesizes the text of a model to and gates, with memories as registers: a netlist whose output is 1 in a cycle in which an
// assertion fails and no assumption has failed.
func (m *model) gates(ctx context.Context) (netlist []byte, err error) {
	if out, err := run(ctx, m.dir, m.options.Timeout, "yosys", "-q", "-p", fmt.Sprintf(toGates, m.top, m.goals.cells())); err != nil {
		return nil, fmt.Errorf("%s: %w %s", m.top, err, out)
	}
	text, err := os.ReadFile(filepath.Join(m.dir, "block.aag"))
	if err != nil {
		return nil, err
	}
	n, err := aig.Read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.top, err)
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
	"memory -nordff; opt -full; techmap; opt; setundef -zero; dffunmap; aigmap; opt_clean; write_aiger -ascii -symbols block.aag"

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
