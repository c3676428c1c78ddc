package rnic

import (
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// follower is what is known of a stream that device and model do not agree on yet.
type follower struct {
	life      life
	domain    uint16
	otherwise bool               // something that the model has not come to may have ended the stream for local reasons
	segments  []arrival          // that the device has, and the model has not taken
	responses [][]byte           // that the model's responder has sent, and the device has not
	requests  [][]byte           // the same of the requester
	starting  []int              // for each work request that the model has not started, how many segments can leave
	work      []promise          // work requests whose end the device has not told
	received  []receipt          // receives that the model has completed, and the device has not
	outcomes  []rdmap.Completion // the same of work requests, in the order of work
	events    []rdmap.Event      // the same of events
	queue     []inbound          // requests of the peer that the model has taken and not executed
	refusals  int                // receive requests that the model has refused, and the device has not
	late      []inbound          // without the retire port: atomics without an answer when the stream ended
	words     map[uint64]uint64  // what was there before them

	taken     int // requests of the peer that the model has taken
	executed  int // of these, how many it has executed
	answered  int // of these, how many have left the device, answered
	left      int // Reads and Atomics of this node that have left
	asked     int // Reads and Atomics of this node that the model has transmitted
	replied   int // of these, how many the model has the answer to
	originals int // of these, how many to Atomics
	good      int // of these, how many have their answers in memory
	reported  int // Reads and Atomics among the outcomes
	limit     int // of the peer's requests, how many may be executed: what comes behind a failed placement is dropped

	failures       failures
	reportedLost   bool                // the device has told of a receive that is lost with a failed placement
	reportedClosed bool                // the device has told of a work request without success: none behind it has it
	unanswered     bool                // the stream has ended, and atomics were not executed
	unhappy        []unhappy           // work requests without success, for Settle
	cause          spec.Rule           // that no segment is the reason of: what the Terminate says
	sentCode       *wire.TerminateCode // of the device's Terminate
	reportedCode   *wire.TerminateCode // of the device's event

	shown  retireReports // by the retire port
	middle message       // the stream is in the middle of such a message
	cut    [2]bool       // answers, requests: one stopped in the middle, and another message has begun since
}

// show follows what the device shows of the end of the stream; false when it must not.
func (f *follower) show(s shows) bool {
	next, is := f.life.after(s)
	if is {
		f.life = next
	}
	return is
}

// message tells in the middle of which message a stream is.
type message int

const (
	messageNone message = iota
	messageResponse
	messageRequest
)

const noLimit = int(^uint(0) >> 1)

// arrival is a segment; and when it was sent, how many of the peer's requests had their answers, and how many Reads and
// Atomics had left.
type arrival struct {
	octets   []byte
	answered int
	asked    int
}

// promise is a work request that was posted.
type promise struct {
	id       uint64
	signaled bool
	wrong    bool // its local buffer may not be used so
}

// unhappy is a work request without success, as the device has told.
type unhappy struct {
	completion Completion
	wrong      bool
}

// receipt is a receive that the model has completed; lost when its octets, or earlier ones, are not in memory.
type receipt struct {
	completion Completion
	lost       bool
}

// inbound is a request of the peer.
type inbound struct {
	opcode  wire.Opcode
	stag    uint32
	address uint64
	octets  uint64
	gone    bool // it can only be executed after its STag has been invalidated
	payload []byte
}

func (in *inbound) is(c spec.Class) bool { return in.opcode.Is(c) }
