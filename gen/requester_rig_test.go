package gen_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/engine/request"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// requesterRows is the number of rows in the STag table connected to the requester.
const requesterRows = 16

// requesterBench is a requester with an STag table.
type requesterBench struct {
	Work       hdl.Sink[engine.WorkRequest] `hdl:"wqe"`
	Opening    hdl.Sink[engine.Opening]
	Row        hdl.Sink[memory.STagWrite]
	Message    hdl.Source[engine.TxMessage]
	Expecting  hdl.Source[engine.Expecting]
	Sent       hdl.Sink[engine.TxReport]
	Answered   *hdl.Sink[engine.Answered]
	Ended      hdl.Sink[engine.Ended]
	Failed     hdl.Source[engine.Failure]
	Completion hdl.Source[engine.Completion]
}

func requesterWithTable(c engine.Config) hdl.Block[requesterBench] {
	requester, table := request.Requester(c), memory.STagTable(stagConfig(requesterRows))
	r := requester.Ports
	return hdl.Block[requesterBench]{
		Kind: "requester_bench", Doc: "requester_bench is for tests.",
		Ports: requesterBench{Work: r.Work, Opening: r.Opening, Row: table.Ports.Write, Message: r.Message, Expecting: r.Expecting, Sent: r.Sent,
			Answered: r.Answered, Ended: r.Ended, Failed: r.Failed, Completion: r.Completion},
		Build: func(m *hdl.Module, p requesterBench) {
			width := r.Local.Entry.Width()
			enable, index, entry, ready := m.Wire("enable", 1), m.Wire("index", 24), m.Wire("entry", width), m.Wire("table_ready", 1)
			m.Unused("of no use here", ready.Value)
			idle := func(name string) engine.STagPort {
				w := m.Wire(name+"_entry", width)
				m.Unused("of no use here", w.Value)
				return engine.STagPort{Enable: hdl.Zero(1).In(), Index: hdl.Zero(24).In(), Entry: w.Out()}
			}
			hdl.Instance(m, "stags", table, memory.STagTablePorts{Main: idle("main"), Invalidated: idle("invalidated"), Recheck: idle("recheck"),
				Local:      engine.STagPort{Enable: enable.In(), Index: index.In(), Entry: entry.Out()},
				Invalidate: hdl.Zero(1).In(), InvalidateIndex: hdl.Zero(24).In(), Write: p.Row, Ready: ready.Out()})
			hdl.Instance(m, "requester", requester, request.RequesterPorts{Work: p.Work, Opening: p.Opening,
				Local:   engine.STagLookup{Enable: enable.Out(), Index: index.Out(), Entry: entry.In()},
				Message: p.Message, Expecting: p.Expecting, Sent: p.Sent, Answered: p.Answered, Ended: p.Ended, Failed: p.Failed, Completion: p.Completion})
		},
	}
}

type (
	bufferBeat struct {
		STag uint32
		TO   uint64
	}
	workBeat struct {
		Stream   int
		ID       uint64
		Signaled bool
		Opcode   wire.Opcode
		Local    bufferBeat
		Length   uint32
		Remote   bufferBeat
		Atomic   struct {
			Opcode                           wire.AOpCode
			Data, Mask, Compare, CompareMask uint64
		}
	}
	rowBeat struct {
		Index uint32
		Entry struct {
			Valid  bool
			Key    uint8
			Rights struct {
				LocalRead, LocalWrite, RemoteRead, RemoteWrite, RemoteAtomic, Invalidate bool
			}
			ByDomain              bool
			Owner                 int
			Base, Length, Address uint64
		}
	}
	messageBeat struct {
		Stream, Kind int
		Number       uint32
		HeaderLength int
		Header       [70]byte
		Address      uint64
		Length       uint32
	}
	expectingBeat struct {
		Stream     int
		Executor   int
		Identifier uint32
		STag       uint32
		TO         uint64
		Length     uint32
	}
	reportBeat struct {
		Stream, Kind int
		Final        bool
		Dropped      bool
		Asks         bool
	}
	answeredBeat struct {
		Stream int
		Data   uint64
	}
	endedBeat      struct{ Stream int }
	completionBeat struct {
		Stream int
		ID     uint64
		Status int
		Opcode wire.Opcode
		Recv   bool
		Length uint32
		Data   uint64
		STag   uint32
	}
)

func isRequest(o wire.Opcode) bool { return o.Is(spec.Requests) }

// queueOf is the queue of an untagged message, or 3 for a tagged one.
func queueOf(o wire.Opcode) int {
	switch {
	case isRequest(o):
		return 1
	case o == wire.OpWrite:
		return 3
	}
	return 0
}

// octetsOf is the length in the completion of a work request.
func octetsOf(w workBeat) uint32 {
	switch w.Opcode {
	case wire.OpAtomicRequest, wire.OpImmediate, wire.OpImmediateSE:
		return 8
	}
	return w.Length
}

// domainOf is the protection domain of a stream.
func domainOf(stream int) int { return 0x5A00 + stream/2 }

