package formal

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Defaults of a property file.
const (
	DefaultDepth = 2
	DefaultBound = 12
)

// Spec is a property file: module items with structured comments that declare each assertion.
type Spec struct {
	File        string   // for messages
	Depth       int      // depth of the induction in cycles
	Bound       int      // cycles from reset to search for a counterexample
	ResetOnce   bool     // rst is 1 in the first cycle only
	Gates       bool     // it is decided on gates, whatever the size of its memories
	Uses        []string // additional modules that the text instantiates
	Properties  []Property
	Assumptions []Assumption
	Rules       []Property   // rules of streams, handshake_<stream>, that are not proven for all cycles
	Excused     []Assumption // rules of streams, handshake_<stream>, that are not required to hold, with reasons
	text        string
}

// Property is a named property of a module: the assertions with its label.
type Property struct {
	Name, Says string
	Invariant  bool   // used only to prove others
	Alone      bool   // proven without the assumptions of the file
	Bounded    int    // cycles from reset for which it is shown; 0: proven for all cycles
	Reason     string // why it is bounded
	Controls   []Control
	line       int
}

// Control is a negative control: an edit of the module's text with which a property must fail.
type Control struct {
	Old, New string
	line     int
}

// Assumption is an assumption of a property file about the inputs.
type Assumption struct {
	Name, By string // By is the guarantor
	Shown    []Shown
	line     int
}

// Shown is a property, of a block that drives the inputs, that implies an assumption.
type Shown struct{ Kind, Property string }

func (s Shown) String() string { return s.Kind + "/" + s.Property }

// maxSteps bounds every number of cycles in a property file.
const maxSteps = 1000

var (
	directive = regexp.MustCompile(`^\s*// (property|invariant|control|depth|bound|bounded|excused|assume|uses|alone)\b\s*(.*)$`)
	name      = regexp.MustCompile(`^[A-Za-z]\w*$`)
	named     = regexp.MustCompile(`^([A-Za-z]\w*):\s+(.+)$`)
	bounded   = regexp.MustCompile(`^([A-Za-z]\w*)\s+(\d+):\s+(.+)$`)
	labelled  = regexp.MustCompile(`\b([A-Za-z]\w*)(\s*:\s*)(assert|assume)(\s*\()`)
	statement = regexp.MustCompile(`\b(assert|assume|cover|restrict)\s*\(`)
	comment   = regexp.MustCompile(`//.*`)
	macro     = regexp.MustCompile("`(\\w+)(?: IS_(\\w+))?")
	shownBy   = regexp.MustCompile(`^(.*); shown by ((?:\w+/\w+)(?:, \w+/\w+)*)$`)
)

// Parse reads a property file. The error joins all mistakes, each with its line.
func Parse(file, text string) (*Spec, error) {
	p := &parser{Spec: &Spec{File: file, Depth: DefaultDepth, Bound: DefaultBound, text: text}, uses: map[string][]string{}}
	for i, line := range strings.Split(text, "\n") {
		p.line = i + 1
		if strings.TrimSpace(line) == "// reset once" {
			p.ResetOnce = true
		} else if strings.TrimSpace(line) == "// gates" {
			p.Gates = true
		} else if d := directive.FindStringSubmatch(line); d != nil {
			p.directive(d[1], strings.TrimSpace(d[2]))
		}
	}
	p.code(comment.ReplaceAllString(text, ""))
	p.finish()
	return p.Spec, errors.Join(p.errs...)
}

type parser struct {
	*Spec
	line int
	uses map[string][]string // kinds of statements, by label
	errs []error
}

func (p *parser) mistake(line int, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d: %s", p.File, line, fmt.Sprintf(format, args...)))
}

