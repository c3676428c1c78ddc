package rdmap

import (
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// termOf is the Terminate of one rule.
func termOf(rule spec.Rule) Term {
	code, _ := rule.Terminate()
	return Term{Layer: hdl.Const(4, uint64(code.Layer)), Etype: hdl.Const(4, uint64(code.EType)), Code: hdl.Hex(8, uint64(code.Code))}
}

// noTerm is layer 0, type 0, code 0: a local catastrophic error, and the value without a Terminate.
func noTerm() Term { return termOf(spec.Local) }

// terminateTable returns the Terminate of a broken rule.
func terminateTable(m *hdl.Module, x spec.Extensions, names ruleNames, rule hdl.Value) Term {
	m.Note("{layer, error type, error code}; 0 is a local catastrophic error.")
	none := noTerm()
	var rows []hdl.When
	for _, row := range x.Rules() {
		if code, has := row.Rule.Terminate(); has && code != spec.TermLocal {
			rows = append(rows, hdl.When{Cond: rule.Eq(names[row.Rule]), Then: hdl.Pack(termOf(row.Rule))})
		}
	}
	first := m.Let("terminate_of_rule", hdl.Select(hdl.Pack(none), rows...))
	return hdl.Unpack(none, first)
}
