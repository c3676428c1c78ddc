package gen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/synth"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

const falconConnections = 8

// falconBeat is one transfer of a packet from Falcon.
type falconBeat struct {
	Tdata, Tkeep []byte
	Tlast        bool
	Tuser        spec.PacketType
	Tid          uint32
	Tdest        uint32
}

// octetsBeat is one transfer of payload.
type octetsBeat struct {
	Tdata, Tkeep []byte
	Tlast        bool
}

// falconTransaction identifies a packet.
type falconTransaction struct {
	Type spec.PacketType
	RSN  uint32
	CID  uint32
}

// falconChecks are the rules that a packet breaks, in their order.
type falconChecks struct{ ShortPacket, WrongVersion, BadOpcode, ShortHeaders, BadPayload bool }

// falconHeader is the fields of a record's headers; fields that several headers share hold that of the packet.
type falconHeader struct {
	CE, SE        bool
	Opcode        spec.Opcode
	DestinationQP uint32
	SN            uint32
	VA            uint64
	RKey          uint32
	Length        uint32
	Data, Compare uint64
	RMSN, Offset  uint32
	SinkVA        uint64
	LKey          uint32
	Word, SRQ     uint32
}

type falconRecord struct {
	Transaction   falconTransaction
	Checks        falconChecks
	HasPayload    bool
	PayloadLength uint32
	Header        falconHeader
}

// falconRecordOf is the record that a packet has, and its payload; of checks behind the first that it breaks, and of what they make
// meaningless, nothing is said.
func falconRecordOf(x falconTransaction, octets []byte, order spec.BitOrder) (r falconRecord, payload []byte) {
	r.Transaction = x
	var p packet.Packet
	if p.DecodeBase(octets, order) == spec.ShortPacket {
		r.Checks.ShortPacket = true
		return r, nil
	}
	r.Checks.WrongVersion = p.Version != spec.Version
	row, known := p.Opcode.Operation()
	if r.Checks.BadOpcode = !known || row.Packet != x.Type; r.Checks.BadOpcode {
		return r, nil
	}
	switch p.DecodeHeaders(octets, order) {
	case spec.ShortHeaders:
		r.Checks.ShortHeaders = true
		return r, nil
	case spec.BadPayload:
		r.Checks.BadPayload = true
	default:
		r.Checks.BadPayload = !row.Carries() && len(p.Payload) > 0 || row.Carries() && row.Position == spec.Last && len(p.Payload) == 0
	}
	h := &r.Header
	h.CE, h.SE, h.Opcode, h.DestinationQP, h.SN = p.CE, p.SE, p.Opcode, p.DestinationQP, p.SN
	h.VA, h.RKey, h.Length, h.Data, h.Compare = p.VA|p.Original, p.RKey, p.Length, p.Data, p.Compare
	h.RMSN, h.Offset, h.SinkVA, h.LKey, h.Word, h.SRQ = p.RMSN, p.Offset, p.SinkVA, p.SinkKey, p.Immediate|p.Invalidate, p.SRQ
	if row.Has(spec.DETH) {
		h.VA = uint64(p.QKey)<<32 | uint64(p.SourceQP)
	}
	r.HasPayload = row.Carries() && len(octets) > row.HeaderOctets()
	if r.HasPayload && !r.Checks.BadPayload {
		r.PayloadLength, payload = uint32(len(p.Payload)), p.Payload
	}
	return r, payload
}

// falconRun is the input of falcon_parser and the expected output.
type falconRun struct {
	order    spec.BitOrder
	busBytes int
	rx       []falconBeat
	records  []falconRecord
	payloads [][]byte // of the records with payload, nil if its octets are not specified
}

func (run *falconRun) add(x falconTransaction, octets []byte) {
	for _, b := range soiled(beatsOf(run.busBytes, 0, octets)) {
		run.rx = append(run.rx, falconBeat{b.Tdata, b.Tkeep, b.Tlast, x.Type, x.RSN, x.CID})
	}
	record, payload := falconRecordOf(x, octets, run.order)
	run.records = append(run.records, record)
	run.payloads = append(run.payloads, payload)
}

func (run *falconRun) open(t testing.TB) *bench {
	return run.openFor(t, falconConnections)
}

func (run *falconRun) openFor(t testing.TB, connections int) *bench {
	return open(t, falcon.Parser(run.order, run.busBytes, connections))
}

func (run *falconRun) check(t testing.TB, b *bench) {
	push(b, "s_axis_rx", run.rx...)
	b.run()
	records, packets := take[falconRecord](b, "m_record"), packetsOf(take[octetsBeat](b, "m_axis_payload"))
	require.Len(t, records, len(run.records))
	for i, r := range records {
		has := r.HasPayload
		meaningful(&r, run.records[i], run.order)
		require.Equal(t, run.records[i], r, "packet %d", i)
		if has {
			require.NotEmpty(t, packets, "payload of packet %d", i)
			if run.payloads[i] != nil {
				require.Equal(t, run.payloads[i], packets[0], "payload of packet %d", i)
			}
			packets = packets[1:]
		}
	}
	require.Empty(t, packets)
}

