package falcon

import (
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Fabric is Falcon between two ends, as far as they can see it: each request is delivered, in the order of RSN on an ordered connection and
// in any order among the oldest ones on another; completions and credits arrive late and in groups; a request that got RNR is delivered again. It reports the
// first violation of the interface by an end.
type Fabric struct {
	Rand         *rand.Rand
	Order        spec.BitOrder
	Reorder      int // an unordered connection delivers one of the oldest Reorder items next
	Delay        int // maximum number of steps by which completions and credits are late
	BufferOctets int
	Accepted     func(end int, octets []byte) // an end has accepted a push, or responds with CIE; nil: not reported

	ways []*way
	step int
	err  error

	// Statistics.
	Delivered, Retried, OutOfOrder int
}

// Connection describes a connection between the ends.
type Connection struct {
	CID     [2]uint32 // at each end
	Ordered bool
	Counted bool         // credits apply
	RSN     [2]uint32    // of the first request of each end
	ORD     [2]int       // pulls that each end may have under way; 0: any number
	Credits spec.Credits // of each end
}

// state is the state of a request.
type state int

const (
	waiting   state = iota
	delivered       // without a response
	refused         // with RNR
	accepted        // a pull that waits for its response
	answered        // a pull whose response has arrived before its acknowledgement
	over            // a pull whose response and acknowledgement have arrived
)

// item is a request that is not complete.
type item struct {
	Packet
	state state
	due   int
}

// result is a completion or response on its way to the initiator.
type result struct {
	falcon.Completed
	response []byte
	isPull   bool
	due      int
}

// way is a connection in the direction of its requests.
type way struct {
	Connection
	from     int
	next     uint32  // RSN of the next request
	items    []*item // without a final response, in the order of RSN
	cursor   int     // ordered: index of the next one to deliver
	halted   bool    // ordered: one got RNR
	open     map[uint32]*item
	results  []result
	complete uint32       // ordered: RSN of the next result
	left     spec.Credits // of the initiator, for requests
	data     spec.Credits // of the target, for responses
	returns  []returned
}

type returned struct {
	spec.Credits
	end int
	due int
}

// Err is the first violation.
func (f *Fabric) Err() error { return f.err }

func (f *Fabric) report(format string, values ...any) {
	if f.err == nil {
		f.err = differs("falcon: "+format, values...)
	}
}

// Connect adds a connection, or begins it anew.
func (f *Fabric) Connect(c Connection) {
	for from := range 2 {
		w := &way{Connection: c, from: from, next: c.RSN[from], complete: c.RSN[from], open: map[uint32]*item{}, left: requestCredits(c.Credits), data: dataCredits(c.Credits)}
		if old := f.way(from, c.CID[from]); old != nil {
			*old = *w
			continue
		}
		f.ways = append(f.ways, w)
	}
}

func (f *Fabric) way(from int, cid uint32) *way {
	for _, w := range f.ways {
		if w.from == from && w.CID[from] == cid {
			return w
		}
	}
	return nil
}

// Idle reports whether nothing of a connection is on its way.
func (f *Fabric) Idle(end int, cid uint32) bool {
	for _, w := range f.ways {
		if w.CID[end] == cid && (len(w.open) > 0 || len(w.results) > 0 || len(w.returns) > 0) {
			return false
		}
	}
	return true
}

// Whole reports whether an end has all its credits of a connection again.
func (f *Fabric) Whole(end int, cid uint32) bool {
	w := f.way(end, cid)
	return !w.Counted || w.left == requestCredits(w.Credits) && f.byTarget(end, cid).data == dataCredits(w.Credits)
}

func (f *Fabric) later() int { return f.step + f.Rand.IntN(f.Delay+1) }

// Take takes the output of an end.
func (f *Fabric) Take(end int, out Output) {
	for _, a := range out.Answers {
		f.answer(end, a)
	}
	for _, p := range out.Packets {
		if p.Type == spec.PullData {
			f.respond(end, p)
		} else {
			f.request(end, p)
		}
	}
}

func (f *Fabric) request(end int, p Packet) {
	w := f.way(end, p.CID)
	if w == nil {
		f.report("end %d sends on CID %d; allowed: one that is connected", end, p.CID)
		return
	}
	if p.RSN != w.next {
		f.report("end %d, CID %d sends RSN %d; allowed: %d", end, p.CID, p.RSN, w.next)
	}
	if p.Type == spec.PushRequest && p.Length != len(p.Octets) {
		f.report("end %d, CID %d, RSN %d: Request Length is %d; allowed: %d", end, p.CID, p.RSN, p.Length, len(p.Octets))
	}
	w.next++
	if w.Counted {
		if w.left = w.left.Sub(spec.Cost(p.Type, p.Length, f.BufferOctets)); w.left.Negative() {
			f.report("end %d, CID %d, RSN %d: credits are %+v; allowed: none below 0", end, p.CID, p.RSN, w.left)
		}
	}
	i := &item{Packet: p}
	w.open[p.RSN] = i
	w.items = append(w.items, i)
	if most := w.ORD[end]; p.Type == spec.PullRequest && most > 0 && w.pulls() > most {
		f.report("end %d, CID %d, RSN %d is one of %d pulls under way; allowed: %d", end, p.CID, p.RSN, w.pulls(), most)
	}
}

// pulls is the number of pulls under way.
func (w *way) pulls() (n int) {
	for _, i := range w.open {
		if i.Type == spec.PullRequest {
			n++
		}
	}
	return n
}

// Step delivers some of what can be delivered to the ends.
func (f *Fabric) Step(ends [2]End) {
	f.step++
	for _, w := range f.ways {
		w.fire(f.step)
		for range f.Rand.IntN(9) {
			f.deliver(w, ends[1-w.from])
		}
		for range f.Rand.IntN(9) {
			f.finish(w, ends[w.from])
		}
		for end := range ends {
			f.giveBack(w, end, ends[end])
		}
	}
}

// fire ends the wait after an RNR: on an ordered connection of all requests that got it, once every request has a response.
func (w *way) fire(now int) {
	if !w.Ordered {
		for _, i := range w.items {
			if i.state == refused && i.due <= now {
				i.state = waiting
			}
		}
		return
	}
	if !w.halted {
		return
	}
	for _, i := range w.items {
		if i.state == delivered || i.due > now {
			return
		}
	}
	for _, i := range w.items {
		i.state = waiting
	}
	w.halted, w.cursor = false, 0
}

func (f *Fabric) deliver(w *way, to End) {
	at := w.cursor
	if w.Ordered {
		if w.halted || at >= len(w.items) {
			return
		}
		w.cursor++
	} else {
		var ready []int
		for n := range min(len(w.items), f.Reorder) {
			if w.items[n].state == waiting {
				ready = append(ready, n)
			}
		}
		if len(ready) == 0 {
			return
		}
		at = ready[f.Rand.IntN(len(ready))]
		if at > 0 {
			f.OutOfOrder++
		}
	}
	i := w.items[at]
	i.state = delivered
	f.Delivered++
	to.Deliver(Packet{Type: i.Type, CID: w.CID[1-w.from], RSN: i.RSN, Octets: i.Octets})
}

// finish delivers a result: in the order of RSN on an ordered connection.
func (f *Fabric) finish(w *way, to End) {
	at := -1
	for n, r := range w.results {
		if w.open[r.RSN].state == answered {
			continue
		}
		if w.Ordered && r.RSN == w.complete || !w.Ordered && r.due <= f.step && (at < 0 || f.Rand.IntN(2) == 0) {
			at = n
		}
	}
	if at < 0 || w.results[at].due > f.step {
		return
	}
	r := w.results[at]
	w.results = append(w.results[:at], w.results[at+1:]...)
	w.complete++
	i := w.open[r.RSN]
	delete(w.open, r.RSN)
	if w.Counted {
		w.returns = append(w.returns, returned{spec.Cost(i.Type, i.Length, f.BufferOctets), w.from, f.later()})
	}
	if r.response != nil {
		to.Deliver(Packet{Type: spec.PullData, CID: w.CID[w.from], RSN: r.RSN, Octets: r.response})
	} else {
		to.Complete(r.Completed)
	}
}
