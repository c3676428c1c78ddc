// Package link is a Falcon between two engines of package falcon, as far as they can see it: transactions that are never
// lost or duplicated, in the order of RSN on ordered connections and in any order on others, completed late and in
// groups, and retried after an RNR NACK. It checks that both engines keep to the interface.
package link

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Config describes a Link.
type Config struct {
	Reorder      int             // an unordered connection delivers one of the oldest Reorder items next; at least 1
	BufferOctets int             // as of the engines
	Choose       func(n int) int // a number below n, at least 1
}

// Connection describes a connection between the ends.
type Connection struct {
	CID     [2]uint32 // at each end
	Ordered bool
	RSN     [2]uint32 // of the first request of each end
}

// Link connects two ends.
type Link struct {
	config Config
	end    [2]*falcon.Engine
	qps    [2][]uint32
	ways   []*way
	err    error
}

// way is a connection in the direction of its requests.
type way struct {
	from     int
	cid      [2]uint32 // at the initiator and at the target
	ordered  bool
	counted  bool   // credits apply
	next     uint32 // RSN of the next request
	requests []*item
	cursor   int // ordered: index of the next one to deliver; those before it got RNR
	open     map[uint32]*item
	results  []result
	complete uint32 // ordered: RSN of the next result to deliver
	returns  [2][]spec.Credits
	hostile  Hostile
	extra    uint32 // RSN of the latest request that the initiator knows nothing of, from the top
}

// item is a request that is not complete at the initiator.
type item struct {
	falcon.Request
	rnr      bool // unordered: waits for its timer
	accepted bool // a pull that waits for its response
	spoiled  bool // by a hostile peer
	extra    bool // of it alone
}

// result is a completion or response on its way to the initiator.
type result struct {
	falcon.Completed
	response []byte
}

// New connects two engines.
func New(c Config, a, b *falcon.Engine) *Link {
	return &Link{config: c, end: [2]*falcon.Engine{a, b}}
}

// Connect adds a connection that exists at both ends; counted: it belongs to one QP, so that credits apply.
func (l *Link) Connect(c Connection, counted bool) {
	for from := range 2 {
		l.ways = append(l.ways, &way{from: from, cid: [2]uint32{c.CID[from], c.CID[1-from]}, ordered: c.Ordered, counted: counted,
			next: c.RSN[from], complete: c.RSN[from], open: map[uint32]*item{}})
	}
}

// Attach lets a QP of an end transmit.
func (l *Link) Attach(end int, qp uint32) { l.qps[end] = append(l.qps[end], qp) }

// Err returns the first violation of the interface by an engine.
func (l *Link) Err() error { return l.err }

func (l *Link) report(format string, values ...any) {
	if l.err == nil {
		l.err = fmt.Errorf("link: "+format, values...)
	}
}

// Step does one thing, chosen from all that can happen; false if nothing can but RNR timers, of which one fires then.
func (l *Link) Step() bool {
	steps := l.steps()
	for first := l.config.Choose(len(steps)); len(steps) > 0; first = l.config.Choose(len(steps)) {
		if steps[first]() {
			return true
		}
		steps[first] = steps[len(steps)-1]
		if steps = steps[:len(steps)-1]; len(steps) == 0 {
			break
		}
	}
	for _, w := range l.ways {
		if w.fire(l.config.Choose) {
			break
		}
	}
	return false
}

// Run steps until done or nothing can happen any more; false after a limit of steps.
func (l *Link) Run(limit int, done func() bool) bool {
	for range limit {
		if l.err != nil || done() {
			return true
		}
		if !l.Step() && l.Idle() {
			return true
		}
	}
	return false
}

// Idle reports whether no request, response or completion is on its way, but for those that a hostile peer waits for.
func (l *Link) Idle() bool {
	for _, w := range l.ways {
		if len(w.open) > 0 && w.hostile.Request == nil {
			return false
		}
	}
	return true
}

func (l *Link) steps() (list []func() bool) {
	for end := range 2 {
		for _, number := range l.qps[end] {
			list = append(list, func() bool { return l.transmit(end, number) })
		}
		list = append(list, func() bool { return l.respond(end) })
	}
	for _, w := range l.ways {
		list = append(list,
			func() bool { return l.deliver(w) },
			func() bool { return l.finish(w) },
			func() bool { return l.credit(w, 0) || l.credit(w, 1) })
		if l.config.Choose(4) == 0 {
			list = append(list, func() bool { return w.fire(l.config.Choose) })
		}
	}
	return list
}

func (l *Link) way(from int, cid uint32) *way {
	for _, w := range l.ways {
		if w.from == from && w.cid[0] == cid {
			return w
		}
	}
	return nil
}
