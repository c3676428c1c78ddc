package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/require"
)

// target is node 1 of a bench without its link: the test is Falcon.
type target struct {
	*bench
	t    testing.TB
	e    *falcon.Engine
	sn   uint32
	rsn  uint32
	rmsn uint32 // of the next message that takes a receive
	pull uint32 // of the next pull
}

func newTarget(t testing.TB, s setup) *target {
	b := newBench(t, s, 1)
	return &target{bench: b, t: t, e: b.node[1], sn: 1, rmsn: 1, pull: 1}
}

// packet returns a valid packet with the next numbers. It has the largest payload of its kind.
func (g *target) packet(o spec.Opcode) packet.Packet {
	row, _ := o.Operation()
	p := packet.New(row)
	p.DestinationQP, p.SN, p.RMSN, p.SRQ, p.QKey, p.SourceQP = g.to[1], g.sn, g.rmsn, srqNumber, qKey, g.qp[0]
	p.VA, p.RKey, p.SinkVA, p.SinkKey = remoteVA, remoteKey, sinkAt, sinkKey
	if row.Position&(spec.Middle|spec.Last) != 0 && row.Packet == spec.PushRequest {
		p.Offset = mtu
	}
	if row.Packet == spec.PullRequest {
		p.RMSN, p.Length = g.pull, 8
	} else {
		p.Payload = make([]byte, mtu)
		for i := range p.Payload {
			p.Payload[i] = byte(i) + 1
		}
		p.Length = mtu
	}
	return p
}

// send encodes a packet and hands it to the engine.
func (g *target) send(p packet.Packet) falcon.Answer {
	row, _ := p.Opcode.Operation()
	return g.raw(row.Packet, p.Encode(nil, g.bits))
}

func (g *target) raw(t spec.PacketType, octets []byte) falcon.Answer {
	g.rsn++
	a := g.e.Receive(falcon.Request{CID: g.cid[1], RSN: g.rsn, Type: t, Octets: octets})
	require.Equal(g.t, g.cid[1], a.CID)
	require.Equal(g.t, g.rsn, a.RSN)
	return a
}

// good sends a valid packet, which is acknowledged and uses up its numbers.
func (g *target) good(o spec.Opcode) packet.Packet {
	p := g.packet(o)
	a := g.send(p)
	require.Equal(g.t, spec.Ack, a.Reply, "%v", o)
	g.sn++
	row, _ := o.Operation()
	if row.Packet == spec.PullRequest {
		g.pull++
	} else if row.Receives() && row.Position&spec.Ends != 0 {
		g.rmsn++
	}
	return p
}

// responses takes all responses.
func (g *target) responses() (list []packet.Packet) {
	for r, some := g.e.Respond(); some; r, some = g.e.Respond() {
		var p packet.Packet
		require.Equal(g.t, spec.None, p.Decode(r.Octets, g.bits))
		require.Equal(g.t, g.cid[1], r.CID)
		list = append(list, p)
	}
	return list
}

func (g *target) postReceive(id uint64, octets uint32) {
	g.receive(1, falcon.ReceiveRequest{ID: id, Local: buffer(uint32(id)*0x1000, octets)})
}
