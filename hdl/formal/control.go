package formal

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// Apply applies the edit. It fails if the text does not contain Old.
func (t Control) Apply(s *Spec, text string) (string, error) {
	at := t.pattern().FindStringSubmatchIndex(text)
	if at == nil {
		return "", fmt.Errorf("%s:%d: control: the printed text has no %q", s.File, t.line, t.Old)
	}
	replaced := t.New
	for n := at[2:]; len(n) > 0; n = n[2:] {
		replaced = strings.Replace(replaced, number, text[n[0]:n[1]], 1)
	}
	changed := text[:at[0]] + replaced + text[at[1]:]
	if changed == text {
		return "", fmt.Errorf("%s:%d: control: nothing changes", s.File, t.line)
	}
	return changed, nil
}

// number stands for a decimal number in Old, and for the same number in New.
const number = "<N>"

var spaces = regexp.MustCompile(`\s+`)

// pattern matches Old, with any white space for its white space.
func (t Control) pattern() *regexp.Regexp {
	p := strings.ReplaceAll(regexp.QuoteMeta(t.Old), number, `(\d+)`)
	return regexp.MustCompile(spaces.ReplaceAllString(p, `\s+`))
}

// CheckControls reports the controls of a property file that do not apply to a printed module.
func (s *Spec) CheckControls(text string) error {
	var errs []error
	for _, q := range s.Properties {
		for _, t := range q.Controls {
			if _, err := t.Apply(s, text); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// mostBits is the limit for memories as gates and registers; above it the arrays of the solver are faster.
const mostBits = 1 << 15

// onGates reports whether gates are small enough.
func (p *prover) onGates() bool { return p.spec.Gates || memoryBits(p.Design.IR()) <= mostBits }

// counterexample searches the first cycles from reset: on gates if the block is small enough, which neither identifies the failed goals
// nor gives a trace, otherwise with the solver.
func (p *prover) counterexample(ctx context.Context, m *model, steps int) (verdict, error) {
	if p.onGates() {
		v, known, err := m.first(ctx, steps, p.options.Timeout)
		if err != nil && !errors.Is(err, errTimeout) || known && (v.holds || len(m.goals) == 1 && m.vcd == "") {
			return v, err
		}
	}
	return m.search(ctx, steps)
}

// memoryBits counts the bits of memory in a module and its instances.
func memoryBits(m *ir.Module) (n int) {
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Memory:
			n += it.Width * it.Depth
		case *ir.Instance:
			n += memoryBits(it.Module)
		}
	}
	return n
}

// controls shows that a property fails for each of its controls on a trace from reset, and so is not vacuous.
func (p *prover) controls(ctx context.Context, r *Result) error {
	if r.Kind != Proven && r.Kind != Bounded {
		return nil
	}
	views := []view{{control: true, abstract: p.abstract[r.Property]}}
	if q := p.spec.property(r.Property); q != nil {
		views = nil
		files := p.Design.Specialised()
		for _, t := range q.Controls {
			changed, err := t.Apply(p.spec, files[len(files)-1].Text)
			if err != nil {
				return err
			}
			views = append(views, view{edit: func(string) string { return changed }})
		}
	}
	var steps []string
	for i, v := range views {
		v.goals = goals{r.Property}
		found, err := p.ask(ctx, v, func(m *model) (verdict, error) { return p.counterexample(ctx, m, p.steps(r.Property)) })
		switch {
		case errors.Is(err, errTimeout):
			r.Control, r.ControlOK = fmt.Sprintf("control %d: %v", i+1, err), false
			return nil
		case err != nil:
			return fmt.Errorf("%s: control %d of %s: %w", p.Design.Name(), i+1, r.Property, err)
		case found.holds && strings.Contains(r.Property, "."): // an assumption of a child, which may be stronger than needed
			r.Control = fmt.Sprintf("not held back in %d steps", p.steps(r.Property))
			return nil
		case found.holds:
			r.Control, r.ControlOK = fmt.Sprintf("control %d does not fail in %d steps", i+1, p.steps(r.Property)), false
			return nil
		}
		steps = append(steps, strconv.Itoa(found.step))
	}
	if steps != nil {
		r.Control = "fails at step " + strings.Join(steps, ", ")
	}
	return nil
}
