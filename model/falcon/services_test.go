package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A request or response from another connection: invalid CID or nothing, and no trace in the QP (RoF 6.9).
func TestWrongCID(t *testing.T) {
	for _, kind := range []spec.QPType{spec.QPRC, spec.QPXRCInitiator} {
		for o := spec.Strong; o <= spec.Unordered; o++ {
			g := newTarget(t, newSetup(kind, o, spec.CompleteInError))
			require.NoError(t, g.e.CreateConnection(falcon.ConnectionConfig{CID: 0x99, Window: 8}))
			group := spec.Opcode(kind.Service()) << 5
			for _, code := range []spec.Opcode{0x04, 0x0A, 0x0B, 0x0C, 0x13} {
				g.postReceive(uint64(code), 100)
				p := g.packet(group | code)
				before := g.octets(1, remoteAt, mtu)
				a := g.e.Receive(falcon.Request{CID: 0x99, RSN: 3, Type: must(p.Opcode).Packet, Octets: p.Encode(nil, g.bits)})
				assert.Equal(t, falcon.Answer{CID: 0x99, RSN: 3, Reply: spec.CID}, a)
				assert.Equal(t, before, g.octets(1, remoteAt, mtu))
				assert.Empty(t, g.responses())
				_, received := g.completions(1)
				assert.Empty(t, received)
			}
			assert.EqualValues(t, 5, g.e.Broken(spec.WrongCID))
			for _, code := range []spec.Opcode{0x04, 0x0A, 0x0B, 0x0C, 0x13} { // the right connection still has all numbers
				g.good(group | code)
			}
			assert.Empty(t, g.events(1))

			i := newInitiator(t, newSetup(kind, o, spec.CompleteInError))
			require.NoError(t, i.e.CreateConnection(falcon.ConnectionConfig{CID: 0x99, Window: 8, RSN: 1}))
			i.work(falcon.WorkRequest{ID: 1, Kind: spec.Read, Local: sink(0, 4)})
			s := i.all()[0]
			p := packet.New(spec.Find(kind.Service(), spec.PullData, spec.Read, spec.Only, spec.Plain))
			p.DestinationQP, p.SN, p.SinkVA, p.SinkKey, p.Payload = i.qp[0], s.SN, s.SinkVA, s.SinkKey, []byte{1, 2, 3, 4}
			i.e.Answered(falcon.Response{CID: 0x99, RSN: s.RSN, Octets: p.Encode(nil, i.bits)})
			assert.EqualValues(t, 1, i.e.Broken(spec.WrongCID))
			done, _ := i.completions(0)
			assert.Empty(t, done)
			assert.Equal(t, make([]byte, 4), i.octets(0, sinkAt, 4))
			i.respond(s, nil)
			done, _ = i.completions(0)
			require.Len(t, done, 1)
			assert.Equal(t, falcon.Success, done[0].Status)
		}
	}
}