// meaningful clears what nothing is said about: checks and fields behind a broken check, and fields of headers that the packet does not have.
func meaningful(r *falconRecord, want falconRecord, order spec.BitOrder) {
	switch {
	case want.Checks.ShortPacket:
		*r = falconRecord{Transaction: r.Transaction, Checks: falconChecks{ShortPacket: r.Checks.ShortPacket}}
		return
	case want.Checks.BadOpcode, want.Checks.ShortHeaders:
		r.Header, r.HasPayload, r.PayloadLength, r.Checks.BadPayload = falconHeader{}, false, 0, false
		r.Checks.ShortHeaders = r.Checks.ShortHeaders && !want.Checks.BadOpcode
		return
	}
	row, _ := want.Header.Opcode.Operation()
	h := &r.Header
	clear32 := func(has bool, fields ...*uint32) {
		for _, f := range fields {
			if !has {
				*f = 0
			}
		}
	}
	if atomic := row.Has(spec.AtomicETH); !atomic {
		h.Data, h.Compare = 0, 0
	}
	if row.Has(spec.DETH) {
		h.VA = h.VA>>32<<32 | sourceQP(h.VA, order)
	} else if !row.Has(spec.RETH) && !row.Has(spec.AtomicETH) && !row.Has(spec.AtomicAckETH) {
		h.VA = 0
	}
	clear32(row.Has(spec.RETH) || row.Has(spec.AtomicETH), &h.RKey)
	clear32(row.Has(spec.RETH), &h.Length)
	clear32(row.Has(spec.SETH), &h.RMSN)
	clear32(row.Has(spec.OETH), &h.Offset)
	clear32(row.Has(spec.STETH), &h.LKey)
	clear32(row.Has(spec.ImmDt) || row.Has(spec.IETH), &h.Word)
	clear32(row.Has(spec.XRCETH), &h.SRQ)
	if !row.Has(spec.STETH) {
		h.SinkVA = 0
	}
	if !r.HasPayload || r.Checks.BadPayload {
		r.PayloadLength = 0
	}
}

// sourceQP is the number in the second word of DETH: its first 24 bits as drawn, its last ones mirrored.
func sourceQP(va uint64, order spec.BitOrder) uint64 {
	if order == spec.Drawn {
		va >>= 8
	}
	return va & 0xFFFFFF
}

// packetsOf joins beats.
func packetsOf(beats []octetsBeat) (packets [][]byte) {
	packet := []byte{}
	for _, b := range beats {
		for i, octet := range b.Tdata {
			if b.Tkeep[i/8]>>(i%8)&1 == 1 {
				packet = append(packet, octet)
			}
		}
		if b.Tlast {
			packets, packet = append(packets, packet), []byte{}
		}
	}
	return packets
}

// falconPacket returns a packet of a row with random fields and n octets after its headers, of which the last are pad.
func falconPacket(r *rand.Rand, row *spec.Operation, order spec.BitOrder, n int) []byte {
	p := packet.New(row)
	p.CE, p.SE, p.Pad = r.IntN(2) == 0, r.IntN(2) == 0, uint8(r.IntN(4))
	p.DestinationQP, p.SN = r.Uint32()>>8, r.Uint32()
	p.VA, p.RKey, p.Length, p.RMSN, p.Offset = r.Uint64(), r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()
	p.SinkVA, p.SinkKey, p.Immediate, p.Invalidate = r.Uint64(), r.Uint32(), r.Uint32(), r.Uint32()
	p.Data, p.Compare, p.Original, p.SRQ, p.QKey, p.SourceQP = r.Uint64(), r.Uint64(), r.Uint64(), r.Uint32()>>8, r.Uint32(), r.Uint32()>>8
	if n < int(p.Pad) || n%4 != 0 {
		p.Pad = 0
	}
	payload := make([]byte, n)
	for i := range payload {
		payload[i] = byte(r.Uint32())
	}
	octets := p.Encode(nil, order)
	base := p.EncodeBase(nil, order)
	return append(append(base, octets[len(base):row.HeaderOctets()]...), payload...)
}

// spoiledPacket is falconPacket with something wrong, half of the time: its end, version, opcode, pad, reserved bits or Falcon packet type.
func spoiledPacket(r *rand.Rand, row *spec.Operation, order spec.BitOrder, n int) (spec.PacketType, []byte) {
	octets, packetType := falconPacket(r, row, order, n), row.Packet
	switch r.IntN(12) {
	case 0:
		octets = octets[:r.IntN(len(octets)+1)]
	case 1:
		octets[r.IntN(4)] ^= 1 << r.IntN(8)
	case 2:
		spec.RBTH.Table(order).MustField("opcode").Set(octets, uint64(r.IntN(256)))
	case 3:
		spec.RBTH.Table(order).MustField("pad").Set(octets, uint64(r.IntN(4)))
	case 4:
		packetType = []spec.PacketType{spec.PullRequest, spec.PullData, spec.PushRequest}[r.IntN(3)]
	case 5:
		packetType = spec.PacketType(r.IntN(8))
	}
	return packetType, octets
}

