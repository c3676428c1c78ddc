package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

type atomicResponseBeat struct {
	Stream     int
	Number     uint32
	AtomicMsn  uint32
	Identifier uint32
	Original   uint64
	Failed     bool
}

func randomResponses(n int) (responses []atomicResponseBeat, messages []txMessageBeat) {
	r := random(12)
	for range n {
		a := atomicResponseBeat{r.IntN(8), r.Uint32N(requestNumbers), uint32(operand(r)), uint32(operand(r)), operand(r), r.IntN(4) == 0}
		responses = append(responses, a)
		if a.Failed {
			messages = append(messages, txMessageBeat{Stream: a.Stream, Kind: sentAtomic, Number: a.Number, Header: padded(nil)})
			continue
		}
		segment := wire.AppendAtomicResponse(nil, a.AtomicMsn, wire.AtomicResponse{OriginalRequestIdentifier: a.Identifier, OriginalRemoteDataValue: a.Original})
		messages = append(messages, txMessageBeat{Stream: a.Stream, Kind: sentAtomic, Number: a.Number,
			HeaderLength: 30, Header: padded(segment)})
	}
	return responses, messages
}

func TestAtomicResponderUnderStalls(t *testing.T) {
	responses, messages := randomResponses(1000)
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, rdmap.AtomicResponder(streamsOf(8)), 1)
		b.stall(idle, pressure)
		send(b, "response", responses...)
		b.rest(50)
		same(t, messages, received[txMessageBeat](b, "message"))
	})
}

// One response per cycle, in the cycle in which it arrives.
func TestAtomicResponderRate(t *testing.T) {
	responses, messages := randomResponses(1000)
	b := openRig(t, rdmap.AtomicResponder(streamsOf(8)), 1)
	send(b, "response", responses...)
	b.rest(50)
	gapless(t, b.stream("response").at)
	assert.Equal(t, b.stream("response").at, b.stream("message").at)
	assert.Len(t, b.stream("message").at, len(messages))
}
