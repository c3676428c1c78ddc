package rnic

import (
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// follower tracks the differences between device and model on a stream that are not yet resolved.
type follower struct {
	life      life
	domain    uint16
	otherwise bool               // an event the model has not reached may have ended the stream for local reasons
	segments  []arrival          // received by the device, not yet by the model
	responses [][]byte           // sent by the model's responder, not yet by the device
	requests  [][]byte           // sent by the model's requester, not yet by the device
	starting  []int              // per work request not started by the model: how many segments can be sent
	work      []promise          // work requests that the device has not completed
	received  []receipt          // receives completed by the model, not yet by the device
	outcomes  []rdmap.Completion // work requests completed by the model, not yet by the device, in the order of work
	events    []rdmap.Event      // the same of events
	broke     []byte             // segment with which the model has ended the stream
	refused   bool               // the device has reported that the Atomic Write whose turn it is has failed
	queue     []inbound          // requests of the peer received but not executed by the model
	refusals  int                // receive requests refused by the model, not yet by the device
	late      []inbound          // without the retire port: atomics without a response when the stream ended
	words     map[uint64]uint64  // their targets before execution

	taken     int // requests of the peer received by the model
	executed  int // of taken: executed
	answered  int // of executed: answered by the device
	left      int // Reads and Atomics sent by the device
	asked     int // Reads and Atomics sent by the model
	replied   int // of asked: response received by the model
	originals int // of replied: Atomics
	good      int // of replied: response in memory
	reported  int // Reads and Atomics among the outcomes
	limit     int // how many requests of the peer may be executed: those after a failed placement are dropped

	failures       failures
	reportedLost   bool                // the device has reported a receive lost to a failed placement
	reportedClosed bool                // the device has reported an unsuccessful work request: no later one succeeds
	unanswered     bool                // the stream has ended with unexecuted atomics
	unhappy        []unhappy           // unsuccessful work requests, for Settle
	cause          spec.Rule           // not caused by a segment: as the Terminate reports it
	sentCode       *wire.TerminateCode // of the device's Terminate
	reportedCode   *wire.TerminateCode // of the device's event

	shown  retireReports // reports of the retire port
	middle message       // kind of the message in progress
	cut    [2]bool       // responses, requests: a message was abandoned, and another one has started
}

// show tracks the end of the stream as the device shows it; it returns false if that is not allowed.
func (f *follower) show(s shows) bool {
	next, is := f.life.after(s)
	if is {
		f.life = next
	}
	return is
}

// message is the kind of message that a stream is in the middle of.
type message int

const (
	messageNone message = iota
	messageResponse
	messageRequest
)

const noLimit = int(^uint(0) >> 1)

// arrival is a segment and, at the time it was sent, how many of the peer's requests had been answered, and how many Reads and
// Atomics had been sent.
type arrival struct {
	octets   []byte
	answered int
	asked    int
}

// promise is a posted work request.
type promise struct {
	id       uint64
	signaled bool
	wrong    bool // its local buffer is invalid for this use
}

// unhappy is an unsuccessful work request, as reported by the device.
type unhappy struct {
	completion Completion
	wrong      bool
}

// receipt is a receive completed by the model; lost if its octets, or earlier ones, are not in memory.
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
	gone    bool // can be executed only after its STag was invalidated
	payload []byte
	header  wire.DDPHeader
	length  int // octets of the segment
}

func (in *inbound) is(c spec.Class) bool { return isOf(in.opcode, c) }
