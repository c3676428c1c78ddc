package gen_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/gen/falcon"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// alone is a peer of a QP.
func (b *checkBench) alone(q model.QPConfig) *checkPeer {
	q.Domain, q.MTU, q.CID, q.IRRQ, q.ORD, q.SendDepth = checkDomain, b.c.MaxPayload, q.Number^1, b.c.IRD, 1, 1
	return &checkPeer{Rand: b.rand, b: b, q: q, state: checkNumbers{sn: 1, rmsn: 1, pull: 1}}
}

// A packet for a QP that is being opened is refused and leaves nothing behind, in whatever cycle it comes.
func TestFalconCheckPacketsDuringOpening(t *testing.T) {
	for o := spec.Strong; o <= spec.Unordered; o++ {
		b := openCheck(t, checkConfig(), 1)
		for wait := range 12 {
			b.begin(checkRegions())
			b.close(0)
			p := b.alone(model.QPConfig{Ordering: o, Errors: spec.CompleteInError})
			fresh := p.state
			b.messages = []*checkMessages{newCheckMessages(p.q)}
			b.open(p.q, checkDomain, func() {
				for range wait {
					b.clock()
				}
				for i := range 2 {
					p.packet(uint32(i))
				}
			})
			p.state, p.sent = fresh, nil
			b.messages[0] = newCheckMessages(p.q)
			b.know(p.q)
			for i := range b.c.ReceiveDepth {
				send(b.rig, "post", listPostBeat{0, uint64(i), checkKey(1), checkVA + checkReceive, 1 << 10, false})
			}
			b.settle()
			for i := range 4 {
				p.packet(uint32(100 + i))
			}
			b.settle()
		}
	}
}

// A message of which a packet was refused invalidates no R-Key.
func TestFalconCheckLostMessages(t *testing.T) {
	b := openCheck(t, checkConfig(), 1)
	for range 60 {
		b.begin(checkRegions())
		b.close(0)
		p := b.alone(model.QPConfig{Errors: spec.CompleteInError})
		p.only, p.spoils, p.hostile = []spec.Kind{spec.Send, spec.Write}, []int{2, 7, 14}, 64
		b.messages = []*checkMessages{newCheckMessages(p.q)}
		b.qp(p.q, checkDomain)
		for i := range b.c.ReceiveDepth {
			send(b.rig, "post", listPostBeat{0, uint64(i), checkKey(1), checkVA + checkReceive, 1 << 10, false})
		}
		b.settle()
		for i := range 12 {
			p.packet(uint32(i))
		}
		b.settle()
	}
}

// Message Offset has 32 bits.
func TestFalconCheckLongMessage(t *testing.T) {
	c := checkConfig()
	c.MaxPayload = 4096
	c.Profile = falcon.Profile{Order: spec.Mirrored, Connections: 8, Window: 8}
	b := openCheck(t, c, 1)
	regions := checkRegions()
	long := regions[1]
	long.Length = 1 << 32
	regions[1] = long
	delete(regions, 2)
	b.begin(map[int]memory.Region{1: long})
	b.close(0)
	p := b.alone(model.QPConfig{Errors: spec.CompleteInError})
	p.only = []spec.Kind{spec.Send}
	b.messages = []*checkMessages{newCheckMessages(p.q)}
	b.qp(p.q, checkDomain)
	send(b.rig, "post", listPostBeat{0, 1, checkKey(1), checkVA + checkReceive, 1 << 20, false})
	b.settle()
	p.state.kind, p.state.parts, p.state.first = spec.Send, 40, 40
	for i := range 40 {
		p.packet(uint32(i))
	}
	b.settle()
}
