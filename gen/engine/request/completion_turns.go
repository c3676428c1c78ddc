package request

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// completionRun is what of a stream may be complete: Count work requests from Oldest on.
type completionRun struct {
	Stream   hdl.Value
	Progress Progress `hdl:"-"`
	Count    hdl.Value
	Sent     hdl.Value // number of the first one that was not sent before the stream closed
	Answered hdl.Value
	Ended    hdl.Value // what does not succeed is flushed
	Lost     hdl.Value // one has not succeeded
	More     hdl.Value // there are more than Count
	Seen     hdl.Value // the state of the stream, and of its responses
}

// Stages of the two pipelines of send_completion.
const (
	stateRead  = 1 // of turns: the state of the stream
	drainKnown = 2 // whether all its messages are reported
	runKnown   = 3 // how many work requests are out

	entryRead = 2 // of work requests: its entry; whether it is done
	entryDone = 3 // it, and its response
	turnDone  = 4 // whether the token is retired
)

// completionDepth is how many completions the buffer holds, runDepth how many turns are prepared.
const (
	completionDepth = 8
	runDepth        = 8
)

func completionRunOf(c engine.Config) completionRun {
	number, request, bit := hdl.Bits(numberBits(c)), hdl.Bits(requestBits(c)), hdl.Bits(1)
	return completionRun{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Progress: ProgressOf(c), Count: hdl.Bits(bits.Len(completionTurn)), Sent: number, Answered: request,
		Ended: bit, Lost: bit, More: bit, Seen: hdl.Bits(seenBits(c))}
}

// complete completes work requests of streams with a token.
func (u *sendCompletion) complete() {
	m, c, p := u.Module, u.c, u.p
	runs := hdl.NewStream(m, "run", completionRunOf(c))
	queue := block.NewReserved(m, "run", runDepth, completionRunOf(c), runs.Source())
	m.Section("Turn: what of the stream is out")
	u.next.Accept(m, queue.Room)
	takes := m.Let("takes_token", u.next.Valid.And(queue.Room))
	pipe := block.NewNamedPipeline(m, "turn_", takes, runKnown)
	stream := pipe.Signal("token_stream", 0, u.next.Data.Stream)
	seen := pipe.Holds("seen", stateRead, u.see("seen", takes, stream.At(0)))
	before := hdl.Unpack(completedOf(c), u.completed.Read("seen_completed", takes, stream.At(0)))
	m.Unused("a token that has a turn exists", before.Retired)
	progress := pipe.Holds("progress", stateRead, hdl.Pack(before.Progress))
	m.Drive(p.Count, takes)
	m.Drive(p.CountStream, stream.At(0))
	state := u.sends(seen.At(stateRead))
	lost := pipe.Signal("has_lost", stateRead, state.Opened.Xor(before.Lost))
	m.Note("Abandoned work requests are out when all messages are reported.")
	drained := pipe.Signal("is_drained", stateRead, state.Reported.Eq(p.Made.Value))
	reported := pipe.Signal("reported", stateRead, state.Sent.Add(state.Late))
	left := u.sends(seen.At(drainKnown)).Abandoned
	end := m.Let("out", reported.At(drainKnown).Add(left.And(drained.At(drainKnown).Replicate(left.Width()))))
	end = u.below(end, pipe, state, seen)
	out := pipe.Signal("run_length", drainKnown, end.Sub(hdl.Unpack(ProgressOf(c), progress.At(drainKnown)).Oldest))
	last := u.sends(seen.At(runKnown))
	run := completionRun{Stream: stream.At(runKnown), Progress: hdl.Unpack(ProgressOf(c), progress.At(runKnown)), Count: least(out.At(runKnown), completionTurn), Sent: last.Sent,
		Answered: u.answersSeen(seen.At(runKnown)).Count, Ended: last.Ended, Lost: lost.At(runKnown),
		More: exceeds(out.At(runKnown), completionTurn), Seen: seen.At(runKnown)}
	queue.Drive(takes, hdl.Value{}, pipe.Valid(runKnown), run)
	pipe.Close()
	u.walk(runs.Sink())
	m.Section("Progress of streams, for what waits")
	looked := hdl.Unpack(completedOf(c), u.completed.Read("looked_up", p.Look.Value, p.LookStream.Value))
	m.Unused("of no use there", looked.Lost, looked.Retired)
	m.Drive(p.Progress, hdl.Pack(looked.Progress))
}
