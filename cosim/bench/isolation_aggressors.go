package bench

import (
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// aggressor is a stream that loads one resource as heavily as it can. The names are those of --aggressor.
type aggressor struct {
	name, resource string
	victims        mix
	shares         bool                     // it uses what limits the victims, so its fair 1/64 of that is not theirs
	prepare        func(*rnic.Device) error // memory and tables
	behave         func() behavior
	holds          string // port that its host does not serve
	exception      string // why the row may miss its bars
	commit         bool   // the engine has the extension commit
	far            bool   // the engine knows that the aggressor's region is far memory
}

// The aggressor has a region of its own, in memory that prepare may make slow or faulty, and one that it never uses.
const (
	aggressorRow     = 2
	aggressorSTag    = aggressorRow << 8
	aggressorBit     = 32
	aggressorAddress = 1 << aggressorBit
	commandRow       = 3
)

var aggressorRange = simulator.Range{First: aggressorAddress, Last: aggressorAddress + 1<<20 - 1, Reads: true, Writes: true}

// slowMemory takes 20 times as long for the aggressor's region as for others.
func slowMemory(d *rnic.Device) error {
	return d.Memory().SetSlow(simulator.Latency{Least: 20 * memoryLatency, Most: 20 * memoryLatency}, aggressorRange)
}

func faultyMemory(d *rnic.Device) error { return d.SetErrors(aggressorRange) }

const oneCompletionQueue = "one completion queue: all wait for a host that takes no completions"

// aggressors are the rows of the table.
func aggressors() []aggressor {
	fetchAdd := func(n uint64) []byte {
		return wire.AppendAtomicRequest(nil, uint32(n+1), wire.NewFetchAdd(uint32(n), aggressorSTag, n%64*8, 1, 0))
	}
	read := func(length uint32) func(n uint64) []byte {
		return func(n uint64) []byte {
			return wire.AppendReadRequest(nil, uint32(n+1), wire.ReadRequest{DataSinkSTag: 1, ReadMessageSize: length, DataSourceSTag: aggressorSTag, DataSourceTO: n % 8 * 64})
		}
	}
	alternate := func(n uint64) []byte {
		if n%2 == 0 {
			return fetchAdd(n)
		}
		return read(8)(n)
	}
	write := func(length int) func(n uint64) []byte {
		return func(n uint64) []byte {
			return wire.AppendWrite(nil, aggressorSTag, n%16*uint64(length), n%16 == 15, make([]byte, length))
		}
	}
	send := func(length int) func(n uint64) []byte {
		return func(n uint64) []byte {
			return wire.AppendSend(nil, spec.Send.Opcode(), 0, uint32(n+1), 0, true, make([]byte, length))
		}
	}
	longSend := func(n uint64) []byte { // 16 segments of 1 KiB
		return wire.AppendSend(nil, spec.Send.Opcode(), 0, uint32(n/16+1), uint32(n%16)<<10, n%16 == 15, make([]byte, 1<<10))
	}
	immediate := func(n uint64) []byte { return wire.AppendImmediate(nil, false, uint32(n+1), n) }
	badTag := func(uint64) []byte { return wire.AppendWrite(nil, 0xFFFF_FF00, 0, true, make([]byte, 8)) }
	badLong := func(uint64) []byte { return wire.AppendWrite(nil, 0xFFFF_FF00, 0, true, make([]byte, 1<<10)) }
	terminate := func(uint64) []byte { return wire.AppendTerminate(nil, wire.Terminate{}) }

	requests := func(next func(n uint64) []byte) func() behavior {
		return func() behavior { return &requester{next: next} }
	}
	floods := func(next func(n uint64) []byte, perMessage uint64) func() behavior {
		return func() behavior { return &flooder{next: next, perMessage: perMessage} }
	}
	ends := func(next func(n uint64) []byte) func() behavior {
		return func() behavior { return &ender{next: next} }
	}
	posts := func(op wire.Opcode, length uint32) func() behavior {
		return func() behavior { return &poster{opcode: op, length: length} }
	}
	return append([]aggressor{
		{name: "alternating", resource: "turns of the responder", victims: atomicsMix, shares: true, behave: requests(alternate)},
		{name: "reads-8", resource: "turns of the responder", victims: inboundMix, shares: true, behave: requests(read(8))},
		{name: "reads-32k", resource: "m_axis_tx", victims: atomicsMix, shares: true, behave: requests(read(32 << 10))},
		{name: "reads-32k-mixed", resource: "m_axis_tx, memory reads", victims: inboundMix, shares: true, behave: requests(read(32 << 10))},
		{name: "reads-slow", resource: "memory reads", victims: inboundMix, shares: true, far: true, prepare: slowMemory, behave: requests(read(1 << 10))},
		{name: "fetchadds-slow", resource: "atomics in progress", victims: inboundMix, shares: true, far: true, prepare: slowMemory, behave: requests(fetchAdd)},
		{name: "writes-slow", resource: "placement behind slow memory", victims: inboundMix, shares: true, far: true, prepare: slowMemory, behave: floods(write(1<<10), 0)},
		{name: "writes-1k", resource: "payload buffer", victims: inboundMix, shares: true, behave: floods(write(1<<10), 0)},
		{name: "writes-1", resource: "items in the delivery gate", victims: inboundMix, shares: true, behave: floods(write(1), 0)},
		{name: "sends-16k", resource: "payload buffer, receive ring", victims: inboundMix, shares: true, behave: floods(longSend, 16)},
		{name: "immediates", resource: "receive ring, completions", victims: inboundMix, shares: true, behave: floods(immediate, 1)},
		{name: "sends-unexpected", resource: "receive ring, Terminates", victims: inboundMix, shares: true, behave: ends(send(32))},
		{name: "invalid", resource: "segments discarded at line rate", victims: inboundMix, shares: true, behave: floods(badTag, 0)},
		{name: "invalid-1k", resource: "payload discarded", victims: inboundMix, shares: true, behave: floods(badLong, 0)},
		{name: "terminates-sent", resource: "Terminates, opens", victims: inboundMix, shares: true, behave: ends(badTag)},
		{name: "terminates-received", resource: "Terminates, opens", victims: inboundMix, shares: true, behave: ends(terminate)},
		{name: "write-errors", resource: "memory errors", victims: inboundMix, shares: true, prepare: faultyMemory, behave: ends(write(8))},
		{name: "read-errors", resource: "memory errors", victims: inboundMix, shares: true, prepare: faultyMemory, behave: ends(read(1 << 10))},
		{name: "atomic-errors", resource: "memory errors", victims: inboundMix, shares: true, prepare: faultyMemory, behave: ends(fetchAdd)},
		{name: "opens", resource: "opens and closes", victims: inboundMix, behave: func() behavior { return &commander{stream: true} }},
		{name: "stags", resource: "STag commands", victims: inboundMix, behave: func() behavior { return &commander{} }},
		{name: "invalidates", resource: "STag commands, delivery gate", victims: inboundMix, shares: true, prepare: invalidRegions, behave: func() behavior { return &invalidator{} }},
		{name: "receives-refused", resource: "receive ring, events", victims: inboundMix, behave: func() behavior { return &receiver{} }},
		{name: "work-waiting", resource: "work ring, ORD", victims: outboundMix, behave: posts(spec.ReadRequest.Opcode(), 8)},
		{name: "posted-writes-32k", resource: "m_axis_tx", victims: outboundMix, shares: true, behave: posts(spec.Write.Opcode(), 32<<10)},
		{name: "posted-sends", resource: "work ring, completions", victims: outboundMix, shares: true, behave: posts(spec.Send.Opcode(), 8)},
		{name: "posted-slow", resource: "memory reads", victims: outboundMix, shares: true, far: true, prepare: slowMemory, behave: posts(spec.Write.Opcode(), 1<<10)},
		{name: "no-completions", resource: "completions", victims: inboundMix, holds: "cqe", exception: oneCompletionQueue, behave: func() behavior { return silent{} }},
	}, commitAggressors()...)
}
