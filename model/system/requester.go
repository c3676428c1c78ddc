package system

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/sarchlab/akita/v3/sim"
)

// requester is a node that keeps ORD Atomic Requests outstanding until all are answered. Each increments
// one of the shared counters by 1.
type requester struct {
	*sim.ComponentBase
	engine sim.Engine
	config Config
	number int
	port   sim.Port
	peer   sim.Port
	random *rand.Rand

	sent        int            // requests sent
	outstanding []outstanding  // in order; the responses arrive in the same order
	seen        map[int]uint64 // by counter: its last known value
	increments  []increment    // those that took effect

	completions, misses int
	least, most, sum    time.Duration
	last                time.Duration // arrival of the last response
	err                 error
}

type outstanding struct {
	request wire.AtomicRequest
	counter int
	at      time.Duration
}

// increment is an increment that took effect, with the value that it found.
type increment struct {
	counter int
	found   uint64
}

func newRequester(engine sim.Engine, c Config, number int, peer sim.Port) *requester {
	name := fmt.Sprintf("Requester[%d]", number)
	q := &requester{ComponentBase: sim.NewComponentBase(name), engine: engine, config: c, number: number, peer: peer,
		random: rand.New(rand.NewPCG(c.Seed, uint64(number))), seen: map[int]uint64{}}
	q.port = sim.NewLimitNumMsgPort(q, c.ORD, portName(name, 0))
	q.AddPort(portName(name, 0), q.port)
	return q
}

// wake starts the node at time 0.
func (q *requester) wake() { schedule(q.engine, 0, q) }

// Handle sends the first requests.
func (q *requester) Handle(e sim.Event) error {
	q.send(nanoseconds(e.Time()))
	return nil
}

// NotifyPortFree does nothing: a link accepts every packet.
func (q *requester) NotifyPortFree(sim.VTimeInSec, sim.Port) {}

// send issues requests up to ORD.
func (q *requester) send(now time.Duration) {
	for q.err == nil && q.sent < q.config.Requests && len(q.outstanding) < q.config.ORD {
		q.sent++
		counter := q.random.IntN(q.config.Words)
		request := q.increment(counter)
		q.outstanding = append(q.outstanding, outstanding{request, counter, now})
		// MSNs on QN 1 start at 1 (RFC 5041 section 4.3), as do the identifiers here.
		segment := wire.AppendAtomicRequest(nil, uint32(q.sent), request)
		q.port.Send(newPacket(now, q.port, q.peer, segment))
	}
}

// increment returns a FetchAdd of 1, or a CmpSwap that assumes the last known value of the counter.
func (q *requester) increment(counter int) wire.AtomicRequest {
	id, to := uint32(q.sent), regionBase+8*uint64(counter)
	if q.random.IntN(100) >= q.config.CmpSwapPercent {
		return wire.NewFetchAdd(id, regionSTag, to, 1, 0)
	}
	value := q.seen[counter]
	const all = ^uint64(0)
	return wire.NewCmpSwap(id, regionSTag, to, value+1, all, value, all)
}

// NotifyRecv takes a response, and sends the next request in its place.
func (q *requester) NotifyRecv(now sim.VTimeInSec, port sim.Port) {
	p := port.Retrieve(now).(*packet) // links carry nothing else
	if q.err != nil {
		return
	}
	if q.err = q.complete(nanoseconds(now), p.segment); q.err == nil {
		q.send(nanoseconds(now))
	}
}

// complete matches a response with the oldest outstanding request: RFC 7306 section 5 defines the MSN of QN 3 as the
// key, and section 5.2.2 orders the responses like the requests.
func (q *requester) complete(now time.Duration, segment []byte) error {
	s, kind := wire.Classify(segment)
	if kind != spec.None || !s.Header.Opcode.Is(spec.AtomicResponse) {
		return fmt.Errorf("system: requester %d: segment has opcode %v and error %v; allowed: Atomic Response, none", q.number, s.Header.Opcode, kind)
	}
	if want := uint32(q.completions + 1); len(q.outstanding) == 0 || s.Header.MSN != want {
		return fmt.Errorf("system: requester %d: response MSN is %d; allowed: %d, with a request outstanding", q.number, s.Header.MSN, want)
	}
	var response wire.AtomicResponse
	if err := response.Decode(s.Payload); err != nil {
		return err
	}
	o := q.outstanding[0]
	q.outstanding = q.outstanding[1:]
	if got, want := response.OriginalRequestIdentifier, o.request.RequestIdentifier; got != want {
		return fmt.Errorf("system: requester %d: response identifier is %d; allowed: %d", q.number, got, want)
	}
	q.account(now, o, response.OriginalRemoteDataValue)
	return nil
}

// account records the response time and the state of the counter.
func (q *requester) account(now time.Duration, o outstanding, found uint64) {
	took := now - o.at
	if q.completions == 0 {
		q.least = took
	}
	q.least, q.most = min(q.least, took), max(q.most, took)
	q.sum += took
	q.last = now
	q.completions++

	if o.request.AOpCode == wire.CmpSwap && found != o.request.CompareData {
		q.misses++
		q.seen[o.counter] = found
		return
	}
	q.seen[o.counter] = found + 1
	q.increments = append(q.increments, increment{o.counter, found})
}

func (q *requester) statistics() Statistics {
	s := Statistics{Completions: q.completions, Misses: q.misses, Min: q.least, Max: q.most}
	if q.completions > 0 {
		s.Mean = q.sum / time.Duration(q.completions)
	}
	return s
}
