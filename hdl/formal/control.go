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

// Apply makes the control's edit. It is an error when the text has no such place.
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

// number stands for a decimal number in a control; in what replaces it, for the same number.
const number = "<N>"

var spaces = regexp.MustCompile(`\s+`)

// pattern finds Old. White space in it is any white space.
func (t Control) pattern() *regexp.Regexp {
	p := strings.ReplaceAll(regexp.QuoteMeta(t.Old), number, `(\d+)`)
	return regexp.MustCompile(spaces.ReplaceAllString(p, `\s+`))
}

// CheckControls tells which controls of a property file do not apply to a printed module.
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

// mostBits of memories can be gates and registers: of more the solver's arrays are faster.
const mostBits = 1 << 15

// counterexample looks for one in the first clocks from reset: on gates where the block is not too large, which do not tell the
// failed goals apart and leave no trace, else with the solver.
func (p *prover) counterexample(ctx context.Context, m *model, steps int) (verdict, error) {
	if memoryBits(p.Design.IR()) <= mostBits {
		v, known, err := m.first(ctx, steps, p.options.Timeout)
		if err != nil && !errors.Is(err, errTimeout) || known && (v.holds || len(m.goals) == 1 && m.vcd == "") {
			return v, err
		}
	}
	return m.search(ctx, steps)
}

// memoryBits counts those of a module and of all that is in it.
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

// controls shows that a property fails for each of its controls on a trace from reset, and so that it says something.
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
		case found.holds && strings.Contains(r.Property, "."): // a premise of a child, which may be more than it needs
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