// An error of a datagram that is not one of its receive: dropped, acknowledged, counted (I-67).
func TestDatagramErrors(t *testing.T) {
	for _, tt := range []struct {
		rule   spec.Rule
		want   spec.Reply
		post   bool
		change func(p *packet.Packet)
	}{
		{spec.UnknownQP, spec.CID, true, func(p *packet.Packet) { p.DestinationQP = 1 }},
		{spec.WrongVersion, spec.Ack, true, func(p *packet.Packet) { p.Version = 3 }},
		{spec.BadOpcode, spec.Ack, true, func(p *packet.Packet) { p.Opcode = 0x04 }},
		{spec.BadPayload, spec.Ack, true, payload(mtu + 1)},
		{spec.BadQKey, spec.Ack, true, func(p *packet.Packet) { p.QKey++ }},
		{spec.NoReceive, spec.Ack, false, func(*packet.Packet) {}},
		{spec.BadOpcode, spec.CID, true, func(p *packet.Packet) { p.Opcode = 0x0C; p.Payload = nil }}, // a pull
	} {
		for o := spec.Strong; o <= spec.Unordered; o++ {
			for m := spec.Verbs; m <= spec.CompleteInError; m++ {
				if o == spec.Unordered && m == spec.Verbs {
					continue
				}
				g := newTarget(t, newSetup(spec.QPUD, o, m))
				if tt.post {
					g.postReceive(1, 40)
				}
				p := g.packet(0x64)
				tt.change(&p)
				a := g.send(p)
				assert.Equal(t, tt.want, a.Reply, "%v", tt.rule)
				assert.Zero(t, a.Code)
				assert.EqualValues(t, 1, g.e.Broken(tt.rule), "%v", tt.rule)
				assert.Empty(t, g.events(1))
				assert.Empty(t, g.responses())
				assert.False(t, g.e.InError(g.to[1]))
				_, received := g.completions(1)
				assert.Empty(t, received)
				if !tt.post {
					g.postReceive(1, 40)
				}
				p = g.packet(0x65) // any SN, in any mode
				p.SN, p.Payload, p.Immediate, p.SE = 77, []byte{9}, 5, true
				assert.Equal(t, spec.Ack, g.send(p).Reply)
				_, received = g.completions(1)
				assert.Equal(t, []falcon.Completion{{QP: g.to[1], ID: 1, Receive: true, Kind: spec.Send, Length: 1, Suffix: spec.Immediate, Immediate: 5,
					Solicited: true, SourceQP: g.qp[0]}}, received, "the receive is still there")
				assert.Equal(t, byte(9), g.octets(1, receiveAt+0x1000, 1)[0])
				g.e.Fail(g.to[1])
				assert.Equal(t, spec.Ack, g.send(g.packet(0x64)).Reply, "in Error")
			}
		}
	}
}

// A datagram that does not fit its receive ends it in error, and nothing else (I-67, I-110).
func TestDatagramDoesNotFit(t *testing.T) {
	for _, tt := range []struct {
		rule   spec.Rule
		local  []falcon.Element
		status falcon.Status
	}{
		{spec.TooLong, buffer(0, mtu-1), falcon.LengthError},
		{spec.TooLong, nil, falcon.LengthError},
		{spec.ReceiveBuffer, source(0, mtu), falcon.LocalProtection},
	} {
		for o := spec.Strong; o <= spec.Unordered; o++ {
			for _, shared := range []bool{false, true} {
				s := newSetup(spec.QPUD, o, spec.CompleteInError)
				s.shared = shared
				g := newTarget(t, s)
				g.receive(1, falcon.ReceiveRequest{ID: 1, Local: tt.local})
				g.postReceive(2, mtu)
				before := g.octets(1, receiveAt, mtu)
				assert.Equal(t, spec.Ack, g.send(g.packet(0x64)).Reply)
				assert.EqualValues(t, 1, g.e.Broken(tt.rule))
				assert.Equal(t, before, g.octets(1, receiveAt, mtu))
				assert.False(t, g.e.InError(g.to[1]))
				assert.Empty(t, g.events(1))
				good := g.good(0x64)
				_, received := g.completions(1)
				assert.Equal(t, []falcon.Completion{{QP: g.to[1], ID: 1, Receive: true, Status: tt.status},
					{QP: g.to[1], ID: 2, Receive: true, Kind: spec.Send, Length: mtu, SourceQP: g.qp[0]}}, received)
				assert.Equal(t, good.Payload, g.octets(1, receiveAt+0x2000, mtu))
			}
		}
	}
}

