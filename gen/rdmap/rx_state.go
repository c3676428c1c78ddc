package rdmap

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// rxState are the receive counts of a stream: one word of a memory.
type rxState struct {
	Domain      hdl.Value // protection domain
	ReceiveMsn  hdl.Value // next on queue 0
	Within      hdl.Value // inside a message of several segments on queue 0
	Opcode      hdl.Value // of that message
	Offset      hdl.Value // octets of that message so far
	Consumed    hdl.Value // receive requests used, modulo twice the ring
	RequestMsn  hdl.Value // next on queue 1
	ResponseMsn hdl.Value // of the next response that this node sends on queue 3
	ReplyMsn    hdl.Value // next on queue 3
	Awaited     hdl.Value // requests of this node that have been answered, modulo twice ORD
	Received    hdl.Value // octets of the response to the oldest Read so far
	Writing     hdl.Value // the last segment of an RDMA Write is missing
	Reading     hdl.Value // the last segment of an RDMA Read Response is missing
	Waiting     hdl.Value // requests wait for an incomplete message
}

func RxStateOf(c engine.Config) rxState {
	return rxState{Domain: hdl.Bits(engine.DomainBits), ReceiveMsn: hdl.Bits(32),
		Within: hdl.Bits(1), Opcode: hdl.Bits(c.Profile.OpcodeBits()), Offset: hdl.Bits(32), Consumed: hdl.Bits(block.IndexWidth(c.ReceiveDepth) + 1),
		RequestMsn: hdl.Bits(32), ResponseMsn: hdl.Bits(32), ReplyMsn: hdl.Bits(32), Awaited: hdl.Bits(block.IndexWidth(c.ORD) + 1),
		Received: hdl.Bits(32), Writing: hdl.Bits(1), Reading: hdl.Bits(1), Waiting: hdl.Bits(1)}
}

// freshRxState is the state of a stream that has just been opened or closed.
func freshRxState(c engine.Config, domain hdl.Value) rxState {
	zero := RxStateOf(c)
	one := hdl.Const(32, 1)
	return rxState{Domain: domain, ReceiveMsn: one, Within: hdl.Zero(1), Opcode: hdl.Zero(c.Profile.OpcodeBits()),
		Offset: hdl.Zero(32), Consumed: hdl.Zero(zero.Consumed.Width()), RequestMsn: one, ResponseMsn: one, ReplyMsn: one,
		Awaited: hdl.Zero(zero.Awaited.Width()), Received: hdl.Zero(32), Writing: hdl.Zero(1), Reading: hdl.Zero(1),
		Waiting: hdl.Zero(1)}
}

// incomplete is 1 if a Send, RDMA Write or RDMA Read Response has started and its last segment is missing.
func (s rxState) incomplete() hdl.Value { return hdl.AnyOf(s.Within, s.Writing, s.Reading) }

// rxLife is the state of a stream that only valid segments change: one word of another memory, read two stages before the decision.
type rxLife struct {
	Open  hdl.Value // segments are accepted
	Place hdl.Value // number of its latest placement
}

func rxLifeOf() rxLife { return rxLife{Open: hdl.Bits(1), Place: hdl.Bits(engine.PlacementBits)} }
