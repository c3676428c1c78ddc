package formal

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
)

type word struct{ Word hdl.Value }

type stagePorts struct {
	In  hdl.Sink[word]
	Out hdl.Source[word]
}

// stage holds one word.
func stage() hdl.Block[stagePorts] {
	proto := word{hdl.Bits(4)}
	return hdl.Block[stagePorts]{Kind: "stage", Ports: stagePorts{hdl.NewSink(proto), hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p stagePorts) {
			valid, held := m.Reg("valid_q", 1, hdl.ResetTo(0)), m.Reg("held_q", 4, hdl.NoReset)
			taken := m.Reg("taken_q", 4, hdl.ResetTo(0))
			ready := m.Let("ready", valid.Not().Or(p.Out.Ready))
			p.In.Accept(m, ready)
			m.OnClock(hdl.If(ready, valid.Set(p.In.Valid), held.Set(p.In.Data.Word)),
				hdl.If(ready.And(p.In.Valid), taken.Set(taken.Plus(1))))
			m.Unused("of no use here", taken.Value)
			p.Out.Drive(m, valid.Value, word{held.Value})
		}}
}

// two connects two stages in series; gated passes words to its stage only while the input open is 1.
func two() hdl.Block[stagePorts] {
	proto := word{hdl.Bits(4)}
	return hdl.Block[stagePorts]{Kind: "two", Ports: stagePorts{hdl.NewSink(proto), hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p stagePorts) {
			between := hdl.NewStream(m, "between", proto)
			hdl.Instance(m, "first", stage(), stagePorts{p.In, between.Source()})
			hdl.Instance(m, "second", stage(), stagePorts{between.Sink(), p.Out})
		}}
}

type gatedPorts struct {
	Open hdl.In
	In   hdl.Sink[word]
	Out  hdl.Source[word]
}

func gated() hdl.Block[gatedPorts] {
	proto := word{hdl.Bits(4)}
	return hdl.Block[gatedPorts]{Kind: "gated", Ports: gatedPorts{hdl.NewIn(1), hdl.NewSink(proto), hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p gatedPorts) {
			let := hdl.NewStream(m, "let", proto)
			let.Source().Drive(m, p.In.Valid.And(p.Open.Value), p.In.Data)
			p.In.Accept(m, let.Source().Ready.And(p.Open.Value))
			hdl.Instance(m, "stage", stage(), stagePorts{let.Sink(), p.Out})
		}}
}

func options() Options { return Options{Solver: "z3", Timeout: time.Minute} }

// proof proves a block with a property file for its top.
func proof[P any](t *testing.T, b hdl.Block[P], spec string, o Options) map[string]Result {
	t.Helper()
	d, err := hdl.Compile(b)
	require.NoError(t, err)
	block := Block{Design: d, Specs: map[string]*Spec{}}
	if spec != "" {
		s, err := Parse("spec.v", spec)
		require.NoError(t, err)
		block.Specs[d.Name()] = s
	}
	results, err := block.Prove(context.Background(), o, true)
	require.NoError(t, err)
	out := map[string]Result{}
	for _, r := range results {
		out[r.Property] = r
	}
	return out
}

