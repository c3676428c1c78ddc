package falcon_test

import (
	"strings"
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Answers to a broken rule, written out once more: in Verbs compatible and in complete-in-error mode.
type answers struct {
	push, pull spec.Reply
	ends       bool
}

var (
	noQP    = [2]answers{{spec.CID, spec.CID, false}, {spec.CID, spec.CID, false}}
	refused = [2]answers{{spec.NRE, spec.Ack, true}, {spec.CIE, spec.Ack, false}}
	fatal   = [2]answers{{spec.NRE, spec.Ack, true}, {spec.NRE, spec.Ack, true}}
	again   = [2]answers{{spec.RNR, spec.RNR, false}, {spec.RNR, spec.RNR, false}}
	version = [2]answers{{spec.NRE, spec.CID, false}, {spec.NRE, spec.CID, false}}
	inError = [2]answers{{spec.NRE, spec.Ack, false}, {spec.NRE, spec.Ack, false}}
)

// breach is a request that breaks a rule.
type breach struct {
	rule    spec.Rule
	name    string
	opcode  spec.Opcode // of RC
	want    [2]answers
	code    spec.ULPCode
	only    string // orderings: s, w, u; empty: all
	before  func(g *target)
	change  func(p *packet.Packet)
	octets  func(b []byte) []byte
	as      spec.PacketType // 0: that of the opcode
	receive falcon.Status   // of the receive in complete-in-error mode
	buffer  uint32          // of the receive; 0: none is posted
}

var breaches = []breach{
	{rule: spec.ShortPacket, opcode: 0x04, want: noQP, octets: func(b []byte) []byte { return b[:11] }},
	{rule: spec.ShortPacket, name: "pull", opcode: 0x0C, want: noQP, octets: func([]byte) []byte { return nil }},
	{rule: spec.UnknownQP, opcode: 0x0A, want: noQP, change: func(p *packet.Packet) { p.DestinationQP = 0x999 }},
	{rule: spec.UnknownQP, name: "pull", opcode: 0x13, want: noQP, change: func(p *packet.Packet) { p.DestinationQP = 0x999 }},
	{rule: spec.WrongVersion, opcode: 0x0A, want: version, code: 0x61, change: func(p *packet.Packet) { p.Version = 2 }},
	{rule: spec.WrongVersion, name: "pull", opcode: 0x0C, want: version, change: func(p *packet.Packet) { p.Version = 0 }},
	{rule: spec.QPInError, opcode: 0x0A, want: inError, code: 0x63, before: func(g *target) { g.e.Fail(g.to[1]) }},
	{rule: spec.QPInError, name: "pull", opcode: 0x14, want: inError, before: func(g *target) { g.e.Fail(g.to[1]) }},
	{rule: spec.BehindRNR, opcode: 0x0A, want: again, only: "s", before: behind},
	{rule: spec.BehindRNR, name: "bad opcode", opcode: 0x0A, want: again, only: "s", before: behind, change: func(p *packet.Packet) { p.Opcode = 0x0B }, octets: func(b []byte) []byte { return b[:20] }},
	{rule: spec.BehindRNR, name: "pull", opcode: 0x0C, want: again, only: "s", before: behind},

	{rule: spec.BadOpcode, name: "reserved", opcode: 0x0A, want: fatal, code: 0x61, octets: opcode(0x15)},
	{rule: spec.BadOpcode, name: "reserved pull", opcode: 0x0C, want: fatal, octets: opcode(0x15)},
	{rule: spec.BadOpcode, name: "pull as push", opcode: 0x0C, as: spec.PushRequest, want: fatal, code: 0x61},
	{rule: spec.BadOpcode, name: "push as pull", opcode: 0x0A, as: spec.PullRequest, want: fatal},
	{rule: spec.BadOpcode, name: "response as pull", opcode: 0x10, as: spec.PullRequest, want: fatal},
	{rule: spec.BadOpcode, name: "UD", opcode: 0x64, want: fatal, code: 0x61},
	{rule: spec.BadOpcode, name: "XRC", opcode: 0xAA, want: fatal, code: 0x61},
	{rule: spec.BadOpcode, name: "SEND First", opcode: 0x00, only: "u", want: fatal, code: 0x61},
	{rule: spec.BadOpcode, name: "SEND Last with Invalidate", opcode: 0x16, only: "u", want: fatal, code: 0x61},
	{rule: spec.BadOpcode, name: "WRITE Last with Immediate", opcode: 0x09, only: "u", want: fatal, code: 0x61},
	{rule: spec.ShortHeaders, opcode: 0x0A, want: fatal, code: 0x61, octets: func(b []byte) []byte { return b[:27] }},
	{rule: spec.ShortHeaders, name: "pull", opcode: 0x0C, want: fatal, octets: func(b []byte) []byte { return b[:43] }},
	{rule: spec.BadPayload, name: "not padded", opcode: 0x0A, want: refused, code: 0x61, octets: func(b []byte) []byte { return b[:len(b)-1] }},
	{rule: spec.BadPayload, name: "above MTU", opcode: 0x0A, want: refused, code: 0x61, change: payload(mtu + 4)},
	{rule: spec.BadPayload, name: "short First", opcode: 0x06, want: refused, code: 0x61, change: payload(mtu - 4)},
	{rule: spec.BadPayload, name: "empty Last", opcode: 0x08, want: refused, code: 0x61, before: func(g *target) { g.good(0x06) }, change: payload(0)},
	{rule: spec.BadPayload, name: "SEND Only", opcode: 0x04, want: refused, code: 0x61, change: payload(mtu + 1), buffer: 200, receive: falcon.PeerError},
	{rule: spec.BadPayload, name: "pull with payload", opcode: 0x0C, want: refused, octets: func(b []byte) []byte { return append(b, 0, 0, 0, 0) }},
	{rule: spec.BadLength, opcode: 0x0A, want: refused, code: 0x61, change: func(p *packet.Packet) { p.Length++ }},
	{rule: spec.BadLength, name: "immediate", opcode: 0x0B, want: refused, code: 0x61, change: func(p *packet.Packet) { p.Length-- }, buffer: 1, receive: falcon.PeerError},
	{rule: spec.BadLength, name: "pull", opcode: 0x0C, want: refused, change: func(p *packet.Packet) { p.Length = mtu + 1 }},

	{rule: spec.SNGap, opcode: 0x0A, only: "s", want: fatal, code: 0x63, change: func(p *packet.Packet) { p.SN++ }},
	{rule: spec.SNGap, name: "window", opcode: 0x0A, only: "w", want: fatal, code: 0x63, change: func(p *packet.Packet) { p.SN += 64 }},
	{rule: spec.SNGap, name: "pull", opcode: 0x0C, only: "s", want: fatal, change: func(p *packet.Packet) { p.SN++ }},
	{rule: spec.SNRepeated, opcode: 0x0A, only: "sw", want: fatal, code: 0x63, before: func(g *target) { g.good(0x0A) }, change: func(p *packet.Packet) { p.SN-- }},
	{rule: spec.SNRepeated, name: "pull", opcode: 0x0C, only: "sw", want: fatal, before: func(g *target) { g.good(0x0A) }, change: func(p *packet.Packet) { p.SN-- }},
	{rule: spec.OutOfPlace, name: "Middle", opcode: 0x07, only: "s", want: fatal, code: 0x61},
	{rule: spec.OutOfPlace, name: "Last", opcode: 0x02, only: "s", want: fatal, code: 0x61, buffer: 200},
	{rule: spec.OutOfPlace, name: "First in a message", opcode: 0x06, only: "s", want: fatal, code: 0x61, before: func(g *target) { g.good(0x06) }},
	{rule: spec.OutOfPlace, name: "of another kind", opcode: 0x02, only: "s", want: fatal, code: 0x61, before: func(g *target) { g.good(0x06) }},
	{rule: spec.OutOfPlace, name: "pull in a message", opcode: 0x0C, only: "s", want: fatal, before: func(g *target) { g.good(0x06) }},
	{rule: spec.BadRMSN, name: "ahead", opcode: 0x04, only: "s", want: fatal, code: 0x61, change: func(p *packet.Packet) { p.RMSN++ }, buffer: 200},
	{rule: spec.BadRMSN, name: "0", opcode: 0x0B, want: fatal, code: 0x61, change: func(p *packet.Packet) { p.RMSN = 0 }, buffer: 200},
	{rule: spec.BadRMSN, name: "pull", opcode: 0x0C, want: fatal, change: func(p *packet.Packet) { p.RMSN = 0 }},
	{rule: spec.BadRMSN, name: "pull window", opcode: 0x0C, only: "wu", want: fatal, change: func(p *packet.Packet) { p.RMSN += 8 }},
	{rule: spec.BadRMSN, name: "pull again", opcode: 0x0C, want: fatal, before: func(g *target) { g.good(0x0C); g.responses() }, change: func(p *packet.Packet) { p.RMSN-- }},
	{rule: spec.NoReceive, opcode: 0x04, want: again},
	{rule: spec.NoReceive, name: "First", opcode: 0x00, only: "sw", want: again},
	{rule: spec.NoReceive, name: "immediate", opcode: 0x0B, want: again, change: func(p *packet.Packet) { p.RKey = noKey }},
	{rule: spec.NoReceive, name: "later", opcode: 0x04, only: "wu", want: again, change: func(p *packet.Packet) { p.RMSN += 1000 }},
	{rule: spec.NoReceive, name: "of a length error", opcode: 0x04, want: again, change: payload(mtu + 1)},
	{rule: spec.NoReceive, name: "immediate of a length error", opcode: 0x0B, want: again, change: func(p *packet.Packet) { p.Length++ }},
	{rule: spec.NoIRRQ, name: "pull", opcode: 0x0C, want: again, before: fill},
	{rule: spec.NoIRRQ, name: "in error", opcode: 0x0C, want: again, before: func(g *target) { fill(g); g.e.Fail(g.to[1]) }},

	{rule: spec.BadOffset, opcode: 0x04, want: refused, code: 0x61, change: func(p *packet.Packet) { p.Offset = 4 }, buffer: 200, receive: falcon.PeerError},
	{rule: spec.BadOffset, name: "Last at 0", opcode: 0x02, only: "w", want: refused, code: 0x61, before: func(g *target) { g.good(0x00) }, change: func(p *packet.Packet) { p.Offset = 0 }, buffer: 200, receive: falcon.PeerError},
	{rule: spec.BadOffset, name: "between", opcode: 0x02, only: "w", want: refused, code: 0x61, before: func(g *target) { g.good(0x00) }, change: func(p *packet.Packet) { p.Offset = mtu + 4 }, buffer: 200, receive: falcon.PeerError},
	{rule: spec.BadOffset, name: "gap", opcode: 0x02, only: "s", want: refused, code: 0x61, before: func(g *target) { g.good(0x00) }, change: func(p *packet.Packet) { p.Offset = 2 * mtu }, buffer: 200, receive: falcon.PeerError},
	{rule: spec.TooLong, opcode: 0x04, want: refused, code: 0x61, buffer: mtu - 1, receive: falcon.LengthError},
	{rule: spec.ReceiveBuffer, opcode: 0x04, want: refused, code: 0x63, buffer: 200, receive: falcon.LocalProtection, before: func(g *target) {
		r, _ := g.e.Region(4)
		r.Rights = memory.LocalRead
		require.NoError(g.t, g.e.SetRegion(4, r))
	}},
	{rule: spec.RKeyUnknown, opcode: 0x0A, want: refused, code: 0x62, change: func(p *packet.Packet) { p.RKey = noKey }},
	{rule: spec.RKeyUnknown, name: "read", opcode: 0x0C, want: refused, change: func(p *packet.Packet) { p.RKey = noKey }},
	{rule: spec.RKeyUnknown, name: "atomic", opcode: 0x13, want: refused, change: func(p *packet.Packet) { p.RKey = noKey }},
	{rule: spec.RKeyUnknown, name: "immediate", opcode: 0x0B, want: refused, code: 0x62, change: func(p *packet.Packet) { p.RKey = noKey }, buffer: 1, receive: falcon.PeerError},
	{rule: spec.RKeyOwner, opcode: 0x0A, want: refused, code: 0x62, change: func(p *packet.Packet) { p.RKey, p.VA = foreign, 0 }},
	{rule: spec.RKeyOwner, name: "read", opcode: 0x0C, want: refused, change: func(p *packet.Packet) { p.RKey, p.VA = foreign, 0 }},
	{rule: spec.RKeyRight, opcode: 0x0A, want: refused, code: 0x62, change: func(p *packet.Packet) { p.RKey, p.VA = readOnly, 0 }},
	{rule: spec.RKeyRight, name: "atomic", opcode: 0x14, want: refused, change: func(p *packet.Packet) { p.RKey, p.VA = readOnly, 0 }},
	{rule: spec.RKeyRight, name: "read", opcode: 0x0C, want: refused, change: func(p *packet.Packet) { p.RKey, p.VA = spareKey, 0 }},
	{rule: spec.VAWrap, opcode: 0x0A, want: refused, code: 0x62, change: func(p *packet.Packet) { p.VA = 1<<64 - 63 }},
	{rule: spec.VAWrap, name: "atomic", opcode: 0x14, want: refused, change: func(p *packet.Packet) { p.VA = 1<<64 - 7 }},
	{rule: spec.OutOfBounds, opcode: 0x0A, want: refused, code: 0x62, change: func(p *packet.Packet) { p.VA += areaSize - 63 }},
	{rule: spec.OutOfBounds, name: "read", opcode: 0x0C, want: refused, change: func(p *packet.Packet) { p.VA-- }},
	{rule: spec.RKeyOwner, name: "immediate", opcode: 0x0B, want: refused, code: 0x62, change: func(p *packet.Packet) { p.RKey, p.VA = foreign, 0 }, buffer: 1, receive: falcon.PeerError},
	{rule: spec.RKeyRight, name: "immediate", opcode: 0x0B, want: refused, code: 0x62, change: func(p *packet.Packet) { p.RKey, p.VA = readOnly, 0 }, buffer: 1, receive: falcon.PeerError},
	{rule: spec.VAWrap, name: "immediate", opcode: 0x0B, want: refused, code: 0x62, change: func(p *packet.Packet) { p.VA = 1<<64 - 63 }, buffer: 1, receive: falcon.PeerError},
	{rule: spec.OutOfBounds, name: "immediate", opcode: 0x0B, want: refused, code: 0x62, change: func(p *packet.Packet) { p.VA-- }, buffer: 1, receive: falcon.PeerError},
	{rule: spec.Misaligned, name: "atomic", opcode: 0x13, want: refused, change: func(p *packet.Packet) { p.VA += 4 }},
	{rule: spec.CannotInvalidate, opcode: 0x17, want: refused, code: 0x62, change: func(p *packet.Packet) { p.Invalidate = remoteKey }, buffer: 200, receive: falcon.PeerError},
}

func opcode(o spec.Opcode) func([]byte) []byte {
	return func(b []byte) []byte { b[3] = byte(o); return b } // drawn
}

func payload(n int) func(*packet.Packet) {
	return func(p *packet.Packet) { p.Payload, p.Length = make([]byte, n), uint32(n) }
}

// fill lets pulls take all entries of the IRRQ.
func fill(g *target) {
	for range g.irrq {
		g.good(0x14)
	}
}

// behind lets a Send wait for a receive.
func behind(g *target) {
	require.Equal(g.t, spec.RNR, g.send(g.packet(0x04)).Reply)
	g.sn++
}

// Every rule that a request can break, in every mode: the answer, what it changes, and that a QP that stays goes on.
func TestBreaches(t *testing.T) {
	shown := map[spec.Rule]bool{}
	for _, tt := range breaches {
		for o := spec.Strong; o <= spec.Unordered; o++ {
			for m := spec.Verbs; m <= spec.CompleteInError; m++ {
				if tt.only != "" && !contains(tt.only, "swu"[o]) || o == spec.Unordered && m == spec.Verbs {
					continue
				}
				shown[tt.rule] = true
				t.Run(tt.rule.String()+" "+tt.name+" "+o.String()+" "+m.String(), func(t *testing.T) { tt.test(t, newSetup(spec.QPRC, o, m)) })
			}
		}
	}
	for r := spec.ShortPacket; r < spec.Incomplete; r++ {
		special := r == spec.WrongCID || r == spec.BadQKey || r == spec.UnknownSRQ // have tests of their own
		assert.True(t, shown[r] != special, "%v", r)
	}
}

func contains(s string, c byte) bool { return strings.IndexByte(s, c) >= 0 }

func (tt breach) test(t *testing.T, s setup) {
	g := newTarget(t, s)
	if tt.buffer > 0 {
		g.postReceive(1, tt.buffer)
	}
	if tt.before != nil {
		tt.before(g)
	}
	p := g.packet(tt.opcode)
	if tt.change != nil {
		tt.change(&p)
	}
	row, _ := p.Opcode.Operation()
	as := row.Packet
	if tt.as != 0 || tt.name == "push as pull" || tt.name == "response as pull" {
		as = tt.as
	}
	octets := p.Encode(nil, g.bits)
	if tt.octets != nil {
		octets = tt.octets(octets)
	}
	ended := g.e.InError(g.to[1])
	before := g.octets(1, remoteAt, 0x1000)
	a := g.raw(as, octets)

	want := tt.want[s.errors]
	reply := want.push
	if as == spec.PullRequest {
		reply = want.pull
	}
	require.Equal(t, reply, a.Reply)
	code := spec.ULPCode(0)
	if a.Reply == spec.NRE || a.Reply == spec.CIE {
		code = tt.code
	}
	assert.Equal(t, code, a.Code)
	timeout := uint8(0)
	if a.Reply == spec.RNR {
		timeout = 9
	}
	assert.Equal(t, timeout, a.Timeout)
	assert.Equal(t, want.ends || ended, g.e.InError(g.to[1]))
	assert.NotZero(t, g.e.Broken(tt.rule))
	assert.Equal(t, before, g.octets(1, remoteAt, 0x1000), "memory does not change")
	events := g.events(1)
	if want.ends {
		require.Len(t, events, 1)
		assert.Equal(t, g.to[1], events[0].QP)
	} else {
		assert.Empty(t, events)
	}
	if as == spec.PullRequest && a.Reply == spec.Ack {
		g.checkCE(t, p, row, tt.rule)
	}
	tt.goesOn(t, g, a)
}

// checkCE checks the last response: CE, no payload, the STETH of the request unless its headers could not be read (I-63,
// I-108).
func (g *target) checkCE(t *testing.T, p packet.Packet, row *spec.Operation, rule spec.Rule) {
	list := g.responses()
	require.NotEmpty(t, list)
	r := list[len(list)-1]
	assert.True(t, r.CE)
	assert.Equal(t, p.SN, r.SN)
	assert.Equal(t, g.qp[0], r.DestinationQP)
	assert.Empty(t, r.Payload)
	assert.Zero(t, r.Original)
	if row.Kind&spec.Atomic != 0 {
		assert.Equal(t, spec.Opcode(0x12), r.Opcode)
	} else {
		assert.Equal(t, spec.Opcode(0x10), r.Opcode)
	}
	if rule == spec.BadOpcode || rule == spec.ShortHeaders {
		p.SinkVA, p.SinkKey = 0, 0
	}
	assert.Equal(t, p.SinkVA, r.SinkVA)
	assert.Equal(t, p.SinkKey, r.SinkKey)
}

// goesOn: a QP that is not in Error accepts the next Write, with the next SN if the request has used its own (I-61); the receive
// of the failed message is over if its last packet has arrived.
func (tt breach) goesOn(t *testing.T, g *target, a falcon.Answer) {
	_, received := g.completions(1)
	ended := g.e.InError(g.to[1])
	switch {
	case tt.buffer > 0 && ended:
		require.Len(t, received, 1)
		want := falcon.Flushed
		if tt.rule >= spec.BadPayload { // the message has its receive
			want = tt.receive
		}
		assert.Equal(t, want, received[0].Status)
	case tt.buffer > 0:
		require.Len(t, received, 1)
		assert.Equal(t, falcon.Completion{QP: g.to[1], ID: 1, Receive: true, Status: tt.receive}, received[0])
	default:
		assert.Empty(t, received)
	}
	if ended || g.ordering == spec.Strong && (a.Reply == spec.RNR || a.Reply == spec.CID) || g.ordering != spec.Unordered && tt.name == "short First" {
		return
	}
	if tt.rule != spec.WrongVersion && (a.Reply == spec.Ack || a.Reply == spec.NRE || a.Reply == spec.CIE) {
		g.sn++
	}
	if a.Reply == spec.Ack { // a pull, whose RMSN is used up
		g.pull++
	}
	g.good(0x0A)
	assert.Equal(t, g.packet(0x0A).Payload, g.octets(1, remoteAt, mtu))
	if tt.rule != spec.NoIRRQ {
		g.responses()
		g.good(0x0C)
		list := g.responses()
		require.Len(t, list, 1)
		assert.False(t, list[0].CE)
	}
}
