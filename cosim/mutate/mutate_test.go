package mutate

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/internal/long"
)

// Traffic of RDMA over Falcon kills mutants of one of its blocks.
func TestFalconSample(t *testing.T) {
	long.Test(t)
	o := Options{Blocks: []string{"falcon_responses"}, Limit: 8, Seed: 1, Configs: Configs()[1:]}
	o.Progress = func(text string) { t.Log(text) }
	o.stages = func(c gen.Config) ([]stage, error) {
		list, err := stages(c)
		return slices.DeleteFunc(list, func(st stage) bool { return st.late }), err
	}
	r, err := Run(o)
	require.NoError(t, err)
	all := r.Total()
	assert.Equal(t, 8, all.Mutants)
	assert.Positive(t, all.KilledByVerdict)
	assert.Zero(t, all.Open)
	t.Logf("%+v", r.Rows)
}

// sample is a few mutants of small blocks; merge exists in several sizes.
func sample() Options {
	return Options{Configs: Configs(), Blocks: []string{"axi_read_arbiter", "terminate_builder", "merge"}, Limit: 20, Seed: 1}
}

// The tests kill most mutants of the sample and report how; the others differ, are equivalent, or are reported as open.
func TestSample(t *testing.T) {
	long.Test(t)
	o := sample()
	o.Progress = func(text string) { t.Log(text) }
	o.stages = func(c gen.Config) ([]stage, error) { // long traffic runs in mutate itself
		list, err := stages(c)
		return slices.DeleteFunc(list, func(st stage) bool { return st.late }), err
	}
	r, err := Run(o)
	require.NoError(t, err)
	all := r.Total()
	assert.Equal(t, 60, all.Mutants)
	assert.Equal(t, all.Mutants, all.Killed+all.Timing+all.Alone+all.Equivalent+all.Open)
	assert.Greater(t, all.Score, 60.0)
	assert.Zero(t, all.Open)
	for _, m := range r.Outcomes {
		assert.Equal(t, m.Outcome == Open, m.By == "", "%+v", m)
		if !m.Outcome.Meaning() {
			assert.NotEqual(t, m.Where.Before, m.Where.After)
			t.Logf("%s %s %s:%d %s %s\n- %s\n+ %s", m.Outcome, m.By, m.File, m.Line, m.Place, m.Change, m.Where.Before, m.Where.After)
		}
	}
	t.Logf("%+v", r.Rows)
}

// Mutants that survive a few tests are distinguished by inputs of the isolated block; this does not count as a kill by a test of meaning.
func TestAlone(t *testing.T) {
	long.Test(t)
	o := sample()
	o.Blocks, o.Limit = o.Blocks[:1], 10
	o.stages = func(c gen.Config) ([]stage, error) {
		return []stage{{name: "one message", run: func(ctx context.Context, d *simulator.Design, until func(int)) ([]uint64, error) {
			until(0)
			r, err := rnic.Run(rnic.Plan{Config: c, Engine: engineName, Design: d, Peer: "model", Messages: 1, Seed: 1, Context: ctx})
			return []uint64{r.Cycles}, err
		}}}, nil
	}
	r, err := Run(o)
	require.NoError(t, err)
	all := r.Total()
	assert.Greater(t, all.Alone, 2)
	assert.Zero(t, all.Open)
	assert.Less(t, all.Score, 80.0)
	for _, m := range r.Of(Alone) {
		assert.Contains(t, []string{"walk", "search"}, m.By)
		assert.Regexp(t, `^[a-z_]+ differs in cycle \d+ of a sequence of \d+$`, m.Says)
	}

	o.Late = true // run proofs on every mutant
	late, err := Run(o)
	require.NoError(t, err)
	assert.Positive(t, late.Total().KilledByProperty)
	assert.Greater(t, late.Total().Score, all.Score)
}

// The score is the share of the killable mutants that are killed by tests of meaning.
func TestScore(t *testing.T) {
	r := &Report{Rows: []Row{{Block: "a", Mutants: 10, KilledByVerdict: 3, KilledByHang: 1, Timing: 2, Alone: 2, Equivalent: 2},
		{Block: "b", Mutants: 4, KilledByProperty: 1, Alone: 1, Equivalent: 2}}}
	assert.Equal(t, 50.0, r.Total().Score)
	assert.Equal(t, 5, r.Total().Killed)
	same := Row{Mutants: 3, Equivalent: 3}
	same.sum()
	assert.Equal(t, 100.0, same.Score)
}

// With 0 selected, the hardware behaves in every cycle like the hardware without mutants.
func TestNoneSelected(t *testing.T) {
	long.Test(t)
	c := Configs()[0]
	d, err := gen.Compile(c)
	require.NoError(t, err)
	var hashes []uint64
	for _, blocks := range [][]string{nil, sample().Blocks} {
		set, err := mutate.New(d, mutate.Options{Limit: 40, Seed: 1, Wants: func(block string) bool { return len(blocks) > 0 && (block == blocks[0] || block == blocks[1]) }})
		require.NoError(t, err)
		assert.Equal(t, len(blocks) > 0, len(set.Mutants) > 0)
		// Only the width of the input differs, which is 0 here.
		w := &watch{limit: 1 << 40}
		_, err = rnic.Run(rnic.Plan{Config: c, Engine: engineName, Design: selected(simulated(c, set.Design), 0, w), Peer: "model", Messages: 300, Seed: 9, Stall: random})
		require.NoError(t, err)
		hashes = append(hashes, w.ports)
	}
	assert.Equal(t, hashes[0], hashes[1])
}

func TestUnknownBlock(t *testing.T) {
	o := sample()
	o.Blocks, o.Limit = []string{"nothing"}, 1
	_, err := Run(o)
	assert.ErrorContains(t, err, `no block "nothing"; allowed: [`)
}

// A full disk kills no mutant.
func TestHostErrorsKillNoMutant(t *testing.T) {
	for _, tt := range []struct {
		err     error
		outcome Outcome
	}{
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, Open},
		{fmt.Errorf("opening: %w", syscall.ENOMEM), Open},
		{&verdictError{"a beat differs"}, ByVerdict},
		{errEndless, ByHang},
	} {
		runs := 0
		s := &subject{stages: []stage{{name: "one", run: func(context.Context, *simulator.Design, func(int)) ([]uint64, error) {
			if runs++; runs == 1 { // without a mutant
				return nil, nil
			}
			return nil, tt.err
		}}}}
		m := Result{Outcome: Open}
		err := s.kill(t.Context(), &m, &baseline{context: t.Context(), design: &simulator.Design{}}, false)
		assert.Equal(t, tt.outcome == Open, err != nil)
		assert.Equal(t, tt.outcome, m.Outcome, tt.err)
	}
}
