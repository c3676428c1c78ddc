package engine

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// RuleSet collects the conditions under which what is in a pipeline breaks the rules of a profile; several can break the same rule.
type RuleSet[R comparable] struct {
	pipe *block.Pipeline
	rows []RuleName[R]
	of   map[R][]*block.Signal
}

// RuleName is a rule and its name, in snake case.
type RuleName[R comparable] struct {
	Rule R
	Name string
}

// RuleCheck is a rule and the condition under which it is broken.
type RuleCheck[R comparable] struct {
	Cond hdl.Value
	Rule R
}

// NewRuleSet is for the rules of rows; an earlier one is reported instead of a later one.
func NewRuleSet[R comparable](pipe *block.Pipeline, rows []RuleName[R]) RuleSet[R] {
	return RuleSet[R]{pipe, rows, map[R][]*block.Signal{}}
}

// Add registers that a rule is broken if all conditions hold, evaluated in the stage of the latest one.
func (s RuleSet[R]) Add(rule R, conds ...*block.Signal) {
	stage := 0
	for _, c := range conds {
		stage = max(stage, c.Stage())
	}
	var all []hdl.Value
	for _, c := range conds {
		all = append(all, c.At(stage))
	}
	s.of[rule] = append(s.of[rule], s.pipe.Holds("", stage, hdl.AllOf(all...)))
}

// List is the condition of each rule in a stage, in their order. Conditions of earlier stages are joined on the way.
func (s RuleSet[R]) List(stage int) (list []RuleCheck[R]) {
	for _, row := range s.rows {
		conds := s.of[row.Rule]
		if conds == nil {
			continue
		}
		slices.SortStableFunc(conds, func(a, b *block.Signal) int { return a.Stage() - b.Stage() })
		name, breaks := "breaks_"+row.Name, (*block.Signal)(nil)
		for len(conds) > 0 {
			at := conds[0].Stage()
			var any []hdl.Value
			if breaks != nil {
				any, name = append(any, breaks.At(at)), name+"_or_later"
			}
			for len(conds) > 0 && conds[0].Stage() == at {
				any, conds = append(any, conds[0].At(at)), conds[1:]
			}
			breaks = s.pipe.Signal(name, at, hdl.AnyOf(any...))
		}
		list = append(list, RuleCheck[R]{breaks.At(stage), row.Rule})
	}
	return list
}
