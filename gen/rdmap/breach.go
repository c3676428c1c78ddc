package rdmap

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// breach is a rule that a segment breaks when cond holds and no breach before it does.
type breach struct {
	cond hdl.Value
	rule spec.Rule
}

// firstBreach is the number of the first rule that is broken, 0 when none is; broken tells whether one is. given, unless it is nil,
// is a rule that was found broken before these, 0 for none.
func firstBreach(m *hdl.Module, names ruleNames, given *hdl.Value, list []breach) (rule, broken hdl.Value) {
	var rows []hdl.When
	var conds []hdl.Value
	if given != nil {
		found := m.Let("is_wrong", given.Any())
		rows, conds = append(rows, hdl.When{Cond: found, Then: *given}), append(conds, found)
	}
	for i, b := range list {
		if i > 0 && b.rule < list[i-1].rule {
			panic(fmt.Sprintf("rule %v is checked behind %v", b.rule, list[i-1].rule))
		}
		rows, conds = append(rows, hdl.When{Cond: b.cond, Then: names[b.rule]}), append(conds, b.cond)
	}
	return m.Let("broken_rule", hdl.Select(hdl.Zero(spec.RuleBits), rows...)), hdl.AnyOf(conds...)
}

// ruleNames are the numbers of rules by their names, each with its section and what it says.
type ruleNames map[spec.Rule]hdl.Value

// nameRules names those that end a stream and that want is true of.
func nameRules(m *hdl.Module, want func(*spec.RuleRow) bool) ruleNames {
	names := ruleNames{}
	for i := range spec.Rules {
		row := &spec.Rules[i]
		if _, ends := row.Rule.Terminate(); ends && want(row) {
			names[row.Rule] = m.Constant(strings.ToUpper("rule_"+row.Name), spec.RuleBits, uint64(row.Rule), row.Section+": "+row.Says)
		}
	}
	return names
}
