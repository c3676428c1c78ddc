package request

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// askedCount counts Reads and Atomics whose last segment was reported, like [Progress].
type askedCount struct{ Asked hdl.Value }

// asks is Asked of a state, if it has it.
func (u *sendCompletion) asks(count hdl.Value) any {
	if u.p.Answered == nil {
		return nil
	}
	return &askedCount{count}
}

// asked is Asked after an update with asks.
func (u *sendCompletion) asked(now SendState, asks any) any {
	if u.p.Answered == nil {
		return nil
	}
	return u.asks(now.Asked.(*askedCount).Asked.Add(asks.(*engine.Asking).Is.ZeroExtend(requestBits(u.c))))
}

// unanswered is how many Reads and Atomics were sent and have no response, of a stream whose responses are so many. A response may be
// counted before its request: then it is negative.
type unanswered struct{ hdl.Value }

func (u *sendCompletion) unanswered(of string, s SendState, responses hdl.Value) unanswered {
	return unanswered{u.Let("unanswered_of_"+of, s.Asked.(*askedCount).Asked.Sub(responses))}
}

func (n unanswered) isNegative() hdl.Value { return n.Bit(n.Width() - 1) }

// below is the end of those that may be complete. As long as the stream has not ended as many work requests as are unanswered are not.
func (u *sendCompletion) below(end hdl.Value, pipe *block.Pipeline, state SendState, seen *block.Signal) hdl.Value {
	if u.p.Answered == nil {
		return end
	}
	ahead := u.unanswered("turn", state, u.answersSeen(seen.At(stateRead)).Count)
	most := min(end.Width(), ahead.Width()-1)
	if most < ahead.Width()-1 {
		u.Unused("no more than there are work requests", ahead.Slice(ahead.Width()-2, most))
	}
	counts := state.Ended.Not().And(ahead.isNegative().Not()).Replicate(most)
	waiting := pipe.Signal("waiting", stateRead, ahead.Truncate(most).And(counts).ZeroExtend(end.Width()))
	return end.Sub(waiting.At(drainKnown))
}
