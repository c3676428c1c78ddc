package prove

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen"
)

// without lists the kinds of block that have no property file, and why. The rules of their streams are shown nevertheless. A block must
// either be here or have a file.
var without = map[string]string{
	"digest_words": "tests compare its words with those of another implementation for every offset and many lengths",
	"requester":    "joins work_ring, request_messages and send_completion, and has no register of its own",
	"rnic":         "joins blocks; its own registers are two forks, of failed placements and of events, which random traffic and vectors show",
}

// withoutCommit lists the kinds of block whose form with the extension commit is not proven, not even the rules of its streams, and why.
var withoutCommit = map[string]string{
	"request_order": "it chooses among five executors, which takes two cycles, and stops streams; tests and crashes show its order",
	"request_turns": "with five executors no solver ended within 10 minutes; its form for two executors is proven",
	"rnic":          "it chooses in front of atomic_responder, which has no register to carry the rule of its sink; tests show that nothing is lost",
	"rx_check":      "it takes more kinds of requests and responses, and compares digests; tests compare it with the golden model",
}

// covers reports whether a property file is of the form of a block that a configuration changes.
func covers(kind string, c gen.Config) bool {
	_, is := withoutCommit[kind]
	return !is || !slices.Contains(c.Extensions, "commit")
}