// allowed is the reference for the check of the local buffer; it returns the address.
func (row rowBeat) allowed(stream int, at bufferBeat, length uint32, writes bool) (uint64, bool) {
	e := row.Entry
	if length == 0 {
		return 0, true
	}
	right := e.Rights.LocalRead
	if writes {
		right = e.Rights.LocalWrite
	}
	owner := stream
	if e.ByDomain {
		owner = domainOf(stream)
	}
	wraps := at.TO+uint64(length)-1 < at.TO
	inside := at.TO >= e.Base && at.TO-e.Base <= e.Length && uint64(length) <= e.Length-(at.TO-e.Base)
	return e.Address + at.TO - e.Base, e.Valid && e.Key == uint8(at.STag) && right && e.Owner == owner && !wraps && inside
}

// expectedOf is the announcement of a Read or Atomic to the receive side.
func expectedOf(w workBeat, msn uint32) expectingBeat {
	return expectingBeat{w.Stream, int(bitOf(w.Opcode == wire.OpAtomicRequest)), msn, w.Local.STag, w.Local.TO, octetsOf(w)}
}

// messagesOf is the reference: the message of a work request, or none if the check of its local buffer fails.
func messagesOf(w workBeat, msn uint32, rows map[uint32]rowBeat) (list []messageBeat, fails bool) {
	is, octets, writes := w.Opcode.Is, octetsOf(w), isRequest(w.Opcode)
	message := messageBeat{Stream: w.Stream, Kind: kindMessage, Number: uint32(bitOf(isRequest(w.Opcode)))}
	var header []byte
	switch {
	case w.Opcode == wire.OpReadRequest:
		header = wire.AppendReadRequest(nil, msn, wire.ReadRequest{DataSinkSTag: w.Local.STag, DataSinkTO: w.Local.TO, ReadMessageSize: w.Length,
			DataSourceSTag: w.Remote.STag, DataSourceTO: w.Remote.TO})
	case w.Opcode == wire.OpAtomicRequest:
		a := w.Atomic
		r := wire.AtomicRequest{AOpCode: a.Opcode, RequestIdentifier: msn, RemoteSTag: w.Remote.STag, RemoteTO: w.Remote.TO,
			Data: a.Data, Mask: a.Mask, CompareMask: ^uint64(0)}
		if a.Opcode == wire.CmpSwap {
			r.CompareData, r.CompareMask = a.Compare, a.CompareMask
		}
		if a.Opcode == wire.Swap {
			r.Mask = ^uint64(0)
		}
		header = wire.AppendAtomicRequest(nil, msn, r)
	case is(spec.Immediate):
		header, octets = wire.AppendImmediate(nil, w.Opcode == wire.OpImmediateSE, msn, w.Atomic.Data), 0
	case w.Opcode == wire.OpWrite:
		header, message.Length = wire.AppendWrite(nil, w.Remote.STag, w.Remote.TO, true, nil), octets
	case isSend(w.Opcode):
		var invalidate uint32
		if w.Opcode == wire.OpSendInv || w.Opcode == wire.OpSendSEInv {
			invalidate = w.Remote.STag
		}
		header, message.Length = wire.AppendSend(nil, w.Opcode, invalidate, msn, 0, true, nil), octets
	default:
		return nil, true
	}
	message.HeaderLength = copy(message.Header[:], header)
	address, ok := rows[w.Local.STag>>8].allowed(w.Stream, w.Local, octets, writes)
	if !ok {
		return nil, true
	}
	if message.Length > 0 {
		message.Address = address
	}
	return []messageBeat{message}, false
}

// isSend reports whether the opcode is one of the Sends.
func isSend(o wire.Opcode) bool { return o.Is(spec.Sends) }

// requesterTable has a region per protection domain, regions that lack one right, one at the end of the address space, one of
// 4 GiB, and some that may not be used at all.
func requesterTable() map[uint32]rowBeat {
	rows := map[uint32]rowBeat{}
	row := func(index uint32, change func(*rowBeat)) {
		r := rowBeat{Index: index}
		r.Entry.Valid, r.Entry.Key = true, uint8(0x40+index)
		r.Entry.Rights.LocalRead, r.Entry.Rights.LocalWrite = true, true
		r.Entry.ByDomain, r.Entry.Owner = true, domainOf(0)
		r.Entry.Base, r.Entry.Length, r.Entry.Address = 0x1_0000_0003+uint64(index)<<40, 1<<20, 0x2000_0001_0000+uint64(index)<<20+uint64(index)
		change(&r)
		rows[index] = r
	}
	row(0, func(r *rowBeat) {})
	row(1, func(r *rowBeat) { r.Entry.Owner = domainOf(2) })
	row(2, func(r *rowBeat) { r.Entry.ByDomain, r.Entry.Owner = false, 1 })
	row(3, func(r *rowBeat) { r.Entry.Rights.LocalRead = false })
	row(4, func(r *rowBeat) { r.Entry.Rights.LocalWrite = false })
	row(5, func(r *rowBeat) { r.Entry.Valid = false })
	row(6, func(r *rowBeat) { r.Entry.Base, r.Entry.Length = ^uint64(0)-4095, 4096 })
	row(7, func(r *rowBeat) {
		r.Entry.Rights = struct{ LocalRead, LocalWrite, RemoteRead, RemoteWrite, RemoteAtomic, Invalidate bool }{RemoteRead: true, RemoteWrite: true, RemoteAtomic: true, Invalidate: true}
	})
	row(8, func(r *rowBeat) { r.Entry.Length = 1 << 32 })
	return rows
}

