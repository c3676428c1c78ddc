package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Any packets in any order: each request gets an answer that its type allows, each accepted pull one response, each receive
// one completion, and only an error of a rule that ends a QP ends it.
func TestHostilePeer(t *testing.T) {
	for _, s := range setups {
		t.Run(s.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := s
				s.irrq = rapid.IntRange(1, 8).Draw(t, "irrq")
				b := newBench(t, s, 4)
				h := &hostile{bench: b, t: t, e: b.node[1], accepted: map[uint32]bool{}, posted: map[uint64]bool{}}
				for range rapid.IntRange(1, 60).Draw(t, "steps") {
					h.step()
				}
				h.check()
			})
		})
	}
}

type hostile struct {
	*bench
	t        *rapid.T
	e        *falcon.Engine
	rsn      uint32
	accepted map[uint32]bool // pulls without a response
	posted   map[uint64]bool // receives without a completion
	sn       uint32
}

func (h *hostile) step() {
	switch rapid.IntRange(0, 5).Draw(h.t, "step") {
	case 0:
		id := uint64(h.rsn)<<8 | uint64(len(h.posted))
		h.posted[id] = true
		h.receive(1, falcon.ReceiveRequest{ID: id, Local: buffer(0, uint32(rapid.IntRange(0, 200).Draw(h.t, "buffer")))})
		h.complete()
	case 1:
		h.respond()
	default:
		h.request()
	}
}

func (h *hostile) request() {
	row := rapid.SampledFrom(spec.Operations).Draw(h.t, "operation")
	if rapid.IntRange(0, 3).Draw(h.t, "own") > 0 { // mostly of the QP's service
		for row.Opcode.Service() != h.kind.Service() {
			row = rapid.SampledFrom(spec.Operations).Draw(h.t, "operation")
		}
	}
	p := packet.New(&row)
	small := rapid.Uint32Range(0, 4)
	h.sn += rapid.SampledFrom([]uint32{0, 1, 1, 1, 1, 2}).Draw(h.t, "sn")
	p.SN, p.DestinationQP, p.QKey, p.SRQ = h.sn, h.to[1], qKey, srqNumber
	p.RMSN, p.Offset = small.Draw(h.t, "rmsn"), mtu*small.Draw(h.t, "offset")
	p.VA, p.RKey = remoteVA+uint64(4*small.Draw(h.t, "va")), rapid.SampledFrom([]uint32{remoteKey, remoteKey, remoteKey, noKey, spareKey}).Draw(h.t, "key")
	p.Invalidate = spareKey
	p.CE = rapid.IntRange(0, 9).Draw(h.t, "ce") == 0
	p.Payload = make([]byte, rapid.SampledFrom([]int{0, 1, mtu, mtu, mtu, mtu + 1}).Draw(h.t, "payload"))
	p.Length = uint32(len(p.Payload))
	if !row.Carries() {
		p.Payload = nil
	}
	in := falcon.Request{CID: h.cid[1], RSN: h.rsn, Type: row.Packet, Octets: p.Encode(nil, h.bits)}
	h.rsn++
	switch rapid.IntRange(0, 15).Draw(h.t, "spoil") {
	case 0:
		at := rapid.IntRange(0, len(in.Octets)-1).Draw(h.t, "octet")
		in.Octets[at] ^= byte(1 << rapid.IntRange(0, 7).Draw(h.t, "bit"))
	case 1:
		in.Octets = in.Octets[:rapid.IntRange(0, len(in.Octets)).Draw(h.t, "cut")]
	}
	if in.Type == spec.PullData || rapid.IntRange(0, 15).Draw(h.t, "type") == 0 {
		in.Type = rapid.SampledFrom([]spec.PacketType{spec.PushRequest, spec.PullRequest}).Draw(h.t, "as")
	}
	before := h.e.InError(h.to[1])
	a := h.e.Receive(in)
	require.Equal(h.t, in.CID, a.CID)
	require.Equal(h.t, in.RSN, a.RSN)
	if in.Type == spec.PullRequest {
		require.Contains(h.t, []spec.Reply{spec.Ack, spec.RNR, spec.CID}, a.Reply)
		h.accepted[in.RSN] = a.Reply == spec.Ack
	} else {
		require.Contains(h.t, []spec.Reply{spec.Ack, spec.RNR, spec.CIE, spec.NRE, spec.CID}, a.Reply)
	}
	require.Equal(h.t, a.Reply == spec.NRE || a.Reply == spec.CIE, a.Code != spec.NoCode)
	after := h.e.InError(h.to[1])
	require.False(h.t, before && !after)
	require.Equal(h.t, after && !before, len(h.events(1)) == 1, "the host is told once")
	if h.kind == spec.QPUD {
		require.False(h.t, after)
		require.NotContains(h.t, []spec.Reply{spec.RNR, spec.CIE, spec.NRE}, a.Reply)
	}
	h.complete()
}

func (h *hostile) respond() {
	for r, some := h.e.Respond(); some; r, some = h.e.Respond() {
		require.True(h.t, h.accepted[r.RSN], "a response to RSN %d", r.RSN)
		delete(h.accepted, r.RSN)
		var p packet.Packet
		require.Equal(h.t, spec.None, p.Decode(r.Octets, h.bits))
		row, _ := p.Opcode.Operation()
		require.Equal(h.t, spec.PullData, row.Packet)
		require.Equal(h.t, h.qp[0], p.DestinationQP)
	}
}

func (h *hostile) complete() {
	sent, received := h.completions(1)
	require.Empty(h.t, sent)
	for _, c := range received {
		require.True(h.t, h.posted[c.ID], "receive %d completes", c.ID)
		delete(h.posted, c.ID)
	}
}

// check ends the QP: what is left completes, but for receives of a shared queue.
func (h *hostile) check() {
	h.e.Fail(h.to[1])
	h.respond()
	for rsn, open := range h.accepted {
		require.False(h.t, open, "RSN %d has no response", rsn)
	}
	h.complete()
	if h.kind != spec.QPXRCInitiator {
		require.Empty(h.t, h.posted)
	}
}

// FuzzReceive: no octets make an engine panic.
func FuzzReceive(f *testing.F) {
	for n, row := range spec.Operations {
		g := newTarget(f, newSetup(spec.QPRC, spec.Strong, spec.Verbs))
		p := g.packet(row.Opcode)
		f.Add(p.Encode(nil, spec.Drawn), uint8(n%len(setups)), row.Packet == spec.PullRequest)
	}
	f.Fuzz(func(t *testing.T, octets []byte, which uint8, pull bool) {
		b := newBench(t, setups[int(which)%len(setups)], 1)
		kind := spec.PushRequest
		if pull {
			kind = spec.PullRequest
		}
		b.receive(1, falcon.ReceiveRequest{Local: buffer(0, 100)})
		for rsn := range uint32(3) {
			b.node[1].Receive(falcon.Request{CID: b.cid[1], RSN: rsn, Type: kind, Octets: octets})
		}
		b.node[1].Respond()
		if b.kind != spec.QPUD {
			b.post(t, 0, falcon.WorkRequest{Kind: spec.Read, Local: sink(0, 8), RKey: 1})
			r, _ := b.node[0].Transmit(b.qp[0])
			b.node[0].Answered(falcon.Response{CID: r.CID, RSN: r.RSN, Octets: octets})
		}
	})
}
