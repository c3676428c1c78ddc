package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// The rules that an access to memory breaks: DDP checks the buffer of a tagged segment, RFC 5041 section 7.1, RDMAP what a
// request names, RFC 5040 section 7.2. Of a buffer of this node's own the peer has no part in the fault.
var (
	ofTagged = [...]spec.Rule{memory.Granted: spec.None, memory.BadSTag: spec.TaggedSTag, memory.NotAssociated: spec.TaggedAssociation,
		memory.NoRight: spec.TaggedAccess, memory.TOWraps: spec.TaggedTOWrap, memory.OutOfBounds: spec.TaggedBounds}
	ofRequest = [...]spec.Rule{memory.Granted: spec.None, memory.BadSTag: spec.RequestSTag, memory.NotAssociated: spec.RequestAssociation,
		memory.NoRight: spec.RequestAccess, memory.TOWraps: spec.RequestTOWrap, memory.OutOfBounds: spec.RequestBounds}
)

// rules lists those of several faults.
func rules(of *[6]spec.Rule, list []memory.Fault) (broken []spec.Rule) {
	for _, f := range list {
		broken = append(broken, of[f])
	}
	return broken
}
