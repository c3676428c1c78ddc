package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
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

// All QPs fail in consecutive cycles, after which nothing leaves for a while.
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

// The credit of a QP counts in whatever cycle it arrives while another QP is closed.
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
		r.peers = []*checkPeer{nil, p}
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

// A message that has ended takes no packet with a higher SN, also where SN wraps.
func TestFalconCheckBehindEnd(t *testing.T) {
	b := openCheck(t, checkConfig(), 1)
	for last := uint32(10); last < 20; last++ {
		b.begin(checkRegions())
		b.ahead = 0xFFFF_FFF0
		b.close(0)
		p := b.alone(model.QPConfig{Ordering: spec.Weak, Errors: spec.CompleteInError})
		b.messages = []*checkMessages{newCheckMessages(p.q)}
		b.qp(p.q, checkDomain)
		send(b.rig, "post", listPostBeat{0, 1, checkKey(1), checkVA + checkReceive, 1 << 10, false})
		b.settle()
		push := func(sn uint32, k spec.Kind, at spec.Position) {
			x := packet.New(spec.Find(spec.RC, spec.PushRequest, k, at, spec.Plain))
			x.SN, x.RMSN, x.VA, x.RKey, x.Payload = sn, 1, checkVA+checkRemote, checkKey(2), make([]byte, b.c.MaxPayload)
			x.Length = uint32(len(x.Payload))
			b.packet(checkPacket{falconTransaction{Type: spec.PushRequest, RSN: sn, CID: p.q.CID}, x.Encode(nil, b.order())})
		}
		for sn := uint32(1); sn < last; sn++ {
			push(sn, spec.Write, spec.Only)
		}
		push(last, spec.Send, spec.Only)
		push(last+1, spec.Send, spec.First)
		b.settle()
		require.EqualValues(t, last-10+1, b.seen[spec.BadRMSN])
	}
}

// A packet that ends at 2^32 octets of its message, or after it, is too long for any receive.
func TestFalconCheckLongestMessage(t *testing.T) {
	b := openCheck(t, checkConfig(), 1)
	for i, at := range []spec.Position{spec.Middle, spec.Last} {
		b.begin(checkRegions())
		b.close(0)
		p := b.alone(model.QPConfig{Ordering: spec.Weak, Errors: spec.CompleteInError})
		b.messages = []*checkMessages{newCheckMessages(p.q)}
		b.qp(p.q, checkDomain)
		send(b.rig, "post", listPostBeat{0, 1, checkKey(1), checkVA + checkReceive, 0xFFFF_FFFF, false})
		b.settle()
		x := packet.New(spec.Find(spec.RC, spec.PushRequest, spec.Send, at, spec.Plain))
		x.SN, x.RMSN, x.Offset, x.Payload = 2, 1, uint32(-b.c.MaxPayload), make([]byte, b.c.MaxPayload)
		b.packet(checkPacket{falconTransaction{Type: spec.PushRequest, RSN: 2, CID: p.q.CID}, x.Encode(nil, b.order())})
		b.settle()
		require.Equal(t, i+1, b.seen[spec.TooLong])
	}
}
