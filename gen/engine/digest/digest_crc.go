package digest

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// crcBeat is a beat of memory in a cycle in which Valid is 1.
type crcBeat struct {
	Valid   hdl.In `doc:"a beat"`
	Stream  hdl.In `doc:"number of the stream"`
	Data    hdl.In `doc:"octets of memory; the one at the lowest address in [7:0]"`
	First   hdl.In `doc:"first beat of a range"`
	Resumes hdl.In `doc:"first beat of a later turn of a range"`
	Leaves  hdl.In `doc:"last beat of a turn, but not of its range"`
	Last    hdl.In `doc:"last beat of a range"`
	Before  hdl.In `doc:"octets of the first beat before the range, decoded"`
	UpTo    hdl.In `doc:"octets of the last beat up to the end of the range, decoded"`
	Offset  hdl.In `doc:"octets of the first beat before the range"`
	End     hdl.In `doc:"octets of the last beat up to the end of the range; 0: all"`
	Wide    hdl.In `doc:"1: CRC-64/NVME, 0: CRC32C"`
	Failed  hdl.In `doc:"with the last beat of a turn: one of its beats could not be read"`
}

// crcState is the state after the last beat of a range, in a cycle in which Valid is 1.
type crcState struct {
	Valid  hdl.Out
	Stream hdl.Out `doc:"number of the stream"`
	State  hdl.Out `doc:"of the CRC after the beat; that of CRC32C in [31:0]"`
	End    hdl.Out `doc:"octets of the beat up to the end of the range; 0: all"`
	Wide   hdl.Out `doc:"1: CRC-64/NVME, 0: CRC32C"`
	Failed hdl.Out `doc:"the range could not be read"`
}

// CRCPorts are beats in, states out.
type CRCPorts struct {
	Beat  crcBeat
	Range crcState
}

const crcDoc = `digest_crc computes CRC32C and CRC-64/NVME of ranges of octets, a beat of memory per cycle, without stalls. The state after
the last beat of a range is there five cycles after the beat. Octets outside the range count as zeros: those before it are
made up for by another state to begin with, those after it by digest_multiply.

Ranges of several streams may take turns: the state after the last beat of a turn is stored in memory, and the beat that resumes the range reads it from there, four
cycles later at the earliest.

The polynomials are reflected. The octets of a beat to which the state is added go into the loop with it; what the others
contribute is ready a cycle before. Sums of octet bits are shared by bits of the state: NAME_N has those for bits N to N + 5.`

// crcResumes is how many cycles a beat that resumes follows the last one of the turn before.
const crcResumes = crcDone + 1 - crcParts

// Stages of the pipeline of a beat: its octets are masked, its sums made in two steps, what it contributes is known, and it is in the state.
const (
	crcEntered = iota
	crcMasked
	crcParts
	crcSums
	crcReady
	crcDone
)

// CRC is for buses of 8 to 128 octets.
func CRC(busBytes, streamBits int) hdl.Block[CRCPorts] {
	bit, place, count := hdl.NewIn(1), block.IndexWidth(busBytes), hdl.NewIn(hdl.PackedWidth(block.OctetCountOf(busBytes)))
	return hdl.Block[CRCPorts]{
		Kind: "digest_crc", Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}, {Name: "stream_bits", Value: streamBits}}, Doc: crcDoc,
		Ports: CRCPorts{
			Beat: crcBeat{Valid: bit, Stream: hdl.NewIn(streamBits), Data: hdl.NewIn(8 * busBytes), First: bit, Resumes: bit, Leaves: bit, Last: bit,
				Before: count, UpTo: count, Offset: hdl.NewIn(place), End: hdl.NewIn(place), Wide: bit, Failed: bit},
			Range: crcState{Valid: hdl.NewOut(1), Stream: hdl.NewOut(streamBits), State: hdl.NewOut(64), End: hdl.NewOut(place), Wide: hdl.NewOut(1), Failed: hdl.NewOut(1)}},
		Build: func(m *hdl.Module, p CRCPorts) { buildCRC(m, p, busBytes) },
	}
}

