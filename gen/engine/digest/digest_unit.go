package digest

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// axiID is the identifier of all reads.
const axiID = block.AXIPayload

const (
	bufferBeats  = 512 // room for beats that memory delivers: a block RAM of 72 bits has as many words
	requestDepth = 16  // requests that are accepted and not answered, besides those in registers
)

// DigestUnitPorts are requests in, responses out, and memory.
type DigestUnitPorts struct {
	Req      hdl.Sink[DigestRequest]
	Response hdl.Source[DigestResponse]
	Read     block.AXIReader `hdl:"m_axi"`
}

const digestUnitDoc = `digest_unit computes digests of ranges of memory behind AXI4: any number of octets, 0 to 2^32 - 1, from any address on,
modulo 2^64. A CRC takes a bus-wide beat per cycle. SHA-256 takes 68 cycles per 64 octets.

Requests are executed one after another, and responses leave in request order: a long range holds up the requests behind
it. Their beats are read meanwhile, as far as the buffer has room, 512 beats: memory delivers without gaps at a latency of
more than 400 cycles. A response is on offer from registers until it is taken. While a CRC is completed behind its last beat,
the beats of the next request go on; only the next last beat waits, up to 18 cycles behind that of a CRC-64/NVME and 10
behind that of a CRC32C. A CRC waits until a SHA-256 ahead of it has its last block.

All data from memory are accepted at once: room is reserved before a burst is offered. If memory does not deliver a beat (rresp not
OKAY), the other beats of the range are consumed all the same, failed is 1, and digest and differs are 0. No path leads
from an input to an output.`

// DigestUnit is for buses of 8 to 128 octets. tag is the prototype of what it hands from a request to its response; it may be nil.
func DigestUnit(c engine.Config, tag any) hdl.Block[DigestUnitPorts] {
	return hdl.Block[DigestUnitPorts]{
		Kind: "digest_unit", Params: c.Params("bus_bytes", "streams", "ird"), Doc: digestUnitDoc,
		Ports: DigestUnitPorts{Req: hdl.NewSink(DigestRequestOf(c, tag)), Response: hdl.NewSource(DigestResponseOf(c, tag)),
			Read: block.AXIReaderOf(c.BusBytes)},
		Build: func(m *hdl.Module, p DigestUnitPorts) {
			u := &digestUnit{Module: m, p: p, busBytes: c.BusBytes}
			u.build()
		},
	}
}

// digestUnit is shared by the parts of the block.
type digestUnit struct {
	*hdl.Module
	p        DigestUnitPorts
	busBytes int

	beats  hdl.Sink[bufferedBeat]
	jobs   hdl.Sink[digestJob]
	ticket hdl.Sink[ticket]
	checks hdl.Sink[check]
	hashes hdl.Sink[sha256Digest]

	hashFailed hdl.Value // of the oldest range of SHA-256
	taken      hdl.Value // a response is taken in this cycle
}

// bufferedBeat is a beat of memory in the buffer.
type bufferedBeat struct{ Failed, Data hdl.Value }

func (u *digestUnit) build() {
	m, p := u.Module, u.p
	freed, taken := m.Wire("beat_freed", 1), m.Wire("response_taken", 1)
	u.taken = taken.Value

	m.Section("A request: what its response needs waits, and its range is read")
	tickets, kept := hdl.NewStream(m, "ticket", ticketOf(p.Req.Data)), hdl.NewStream(m, "kept_ticket", ticketOf(p.Req.Data))
	proto := digestRange{hdl.Bits(algorithmBits), hdl.Bits(64), hdl.Bits(32)}
	ranges := hdl.NewStream(m, "range", proto)
	p.Req.Accept(m, ranges.Source().Ready.And(tickets.Source().Ready))
	tickets.Source().Drive(m, p.Req.Valid.And(ranges.Source().Ready), ticketOf(p.Req.Data))
	ranges.Source().Drive(m, p.Req.Valid.And(tickets.Source().Ready),
		digestRange{p.Req.Data.Algorithm, p.Req.Data.Address, p.Req.Data.Length})
	u.Unused("the oldest response says so", block.Buffer(m, "tickets", requestDepth, tickets.Sink(), kept.Source()))
	u.ticket = kept.Sink()

	job := digestJobOf(u.busBytes)
	fetched, queued, jobs := hdl.NewStream(m, "fetched", job), hdl.NewStream(m, "queued_job", job), hdl.NewStream(m, "next_job", job)
	hdl.Instance(m, "fetch", Fetch(u.busBytes), FetchPorts{Range: ranges.Sink(), AR: p.Read.AR, Job: fetched.Source(), Freed: freed.Value.In()})
	u.Unused("the executor asks for the next job", block.Buffer(m, "jobs", requestDepth, fetched.Sink(), queued.Source()))
	block.Between(m, "following", queued.Sink(), jobs.Source())
	u.jobs = jobs.Sink()

	m.Section("Beats from memory, whose room is reserved")
	r := p.Read.R
	r.Accept(m, hdl.Ones(1))
	m.Unused("used by the arbiter", r.Data.ID)
	m.Unused("the number of beats of a range is known", r.Data.Last)
	beat := bufferedBeat{Failed: r.Data.Resp.Any(), Data: r.Data.Data}
	beats := hdl.NewStream(m, "beat", beat)
	block.Roomy(m, "beats", bufferBeats, r.Valid, beat, beats.Source())
	u.beats = beats.Sink()

	left := m.Reg("beat_left_q", 1, hdl.ResetTo(0))
	m.OnClock(left.Set(u.execute()))
	m.Drive(freed.Out(), left.Value)
	m.Drive(taken.Out(), u.answer())
}
