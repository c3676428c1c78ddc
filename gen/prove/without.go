package prove

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen"
)

// without lists the kinds of block that have no property file, and why. The rules of their streams are shown nevertheless. A block must
// either be here or have a file.
var without = map[string]string{
	"digest_words": "tests compare its words with those of another implementation for every offset and many lengths",
	"far_gate":     "tests compare it with a reference, with full queues and wraps of all numbers",
	"requester":    "joins work_ring, request_messages and send_completion, and has no register of its own",
	"rnic":         "joins blocks; its own registers are forks, of failed placements, of events and of answers, which random traffic and vectors show",
}

// withoutCommit lists the kinds of block whose form with the extension commit is not proven, not even the rules of its streams, and why.
var withoutCommit = map[string]string{
	"request_order": "it chooses among five executors, which takes two cycles, and stops streams; tests and crashes show its order",
	"request_turns": "with five executors no solver ended within 10 minutes; its form for two executors is proven",
	"rnic":          "it chooses in front of atomic_responder, which has no register to carry the rule of its sink; tests show that nothing is lost",
	"rx_check":      "it takes more kinds of requests and responses, and compares digests; tests compare it with the golden model",
}

// withoutFalcon lists likewise the kinds whose form in the profile falcon is not proven, beside those of without.
var withoutFalcon = map[string]string{
	"falcon_initiator":    "joins falcon_requests, falcon_transactions and the engine's requester",
	"rnic":                "joins them",
	"receive_ring":        "its requests have several elements; tests compare these, and which of their places are free, with a reference",
	"shared_receive_ring": "as receive_ring",
	"csr":                 "its registers are those of another profile; tests read and write each of them",
	"request_messages":    "no work request fails in it, so the buffer of failures, on which its invariants rest, is not there; cosimulation shows its order",
	"request_order":       "it refuses requests, and has three executors; tests of falcon_order and cosimulation show its order",
	"request_turns":       "with five executors no solver ended within 10 minutes, with three none was tried; its form for two executors is proven",
}

// withoutFar lists likewise the kinds whose form with far memory is not proven.
var withoutFar = map[string]string{
	"placement":     "its properties are of commands without a buffer in front, and of one side; tests with far memory compare memory, identifiers, order and failures",
	"request_order": "its properties are of two executors; tests of request_order with far memory and cosimulation show its order",
	"request_turns": "with three executors no solver ended within 15 minutes; its form for two executors is proven",
}

// covers reports whether a property file is of the form of a block that a configuration changes.
func covers(kind string, c gen.Config) bool {
	_, commit := withoutCommit[kind]
	_, falcon := withoutFalcon[kind]
	_, far := withoutFar[kind]
	return !(far && c.FarMemoryBit > 0) && !(commit && slices.Contains(c.Extensions, "commit")) && !(falcon && c.Profile == gen.ProfileFalcon)
}
