package gen_test

import (
	"slices"

	"github.com/stretchr/testify/require"
)

// scoreOwed are the Atomics of a life of a QP that wait as it goes to Error, or are accepted later: each has been acknowledged, and so gets a
// response with CE (I-70), after the event unless falcon_order has found the cause itself.
type scoreOwed struct {
	owed   []scoreRequest
	fault  bool         // falcon_order has found the cause
	left   bool         // the end has
	before []*scoreOwed // lives before
}

func (o *scoreOwed) owe(r scoreRequest) { o.owed = append(o.owed, r) }

// stop moves the QP to Error.
func (q *scoreQP) stop() {
	q.stopped = true
	for sn, a := range q.ahead {
		if a.Waits {
			q.owe(a.Request)
			delete(q.ahead, sn)
		}
	}
}

// take removes what is owed of a life; false if it is not.
func (o *scoreOwed) take(r scoreRequest) bool {
	i := slices.IndexFunc(o.owed, func(owed scoreRequest) bool { owed.Kind = r.Kind; return owed == r })
	if i >= 0 {
		o.owed = slices.Delete(o.owed, i, i+1)
	}
	return i >= 0
}

// refused compares the refusal of an Atomic that waited.
func (b *scoreBench) refused(q *scoreQP, r scoreRequest) {
	for _, o := range append(q.before, &q.scoreOwed) {
		if o.take(r) {
			require.True(b.t, o.fault || o.left, "QP %d: refused before the end has left", r.Stream)
			b.seen["refused"]++
			return
		}
	}
	is := func(e scoreEffect) bool {
		e.request.Kind = r.Kind
		return !e.receive && e.mayMiss && e.of.fault && e.request == r
	}
	for _, effects := range []*[]scoreEffect{&q.old, &q.effects} { // it would have had its turn before that of the cause
		if i := slices.IndexFunc(*effects, is); i >= 0 {
			*effects = slices.Delete(*effects, i, i+1)
			b.seen["refused"]++
			return
		}
	}
	require.Fail(b.t, "refused, but not owed", "QP %d, cycle %d: %+v, owed are %+v", r.Stream, b.cycle, r, q.owed)
}

// unended are the effects but those of a life whose end has left: of these the Atomics are owed, also if the QP has been opened again meanwhile.
func (b *scoreBench) unended(effects []scoreEffect, life *scoreQP) []scoreEffect {
	return slices.DeleteFunc(effects, func(e scoreEffect) bool {
		if e.of != &life.scoreOwed {
			return false
		}
		require.True(b.t, e.mayMiss)
		if !e.receive {
			life.owe(e.request)
		}
		return true
	})
}

// atomics counts Atomics of the QP that were sent and have not been released, nor refused.
func (p *scorePeer) atomics() (n int) {
	q := p.b.qps[p.stream]
	n = len(q.owed)
	for _, e := range q.effects {
		if !e.receive {
			n++
		}
	}
	for _, a := range q.ahead {
		if a.Waits {
			n++
		}
	}
	return n
}
