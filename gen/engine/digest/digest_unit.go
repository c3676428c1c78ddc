package digest

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

const (
	bufferBeats = 512 // room for beats that memory delivers, for each kind: a block RAM of 72 bits has as many words
	partsAhead  = 64  // for the CRCs that are asked for: as many full ones have room
	hashedParts = 2   // that are asked for: one is executed, the other one is read
)

// DigestUnitPorts are requests in, responses out, and memory.
type DigestUnitPorts struct {
	Req      hdl.Sink[DigestRequest]
	Response hdl.Source[DigestResponse]
	Read     block.AXIReader `hdl:"m_axi"`
}

const digestUnitDoc = `digest_unit computes digests of ranges of memory behind AXI4: any number of octets, 0 to 2^32 - 1, from any address,
modulo 2^64. A CRC takes a bus-wide beat per cycle. SHA-256 takes 68 cycles per 64 octets, beside the CRCs.

A stream has at most one request here. Ranges take turns: while others wait, one for a CRC has 8 beats, and up to 7 more
to a boundary; one for SHA-256, 512 octets. Beats are read ahead as far as the buffer has room, 512 beats, so that memory
delivers without gaps at a latency of more than 400 cycles; while short ranges arrive, less than 32 beats. A response is
on offer from registers until it is taken. While a CRC is completed after its last beat, the beats of the next range
continue; only the next last beat waits, up to 18 cycles after that of a CRC-64/NVME and 10 after that of a CRC32C.

All data from memory are accepted at once: room is reserved before a burst is offered. If memory does not deliver a beat
(rresp not OKAY), the other beats of the range are consumed all the same, failed is 1, and digest and differs are 0. No
path leads from an input to an output.`

// DigestUnit is for buses of 8 to 128 octets. tag is the prototype of what it hands from a request to its response; it may be nil.
func DigestUnit(c engine.Config, tag any) hdl.Block[DigestUnitPorts] {
	return hdl.Block[DigestUnitPorts]{
		Kind: "digest_unit", Params: c.Params("bus_bytes", "streams", "ird"), Doc: digestUnitDoc,
		Ports: DigestUnitPorts{Req: hdl.NewSink(DigestRequestOf(c, tag)), Response: hdl.NewSource(DigestResponseOf(c, tag)),
			Read: block.AXIReaderOf(c.BusBytes)},
		Build: func(m *hdl.Module, p DigestUnitPorts) {
			u := &digestUnit{Module: m, p: p, busBytes: c.BusBytes, streamBits: p.Req.Data.Stream.Width()}
			u.build()
		},
	}
}

// digestUnit is shared by the parts of the block.
type digestUnit struct {
	*hdl.Module
	p                    DigestUnitPorts
	busBytes, streamBits int
	lengthBits           int // of a part

	tickets *hdl.Memory
	ticket  ticket
	checks  hdl.Sink[check]
	hashes  hdl.Sink[sha256Digest]

	hashStream, hashFailed hdl.Value // of the digest of SHA-256
	completes, isWide      hdl.Value // the last beat of a range goes to its CRC; which one
	mayComplete            hdl.Reg   // the last beat of a range may go to its CRC
}

// bufferedBeat is a beat of memory in the buffer.
type bufferedBeat struct{ Failed, Data hdl.Value }

// FetcherOf reads the parts of both kinds.
func FetcherOf(busBytes, streamBits int) Fetcher {
	crc, hash := crcTurns(busBytes, streamBits), sha256Turns(streamBits)
	return Fetcher{BusBytes: busBytes, LengthBits: max(crc.octetBits, hash.octetBits) + 1, Part: hash.partOf()}
}