// Two UD QPs share two connections; the SNs are those of the connection (RoF 6.6.3, 8.2).
func TestSharedConnections(t *testing.T) {
	b := newBench(t, newSetup(spec.QPUD, spec.Strong, spec.Verbs), 1)
	e := b.node[0]
	require.NoError(t, e.CreateConnection(falcon.ConnectionConfig{CID: 0x77, Ordered: true, RSN: 50, Window: 1}))
	require.NoError(t, e.CreateQP(falcon.QPConfig{Number: 0x700, Type: spec.QPUD, Ordering: spec.Strong, MTU: mtu, IRRQ: 1, ORD: 1, SendDepth: 9, Domain: domain}))
	next := map[uint32][2]uint32{b.cid[0]: {1, 1}, 0x77: {1, 50}} // SN, RSN
	for n := range 8 {
		qp := []uint32{b.qp[0], 0x700}[n&1]
		cid := []uint32{b.cid[0], 0x77}[n>>1&1]
		require.NoError(t, e.Post(falcon.WorkRequest{QP: qp, Kind: spec.Send, Local: source(0, 1), Address: falcon.AddressHandle{CID: cid, QP: 0xABC, QKey: 4}}))
		r, some := e.Transmit(qp)
		require.True(t, some, "neither window nor credits apply")
		var p packet.Packet
		require.Equal(t, spec.None, p.Decode(r.Octets, b.bits))
		assert.Equal(t, cid, r.CID)
		assert.Equal(t, next[cid], [2]uint32{p.SN, r.RSN})
		assert.EqualValues(t, 0xABC, p.DestinationQP)
		assert.EqualValues(t, 4, p.QKey)
		assert.Equal(t, qp, p.SourceQP)
		next[cid] = [2]uint32{p.SN + 1, r.RSN + 1}
	}
	assert.Error(t, e.Post(falcon.WorkRequest{QP: 0x700, Kind: spec.Send, Address: falcon.AddressHandle{CID: 5}}))
}

// XRC: the queue that the first packet of a message names; an unknown one ends the message without a receive (I-112).
func TestXRC(t *testing.T) {
	for o := spec.Strong; o <= spec.Weak; o++ {
		g := newTarget(t, newSetup(spec.QPXRCInitiator, o, spec.CompleteInError))
		require.NoError(t, g.e.CreateSRQ(6))
		g.e.PostShared(6, falcon.ReceiveRequest{ID: 66, Local: buffer(0, 200)})
		g.postReceive(1, 200)

		p := g.packet(0xA0)
		p.SRQ = 6
		assert.Equal(t, spec.Ack, g.send(p).Reply)
		g.sn++
		p = g.packet(0xA2)
		p.SRQ = 0xFFFFFF
		assert.Equal(t, spec.Ack, g.send(p).Reply, "only the first packet counts")
		g.sn++
		g.rmsn++
		_, received := g.completions(1)
		require.Len(t, received, 1)
		assert.EqualValues(t, 66, received[0].ID)

		for _, code := range []spec.Opcode{0xA4, 0xAB, 0xA0} {
			p = g.packet(code)
			payload(mtu + 1)(&p) // not looked at
			p.SRQ = 5
			a := g.send(p)
			assert.Equal(t, spec.CIE, a.Reply)
			assert.Equal(t, spec.InvalidRequest, a.Code)
			g.sn++
			if code != 0xA0 {
				g.rmsn++
			}
		}
		assert.EqualValues(t, 3, g.e.Broken(spec.UnknownSRQ))
		p = g.packet(0xA2)
		p.SRQ, p.CE, p.Payload = 5, true, nil
		assert.Equal(t, spec.CIE, g.send(p).Reply)
		g.sn++
		g.rmsn++
		g.good(0xAA) // does not look at it
		p = g.packet(0xAC)
		p.SRQ = 5
		assert.Equal(t, spec.Ack, g.send(p).Reply, "nor does a pull")
		list := g.responses()
		require.Len(t, list, 1)
		assert.False(t, list[0].CE)
		g.sn++
		g.pull++
		g.good(0xA4)
		_, received = g.completions(1)
		require.Len(t, received, 1)
		assert.EqualValues(t, 1, received[0].ID)
		assert.Equal(t, falcon.Success, received[0].Status)

		g.good(0xAC)
		list = g.responses()
		assert.Equal(t, spec.Opcode(0xB0), list[0].Opcode)
		assert.Equal(t, g.qp[0], list[0].DestinationQP)
		require.Equal(t, spec.CID, g.send(func() packet.Packet { p := g.packet(0xA4); p.DestinationQP = g.qp[1]; return p }()).Reply, "an initiator")
	}
}
