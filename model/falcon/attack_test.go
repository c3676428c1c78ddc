package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/link"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A QP of node 1 is connected to a peer whose packets are changed by field, while other QPs of the two nodes exchange random
// traffic: their results stay those of the oracle, and nothing outside the regions of the attacked QP changes. That QP ends with
// an event or goes on, which a message that arrives afterwards shows.
func TestAttack(t *testing.T) {
	for _, s := range setups {
		t.Run(s.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				others := rapid.SampledFrom(setups).Draw(t, "others")
				others.shared = rapid.Bool().Draw(t, "shared")
				a := newAttack(t, newOracle(t, others), s)
				for range a.draw(1, 4, "rounds") {
					a.traffic()
					a.play(a.draw(1, 3, "requests"))
				}
				a.link.Spoil(0, attackCID, link.Hostile{})
				a.check()
			})
		})
	}
}

// Numbers of the attacked QPs and the layout of their memory, at each node. Receive buffers are used once.
const (
	attackQP     = 0x900 // XRC: the target is 0x10 above it
	attackCID    = 0x90
	attackSRQ    = 0x501
	attackDomain = domain + 2
	attackWindow = 8
	attackQKey   = 0x8765_4321
	fresh        = 1_000_000        // immediate data of the first message after the attack
	messages     = 2 * attackWindow // after the attack

	attackAt     = 0x60_0000 // open to the peer
	attackSource = 0x62_0000
	attackSink   = 0x64_0000
	attackBuffer = 0x66_0000
	attackOctets = 0x1000 // of the first three
	attackMost   = 4 * mtu
	attackPosted = 400 // receives
)

var (
	attackKey       = memory.STag(8, 0x88)
	attackSourceKey = memory.STag(10, 0xAA)
	attackSinkKey   = memory.STag(11, 0xBB)
	attackBufferKey = memory.STag(12, 0xCC)
)

type attack struct {
	*oracle
	setup  setup
	id     uint64
	gentle bool // no change ends the QP in complete-in-error mode
	held   []falcon.Request
	begun  [2]map[uint64]bool // work requests of a node without a completion
}

func newAttack(t *rapid.T, o *oracle, s setup) *attack {
	a := &attack{oracle: o, setup: s, gentle: rapid.Bool().Draw(t, "gentle"), begun: [2]map[uint64]bool{{}, {}}}
	connected := s.kind != spec.QPUD
	a.link.Connect(link.Connection{CID: [2]uint32{attackCID, attackCID + 1}, Ordered: s.ordering == spec.Strong, RSN: [2]uint32{1, 1}}, connected)
	for n, e := range a.node {
		for index, r := range map[int]memory.Region{
			8:  {Key: 0x88, Rights: memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic, Base: remoteVA, Length: attackOctets, Address: attackAt},
			10: {Key: 0xAA, Rights: memory.LocalRead, Base: attackSource, Length: attackOctets, Address: attackSource},
			11: {Key: 0xBB, Rights: memory.LocalWrite, Base: attackSink, Length: attackOctets, Address: attackSink},
			12: {Key: 0xCC, Rights: memory.LocalWrite, Base: attackBuffer, Length: attackPosted * attackMost, Address: attackBuffer},
		} {
			r.Valid, r.ByDomain, r.Owner = true, true, attackDomain
			require.NoError(t, e.SetRegion(index, r))
		}
		for at := uint64(0); at < attackOctets; at += 8 {
			e.Memory().SetWord(attackSource+at, at+1)
		}
		require.NoError(t, e.CreateSRQ(attackSRQ))
		e.SetXRCDomain(attackSRQ, 1)
		require.NoError(t, e.CreateConnection(falcon.ConnectionConfig{CID: attackCID + uint32(n), Ordered: s.ordering == spec.Strong, RSN: 1,
			Window: attackWindow, Credits: s.credits}))
		c := falcon.QPConfig{Number: a.at(n), Type: s.kind, Ordering: s.ordering, Errors: s.errors, Domain: attackDomain, MTU: mtu,
			CID: attackCID + uint32(n), Remote: a.target(1 - n), QKey: attackQKey, IRRQ: attackWindow, ORD: attackWindow, SendDepth: 1000, RNRTimeout: 9, XRCDomain: 1}
		require.NoError(t, e.CreateQP(c))
		if s.kind == spec.QPXRCInitiator {
			c.Number, c.Type, c.Remote = a.target(n), spec.QPXRCTarget, a.at(1-n)
			require.NoError(t, e.CreateQP(c))
		}
		a.link.Attach(n, a.at(n))
		for id := range uint64(attackPosted) {
			r := falcon.ReceiveRequest{ID: id, Local: []falcon.Element{{Key: attackBufferKey, VA: attackBuffer + id*attackMost, Length: attackMost}}}
			if s.kind == spec.QPXRCInitiator {
				e.PostShared(attackSRQ, r)
			} else {
				e.PostReceive(a.at(n), r)
			}
		}
	}
	a.link.Spoil(0, attackCID, link.Hostile{Request: a.spoilRequest, Response: a.spoilResponse})
	return a
}

// at and target are the attacked QPs of a node: the one that sends and the one that receives.
func (a *attack) at(n int) uint32 { return attackQP + uint32(n) }
func (a *attack) target(n int) uint32 {
	if a.setup.kind == spec.QPXRCInitiator {
		return a.at(n) + 0x10
	}
	return a.at(n)
}