func (u *digestUnit) build() {
	m, p := u.Module, u.p
	forCRC, forHash := crcTurns(u.busBytes, u.streamBits), sha256Turns(u.streamBits)
	fetcher := FetcherOf(u.busBytes, u.streamBits)
	u.lengthBits = fetcher.LengthBits
	u.ticket = ticketOf(p.Req.Data)

	m.Section("A request: what its response needs is kept by stream, and its range waits for a turn")
	isHash := m.Let("asks_sha256", p.Req.Data.Algorithm.Is(AlgorithmSHA256))
	crcRanges, hashRanges := hdl.NewStream(m, "crc_range", forCRC.rangeOf()), hdl.NewStream(m, "sha256_range", forHash.rangeOf())
	mark := func(c cutter, v hdl.Value) waitingRange {
		return waitingRange{Stream: p.Req.Data.Stream, Mark: v, Begun: hdl.Zero(1), Address: p.Req.Data.Address, Length: p.Req.Data.Length}
	}
	crcRanges.Source().Drive(m, p.Req.Valid.And(isHash.Not()), mark(forCRC, p.Req.Data.Algorithm.Is(AlgorithmCRC64)))
	hashRanges.Source().Drive(m, p.Req.Valid.And(isHash), mark(forHash, p.Req.Data.Length))
	accepts := m.Let("accepts", hdl.Mux(isHash, hashRanges.Source().Ready, crcRanges.Source().Ready))
	p.Req.Accept(m, accepts)
	u.tickets = m.Memory("tickets", hdl.PackedWidth(u.ticket), 1<<u.streamBits)
	u.tickets.Write(p.Req.Valid.And(accepts), p.Req.Data.Stream, hdl.Pack(u.ticket))

	u.mayComplete = m.Reg("may_complete_q", 1, hdl.ResetTo(0))
	crcs, hashes, freed, credit := u.fetch(fetcher, crcRanges.Sink(), hashRanges.Sink())
	m.OnClock(freed.Set(u.executeCRC(crcs)), credit.Set(u.executeSHA256(hashes)))
	u.answer()
}

