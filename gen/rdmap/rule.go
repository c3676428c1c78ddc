package rdmap

import (
	"strings"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// ruleCheck is a rule and the condition under which a segment breaks it.
type ruleCheck = engine.RuleCheck[spec.Rule]

// firstBroken returns the number of the first broken rule, 0 if none is; broken reports whether one is. given, unless nil, is the
// number of a rule already found broken that precedes the list, 0 for none.
func firstBroken(m *hdl.Module, names ruleNames, given *hdl.Value, list []ruleCheck) (rule, broken hdl.Value) {
	var rows []hdl.When
	var conds []hdl.Value
	if given != nil {
		found := m.Let("is_malformed", given.Any())
		rows, conds = append(rows, hdl.When{Cond: found, Then: *given}), append(conds, found)
	}
	for _, b := range list {
		rows, conds = append(rows, hdl.When{Cond: b.Cond, Then: names[b.Rule]}), append(conds, b.Cond)
	}
	return m.Let("broken_rule", hdl.Select(hdl.Zero(spec.RuleBits), rows...)), hdl.AnyOf(conds...)
}

// ruleNames are the constants of rules; each is declared with its section and text.
type ruleNames map[spec.Rule]hdl.Value

// nameRules declares the rules that end a stream and satisfy want.
func nameRules(m *hdl.Module, x spec.Extensions, want func(*spec.RuleRow) bool) ruleNames {
	names := ruleNames{}
	for _, row := range x.Rules() {
		if _, ends := row.Rule.Terminate(); ends && want(row) {
			names[row.Rule] = m.Constant(strings.ToUpper("rule_"+row.Name), spec.RuleBits, uint64(row.Rule), row.Section+": "+row.Text)
		}
	}
	return names
}