// traffic posts work requests on the attacked QP and at its peer.
func (a *attack) traffic() {
	for range a.draw(1, 6, "attacks") {
		kinds := []spec.Kind{spec.Send, spec.Write, spec.Read, spec.FetchAdd}
		if a.setup.kind == spec.QPUD {
			kinds = kinds[:1]
		}
		n := a.draw(0, 3, "honest") / 3
		w := falcon.WorkRequest{Kind: rapid.SampledFrom(kinds).Draw(a.t, "kind"), VA: remoteVA + uint64(8*a.draw(0, 9, "va"))}
		octets := uint32(a.draw(0, attackMost, "octets"))
		if w.Kind == spec.Write && a.draw(0, 1, "immediate") == 1 {
			w.Suffix = spec.Immediate
		}
		a.start(n, w, octets)
	}
}

// start posts a work request of a node.
func (a *attack) start(n int, w falcon.WorkRequest, octets uint32) {
	if a.setup.kind == spec.QPUD || a.setup.ordering == spec.Unordered && (w.Kind == spec.Send || w.Suffix == spec.Immediate) {
		octets = min(octets, mtu)
	}
	a.id++
	w.ID, w.QP, w.RKey, w.SRQ = a.id, a.at(n), attackKey, attackSRQ
	w.Address = falcon.AddressHandle{CID: attackCID + uint32(n), QP: a.target(1 - n), QKey: attackQKey}
	w.Local = []falcon.Element{{Key: attackSourceKey, VA: attackSource, Length: octets}}
	if w.Kind == spec.Read || w.Kind == spec.FetchAdd {
		if w.Kind == spec.FetchAdd {
			octets = 8
		}
		w.Local = []falcon.Element{{Key: attackSinkKey, VA: attackSink, Length: octets}}
	}
	require.NoError(a.t, a.node[n].Post(w))
	a.begun[n][w.ID] = true
}

// check sends messages in both directions after the attack, more than a window: they arrive, or a QP has ended.
func (a *attack) check() {
	first := a.id + 1
	for n := range 2 {
		for i := range uint32(messages) {
			a.start(n, falcon.WorkRequest{Kind: spec.Send, Suffix: spec.Immediate, Immediate: fresh + i}, 2*mtu+i)
		}
	}
	done := a.link.Run(30_000, func() bool { return false })
	require.True(a.t, done || a.setup.ordering == spec.Weak && !a.gentle, "the node does not answer")
	a.tearDown(!done)
	a.run(a.t)
	a.checkOthers()
	for n := range 2 {
		sent, arrived := a.results(n)
		require.Empty(a.t, a.begun[n], "each work request completes")
		if a.node[n].InError(a.at(n)) || a.node[1-n].InError(a.target(1-n)) {
			continue
		}
		for i := range uint32(messages) {
			id := first + uint64(n*messages) + uint64(i)
			require.Equal(a.t, falcon.Success, sent[id])
			require.Contains(a.t, arrived, fresh+i)
		}
	}
}

// results takes the outcomes of the work requests of a node, and the messages sent after the attack that have arrived at the
// other node, with their octets.
func (a *attack) results(n int) (sent map[uint64]falcon.Status, arrived map[uint32]bool) {
	sent, arrived = map[uint64]falcon.Status{}, map[uint32]bool{}
	for _, c := range a.apart[n].completions {
		if !c.Receive {
			require.True(a.t, a.begun[n][c.ID], "one completion for each work request")
			delete(a.begun[n], c.ID)
			sent[c.ID] = c.Status
		}
	}
	for _, c := range a.apart[1-n].completions {
		if c.Receive && c.Status == falcon.Success && c.Kind == spec.Send && c.Immediate >= fresh && c.Immediate < fresh+messages {
			want := a.octets(n, attackSource, int(c.Length))
			require.Equal(a.t, want, a.octets(1-n, attackBuffer+c.ID*attackMost, int(c.Length)))
			arrived[c.Immediate] = true
		}
	}
	return sent, arrived
}

// tearDown ends the target of an initiator that has ended: its connection is told to be lost (RoF 6.8, I-69). So is that of a
// peer that is stuck, since it waits itself for an Atomic after an SN that it has left out.
func (a *attack) tearDown(stuck bool) {
	for n := range 2 {
		a.events(n)
		a.checkEvents(n)
	}
	for n := range 2 {
		if n == 0 && stuck {
			a.node[n].Fail(a.at(n))
		}
		if a.node[n].InError(a.at(n)) {
			a.node[1-n].Fail(a.target(1 - n))
		}
	}
}

// checkEvents: a QP of a node has ended if, and only if, the host has been told once.
func (a *attack) checkEvents(n int) {
	told := map[uint32]int{}
	for _, v := range a.apart[n].events {
		told[v.QP]++
	}
	for _, qp := range []uint32{a.at(n), a.target(n)} {
		ended := 0
		if a.node[n].InError(qp) {
			ended = 1
		}
		require.Equal(a.t, ended, told[qp], "QP 0x%X", qp)
	}
	if n == 1 && a.setup.kind == spec.QPUD {
		require.Empty(a.t, told)
	}
}

// checkOthers compares the other QPs, and all memory but what the attacked QPs may use, with the oracle.
func (a *attack) checkOthers() {
	for n := range 2 {
		a.checkSent(n)
		a.checkReceived(n)
		require.Empty(a.t, a.events(n))
		for at, octets := range map[uint64]int{attackAt: attackOctets, attackSource: attackOctets, attackSink: attackOctets, attackBuffer: attackPosted * attackMost} {
			a.memory[n].Write(at, a.octets(n, at, octets))
		}
		at, differ := a.node[n].Memory().Difference(a.memory[n])
		require.False(a.t, differ, "memory of node %d differs at 0x%X", n, at)
		for index, r := range regions {
			now, _ := a.node[n].Region(index)
			require.Equal(a.t, r, now, "region %d is untouched", index)
		}
	}
}
