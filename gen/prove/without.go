package prove

// without lists the kinds of block that have no property file, and why. The rules of their streams are shown nevertheless. A block must
// either be here or have a file.
var without = map[string]string{
	"requester": "joins work_ring, request_messages and send_completion, and has no register of its own",
	"rnic":      "joins blocks; its own registers are two forks, of failed placements and of events, which random traffic and vectors show",
}