func buildCRC(m *hdl.Module, p CRCPorts, busBytes int) {
	b := p.Beat
	pipe := block.NewPipeline(m, b.Valid.Value, crcDone)
	holds := func(name string, v hdl.In) *block.Signal { return pipe.Holds(name, crcEntered, v.Value) }
	first, last, offset := holds("first", b.First), holds("last", b.Last), holds("offset", b.Offset)
	stream, resumes, leaves := holds("stream", b.Stream), holds("resumes", b.Resumes), holds("leaves", b.Leaves)
	end, wide, failed := holds("end", b.End), holds("wide", b.Wide), holds("failed", b.Failed)

	m.Section("Octets of the range; others are zero")
	before := m.Let("before_range", hdl.Unpack(block.OctetCountOf(busBytes), b.Before.Value).Below())
	upTo := m.Let("up_to_end", hdl.Unpack(block.OctetCountOf(busBytes), b.UpTo.Value).Below())
	every := func(v hdl.In) hdl.Value { return v.Replicate(busBytes) }
	from := m.Let("from_begin", before.And(every(b.First)).Not())
	keep := m.Let("keep", from.And(upTo.Or(every(b.Last).Not())))
	var octets []hdl.Value // most significant first
	for i := busBytes - 1; i >= 0; i-- {
		octets = append(octets, hdl.Mux(keep.Bit(i), b.Data.Slice(8*i+7, 8*i), hdl.Zero(8)))
	}
	data := pipe.Signal("octets", crcEntered, hdl.Cat(octets...)).At(crcMasked)
	isLeft := leftBits(busBytes)
	lowest := slices.Index(isLeft, true)
	left := pipe.Signal("rest", crcMasked, data.Slice(8*busBytes-1, lowest))
	for bit := lowest; bit < 8*busBytes; bit++ {
		if !isLeft[bit] {
			m.Unused("all sums have it in their first step", left.At(crcParts).Bit(bit-lowest))
		}
	}
	l := crcLoop{Module: m, pipe: pipe, busBytes: busBytes, octets: data, left: left,
		nearest: pipe.Signal("nearest", crcMasked, data.Truncate(64)), last: last.At(crcReady).Or(leaves.At(crcReady)),
		first: first.At(crcSums), offset: offset.At(crcSums)}
	m.Section("The states of ranges whose turn is over, with what failed of them in the top bit")
	saved := m.Memory("saved", 65, 1<<stream.At(crcParts).Width())
	old := saved.Read("resumed_q", pipe.Valid(crcParts), stream.At(crcParts), hdl.ReadOld)
	l.resumed = m.Let("resumed", old.And(resumes.At(crcSums).Replicate(65)))
	narrow, large := l.build(crc32c), l.build(crc64)
	wasFailed := pipe.Signal("failed_before", crcSums, l.resumed.Bit(64)).At(crcReady)
	opens := m.Let("opens_turn", hdl.AllOf(pipe.Valid(crcReady), first.At(crcReady).Or(resumes.At(crcReady))))
	failedBefore := m.Reg("turn_failed_before_q", 1, hdl.NoReset)
	m.OnClock(hdl.If(opens, failedBefore.Set(wasFailed)))
	fails := m.Let("fails", failed.At(crcDone).Or(failedBefore.Value))
	state := m.Let("state", hdl.Mux(wide.At(crcDone), large, narrow.ZeroExtend(64)))
	saved.Write(pipe.Valid(crcDone).And(leaves.At(crcDone)), stream.At(crcDone), hdl.Cat(fails, state))

	m.Section("The state after the last beat")
	m.Drive(p.Range.Valid, pipe.Valid(crcDone).And(last.At(crcDone)))
	m.Drive(p.Range.Stream, stream.At(crcDone))
	m.Drive(p.Range.State, state)
	m.Drive(p.Range.End, end.At(crcDone))
	m.Drive(p.Range.Wide, wide.At(crcDone))
	m.Drive(p.Range.Failed, fails)
	pipe.Close()
}