func falconMix(order spec.BitOrder, bus, packets, longest int) *falconRun {
	return falconMixOf(falconConnections, order, bus, packets, longest)
}

func falconMixOf(connections uint32, order spec.BitOrder, bus, packets, longest int) *falconRun {
	r, run := random(18), &falconRun{order: order, busBytes: bus}
	for range packets {
		packetType, octets := spoiledPacket(r, &spec.Operations[r.IntN(len(spec.Operations))], order, r.IntN(longest+1))
		run.add(falconTransaction{packetType, r.Uint32(), r.Uint32N(connections)}, octets)
	}
	return run
}

// The bus is fully used: no cycle is lost between packets, whatever their types and lengths. Every packet type has every length up to three
// beats beyond its headers.
func TestFalconParserFullRate(t *testing.T) {
	for _, order := range []spec.BitOrder{spec.Drawn, spec.Mirrored} {
		for _, bus := range block.BusWidths {
			t.Run(fmt.Sprint(order, bus), func(t *testing.T) {
				r, run := random(19), falconMix(order, bus, 2000, 3*bus)
				for n := range 3*bus + 1 {
					for i := range spec.Operations {
						row := &spec.Operations[i]
						run.add(falconTransaction{row.Packet, r.Uint32(), r.Uint32N(falconConnections)}, falconPacket(r, row, order, n))
					}
				}
				b := run.open(t)
				run.check(t, b)
				s := b.stats("s_axis_rx")
				assert.Equal(t, s.Offered, s.Beats, "a beat was stalled")
			})
		}
	}
}

func TestFalconParserUnderStalls(t *testing.T) {
	for _, bus := range block.BusWidths {
		run := falconMix(spec.Drawn, bus, 300, 3*bus)
		t.Run(fmt.Sprint(bus), func(t *testing.T) {
			everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
				b := run.open(t)
				b.stall(idle, pressure)
				run.check(t, b)
			})
		})
	}
}

// One connection, whose CID has the width of one bit, and many.
func TestFalconParserConnections(t *testing.T) {
	for _, connections := range []uint32{1, 1024} {
		for _, bus := range []int{8, 64} {
			run := falconMixOf(connections, spec.Drawn, bus, 300, 3*bus)
			run.add(falconTransaction{spec.PushRequest, 1, connections - 1}, falconPacket(random(22), &spec.Operations[0], run.order, bus))
			run.check(t, run.openFor(t, int(connections)))
		}
	}
}

// The longest packet, then a short one: no counter overflows.
func TestFalconParserLongestPacket(t *testing.T) {
	for _, bus := range block.BusWidths {
		r, b := random(20), (&falconRun{busBytes: bus}).open(t)
		for _, name := range []spec.Opcode{0x00, 0x0A, 0x10, 0x13} {
			run := &falconRun{busBytes: bus}
			row, _ := name.Operation()
			run.add(falconTransaction{row.Packet, 1, 2}, falconPacket(r, row, run.order, (65535-row.HeaderOctets())&^3))
			run.add(falconTransaction{row.Packet, 2, 3}, falconPacket(r, row, run.order, 8))
			run.check(t, b)
		}
	}
}

// A reset in any cycle of a packet drops everything in progress.
func TestFalconParserReset(t *testing.T) {
	for _, bus := range []int{8, 64} {
		r, run := random(21), &falconRun{busBytes: bus}
		row := &spec.Operations[0]
		run.add(falconTransaction{row.Packet, 1, 2}, falconPacket(r, row, run.order, 3*bus))
		b := run.open(t)
		for cycles := range 2 * len(run.rx) {
			push(b, "s_axis_rx", run.rx...)
			b.step(cycles)
			b.reset()
			run.check(t, b)
		}
	}
}

// No tool has a warning, and the estimated delay on UltraScale+ stays below a limit.
func TestFalconParserInTools(t *testing.T) {
	t.Parallel()
	clean(t, falcon.Parser(spec.Drawn, 8, falconConnections))
	clean(t, falcon.Parser(spec.Mirrored, 64, falconConnections))
	d, err := hdl.Compile(falcon.Parser(spec.Drawn, 64, 64))
	require.NoError(t, err)
	target, err := synth.TargetNamed("xcup")
	require.NoError(t, err)
	r, err := synth.Run(d, target, synth.Options{Paths: 1})
	require.NoError(t, err)
	assert.LessOrEqual(t, r.Delay, 3.2, "%+v", r.Paths)
	assert.Greater(t, r.Delay, 0.7*3.2, "lower the limit")
}
