package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/engine"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// refusedWork is a work request that a QP cannot have, as hardware gets it.
type refusedWork struct {
	model.WorkRequest
	service spec.Service
	marked  bool // by the requester
}

// otherServices are those whose packets QPs of a type do not send.
func otherServices(t spec.QPType) (list []spec.Service) {
	for _, s := range []spec.Service{spec.RC, spec.UD, spec.XRC} {
		if !t.Initiates() || s != t.Service() {
			list = append(list, s)
		}
	}
	return list
}

// refusals are a work request of each kind that the QP cannot have. The model refuses those that it can be told of.
func (g *initiatorRig) refusals(s int) (list []refusedWork) {
	own := g.c.kind.Service()
	of := func(kind spec.Kind, suffix spec.Suffix, octets ...int) model.WorkRequest {
		w := g.work(s)
		w.Kind, w.Suffix, w.Local = kind, suffix, nil
		key, base := sourceKey, uint64(sourceBase)
		if kind&(spec.Read|spec.Atomic) != 0 {
			key, base = sinkKey, sinkBase
		}
		for _, n := range octets {
			w.Local = append(w.Local, model.Element{Key: key, VA: base, Length: uint32(n)})
		}
		return w
	}
	for _, service := range otherServices(g.c.kind) {
		list = append(list, refusedWork{of(spec.Send, spec.Plain, 8), service, false})
		if service != spec.UD {
			list = append(list, refusedWork{of(spec.Write, spec.Plain, 2*g.c.mtu), service, false}, refusedWork{of(spec.Read, spec.Plain, g.c.mtu+1, 0, 3), service, false},
				refusedWork{of(spec.FetchAdd, spec.Plain, 8), service, false})
		}
	}
	if !g.c.kind.Initiates() {
		return list
	}
	list = append(list, refusedWork{of(spec.Send, spec.Plain, 8, 8), own, true})
	if g.datagrams() || g.c.ordering == spec.Unordered {
		list = append(list, refusedWork{of(spec.Send, spec.Plain, g.c.mtu+1), own, false}, refusedWork{of(spec.Send, spec.Immediate, 1, g.c.mtu), own, false},
			refusedWork{of(spec.Send, spec.Plain, g.c.mtu, 0, g.c.mtu), own, false})
	}
	if !g.datagrams() {
		list = append(list, refusedWork{of(spec.FetchAdd, spec.Plain, 16), own, true})
		if g.c.ordering == spec.Unordered {
			list = append(list, refusedWork{of(spec.Write, spec.Immediate, 1, g.c.mtu), own, false}, refusedWork{of(spec.Send, spec.Invalidate, g.c.mtu+1), own, false})
		}
	}
	for _, w := range list {
		if w.service == own && (!w.marked || w.Kind == spec.FetchAdd) || w.service != spec.UD && w.Kind != spec.Send && g.datagrams() {
			require.Error(g.t, g.m.Post(w.WorkRequest), "%+v", w)
		}
	}
	return list
}

// refuse posts one of them. To the model it is one whose element does not allow the access, which does not end its QP either.
func (g *initiatorRig) refuse(s int) {
	q, list := g.qps[s], g.refusals(s)
	w := list[g.r.IntN(len(list))]
	places := len(w.Local) + q.places
	for _, other := range q.posted {
		places += other.places
	}
	if places > g.c.depth {
		return
	}
	other := g.write(s, 1)
	g.id++
	other.Kind, other.Fence, other.Local[0].Key = spec.Send, w.Fence, spoiledKey
	other.Address.CID = q.number
	q.posted = append(q.posted, &initiatorWork{id: other.ID, pulls: w.Kind&(spec.Read|spec.Atomic) != 0, places: len(w.Local)})
	require.NoError(g.t, g.m.Post(other))
	g.refused++
	g.offerOf(w.service, s, w.WorkRequest, w.marked)
	g.settle(s)
}

