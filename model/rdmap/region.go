package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// The rules that a faulty memory access breaks: DDP checks the buffer of a tagged segment, RFC 5041 section 7.1; RDMAP
// checks the memory that a request names, RFC 5040 section 7.2. Faults in this node's own buffers are not caused by the
// peer.
var (
	taggedRules = [...]spec.Rule{memory.Granted: spec.None, memory.BadSTag: spec.TaggedSTag, memory.NotAssociated: spec.TaggedAssociation,
		memory.NoRight: spec.TaggedAccess, memory.TOWraps: spec.TaggedTOWrap, memory.OutOfBounds: spec.TaggedBounds}
	requestRules = [...]spec.Rule{memory.Granted: spec.None, memory.BadSTag: spec.RequestSTag, memory.NotAssociated: spec.RequestAssociation,
		memory.NoRight: spec.RequestAccess, memory.TOWraps: spec.RequestTOWrap, memory.OutOfBounds: spec.RequestBounds}
)

// rules returns the rules for a list of faults.
func rules(of *[6]spec.Rule, list []memory.Fault) (rule []spec.Rule) {
	for _, f := range list {
		rule = append(rule, of[f])
	}
	return rule
}
