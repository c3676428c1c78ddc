package falcon

import (
	"math/rand/v2"
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// T is a test while its case writes it.
type T struct {
	config suite.Config
	world  world
	group  suite.Group
	order  spec.BitOrder
	rand   *rand.Rand
	steps  []suite.Step
	memory *memory.Space // as it should be
	failed []uint32      // QPs that should be in Error

	// Numbers of the peer's next request: RSN, SN, RMSN of its next message and pull.
	rsn, sn, message, pull uint32
	// Of this side's next message and pull, and by CID of its next request.
	outMessage, outPull uint32
	out                 map[uint32]*next

	posted []uint64 // receives of the target's own queue that are not complete
}

// next holds the numbers of a connection's next request.
type next struct{ rsn, sn uint32 }

func newT(c suite.Config, w world, seed uint64, r *rand.Rand) *T {
	g := w.setUp(c, seed)
	n := g.Number
	t := &T{config: c, world: w, group: g, rand: r, memory: memory.NewSpace(), rsn: 0x100, sn: n, message: n, pull: n,
		outMessage: n, outPull: n, out: map[uint32]*next{}}
	for _, c := range g.Connections {
		t.out[c.CID] = &next{c.RSN, n}
	}
	t.order, _ = c.Order()
	for _, m := range g.Memory {
		t.memory.Write(uint64(m.Address), m.Fill())
	}
	return t
}

// test returns what has been written.
func (t *T) test(one *Case) suite.Test {
	out := suite.Test{Comment: one.Comment, Flags: one.Flags, Steps: t.steps, InError: []uint32{}}
	for _, q := range t.group.QPs {
		if slices.Contains(t.failed, q.QP) {
			out.InError = append(out.InError, q.QP)
		}
	}
	out.Memory, out.Digest = t.group.Changes(t.memory)
	return out
}

// step is a step to which outcomes are added.
type step struct {
	t  *T
	at int
}

func (t *T) give(s suite.Step) step {
	s.Expect = []suite.Expect{}
	t.steps = append(t.steps, s)
	return step{t, len(t.steps) - 1}
}

func (s step) get() *suite.Step { return &s.t.steps[s.at] }

func (s step) expect(e suite.Expect) step {
	s.get().Expect = append(s.get().Expect, e)
	return s
}

// breaks states the rules that the packet of the step breaks.
func (s step) breaks(rule string) step {
	s.get().Breaks = rule
	return s
}

// Receives and work requests use buffers of four MTUs, called slots, in the region local.
func (t *T) slot(n int) int { return 4 * n * t.config.MTU }

// buffer is an element in the region local.
func (t *T) buffer(offset, octets int) suite.Element {
	return suite.Element{Key: local, VA: suite.Hex64(localVA + offset), Length: uint32(octets)}
}

// receive posts a receive request with a slot as its buffer, on the target's queue or on its shared one.
func (t *T) receive(id uint64, slot int) step {
	return t.receiveInto(id, t.buffer(t.slot(slot), 4*t.config.MTU))
}

func (t *T) receiveInto(id uint64, local ...suite.Element) step {
	r := &suite.Receive{ID: suite.Hex64(id), Local: local}
	if n := t.sharedQueue(); n != nil {
		r.SRQ = n
	} else {
		r.QP = new(uint32(target))
		t.posted = append(t.posted, id)
	}
	return t.give(suite.Step{Receive: r})
}

// sharedQueue is the queue from which the target takes its receives; nil: its own.
func (t *T) sharedQueue() *uint32 {
	if t.world.service == xrc {
		return new(uint32(srq))
	}
	return t.group.QPs[0].SRQ
}

// octets returns random octets.
func (t *T) octets(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(t.rand.Uint32())
	}
	return b
}

// read returns octets of memory as it should be.
func (t *T) read(at uint64, n int) []byte { return t.memory.Append(nil, at, n) }

// place states that octets are written to memory.
func (t *T) place(at uint64, octets []byte) { t.memory.Write(at, octets) }

// octetsOf encodes a packet, with pad.
func (t *T) octetsOf(p packet.Packet) []byte { return p.Encode(nil, t.order) }
