package digest

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// crcBeat is a beat of memory in a cycle in which Valid is 1.
type crcBeat struct {
	Valid  hdl.In `doc:"a beat"`
	Data   hdl.In `doc:"octets of memory; the one at the lowest address in [7:0]"`
	First  hdl.In `doc:"first beat of a range"`
	Last   hdl.In `doc:"last beat of a range"`
	Before hdl.In `doc:"octets of the first beat before the range, decoded"`
	UpTo   hdl.In `doc:"octets of the last beat up to the end of the range, decoded"`
	Offset hdl.In `doc:"octets of the first beat before the range"`
	End    hdl.In `doc:"octets of the last beat up to the end of the range; 0: all"`
	Wide   hdl.In `doc:"1: CRC-64/NVME, 0: CRC32C"`
	Failed hdl.In `doc:"with the last beat: the range could not be read"`
}

// crcState is the state behind the last beat of a range, in a cycle in which Valid is 1.
type crcState struct {
	Valid  hdl.Out
	State  hdl.Out `doc:"of the CRC behind the beat; that of CRC32C in [31:0]"`
	End    hdl.Out `doc:"octets of the beat up to the end of the range; 0: all"`
	Wide   hdl.Out `doc:"1: CRC-64/NVME, 0: CRC32C"`
	Failed hdl.Out `doc:"the range could not be read"`
}

// CRCPorts are beats in, states out.
type CRCPorts struct {
	Beat  crcBeat
	Range crcState
}

const crcDoc = `digest_crc computes CRC32C and CRC-64/NVME of ranges of octets, a beat of memory per cycle, without stalls. The state behind
the last beat of a range is there five cycles after the beat. Octets outside the range count as zeros: those before it are
made up for by another state to begin with, those behind it by digest_multiply.

The polynomials are reflected. The octets of a beat to which the state is added go into the loop with it; what the others
contribute is ready a cycle before. Sums of octet bits are shared by bits of the state: NAME_N has those for bits N to N + 5.`

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
func CRC(busBytes int) hdl.Block[CRCPorts] {
	bit, place, count := hdl.NewIn(1), block.IndexWidth(busBytes), hdl.NewIn(hdl.PackedWidth(block.OctetCountOf(busBytes)))
	return hdl.Block[CRCPorts]{
		Kind: "digest_crc", Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}}, Doc: crcDoc,
		Ports: CRCPorts{
			Beat: crcBeat{Valid: bit, Data: hdl.NewIn(8 * busBytes), First: bit, Last: bit, Before: count, UpTo: count,
				Offset: hdl.NewIn(place), End: hdl.NewIn(place), Wide: bit, Failed: bit},
			Range: crcState{Valid: hdl.NewOut(1), State: hdl.NewOut(64), End: hdl.NewOut(place), Wide: hdl.NewOut(1), Failed: hdl.NewOut(1)}},
		Build: func(m *hdl.Module, p CRCPorts) { buildCRC(m, p, busBytes) },
	}
}

func buildCRC(m *hdl.Module, p CRCPorts, busBytes int) {
	b := p.Beat
	pipe := block.NewPipeline(m, b.Valid.Value, crcDone)
	holds := func(name string, v hdl.In) *block.Signal { return pipe.Holds(name, crcEntered, v.Value) }
	first, last, offset := holds("first", b.First), holds("last", b.Last), holds("offset", b.Offset)
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
		nearest: pipe.Signal("nearest", crcMasked, data.Truncate(64)), last: last.At(crcReady),
		first: first.At(crcSums), offset: offset.At(crcSums)}
	narrow, large := l.build(crc32c), l.build(crc64)

	m.Section("The state behind the last beat")
	m.Drive(p.Range.Valid, pipe.Valid(crcDone).And(last.At(crcDone)))
	m.Drive(p.Range.State, hdl.Mux(wide.At(crcDone), large, narrow.ZeroExtend(64)))
	m.Drive(p.Range.End, end.At(crcDone))
	m.Drive(p.Range.Wide, wide.At(crcDone))
	m.Drive(p.Range.Failed, failed.At(crcDone))
	pipe.Close()
}
