package prove

// without are the kinds of block that have no property file, and why. The rules of their streams are shown all the same. A block
// that is neither here nor has a file is a mistake, and so is one that has both.
var without = map[string]exemption{
	"requester":    {reason: "joins work_ring, request_segments and send_completion, and has no register of its own"},
	"rnic_atomics": {reason: "joins blocks, and has no register of its own"},
	"rnic":         {reason: "joins blocks; its own registers are two forks, of failed placements and of events, which random traffic and vectors show"},
	"atomic_unit":  {reason: "no properties are stated yet; random traffic, vectors and the block's tests show it", open: true},
}

// exemption is why a block has no properties of its own. An open one is a gap that is known, and fails the report.
type exemption struct {
	reason string
	open   bool
}

// row tells of a gap.
func (e exemption) row(block string) Row {
	return Row{Block: block, Property: "(none)", Kind: "failed", Detail: e.reason}
}
