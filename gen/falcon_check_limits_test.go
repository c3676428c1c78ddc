package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// writers opens all QPs for a peer each that only writes.
func (b *checkBench) writers() (list []*checkPeer) {
	b.begin(checkRegions())
	b.settle()
	for n := range b.c.Streams {
		b.close(n)
		p := b.alone(model.QPConfig{Number: uint32(n), Errors: spec.CompleteInError})
		p.only, p.plain = []spec.Kind{spec.Write}, true
		b.qp(p.q, checkDomain)
		b.messages = append(b.messages, newCheckMessages(p.q))
		list = append(list, p)
	}
	return list
}

// Numbers of placements do not wrap around to those in progress.
func TestFalconCheckUnfinishedPlacements(t *testing.T) {
	b := openCheck(t, checkConfig(), 1)
	peers := b.writers()
	b.slow = 256
	for i := range 3 << engine.PlacementBits {
		peers[i%len(peers)].packet(uint32(i))
	}
	for range 4 << engine.PlacementBits {
		b.clock()
		require.Less(t, b.put-b.placed, 1<<engine.PlacementBits)
	}
	require.Greater(t, b.put, 256)
	b.slow = 0
	b.settle()
}

// All QPs fail in consecutive cycles, behind which nothing leaves for a while.
func TestFalconCheckAllFail(t *testing.T) {
	b := openCheck(t, checkConfig(), 1)
	for before := 48; before < 64; before++ {
		peers := b.writers()
		b.rig.stream("arrival").chance = 256
		for i := range before {
			peers[i%len(peers)].packet(uint32(i))
		}
		for i, p := range peers {
			p.state.sn += 9
			p.packet(uint32(64 + i))
		}
		for range 200 {
			b.clock()
		}
		b.rig.stream("arrival").chance = 0
		b.settle()
	}
}

// The credit of a QP counts in whatever cycle it comes while another QP is closed.
func TestFalconCheckCreditDuringOpening(t *testing.T) {
	b := openCheck(t, checkConfig(), 1)
	r := &checkRound{checkBench: b}
	for wait := range 40 {
		b.begin(checkRegions())
		b.settle()
		b.close(1)
		p := b.alone(model.QPConfig{Number: 1, Errors: spec.CompleteInError})
		p.only = []spec.Kind{spec.Read}
		b.messages = []*checkMessages{newCheckMessages(p.q), newCheckMessages(p.q)}
		b.qp(p.q, checkDomain)
		for i := range b.c.IRD {
			p.packet(uint32(i))
		}
		b.settle()
		r.peers, r.credits = []*checkPeer{nil, p}, make([]int, 2)
		send(b.rig, "opening", openingBeat{Stream: 0})
		for range wait {
			b.clock()
		}
		for range b.c.IRD {
			r.credit(1)
		}
		b.settle()
		for i := range b.c.IRD {
			p.packet(uint32(8 + i))
		}
		b.settle()
	}
}
