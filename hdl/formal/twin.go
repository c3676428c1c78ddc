package formal

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Apply makes the twin's edit. It is an error when the text has no such place.
func (t Twin) Apply(s *Spec, text string) (string, error) {
	at := t.pattern().FindStringSubmatchIndex(text)
	if at == nil {
		return "", fmt.Errorf("%s:%d: twin: the printed text has no %q", s.File, t.line, t.Old)
	}
	replaced := t.New
	for n := at[2:]; len(n) > 0; n = n[2:] {
		replaced = strings.Replace(replaced, number, text[n[0]:n[1]], 1)
	}
	changed := text[:at[0]] + replaced + text[at[1]:]
	if changed == text {
		return "", fmt.Errorf("%s:%d: twin: nothing changes", s.File, t.line)
	}
	return changed, nil
}

// number stands for a decimal number in a twin; in what replaces it, for the same number.
const number = "<N>"

var spaces = regexp.MustCompile(`\s+`)

// pattern finds Old. White space in it is any white space.
func (t Twin) pattern() *regexp.Regexp {
	p := strings.ReplaceAll(regexp.QuoteMeta(t.Old), number, `(\d+)`)
	return regexp.MustCompile(spaces.ReplaceAllString(p, `\s+`))
}

// CheckTwins tells which twins of a property file do not apply to a printed module.
func (s *Spec) CheckTwins(text string) error {
	var errs []error
	for _, q := range s.Properties {
		for _, t := range q.Twins {
			if _, err := t.Apply(s, text); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// twins shows that a property fails for each of its twins on a trace from reset, and so that it says something.
func (p *prover) twins(ctx context.Context, r *Result) error {
	q := p.spec.property(r.Property)
	switch {
	case r.Kind == Failed || r.Kind == Composed:
		return nil
	case q == nil:
		return p.twin(ctx, r, view{twin: true, abstract: p.abstract[r.Property]})
	}
	for _, t := range q.Twins {
		files := p.Design.Files()
		changed, err := t.Apply(p.spec, files[len(files)-1].Text)
		if err != nil {
			return err
		}
		if err := p.twin(ctx, r, view{edit: func(string) string { return changed }}); err != nil {
			return err
		}
	}
	return nil
}

// twin searches for a counterexample to one property of a changed design.
func (p *prover) twin(ctx context.Context, r *Result, v view) error {
	v.goals = goals{r.Property}
	found, err := p.ask(ctx, v, func(m *model) (verdict, error) { return m.search(ctx, p.steps(r.Property)) })
	if errors.Is(err, errTimeout) {
		found, err = verdict{holds: true}, nil
	}
	if err != nil {
		return fmt.Errorf("twin of %s: %w", r.Property, err)
	}
	said := fmt.Sprintf("fails at step %d", found.step)
	if found.holds {
		said, r.TwinOK = fmt.Sprintf("does not fail in %d steps", p.steps(r.Property)), false
	}
	if r.Twin != "" {
		said = r.Twin + ", " + said
	}
	r.Twin = said
	return nil
}
