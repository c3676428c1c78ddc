package suite

import "github.com/rnicgen/rnicgen/vectors/suite"

// InError reports whether the step is an error: its packet breaks a rule, or something fails.
func (s *Step) InError() bool {
	if s.Breaks != "" || s.Complete != nil && s.Complete.Code != 0 {
		return true
	}
	for i := range s.Expect {
		e := &s.Expect[i]
		if e.Refused || e.Event != nil || e.Completion != nil && e.Completion.Status != "success" || e.Reply != nil && e.Reply.NACK != 0 {
			return true
		}
	}
	return false
}

// ResultOf returns the result that the steps of a test imply.
func ResultOf(t *Test) string {
	for i := range t.Steps {
		if t.Steps[i].InError() {
			return suite.Error
		}
	}
	return suite.Valid
}

// Each calls f with every test and its group, in order.
func (s *Suite) Each(f func(g *Group, t *Test)) {
	for i := range s.Groups {
		for j := range s.Groups[i].Tests {
			f(&s.Groups[i], &s.Groups[i].Tests[j])
		}
	}
}
