package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Strongly ordered: after an RNR everything else gets RNR, unchecked and without effect, until the request itself arrives
// again; then all is as if there had been none (I-29, FTP 8.5.3.4).
func TestBehindRNR(t *testing.T) {
	g := newTarget(t, newSetup(spec.QPRC, spec.Strong, spec.Verbs))
	wait := g.packet(0x04)
	g.sn++
	write := g.packet(0x0A)
	g.sn++
	wrong := g.packet(0x0A)
	wrong.RKey = noKey
	earlier := g.packet(0x0A)
	earlier.SN = wait.SN - 1
	for range 3 {
		assert.Equal(t, spec.RNR, g.send(wait).Reply)
		assert.Equal(t, spec.RNR, g.send(write).Reply)
		assert.Equal(t, spec.RNR, g.send(wrong).Reply)
		assert.Equal(t, spec.RNR, g.send(earlier).Reply)
	}
	assert.Equal(t, make([]byte, mtu), g.octets(1, remoteAt, mtu))
	g.postReceive(1, 100)
	assert.Equal(t, spec.RNR, g.send(write).Reply, "a receive alone does not end the wait")
	assert.Equal(t, spec.Ack, g.send(wait).Reply)
	assert.Equal(t, spec.Ack, g.send(write).Reply)
	assert.NotEqual(t, make([]byte, mtu), g.octets(1, remoteAt, mtu))
	assert.False(t, g.e.InError(g.to[1]))
	wrong.SN++
	assert.Equal(t, spec.NRE, g.send(wrong).Reply, "a gap is fatal again")
	assert.EqualValues(t, 1, g.e.Broken(spec.SNGap))
}

// A storm of RNRs: receives arrive one by one, after many retries. Nothing is lost, repeated or ended.
func TestRNRStorm(t *testing.T) {
	const messages, atomics = 20, 3
	const each = atomics + 2 // work requests
	for _, s := range setups {
		if s.kind == spec.QPUD { // has none
			continue
		}
		s.irrq, s.ord = 2, 2
		if s.ordering == spec.Strong { // which forgives more than the entries of the IRRQ (I-115)
			s.ord = 8
		}
		b := newBench(t, s, 3)
		for id := range uint64(messages) {
			b.post(t, 0, falcon.WorkRequest{ID: 10 * id, Kind: spec.Send, Local: source(uint32(id), mtu), Suffix: spec.Immediate, Immediate: uint32(id)})
			for n := range uint64(atomics) {
				b.post(t, 0, falcon.WorkRequest{ID: 10*id + n + 1, Kind: spec.FetchAdd, Local: sink(uint32(8*(atomics*id+n)), 8), VA: remoteVA, RKey: remoteKey, Data: 1})
			}
			b.post(t, 0, falcon.WorkRequest{ID: 10*id + each - 1, Kind: spec.Write, Local: source(7, 3), VA: remoteVA + 64 + 3*id, RKey: remoteKey, Suffix: spec.Immediate, Immediate: uint32(id)})
		}
		for id := range uint64(2 * messages) {
			for range 300 {
				b.link.Step()
			}
			b.receive(1, falcon.ReceiveRequest{ID: id, Local: buffer(uint32(id)*mtu, mtu)})
		}
		b.run(t)
		sent, received := b.completions(0)
		assert.Empty(t, received)
		assert.Len(t, sent, each*messages, "%v", s)
		for n, c := range sent {
			assert.Equal(t, falcon.Success, c.Status)
			if s.ordering != spec.Unordered {
				assert.EqualValues(t, 10*(n/each)+n%each, c.ID)
			}
		}
		_, received = b.completions(1)
		assert.Len(t, received, 2*messages)
		times := map[uint32]int{}
		for n, c := range received {
			assert.Equal(t, falcon.Success, c.Status)
			times[c.Immediate]++
			if s.ordering != spec.Unordered {
				assert.EqualValues(t, n/2, c.Immediate)
			}
			if s.ordering == spec.Strong { // else a shared queue gives receives in the order of arrival
				assert.EqualValues(t, n, c.ID)
			}
		}
		for id := range uint32(messages) {
			assert.Equal(t, 2, times[id], "%v: message %d", s, id)
		}
		assert.EqualValues(t, atomics*messages, b.node[1].Memory().Word(remoteAt), "%v: each Atomic once", s)
		assert.Greater(t, b.node[1].Broken(spec.NoReceive), uint64(messages), "%v: a storm", s)
		if s.ordering == spec.Strong {
			assert.Greater(t, b.node[1].Broken(spec.BehindRNR), uint64(messages))
			assert.NotZero(t, b.node[1].Broken(spec.NoIRRQ))
		} else {
			assert.Zero(t, b.node[1].Broken(spec.NoIRRQ), "%v: the initiator keeps to ORD (I-120)", s)
		}
		assert.Empty(t, b.events(0))
		assert.Empty(t, b.events(1))
	}
}

