package formal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/internal/process"
)

// Block is a design and the property files of its modules.
type Block struct {
	Design     *hdl.Design
	Specs      map[string]*Spec                    // by name of the module; a missing one has no properties
	References map[string]string                   // text of additional modules used by property files
	Options    func(*hdl.Design) map[string]string // additional macros of a module; nil: none
}

// files are the property files of the design's modules.
func (b Block) files() []*Spec {
	var out []*Spec
	for _, m := range b.Design.Modules() {
		if s := b.Specs[m.Name()]; s != nil {
			out = append(out, s)
		}
	}
	return out
}

// Options of a proof.
type Options struct {
	Solver  string        // of [Solvers]
	Timeout time.Duration // per run of a tool
	Trace   string        // directory for the waveforms of counterexamples; empty: none
}

// model is a design in the form for the solver.
type model struct {
	dir     string
	top     string
	goals   goals
	options Options
	vcd     string // name of the waveform; empty: none
}

// script builds the model: checks in the cycle in which they are written, memories as arrays, and only the requested assertions of
// instances.
const script = "read_verilog -formal block.v; hierarchy -check -top %s; proc -norom; flatten; opt_expr -keepdc; opt_clean; " +
	"opt -keepdc -noff; wreduce -keepdc; opt_clean; memory_collect; opt -keepdc -noff -fast; " +
	"select -set others t:$assert %s %%d; delete @others; " +
	"chformal -cover -remove; chformal -early; opt_clean; check -assert; %s write_smt2 -wires block.smt2"

// trim removes logic that no assertion depends on. A waveform would show it.
const trim = "delete -port o:*; opt_clean -purge; opt -full -noff; opt_clean -purge;"

// compile builds the model of a Verilog text.
func compile(ctx context.Context, o Options, top string, g goals, text, vcd string) (*model, error) {
	reduce := trim
	if vcd != "" {
		reduce = ""
	}
	dir, err := yosys(ctx, o, top, text, "-p", fmt.Sprintf(script, top, g.cells(), reduce))
	if err != nil {
		return nil, err
	}
	if err := process.Made("yosys", filepath.Join(dir, "block.smt2")); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return &model{dir: dir, top: top, goals: g, options: o, vcd: vcd}, nil
}

// yosys runs on a Verilog text, block.v, in a new directory, which is kept unless it fails.
func yosys(ctx context.Context, o Options, top, text string, args ...string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "rnicgen-prove-"); err != nil {
		return "", err
	}
	var out string
	if err = os.WriteFile(filepath.Join(dir, "block.v"), []byte(text), 0o644); err == nil {
		out, err = run(ctx, dir, o.Timeout, "yosys", append([]string{"-q"}, args...)...)
	}
	if err != nil {
		os.RemoveAll(dir)
		if out == "" {
			return "", fmt.Errorf("%s: %w", top, err)
		}
		return "", fmt.Errorf("%s: yosys: %w: %s", top, err, place(text, out))
	}
	return dir, nil
}

func (m *model) remove() { os.RemoveAll(m.dir) }

var blockLine = regexp.MustCompile(`block\.v:(\d+)`)

// place adds the text of the line that a message of yosys refers to.
func place(text, message string) string {
	message = strings.TrimSpace(message)
	if f := blockLine.FindStringSubmatch(message); f != nil {
		n, _ := strconv.Atoi(f[1])
		if lines := strings.Split(text, "\n"); n >= 1 && n <= len(lines) {
			message += "\n  " + strings.TrimSpace(lines[n-1])
		}
	}
	return message
}

// verdict is the result of the solver.
type verdict struct {
	holds  bool
	step   int      // of the counterexample; for a successful induction its depth in cycles
	failed []string // labels
	wave   string
}

var (
	stepLine   = regexp.MustCompile(`(?:Checking assertions in step|Trying induction in step) (\d+)\.\.`)
	failedLine = regexp.MustCompile(`Assert failed in \S+: (\S+)`)
)

// search searches the first cycles from reset for a counterexample.
func (m *model) search(ctx context.Context, steps int) (verdict, error) {
	return m.solve(ctx, "-t", strconv.Itoa(steps))
}

// induce proves the induction step: goals that held for depth cycles hold in the next.
func (m *model) induce(ctx context.Context, depth int) (verdict, error) {
	v, err := m.solve(ctx, "-i", "-t", strconv.Itoa(depth))
	v.step = max(1, depth-v.step)
	return v, err
}

// solve runs the solver in two ways at once and takes the first result: one incremental run that learns from step to step, and a new run
// per step, which lets the solver choose its method for it. Either can be a hundred times faster.
func (m *model) solve(ctx context.Context, args ...string) (verdict, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type answer struct {
		verdict
		err error
	}
	answers := make(chan answer, 2)
	for i, way := range []string{"--noprogress", "--noincr"} {
		go func() {
			v, err := m.once(ctx, fmt.Sprintf("block%d.vcd", i), append(slices.Clone(args), "--unroll", way))
			answers <- answer{v, err}
		}()
	}
	first := <-answers
	if errors.Is(first.err, errTimeout) {
		first = <-answers
	} else {
		stop()
		<-answers
	}
	if first.err == nil && !first.holds && m.vcd != "" {
		first.err = m.keep(&first.verdict)
	}
	return first.verdict, first.err
}

// keep copies the waveform of a counterexample.
func (m *model) keep(v *verdict) error {
	data, err := os.ReadFile(filepath.Join(m.dir, v.wave))
	if err != nil {
		return err
	}
	v.wave = filepath.Join(m.options.Trace, m.vcd+".vcd")
	return os.WriteFile(v.wave, data, 0o644)
}

// solverEnded matches the output of yosys-smtbmc after its solver has died: a broken or closed pipe.
var solverEnded = regexp.MustCompile(`BrokenPipeError|Unexpected EOF response from solver`)

// once runs the solver.
func (m *model) once(ctx context.Context, wave string, args []string) (verdict, error) {
	args = append([]string{"-s", m.options.Solver}, args...)
	v := verdict{}
	if m.vcd != "" {
		v.wave = wave
		args = append(args, "--dump-vcd", wave)
	}
	out, err := run(ctx, m.dir, m.options.Timeout, "yosys-smtbmc", append(args, "block.smt2")...)
	for _, f := range stepLine.FindAllStringSubmatch(out, -1) {
		v.step, _ = strconv.Atoi(f[1])
	}
	for _, f := range failedLine.FindAllStringSubmatch(out, -1) {
		if label := m.goals.labelOf(f[1]); !slices.Contains(v.failed, label) {
			v.failed = append(v.failed, label)
		}
	}
	v.holds = strings.Contains(out, "Status: PASSED")
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		return v, fmt.Errorf("in step %d: %w", v.step, err)
	case !v.holds && len(v.failed) == 0 && out == "":
		return v, &process.Failure{Program: "yosys-smtbmc", Err: errors.New("no answer")}
	case !v.holds && len(v.failed) == 0 && solverEnded.MatchString(out):
		return v, fmt.Errorf("the solver %s ended without an answer; run the command again, with more memory if the system ran out of it, and see whether `%[1]s --version` works",
			m.options.Solver)
	case !v.holds && len(v.failed) == 0:
		return v, fmt.Errorf("yosys-smtbmc: %s", strings.TrimSpace(out))
	}
	return v, nil
}