// within returns a position in the region of a row such that length octets from there are inside.
func within(r *rand.Rand, row rowBeat, length uint32) bufferBeat {
	room := row.Entry.Length - min(row.Entry.Length, uint64(length))
	at := []uint64{0, room, room / 2, r.Uint64N(room + 1)}[r.IntN(4)]
	return bufferBeat{row.Index<<8 | uint32(row.Entry.Key), row.Entry.Base + at}
}

// notWork returns the opcodes that are invalid in a work request.
func notWork() (list []wire.Opcode) {
	for op := range wire.Opcode(16) {
		if !op.Is(spec.Segments &^ (spec.Responses | spec.Terminate)) {
			list = append(list, op)
		}
	}
	return list
}

// randomWork returns a work request; with a chance of bad in 256 it has an error.
func randomWork(r *rand.Rand, rows map[uint32]rowBeat, stream int, maxPayload, bad int) workBeat {
	opcodes := []wire.Opcode{wire.OpWrite, wire.OpReadRequest, wire.OpSend, wire.OpSendInv, wire.OpSendSE, wire.OpSendSEInv, wire.OpImmediate, wire.OpImmediateSE,
		wire.OpAtomicRequest, wire.OpWrite, wire.OpReadRequest, wire.OpAtomicRequest}
	w := workBeat{Stream: stream, ID: r.Uint64(), Signaled: r.IntN(3) > 0, Opcode: opcodes[r.IntN(len(opcodes))], Remote: bufferBeat{r.Uint32(), operand(r)}}
	p := uint32(maxPayload)
	w.Length = []uint32{0, 1, p - 1, p, p + 1, 2 * p, r.Uint32N(4 * p), r.Uint32N(4 * p), r.Uint32N(40 * p)}[r.IntN(9)]
	w.Atomic.Opcode = []wire.AOpCode{wire.FetchAdd, wire.CmpSwap, wire.Swap, 7}[r.IntN(4)]
	w.Atomic.Data, w.Atomic.Mask, w.Atomic.Compare, w.Atomic.CompareMask = operand(r), operand(r), operand(r), operand(r)
	home := rows[uint32(stream/2)]
	if stream == 1 && r.IntN(2) == 0 {
		home = rows[2]
	}
	w.Local = within(r, home, max(8, w.Length))
	if r.IntN(256) >= bad {
		return w
	}
	switch r.IntN(5) {
	case 0:
		w.Local.STag ^= 1 << r.IntN(32)
	case 1:
		w.Local = within(r, rows[r.Uint32N(8)], w.Length/2)
	case 2: // the last segments leave the region
		w.Local.TO = home.Entry.Base + home.Entry.Length - uint64(w.Length)/2
	case 3:
		w.Local.TO = home.Entry.Base - 1
	case 4:
		others := notWork()
		w.Opcode = others[r.IntN(len(others))]
	}
	return w
}

func requesterConfig() engine.Config {
	c := gen.Default().Engine()
	c.Streams, c.SendDepth, c.ORD, c.MaxPayload = 4, 4, 2, 256
	return c
}

// openRequester opens streams on a requester with a filled STag table.
func openRequester(t testing.TB, c engine.Config, streams ...int) *bench {
	b := open(t, requesterWithTable(c))
	fillRequester(b, streams...)
	return b
}

func fillRequester(b *bench, streams ...int) {
	for i := range uint32(requesterRows) {
		row := requesterTable()[i]
		row.Index = i
		push(b, "row", row)
	}
	for _, s := range streams {
		push(b, "opening", openingBeat{s, true, domainOf(s)})
	}
	b.run()
	require.Len(b.t, b.cycles("opening"), len(streams))
}

// stallOf stalls one stream in chance of 256 cycles.
func stallOf(b *bench, stream string, chance int) {
	b.t.Helper()
	require.NoError(b.t, b.engine.SetStall(b.lane(stream).index, simulator.Stall{Mode: simulator.StallRandom, Chance: chance}))
}

func anyWork(r *rand.Rand) workBeat {
	w := workBeat{ID: r.Uint64(), Signaled: r.IntN(2) == 0, Opcode: wire.Opcode(r.IntN(16)), Local: bufferBeat{r.Uint32(), r.Uint64()},
		Length: r.Uint32(), Remote: bufferBeat{r.Uint32(), r.Uint64()}}
	w.Atomic.Opcode = wire.AOpCode(r.IntN(16))
	w.Atomic.Data, w.Atomic.Mask, w.Atomic.Compare, w.Atomic.CompareMask = r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()
	return w
}