// With Xoff at both ends for ever, every pull that has left is answered: nothing that Xoff holds back is needed (I-76).
func TestXoffDoesNotStopResponses(t *testing.T) {
	for _, s := range setups {
		if s.kind == spec.QPUD {
			continue
		}
		for seed := range uint64(5) {
			b := newBench(t, s, seed)
			for n := range 2 {
				for id := range uint64(40) {
					b.post(t, n, falcon.WorkRequest{ID: id, Kind: spec.Read, Local: sink(uint32(id)*100, 100), VA: remoteVA, RKey: remoteKey})
				}
			}
			for range 60 {
				b.link.Step()
			}
			out := [2]int{}
			for n := range 2 {
				b.node[n].SetXoff(true)
				c := b.node[n].Credits(b.cid[n])
				out[n] = s.credits.RequestTxPackets - c.RequestTxPackets
			}
			require.NotZero(t, out[0]+out[1])
			b.run(t) // until nothing is on its way
			assert.True(t, b.link.Idle())
			for n := range 2 {
				_, some := b.node[n].Transmit(b.qp[n])
				assert.False(t, some)
				b.node[n].SetXoff(false)
			}
			b.run(t)
			for n := range 2 {
				sent, _ := b.completions(n)
				assert.Len(t, sent, 40)
			}
		}
	}
}

// Responses wait for credits of their own connection only, and in order.
func TestResponseCredits(t *testing.T) {
	s := newSetup(spec.QPRC, spec.Strong, spec.Verbs)
	s.credits = spec.Credits{DataTxPackets: 1, DataTxBuffers: 1}
	g := newTarget(t, s)
	require.NoError(t, g.e.CreateConnection(falcon.ConnectionConfig{CID: 0x50, Ordered: true, Window: 8, Credits: spec.Credits{DataTxPackets: 9, DataTxBuffers: 9}}))
	require.NoError(t, g.e.CreateQP(falcon.QPConfig{Number: 0x555, Type: spec.QPRC, CID: 0x50, MTU: mtu, IRRQ: 1, ORD: 1, SendDepth: 1, Domain: domain}))
	g.good(0x0C) // 24 + 8 octets: one buffer
	g.good(0x14)
	p := g.packet(0x0C)
	p.DestinationQP, p.SN, p.RMSN = 0x555, 1, 1
	assert.Equal(t, spec.Ack, g.e.Receive(falcon.Request{CID: 0x50, RSN: 1, Type: spec.PullRequest, Octets: p.Encode(nil, g.bits)}).Reply)
	var order []uint32
	for r, some := g.e.Respond(); some; r, some = g.e.Respond() {
		order = append(order, r.CID)
	}
	assert.Equal(t, []uint32{g.cid[1], 0x50}, order)
	g.e.Return(g.cid[1], spec.Credits{DataTxPackets: 1})
	assert.Empty(t, g.responses())
	g.e.Return(g.cid[1], spec.Credits{DataTxBuffers: 1})
	assert.Len(t, g.responses(), 1)

	long := g.packet(0x0C) // 24 + 64 octets: three buffers
	long.Length = mtu
	assert.Equal(t, spec.Ack, g.send(long).Reply)
	g.sn++
	g.pull++
	g.good(0x14)
	g.e.Return(g.cid[1], spec.Credits{DataTxPackets: 2, DataTxBuffers: 1})
	assert.Empty(t, g.responses(), "the short one does not overtake")
	g.e.Return(g.cid[1], spec.Credits{DataTxBuffers: 3})
	assert.Len(t, g.responses(), 2)
}

// The host's credits apply to responses of all connections.
func TestResponseHostCredits(t *testing.T) {
	g := newTarget(t, newSetup(spec.QPRC, spec.Strong, spec.Verbs))
	g.e.SetHostCredits(spec.Credits{DataTxPackets: 1, DataTxBuffers: 9})
	g.good(0x0C)
	g.good(0x0C)
	assert.Len(t, g.responses(), 1)
	g.e.Return(g.cid[1], spec.Credits{DataTxPackets: 1})
	assert.Len(t, g.responses(), 1)
}

// A request with a wrong version after a pending RNR is refused and changes nothing: those after it still get RNR (I-99,
// I-101).
func TestWrongVersionBehindRNR(t *testing.T) {
	g := newTarget(t, newSetup(spec.QPRC, spec.Strong, spec.CompleteInError))
	assert.Equal(t, spec.RNR, g.send(g.numbered(0x04, 1, 1, 0)).Reply)
	p := g.numbered(0x04, 2, 2, 0)
	p.Version = 3
	assert.Equal(t, spec.NRE, g.send(p).Reply)
	assert.Equal(t, spec.RNR, g.send(g.numbered(0x04, 3, 3, 0)).Reply)
	for id := range uint64(3) {
		g.postReceive(id+1, 100)
	}
	for n := range uint32(3) {
		assert.Equal(t, spec.Ack, g.send(g.numbered(0x04, n+1, n+1, 0)).Reply)
	}
	assert.Empty(t, g.events(1))
}