// A work request that is refused ends in its turn with outcome 2 and sends nothing, and what is posted after it goes on, with Verbs compatible
// errors, too. Of all kinds, types of QPs and ordering modes.
func TestInitiatorRefuses(t *testing.T) {
	t.Parallel()
	for _, kind := range []spec.QPType{spec.QPRC, spec.QPUD, spec.QPXRCInitiator} {
		for _, ordering := range []spec.Ordering{spec.Strong, spec.Weak, spec.Unordered} {
			c := newInitiatorConfig()
			c.kind, c.ordering = kind, ordering
			if ordering == spec.Unordered {
				c.errors = spec.CompleteInError
			}
			g := newInitiatorRig(t, c, 1)
			for i, w := range g.refusals(0) {
				s := i % c.streams
				good := func() model.WorkRequest {
					w := g.write(s, 8)
					w.Kind, w.Address.CID = spec.Send, g.qps[s].number
					return w
				}
				pulls := w.Kind&(spec.Read|spec.Atomic) != 0
				report := func(status model.Status) {
					g.run()
					require.Equal(t, []workReportBeat{{Stream: s, Kind: int(engine.KindMessage), Final: true, Outcome: status, Answers: pulls}}, g.reports(), "%v %v %+v", kind, ordering, w)
				}
				packet := func() sentMessageBeat {
					g.run()
					list := take[sentMessageBeat](g.bench, "packet")
					require.Len(t, list, 1, "%v %v %+v", kind, ordering, w)
					require.Equal(t, uint32(8), list[0].Length)
					push(g.bench, "left", leftBeat{Stream: s, Kind: list[0].Kind, Final: true})
					return list[0]
				}
				g.offer(s, good())
				before := packet()
				w.Fence = false
				g.offerOf(w.service, s, w.WorkRequest, w.marked)
				g.offer(s, good())
				behind := packet()
				require.Equal(t, before.RSN+1, behind.RSN)
				require.Empty(t, g.reports(), "its turn has not come")
				push(g.bench, "completed", completedBeat{CID: g.cid(s), RSN: behind.RSN})
				g.run()
				push(g.bench, "completed", completedBeat{CID: g.cid(s), RSN: before.RSN})
				g.run()
				reports := g.reports()
				require.Len(t, reports, 3, "%v %v %+v", kind, ordering, w)
				for n, status := range []model.Status{model.Success, model.LocalProtection, model.Success} {
					require.Equal(t, workReportBeat{Stream: s, Kind: int(engine.KindMessage), Final: true, Outcome: status, Answers: n == 1 && pulls}, reports[n])
				}
				g.offerOf(w.service, s, w.WorkRequest, w.marked)
				report(model.LocalProtection)
				require.Empty(t, take[failedBeat](g.bench, "failed"))
			}
		}
	}
}

// Many work requests that send nothing have their turn while none can be reported: each is reported once they can, of each QP in order.
func TestInitiatorReportsManyUnfit(t *testing.T) {
	t.Parallel()
	c := newInitiatorConfig()
	c.streams, c.depth, c.errors = 8, 16, spec.CompleteInError
	g := newInitiatorRig(t, c, 1)
	g.stall(simulator.Stall{}, simulator.Stall{Mode: simulator.StallBursts, Chance: 240})
	for range c.depth {
		for s := range c.streams {
			w := g.write(s, 8)
			w.Local[0].Key, w.Fence = spoiledKey, false
			g.offer(s, w)
		}
	}
	g.run()
	reports := make([]int, c.streams)
	for _, r := range g.reports() {
		require.Equal(t, workReportBeat{Stream: r.Stream, Kind: int(engine.KindMessage), Final: true, Outcome: model.LocalProtection}, r)
		reports[r.Stream]++
	}
	for s, n := range reports {
		require.Equal(t, c.depth, n, "QP %d", s)
	}
}

// An XRC target has the connection of another QP: its set-up changes nothing of that. All its work requests are refused.
func TestInitiatorOfXRCTarget(t *testing.T) {
	t.Parallel()
	c := newInitiatorConfig()
	c.kind, c.credits = spec.QPXRCInitiator, spec.Credits{RequestTxPackets: 1, RequestTxBuffers: 9, RequestRxPackets: 9, RequestRxBuffers: 9}
	g := newInitiatorRig(t, c, 1)
	g.post(0, g.write(0, 8))
	g.check()
	g.post(0, g.write(0, 8)) // for which there is no credit
	g.check()
	target := connectBeat{Stream: 1, Type: int(spec.QPXRCTarget), CID: g.cid(0), Remote: 9, RSN: 77, Credits: creditsOf(manyCredits)}
	push(g.bench, "setup", target)
	g.step(4000)
	g.run()
	g.post(0, g.write(0, 8))
	g.check()
	g.giveBack(0, true)
	g.check()
	require.Len(t, g.qps[0].opens(), 2, "the second one has left")
	for _, rsn := range g.qps[0].opens() {
		g.complete(0, rsn)
	}
	g.check()
	require.Len(t, g.qps[0].posted, 1)

	g.c.kind = spec.QPXRCTarget
	for _, w := range g.refusals(1) {
		g.offerOf(w.service, 1, w.WorkRequest, w.marked)
		g.run()
		require.Equal(t, []workReportBeat{{Stream: 1, Kind: int(engine.KindMessage), Final: true, Outcome: model.LocalProtection, Answers: w.Kind&(spec.Read|spec.Atomic) != 0}}, g.reports())
		require.Empty(t, take[sentMessageBeat](g.bench, "packet"))
		require.Empty(t, take[failedBeat](g.bench, "failed"))
	}
}