func TestProve(t *testing.T) {
	o := options()
	o.Trace = t.TempDir()
	got := proof(t, stage(), `
// property kept: the word that is taken is offered in the next clock
// control kept: held_q <= in_word => held_q <= in_word + 4'd1
// control kept: <= in_valid => <= 1'b0
always @(posedge clk) if (started && $past(`+"`VALID_in && `READY_in"+` && !rst)) kept: assert (out_valid && `+"`DATA_out"+` == $past(in_word));
// property few: there are never fifteen words
// control few: taken_q + 4'd1 => taken_q + 4'd2
// bound 20
always @* if (started) few: assert (taken_q != 4'd15);
// property early: there are not more than six words early on
// control early: taken_q + 4'd1 => taken_q + 4'd2
// bounded early 6: later there are
always @* if (started) early: assert (taken_q <= 4'd6);
// property idle: nobody asks
// control idle: taken_q + 4'd1 => taken_q + 4'd2
always @* if (started) idle: assert (taken_q != 4'd2);
`, o)
	assert.Equal(t, Proven, got["kept"].Kind)
	assert.Equal(t, "fails at step 2, 2", got["kept"].Control)
	assert.Equal(t, Failed, got["few"].Kind)
	assert.Equal(t, "a counterexample ends in step 16", got["few"].Detail)
	assert.Equal(t, filepath.Join(o.Trace, "stage-few.vcd"), got["few"].Trace)
	text, err := os.ReadFile(got["few"].Trace)
	require.NoError(t, err)
	assert.Contains(t, string(text), "taken_q")
	assert.Equal(t, Bounded, got["early"].Kind)
	assert.Equal(t, 6, got["early"].Depth)
	assert.Equal(t, "later there are", got["early"].Detail)
	assert.True(t, got["early"].OK())
	assert.Equal(t, Proven, got["handshake_out"].Kind)
	assert.Equal(t, "fails at step 3", got["handshake_out"].Control)
	assert.Equal(t, Failed, got["idle"].Kind)
	assert.False(t, got["idle"].OK())
}

// Distinguishes a text that breaks a proven property from one that does not.
func TestInduction(t *testing.T) {
	d, err := hdl.Compile(stage())
	require.NoError(t, err)
	spec, err := Parse("spec.v", `
// property kept: the word that is taken is offered in the next clock
// control kept: held_q <= in_word => held_q <= in_word + 4'd1
always @(posedge clk) if (started && $past(in_valid && in_ready && !rst)) kept: assert (out_valid && out_word == $past(in_word));
// property few: there are never fifteen words
// control few: taken_q + 4'd1 => taken_q + 4'd2
always @* if (started) few: assert (taken_q != 4'd15);
`)
	require.NoError(t, err)
	block := Block{Design: d, Specs: map[string]*Spec{"stage": spec}}
	in, err := block.Induction(context.Background(), options())
	require.NoError(t, err)
	assert.NotContains(t, in.goals, "few", "which is not proven")
	text := d.Specialised()[0].Text
	for old, want := range map[string]string{"taken_q + 4'd1": "", "held_q  <= in_word": "kept"} {
		require.Contains(t, text, old)
		property, err := in.Breaks(context.Background(), strings.Replace(text, old, old+" + 4'd1", 1))
		require.NoError(t, err)
		assert.Equal(t, want, property, old)
	}
	_, err = Block{Design: d}.Induction(context.Background(), options())
	assert.EqualError(t, err, "stage has no properties")
}

// A property marked alone is proven without the assumptions.
func TestProveAlone(t *testing.T) {
	const text = `
// assume one: the source offers only this word
always @* one: assume (in_word == 4'd1);
// property kept: only this word is offered
// control kept: held_q <= in_word => held_q <= in_word + 4'd1
always @* if (started && out_valid) kept: assert (out_word == 4'd1);
// property taken: what is taken was offered
// control taken: taken_q + 4'd1 => taken_q + 4'd2
// alone taken
always @(posedge clk) if (started && !$past(rst)) taken: assert (taken_q == $past(taken_q) || taken_q == $past(taken_q) + 4'd1);
`
	got := proof(t, stage(), text, options())
	assert.Equal(t, Proven, got["kept"].Kind)
	assert.Equal(t, Proven, got["taken"].Kind)
	got = proof(t, stage(), text+"// alone kept\n", options())
	assert.Equal(t, Failed, got["kept"].Kind)
	assert.Equal(t, Proven, got["taken"].Kind)
}

