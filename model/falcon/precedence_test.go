package falcon_test

import (
	"slices"
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mistake makes a request break a rule. It can be combined with those of all later rules.
type mistake struct {
	rule   spec.Rule
	before func(g *target)
	change func(p *packet.Packet)
	octets func(b []byte) []byte
}

// otherCID is a connection of which no QP is.
const otherCID = 0x99

// addressing are the mistakes that a push and a pull can have first, ordering those that they can have after NoIRRQ.
var addressing = []mistake{
	{rule: spec.UnknownQP, change: func(p *packet.Packet) { p.DestinationQP = 0x999 }},
	{rule: spec.WrongCID},
	{rule: spec.WrongVersion, change: func(p *packet.Packet) { p.Version = 2 }},
}

var ordering = []mistake{
	{rule: spec.QPInError, before: func(g *target) { g.e.Fail(g.to[1]) }},
	{rule: spec.BehindRNR, before: func(g *target) { // the last packet of the Write waits
		require.Equal(g.t, spec.RNR, g.send(g.packet(0x09)).Reply)
		g.sn++
	}},
	{rule: spec.BadOpcode, octets: opcode(0x15)},
	{rule: spec.ShortHeaders, octets: func(b []byte) []byte { return b[:27] }},
	{rule: spec.SNGap, change: func(p *packet.Packet) { p.SN++ }},
	{rule: spec.OutOfPlace, before: func(g *target) { g.good(0x06) }},
	{rule: spec.BadRMSN, change: func(p *packet.Packet) { p.RMSN += 2 }},
}

// Of a request that breaks several rules the first counts (I-60, I-101, I-116, I-120).
func TestFirstRuleCounts(t *testing.T) {
	rights := mistake{rule: spec.RKeyUnknown, change: func(p *packet.Packet) { p.RKey = noKey }}
	for code, mistakes := range map[spec.Opcode][]mistake{
		0x0B: slices.Concat(addressing, ordering, []mistake{
			{rule: spec.NoReceive},
			{rule: spec.BadPayload, change: payload(mtu + 4)},
			{rule: spec.BadLength, change: func(p *packet.Packet) { p.Length++ }}, rights}),
		0x0C: slices.Concat(addressing, []mistake{
			{rule: spec.NoIRRQ, before: func(g *target) {
				for range g.irrq { // of a QP in Error
					require.Equal(g.t, spec.Ack, g.send(g.packet(0x14)).Reply)
				}
			}}}, ordering, []mistake{
			{rule: spec.BadPayload, octets: func(b []byte) []byte { return append(b, 0, 0, 0, 0) }},
			{rule: spec.BadLength, change: func(p *packet.Packet) { p.Length = mtu + 1 }}, rights}),
	} {
		for i, first := range mistakes {
			t.Run(must(code).Title+" "+first.rule.String(), func(t *testing.T) {
				g := newTarget(t, newSetup(spec.QPRC, spec.Strong, spec.Verbs))
				require.NoError(t, g.e.CreateConnection(falcon.ConnectionConfig{CID: otherCID, Window: 8, Ordered: true}))
				later := mistakes[i:]
				if first.rule > spec.NoReceive {
					g.postReceive(1, mtu)
				}
				for _, m := range slices.Backward(later) {
					if m.before != nil {
						m.before(g)
					}
				}
				p := g.packet(code)
				for _, m := range later {
					if m.change != nil {
						m.change(&p)
					}
				}
				octets := p.Encode(nil, g.bits)
				for _, m := range slices.Backward(later) {
					if m.octets != nil {
						octets = m.octets(octets)
					}
				}
				cid := g.cid[1]
				if first.rule <= spec.WrongCID {
					cid = otherCID
				}
				before := g.e.Broken(first.rule)
				g.e.Receive(falcon.Request{CID: cid, RSN: 1000, Type: must(code).Packet, Octets: octets})
				assert.Equal(t, before+1, g.e.Broken(first.rule))
			})
		}
	}
}
