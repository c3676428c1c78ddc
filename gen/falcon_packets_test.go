package gen_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

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

// falconEmptyEnds returns packets of every type, of whole beats and an empty one.
func falconEmptyEnds(bus int) *falconRun {
	r, run := random(23), &falconRun{busBytes: bus}
	for i := range spec.Operations {
		row := &spec.Operations[i]
		for range 8 { // pads differ
			n := (bus-row.HeaderOctets()%bus)%bus + bus*r.IntN(3)
			run.addEmptyEnd(falconTransaction{row.Packet, r.Uint32(), r.Uint32N(falconConnections)}, falconPacket(r, row, run.order, n))
		}
	}
	return run
}

// checkWithoutRecords sends the same packet twice; while the second arrives, its record is not accepted.
func (run *falconRun) checkWithoutRecords(t testing.TB, b *bench) {
	row := &spec.Operations[0]
	run.add(falconTransaction{row.Packet, 1, 2}, falconPacket(random(25), row, run.order, 4*run.busBytes))
	run.check(t, b)
	arrived, left := b.stats("s_axis_rx").Beats, b.stats("m_axis_payload").Beats
	require.NoError(t, b.engine.SetStall(b.lane("m_record").index, simulator.Stall{Mode: simulator.StallRandom, Chance: 256}))
	push(b, "s_axis_rx", run.rx...)
	b.step(100)
	require.Equal(t, uint64(len(run.rx)), b.stats("s_axis_rx").Beats-arrived, "beats that enter")
	require.Equal(t, uint64(4), b.stats("m_axis_payload").Beats-left, "beats of payload that leave")
	require.NoError(t, b.engine.SetStall(b.lane("m_record").index, simulator.Stall{}))
	run.expect(t, b)
}