// A property that holds but is not inductive is not reported as proven, and a control that holds is a failure.
func TestProveIsNotFooled(t *testing.T) {
	got := proof(t, stage(), `
// property far: a count of more than two comes from two
// control far: taken_q + 4'd1 => taken_q + 4'd1 + 4'd0
// bound 4
always @(posedge clk) if (started && $past(started) && !$past(rst)) far: assert (taken_q - $past(taken_q) <= 4'd1);
// property near: no more than three
// control near: taken_q + 4'd1 => taken_q + 4'd9
always @* if (started) near: assert (taken_q < 4'd4);
`, options())
	assert.Equal(t, Proven, got["far"].Kind)
	assert.Equal(t, "control 1 does not fail in 4 steps", got["far"].Control)
	assert.False(t, got["far"].OK())
	assert.Equal(t, Failed, got["near"].Kind)
	assert.Equal(t, "induction over 2 cycles does not close; no counterexample in 4 steps", got["near"].Detail)
}

// A parent's stream that is directly a child's is proven in the child; one behind logic is proven in the parent.
func TestProveParents(t *testing.T) {
	got := proof(t, two(), "", options())
	assert.Equal(t, map[string]Result{"handshake_out": {Property: "handshake_out", Says: handshakeRule, Kind: Composed,
		Detail: "of second (stage)", ControlOK: true}}, got)

	got = proof(t, gated(), "", options())
	assert.Equal(t, Composed, got["handshake_out"].Kind)
	assert.Equal(t, Failed, got["stage.handshake_in"].Kind, "the gate may close before the word is taken")

	got = proof(t, gated(), `
// property shut: nothing comes through a shut gate
// control shut: let_ready & open => let_ready | open
// assume steady: the tester
always @(posedge clk) if (started) steady: assume ($stable(open));
always @* if (started) shut: assert (!in_ready || open);
`, options())
	assert.Equal(t, Proven, got["stage.handshake_in"].Kind)
	assert.Equal(t, Assumed, got["steady"].Kind)
	assert.Equal(t, "the tester", got["steady"].Detail)
}

func TestProveErrors(t *testing.T) {
	d, err := hdl.Compile(stage())
	require.NoError(t, err)
	for _, tt := range []struct{ name, text, message string }{
		{"an unknown macro", "// invariant p: is\nalways @* p: assert (`WIDTH_nothing == 1);\n", "spec.v:2: `WIDTH_nothing is unknown in stage; allowed:"},
		{"an unknown module", "// uses adder\n// invariant p: is\nalways @* p: assert (1);\n", "spec.v: uses adder: there is no such module"},
		{"an unknown signal", "// invariant p: is\nalways @* p: assert (nothing);\n", "nothing"},
		{"no Verilog", "// invariant p: is\nalways p: assert (valid_q;\n", "always p: assert (valid_q;"},
		{"a control that does not apply", "// property p: is\n// control p: nothing => x\nalways @* p: assert (in_ready || out_valid);\n",
			`spec.v:2: control: the printed text has no "nothing"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Parse("spec.v", tt.text)
			require.NoError(t, err)
			_, err = Block{Design: d, Specs: map[string]*Spec{"stage": s}}.Prove(context.Background(), options(), true)
			assert.ErrorContains(t, err, tt.message)
		})
	}
}

func TestMissingSolverIsNamed(t *testing.T) {
	t.Setenv("PATH", "")
	assert.EqualError(t, CheckTools("yosys", "yosys-smtbmc", "cvc4"), "yosys is not installed; install it with: apt-get install yosys\n"+
		"yosys-smtbmc is not installed; install it with: apt-get install yosys\ncvc4 is not installed; install it with: apt-get install cvc4")
}

// A tool that exceeds its time limit is ended, with its child processes.
func TestTimeout(t *testing.T) {
	dir := t.TempDir()
	_, err := run(context.Background(), dir, 300*time.Millisecond, "sh", "-c", "(sleep 60 & echo $! > pid; wait)")
	require.ErrorIs(t, err, errTimeout)
	pid, err := os.ReadFile(filepath.Join(dir, "pid"))
	require.NoError(t, err)
	assert.Eventually(t, func() bool {
		state, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		return err != nil || strings.Contains(string(state), ") Z ")
	}, 5*time.Second, 10*time.Millisecond, "the child has ended")
}
