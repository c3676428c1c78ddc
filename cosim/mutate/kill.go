package mutate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"syscall"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// baseline holds the traces of the stages on a design without a mutant, which must pass. Each stage runs on first use.
type baseline struct {
	context context.Context
	design  *simulator.Design
	made    once[trace]
}

func (b *baseline) of(st stage) (trace, error) {
	return b.made.get(st.name, func() (trace, error) {
		have, err := st.trace(b.context, b.design, 0, endless)
		if err != nil {
			err = fmt.Errorf("without a mutant: %s: %w", st.name, err)
		}
		return have, err
	})
}

// kill runs the stages, early or late ones, until one of them kills the mutant.
func (s *subject) kill(ctx context.Context, m *Result, base *baseline, late bool) error {
	differs := ""
	for _, st := range s.stages {
		if st.late != late {
			continue
		}
		want, err := base.of(st)
		if err != nil {
			return err
		}
		have, err := attempt(ctx, st, base.design, m.Number, want)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if couldNotRun(err) {
			return fmt.Errorf("mutant %d: %s: %w", m.Number, st.name, err)
		}
		if err != nil {
			m.Outcome, m.By, m.Says = ByVerdict, st.name, err.Error()
			if hangs(err) {
				m.Outcome = ByHang
			}
			return nil
		}
		if differs == "" && !have.equal(want) {
			differs = st.name
		}
	}
	if differs != "" {
		m.Outcome, m.By = Timing, differs
	}
	return nil
}

// attempt runs a stage on a mutant. Broken hardware may make the comparison panic.
func attempt(ctx context.Context, st stage, d *simulator.Design, number int, base trace) (have trace, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = &verdictError{fmt.Sprintf("the comparison panicked: %v", broken)}
		}
	}()
	return st.trace(ctx, d, number, func(step int) uint64 {
		if step < len(base.cycles) {
			return base.cycles[step] + base.cycles[step]/2 + slack
		}
		return slack
	})
}

// couldNotRun reports whether the host machine, not the hardware, caused an error.
func couldNotRun(err error) bool {
	var file *fs.PathError
	var program *exec.Error
	var system syscall.Errno
	return errors.As(err, &file) || errors.As(err, &program) || errors.As(err, &system)
}

// hangs reports whether an error means that the hardware makes no progress, or never finishes.
func hangs(err error) bool {
	var stuck *simulator.StuckError
	var stands *rnic.ProgressError
	return errors.Is(err, errEndless) || errors.Is(err, cosim.ErrNoProgress) || errors.As(err, &stuck) || errors.As(err, &stands)
}
