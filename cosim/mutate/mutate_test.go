package mutate

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/sequence"
)

// sample is a few mutants of one small block.
func sample() Options {
	return Options{Configs: Configs(), Blocks: []string{"axi_read_arbiter", "terminate_builder"}, Limit: 40, Seed: 1}
}

// The tests find most slips in the sample, and say by what; the rest does the same, or is told.
func TestSample(t *testing.T) {
	o := sample()
	o.Progress = func(text string) { t.Log(text) }
	r, err := Run(o)
	require.NoError(t, err)
	all := r.Total()
	assert.Equal(t, 80, all.Mutants)
	assert.Equal(t, all.Mutants, all.Killed+all.Equivalent+all.Open)
	assert.Greater(t, all.Killed, 60)
	for _, m := range r.Outcomes {
		assert.Equal(t, m.Fate == Open, m.By == "", "%+v", m)
		if m.Fate == Open || m.Fate == Equivalent {
			assert.NotEqual(t, m.Where.Before, m.Where.After)
			t.Logf("%s %s %s:%d %s %s\n- %s\n+ %s", m.Fate, m.By, m.File, m.Line, m.Place, m.Change, m.Where.Before, m.Where.After)
		}
	}
	t.Logf("%+v", r.Rows)
}

// What few tests leave is told apart by sequences that are found for it, or by what is proven.
func TestKeep(t *testing.T) {
	o := sample()
	o.Blocks, o.Limit = o.Blocks[:1], 10
	o.stages = func(c gen.Config) ([]stage, error) {
		return []stage{{name: "one message", run: func(ctx context.Context, d *engine.Design, until func(int)) ([]uint64, error) {
			until(0)
			r, err := rnic.Run(rnic.Plan{Config: c, Engine: simulator, Design: d, Peer: "model", Messages: 1, Seed: 1, Context: ctx})
			return []uint64{r.Cycles}, err
		}}}, nil
	}
	o.committed = func(string) ([]sequence.Sequence, error) { return nil, nil }
	without, err := Run(o)
	require.NoError(t, err)
	left := without.Total()
	assert.Zero(t, left.KilledBySequence)
	assert.Greater(t, left.Open+left.KilledByProperty, 2)
	assert.Greater(t, left.KilledByProperty, 0)

	dir := t.TempDir()
	o.Keep = dir
	found, err := Run(o)
	require.NoError(t, err)
	assert.Equal(t, left.Open+left.KilledByProperty, found.Total().KilledBySequence)
	assert.Zero(t, found.Total().Open)

	// What a directory has is added to, not lost.
	module := found.Of(BySequence)[0].Module
	before, err := readSequences(os.DirFS(dir), module)
	require.NoError(t, err)
	other := sequence.Sequence{{Ones: true}}
	require.NoError(t, addSequences(dir, module, []sequence.Sequence{before[0], other}))
	after, err := readSequences(os.DirFS(dir), module)
	require.NoError(t, err)
	assert.Equal(t, append(before, other), after)
	require.NoError(t, writeSequences(dir, module, before))

	o.Keep = ""
	o.committed = func(module string) ([]sequence.Sequence, error) { return readSequences(os.DirFS(dir), module) }
	again, err := Run(o)
	require.NoError(t, err)
	assert.Equal(t, found.Total().KilledBySequence, again.Total().KilledBySequence)
}

// With 0 selected, the hardware does in every clock what it does with no mutant in it.
func TestNoneSelected(t *testing.T) {
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
		_, err = rnic.Run(rnic.Plan{Config: c, Engine: simulator, Design: selected(hardware(c, set.Design), 0, w), Peer: "model", Messages: 300, Seed: 9, Stall: random})
		require.NoError(t, err)
		hashes = append(hashes, w.ports)
	}
	assert.Equal(t, hashes[0], hashes[1])
}

func TestUnknownBlock(t *testing.T) {
	o := sample()
	o.Blocks, o.Limit = []string{"nothing"}, 1
	_, err := Run(o)
	assert.ErrorContains(t, err, `there is no block "nothing"; allowed: [`)
}

// A full disk kills no mutant.
func TestWhatCouldNotRunKillsNothing(t *testing.T) {
	for _, tt := range []struct {
		err  error
		fate Fate
	}{
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, Open},
		{fmt.Errorf("opening: %w", syscall.ENOMEM), Open},
		{&verdictError{"a beat differs"}, ByVerdict},
		{errEndless, ByHang},
	} {
		s := &subject{stages: []stage{{name: "one", run: func(context.Context, *engine.Design, func(int)) ([]uint64, error) { return nil, tt.err }}}}
		m := Outcome{Fate: Open}
		err := s.kill(t.Context(), &m, &engine.Design{}, nil, false)
		assert.Equal(t, tt.fate == Open, err != nil)
		assert.Equal(t, tt.fate, m.Fate, tt.err)
	}
}