// fetch reads the parts of both kinds. It returns what they are with their beats, and registers for 1 in the cycle after one in which a
// beat for a CRC has left, or a part for SHA-256.
func (u *digestUnit) fetch(fetcher Fetcher, crcRanges, hashRanges hdl.Sink[waitingRange]) (crcs crcLane, hashes hashLane, freed, over hdl.Reg) {
	m, p := u.Module, u.p
	m.Section("Parts are read in turn; SHA-256, which is slow, goes first as far as its parts have room")
	forCRC, forHash := crcTurns(u.busBytes, u.streamBits), sha256Turns(u.streamBits)
	crcPart, hashPart := hdl.NewStream(m, "crc_part", part{forCRC.partOf(), hdl.Bits(64), hdl.Bits(forCRC.octetBits + 1)}),
		hdl.NewStream(m, "sha256_part", part{forHash.partOf(), hdl.Bits(64), hdl.Bits(forHash.octetBits + 1)})
	hdl.Instance(m, "crc_turns", turns(forCRC), TurnsPorts{Range: crcRanges, Part: crcPart.Source()})
	hdl.Instance(m, "sha256_turns", turns(forHash), TurnsPorts{Range: hashRanges, Part: hashPart.Source()})
	freed, over = m.Reg("beat_left_q", 1, hdl.ResetTo(0)), m.Reg("sha256_part_left_q", 1, hdl.ResetTo(0))
	ranges, jobs := hdl.NewStream(m, "fetch_range", fetcher.rangeOf()), hdl.NewStream(m, "job", fetcher.jobOf())
	credit := m.Reg("sha256_room_q", 2, hdl.ResetTo(hashedParts))
	a, b := crcPart.Sink(), hashPart.Sink()
	isHash := m.Reg("reads_for_sha256_q", 1, hdl.ResetTo(0))
	m.Note("A CRC needs bit 0 of its mark only; others are always those of SHA-256.")
	wide := a.Data.Of
	wide.Mark = hdl.Cat(b.Data.Of.Mark.Slice(31, 1), wide.Mark)
	widened := func(hashed hdl.Value, of partOf, q part) fetchRange {
		return fetchRange{Hashed: hashed, Of: of, Address: q.Address, Length: q.Length.ZeroExtend(u.lengthBits)}
	}
	chosen := m.Let("next_part", hdl.Mux(isHash.Value, hdl.Pack(widened(hdl.Ones(1), b.Data.Of, b.Data)), hdl.Pack(widened(hdl.Zero(1), wide, a.Data))))
	ranges.Source().Drive(m, isHash.Or(a.Valid), hdl.Unpack(fetcher.rangeOf(), chosen))
	takesHash := m.Let("takes_sha256_part", isHash.And(ranges.Source().Ready))
	b.Accept(m, takesHash)
	a.Accept(m, ranges.Source().Ready.And(isHash.Not()))
	m.OnClock(isHash.Set(hdl.AllOf(b.Valid, credit.Any(), takesHash.Not())), credit.Set(credit.Sub(takesHash.ZeroExtend(2)).Add(over.ZeroExtend(2))))
	hdl.Instance(m, "fetch", fetcher.Block(), FetchPorts{Range: ranges.Sink(), AR: p.Read.AR, Job: jobs.Source(), Freed: freed.Value.In()})

	m.Section("Parts that are read")
	j := jobs.Sink()
	behindBits := bits.Len(mostBeats - 1)
	if high := j.Data.Behind.Width(); high > behindBits {
		m.Unused("a part for a CRC is a burst; digest_words counts the beats for SHA-256", j.Data.Behind.Slice(high-1, behindBits))
	}
	of := j.Data.Of
	of.Mark = j.Data.Of.Mark.Bit(0)
	crcJobs := crcJob{Of: of, Empty: j.Data.Range.Empty, Offset: j.Data.Range.Offset, End: j.Data.Range.End, Behind: j.Data.Behind.Truncate(behindBits)}
	hashJobs := hashJob{Of: j.Data.Of, Offset: j.Data.Range.Offset, Length: j.Data.Range.Length}
	crcJobOf, hashJobOf := hdl.NewStream(m, "crc_job", crcJobs), hdl.NewStream(m, "sha256_job", hashJobs)
	queued, crcNext, hashNext := hdl.NewStream(m, "queued_crc_job", crcJobs), hdl.NewStream(m, "next_crc_job", crcJobs), hdl.NewStream(m, "next_sha256_job", hashJobs)
	crcJobOf.Source().Drive(m, j.Valid.And(j.Data.Hashed.Not()), crcJobs)
	hashJobOf.Source().Drive(m, j.Valid.And(j.Data.Hashed), hashJobs)
	j.Accept(m, hdl.Mux(j.Data.Hashed, hashJobOf.Source().Ready, crcJobOf.Source().Ready))
	m.Unused("the executors ask for the next job", block.Buffer(m, "crc_jobs", partsAhead, crcJobOf.Sink(), queued.Source()),
		block.Buffer(m, "sha256_jobs", hashedParts, hashJobOf.Sink(), hashNext.Source()))
	block.Between(m, "following", queued.Sink(), crcNext.Source())

	m.Section("Beats from memory, whose room is reserved")
	r := p.Read.R
	r.Accept(m, hdl.Ones(1))
	m.Unused("the number of beats of a part is known", r.Data.Last)
	beat := bufferedBeat{Failed: r.Data.Resp.Any(), Data: r.Data.Data}
	beats, hashed := hdl.NewStream(m, "beat", beat), hdl.NewStream(m, "hashed_beat", beat)
	block.Roomy(m, "beats", bufferBeats, r.Valid.And(r.Data.ID.Not()), beat, beats.Source())
	block.Roomy(m, "hashed_beats", bufferBeats, r.Valid.And(r.Data.ID), beat, hashed.Source())
	return crcLane{beats.Sink(), crcNext.Sink()}, hashLane{hashed.Sink(), hashNext.Sink()}, freed, over
}
