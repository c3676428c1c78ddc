package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

type atomicAnswerBeat struct {
	Stream     int
	Number     uint32
	AtomicMsn  uint32
	Identifier uint32
	Original   uint64
	Failed     bool
}

func randomAnswers(n int) (answers []atomicAnswerBeat, commands []txCommandBeat) {
	r := random(12)
	for range n {
		a := atomicAnswerBeat{r.IntN(8), r.Uint32(), uint32(operand(r)), uint32(operand(r)), operand(r), r.IntN(4) == 0}
		answers = append(answers, a)
		if a.Failed {
			commands = append(commands, txCommandBeat{Stream: a.Stream, Kind: sentAtomic, Final: true, Number: a.Number, Header: padded(nil)})
			continue
		}
		segment := wire.AppendAtomicResponse(nil, a.AtomicMsn, wire.AtomicResponse{OriginalRequestIdentifier: a.Identifier, OriginalRemoteDataValue: a.Original})
		commands = append(commands, txCommandBeat{Stream: a.Stream, Kind: sentAtomic, Final: true, Number: a.Number,
			HeaderLength: 30, Header: padded(segment)})
	}
	return answers, commands
}

func TestAtomicResponderUnderStalls(t *testing.T) {
	answers, commands := randomAnswers(1000)
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, rdmap.AtomicResponder(streamsOf(8)), 1)
		b.stall(idle, pressure)
		send(b, "response", answers...)
		b.rest(50)
		same(t, commands, received[txCommandBeat](b, "command"))
	})
}

// One response per cycle, in the cycle in which it arrives.
func TestAtomicResponderRate(t *testing.T) {
	answers, commands := randomAnswers(1000)
	b := openRig(t, rdmap.AtomicResponder(streamsOf(8)), 1)
	send(b, "response", answers...)
	b.rest(50)
	gapless(t, b.stream("response").at)
	assert.Equal(t, b.stream("response").at, b.stream("command").at)
	assert.Len(t, b.stream("command").at, len(commands))
}