func (p *parser) directive(word, rest string) {
	switch word {
	case "depth":
		p.Depth = p.steps(word, rest)
	case "bound":
		p.Bound = p.steps(word, rest)
	case "uses":
		if !name.MatchString(rest) {
			p.mistake(p.line, "uses %q; allowed: uses MODULE", rest)
		}
		p.Uses = append(p.Uses, rest)
	case "alone":
		if q := p.property(rest); q == nil {
			p.mistake(p.line, "alone %q: no property or invariant above has this name", rest)
		} else {
			q.Alone = true
		}
	case "bounded":
		f := bounded.FindStringSubmatch(rest)
		if f == nil {
			p.mistake(p.line, "bounded %q; allowed: bounded NAME STEPS: reason", rest)
		} else if strings.Contains(f[1], rule) {
			p.Rules = append(p.Rules, Property{Name: f[1], Says: handshakeRule, Bounded: p.steps(word, f[2]), Reason: f[3]})
		} else if q := p.property(f[1]); q == nil {
			p.mistake(p.line, "bounded %s: no property or invariant above has this name", f[1])
		} else {
			q.Bounded, q.Reason = p.steps(word, f[2]), f[3]
		}
	default:
		f := named.FindStringSubmatch(rest)
		if f == nil {
			p.mistake(p.line, "%s %q; allowed: %s NAME: text", word, rest, word)
			return
		}
		p.named(word, f[1], f[2])
	}
}

func (p *parser) named(word, name, text string) {
	switch word {
	case "control":
		before, after, is := strings.Cut(text, " => ")
		if q := p.property(name); q == nil {
			p.mistake(p.line, "control %s: no property above has this name", name)
		} else if !is || strings.TrimSpace(before) == "" {
			p.mistake(p.line, "control %q; allowed: control NAME: OLD => NEW", text)
		} else {
			q.Controls = append(q.Controls, Control{strings.TrimSpace(before), strings.TrimSpace(after), p.line})
		}
	case "excused":
		if !strings.HasPrefix(name, rule) {
			p.mistake(p.line, "excused %s; allowed: excused %sSTREAM: reason", name, rule)
		}
		p.Excused = append(p.Excused, Assumption{Name: name, By: text, line: p.line})
	case "assume":
		p.Assumptions = append(p.Assumptions, p.assumption(name, text))
	default:
		if p.property(name) != nil {
			p.mistake(p.line, "%s %s: this name is taken", word, name)
			return
		}
		p.Properties = append(p.Properties, Property{Name: name, Says: text, Invariant: word == "invariant", line: p.line})
	}
}

// assumption parses the guarantor and the properties that show the assumption: WHO; shown by KIND/PROPERTY, KIND/PROPERTY.
func (p *parser) assumption(name, text string) Assumption {
	a := Assumption{Name: name, By: text, line: p.line}
	if f := shownBy.FindStringSubmatch(text); f != nil {
		a.By = f[1]
		for _, shown := range strings.Split(f[2], ", ") {
			kind, property, _ := strings.Cut(shown, "/")
			a.Shown = append(a.Shown, Shown{kind, property})
		}
	} else if strings.Contains(text, "shown by") {
		p.mistake(p.line, "assume %q; allowed: assume NAME: who; shown by KIND/PROPERTY, KIND/PROPERTY", text)
	}
	return a
}

func (p *parser) steps(word, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxSteps {
		p.mistake(p.line, "%s is %q; allowed: 1 to %d", word, text, maxSteps)
		return 1
	}
	return n
}

