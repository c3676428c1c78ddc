package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The last packet of a Send, or what takes its place, belongs to no operation that is known: the QP ends, and no receive is
// left over (I-116).
func TestLostOperation(t *testing.T) {
	for name, tt := range map[string]struct {
		rule   spec.Rule
		change func(p *packet.Packet)
		octets func(b []byte) []byte
		strong bool // only
	}{
		"short headers":   {rule: spec.ShortHeaders, octets: func(b []byte) []byte { return b[:14] }},
		"reserved opcode": {rule: spec.BadOpcode, octets: opcode(0x15)},
		"RMSN":            {rule: spec.BadRMSN, change: func(p *packet.Packet) { p.RMSN-- }},
		"First again":     {rule: spec.OutOfPlace, change: func(p *packet.Packet) { p.Opcode = 0x00 }, strong: true},
	} {
		for _, o := range []spec.Ordering{spec.Strong, spec.Weak} {
			if tt.strong && o != spec.Strong {
				continue
			}
			g := newTarget(t, newSetup(spec.QPRC, o, spec.CompleteInError))
			g.postReceive(1, 300)
			g.postReceive(2, 300)
			g.good(0x00)
			p := g.packet(0x02)
			if tt.change != nil {
				tt.change(&p)
			}
			octets := p.Encode(nil, g.bits)
			if tt.octets != nil {
				octets = tt.octets(octets)
			}
			assert.Equal(t, falcon.Answer{CID: g.cid[1], RSN: 2, Reply: spec.NRE, Code: spec.InvalidRequest}, g.raw(spec.PushRequest, octets), name)
			g.checkEnded(t, tt.rule)
		}
	}
}

// checkEnded checks that a rule ended the QP while two receives were waiting.
func (g *target) checkEnded(t *testing.T, rule spec.Rule) {
	assert.Equal(t, []falcon.Event{{QP: g.to[1], Rule: rule}}, g.events(1))
	_, received := g.completions(1)
	require.Len(t, received, 2)
	for n, c := range received {
		assert.Equal(t, falcon.Completion{QP: g.to[1], ID: uint64(n + 1), Receive: true, Status: falcon.Flushed}, c)
	}
}

// A payload that does not fit does not hide a wrong SN, RMSN or place: no message is ended by such a packet (I-116).
func TestWrongPlaceAndPayload(t *testing.T) {
	sizes := map[string]func(p *packet.Packet){"long": payload(mtu + 4), "empty": payload(0)}
	for name, size := range sizes {
		for _, tt := range []struct {
			rule   spec.Rule
			opcode spec.Opcode
			change func(p *packet.Packet)
			only   string
		}{
			{spec.SNGap, 0x02, func(p *packet.Packet) { p.SN += 64 }, "sw"},
			{spec.SNRepeated, 0x02, func(p *packet.Packet) { p.SN-- }, "sw"},
			{spec.SNRepeated, 0x01, func(p *packet.Packet) { p.SN-- }, "sw"},
			{spec.OutOfPlace, 0x08, func(*packet.Packet) {}, "s"},
			{spec.BadRMSN, 0x02, func(p *packet.Packet) { p.RMSN-- }, "sw"},
		} {
			for m := spec.Verbs; m <= spec.CompleteInError; m++ {
				for o := spec.Strong; o <= spec.Weak; o++ {
					if !contains(tt.only, "sw"[o]) {
						continue
					}
					g := newTarget(t, newSetup(spec.QPRC, o, m))
					g.postReceive(1, 300)
					g.postReceive(2, 300)
					g.good(0x00)
					p := g.packet(tt.opcode)
					size(&p)
					tt.change(&p)
					assert.Equal(t, spec.NRE, g.send(p).Reply, "%s %v", name, tt.rule)
					g.checkEnded(t, tt.rule)
				}
			}
		}
	}
}
