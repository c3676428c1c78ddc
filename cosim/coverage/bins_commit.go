package coverage

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// What the extension commit adds to the bins.

// withoutOctets are the responses that are only a DDP header.
const withoutOctets = spec.FlushResponse | spec.AtomicWriteResponse

// ofEmpty lists the rules that a Flush or Verify of 0 octets can break.
var ofEmpty = []spec.Rule{spec.RequestSTag, spec.RequestAssociation, spec.RequestAccess, spec.RequestBounds}

// CommitRules follow Rules with the extension.
var CommitRules = []Rule{
	{"A Flush, a Verify and their responses are one segment each, whatever length the request names.", func(m Message, _ int) bool {
		return isOf(m.Opcode, spec.FlushRequest|spec.VerifyRequest|spec.VerifyResponse) && m.Length == "segments"
	}},
	{"The responses to a Flush and an Atomic Write are only a header: nothing is placed that local memory could refuse.", func(m Message, _ int) bool {
		return isOf(m.Opcode, withoutOctets) && m.Error == spec.Local
	}},
	{"The digest that a Verify Response carries has 4, 8 or 32 octets; any other length is refused before it is placed (I-57).", func(m Message, bus int) bool {
		placed := isOf(m.Opcode, spec.VerifyResponse) && slices.Contains([]spec.Rule{spec.None, spec.Local}, m.Error)
		return placed && (m.Length == "0" || m.Length == "beats" && bus >= 32)
	}},
}
