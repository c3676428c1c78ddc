package system

import (
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// commit executes a request of the extension commit, in the cycle of its first access of memory. It is over when its response leaves, an
// Atomic Write when its word is written.
func (n *rnic) commit(number uint32, r *request, now Cycle) {
	execute := func() *message {
		response, _, err := n.speaks.execute(number)
		n.check(err)
		return &message{stream: number, packets: response}
	}
	respond := func(m *message, now Cycle, cycles int) {
		n.later(now, cycles-n.timing.turnToBeat(), func(now Cycle) { n.enqueue(m, now) })
	}
	// A digest or a flush that is done is answered, and over when the answer has left.
	answer := func(now Cycle, cycles int) {
		m := execute()
		m.sent = func(now Cycle) { n.over(number, now, n.timing.afterBeat()) }
		respond(m, now, cycles)
	}
	switch r.class {
	case spec.FlushRequest:
		n.accesses.flush(r.address, r.octets, now, func(now Cycle) { answer(now, n.timing.FlushToBeat) })
	case spec.VerifyRequest:
		n.accesses.read(r.address, max(1, r.octets), func(now Cycle) { answer(now, n.timing.VerifyToBeat) })
	case spec.AtomicWriteRequest:
		n.accesses.read(r.address, 8, func(now Cycle) {
			n.later(now, n.timing.WordToWrite, func(Cycle) {
				m := execute()
				value := n.speaks.memory().Append(nil, r.address, 8)
				n.accesses.write(r.address, value, func(now Cycle) {
					n.over(number, now, n.timing.afterWrite())
					respond(m, now, n.timing.RewriteToBeat)
				})
			})
		})
	}
}
