package system

import "github.com/sarchlab/akita/v3/sim"

// post takes a request from the host. A receive request counts at once; a work request has its turn later.
func (n *rnic) post(now Cycle) (next Cycle) {
	var err error
	switch m := n.host.Retrieve(at(n.Freq, now)).(type) {
	case *Receive:
		err = n.speaks.postReceive(m.Request)
	case *Work:
		err = n.speaks.post(m.Request)
		s := &n.streams[m.Request.Stream]
		n.agenda.enter(s.starts.next(now+Cycle(n.timing.WorkToFetch-turnToFetch), n.works), func(now Cycle) {
			n.check(n.speaks.begin(m.Request))
			n.start(m.Request.Stream, now)
		})
	}
	n.check(err)
	if n.host.Peek() != nil {
		return now + 1
	}
	return never
}

// start makes messages of the work requests of a stream, as far as there may be more.
func (n *rnic) start(number uint32, now Cycle) {
	for {
		m, err := n.speaks.next(number)
		n.check(err)
		if m == nil {
			return
		}
		if m.fetches && len(n.streams[number].held) == 0 {
			n.list(m)
		} else {
			n.enqueue(m, now)
		}
	}
}

// report passes on completions of receive requests after a number of cycles, and those of work requests in turns of their stream.
func (n *rnic) report(number uint32, list []sim.Msg, now Cycle, cycles int) {
	for _, m := range list {
		if d, is := m.(*Done); !is || d.Completion.Recv {
			n.later(now, cycles, func(Cycle) { n.done = append(n.done, m) })
			continue
		}
		s := &n.streams[number]
		s.reported = max(s.reported, now+Cycle(cycles)) // none overtakes
		n.agenda.enter(s.reported, func(now Cycle) {
			n.agenda.enter(n.streams[number].ends.next(now, n.dones), func(Cycle) { n.done = append(n.done, m) })
		})
	}
}

// The hardware visits a stream for what has been posted, and for what is complete. What is ready when a visit begins, or look cycles later,
// is done in it, one in a cycle; the next visit of the stream begins after a pause.
type rhythm struct{ look, pause Cycle }

// visits are those of a stream, in cycles.
type visits struct {
	begun  Cycle
	latest Cycle // when the latest was done
	some   bool
}

// next returns when something is done that is ready at a cycle.
func (v *visits) next(ready Cycle, r rhythm) Cycle {
	switch {
	case v.some && ready <= v.begun+r.look:
		v.latest = max(ready, v.latest+1)
	case v.some:
		v.latest = max(ready, v.latest+r.pause)
		v.begun = v.latest
	default:
		v.some, v.begun, v.latest = true, ready, ready
	}
	return v.latest
}

// complete sends the next completion.
func (n *rnic) complete(now Cycle) (next Cycle) {
	if len(n.done) == 0 || !n.host.CanSend() {
		return never // the host's connection wakes the RNIC
	}
	m := n.done[0]
	n.done = n.done[1:]
	m.Meta().Src, m.Meta().Dst, m.Meta().SendTime = n.host, n.toHost, at(n.Freq, now)
	n.host.Send(m)
	if len(n.done) > 0 {
		return now + 1
	}
	return never
}