// property returns the property or invariant with this name, or nil.
func (s *Spec) property(name string) *Property {
	i := slices.IndexFunc(s.Properties, func(q Property) bool { return q.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Properties[i]
}

// CheckShown reports assumptions declared as shown by properties that do not exist or are not proven for all cycles. of returns the
// property file of a kind of block, or nil.
func (s *Spec) CheckShown(of func(kind string) *Spec) error {
	var errs []error
	for _, a := range s.Assumptions {
		for _, by := range a.Shown {
			var q *Property
			if other := of(by.Kind); other != nil {
				q = other.property(by.Property)
			}
			switch {
			case q == nil:
				errs = append(errs, fmt.Errorf("%s:%d: assume %s: there is no property %v", s.File, a.line, a.Name, by))
			case q.Bounded > 0:
				errs = append(errs, fmt.Errorf("%s:%d: assume %s: %v is shown for %d cycles only", s.File, a.line, a.Name, by, q.Bounded))
			}
		}
	}
	return errors.Join(errs...)
}

// RestsOn lists the kinds of block whose properties show the assumptions of s, except for properties marked alone.
func (s *Spec) RestsOn(of func(kind string) *Spec) (kinds []string) {
	for _, a := range s.Assumptions {
		for _, by := range a.Shown {
			if other := of(by.Kind); other != nil && other.property(by.Property) != nil && !other.property(by.Property).Alone {
				kinds = append(kinds, by.Kind)
			}
		}
	}
	return kinds
}

// Excuse is the reason why the rule of a stream is not required to hold, or empty.
func (s *Spec) Excuse(stream string) string {
	if s != nil {
		for _, e := range s.Excused {
			if e.Name == rule+stream {
				return e.By
			}
		}
	}
	return ""
}

// isAlone reports whether a property is proven without the assumptions of the file.
func (s *Spec) isAlone(name string) bool {
	q := s.property(name)
	return q != nil && q.Alone
}

// limit returns a property or rule of a stream that is not proven for all cycles, or nil.
func (s *Spec) limit(name string) *Property {
	if q := s.property(name); q != nil && q.Bounded > 0 {
		return q
	}
	if i := slices.IndexFunc(s.Rules, func(q Property) bool { return q.Name == name }); i >= 0 {
		return &s.Rules[i]
	}
	return nil
}

// code checks the statements.
func (p *parser) code(text string) {
	known := map[int]bool{}
	for _, at := range labelled.FindAllStringSubmatchIndex(text, -1) {
		label, is := text[at[2]:at[3]], text[at[6]:at[7]]
		known[at[6]] = true
		p.uses[label] = append(p.uses[label], is)
		line := strings.Count(text[:at[2]], "\n") + 1
		assumed := slices.ContainsFunc(p.Assumptions, func(a Assumption) bool { return a.Name == label })
		switch {
		case is == "assert" && p.property(label) == nil:
			p.mistake(line, "assertion %s; there is no line: // property %s: text", label, label)
		case is == "assume" && !assumed:
			p.mistake(line, "assumption %s; there is no line: // assume %s: who guarantees it", label, label)
		}
	}
	for _, at := range statement.FindAllStringIndex(text, -1) {
		if !known[at[0]] {
			line := strings.Count(text[:at[0]], "\n")
			p.mistake(line+1, "a statement has no label, or is neither assert nor assume: %s", strings.TrimSpace(strings.Split(text, "\n")[line]))
		}
	}
}

// finish requires each declared property and assumption to have statements.
func (p *parser) finish() {
	for _, q := range p.Properties {
		if !slices.Contains(p.uses[q.Name], "assert") {
			p.mistake(q.line, "property %s has no assertion with this label", q.Name)
		}
		if q.Alone && q.Bounded > 0 {
			p.mistake(q.line, "property %s is bounded; only a property proven for all cycles can be alone", q.Name)
		}
		if !q.Invariant && q.Controls == nil {
			p.mistake(q.line, "property %s has no control", q.Name)
		}
	}
	for _, a := range p.Assumptions {
		if !slices.Contains(p.uses[a.Name], "assume") {
			p.mistake(a.line, "assumption %s has no statement with this label", a.Name)
		}
		if p.property(a.Name) != nil {
			p.mistake(a.line, "assumption %s has the name of a property", a.Name)
		}
	}
	if len(p.Properties) == 0 && p.Depth <= DefaultDepth { // with a greater depth, the rules of its streams are its properties
		p.mistake(1, "no property")
	}
}
