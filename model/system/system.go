// Package system adds time to the golden model: several requester nodes, links with latency, and one responder node
// with memory latency, on the akita discrete-event engine.
//
// The other packages of the model are untimed. This one helps to choose a configuration: how many Atomic Requests must
// be outstanding (ORD) to keep the responder busy over a given distance, and the resulting response time. Equal
// configurations produce equal reports, to the nanosecond.
package system

import (
	"fmt"
	"time"

	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/sarchlab/akita/v3/sim"
)

// Config describes a system and its load. All times are whole nanoseconds.
type Config struct {
	Requesters int // nodes, 1..rdmap.MaxStreams; each has its own link and stream
	Requests   int // Atomic Requests per requester, at least 1; at most MaxRequests in total
	ORD        int // outstanding requests per requester, 1..MaxORD; also the responder's IRD

	LinkLatency    time.Duration // one way, from the last bit sent to the last bit received
	LinkRate       int           // Gbit/s, including packet framing; 0: sending takes no time
	MemoryLatency  time.Duration // from the arrival of a request at an idle memory to its response
	MemoryInterval time.Duration // minimum time between the starts of two accesses; 0: none

	Words          int    // counters shared by the requesters, 1..MaxWords
	CmpSwapPercent int    // percentage of increments that use CmpSwap, 0..100; the others use FetchAdd
	Seed           uint64 // for the choice of counters and operations
}

// Limits of a Config, to catch mistyped numbers.
const (
	MaxORD      = 16383 // 14 bits, RFC 6581
	MaxRequests = 1 << 24
	MaxWords    = 1 << 20
	MaxTime     = time.Second
)

func (c Config) check() error {
	for _, n := range []struct {
		field            string
		value, low, high int
	}{
		{"Requesters", c.Requesters, 1, rdmap.MaxStreams},
		{"Requests", c.Requests, 1, MaxRequests / max(c.Requesters, 1)},
		{"ORD", c.ORD, 1, MaxORD},
		{"LinkRate", c.LinkRate, 0, 1 << 20},
		{"Words", c.Words, 1, MaxWords},
		{"CmpSwapPercent", c.CmpSwapPercent, 0, 100},
	} {
		if n.value < n.low || n.value > n.high {
			return fmt.Errorf("system: %s is %d; allowed: %d..%d", n.field, n.value, n.low, n.high)
		}
	}
	for _, d := range []struct {
		field string
		value time.Duration
	}{
		{"LinkLatency", c.LinkLatency}, {"MemoryLatency", c.MemoryLatency}, {"MemoryInterval", c.MemoryInterval},
	} {
		if d.value < 0 || d.value > MaxTime {
			return fmt.Errorf("system: %s is %v; allowed: 0s..%v", d.field, d.value, MaxTime)
		}
	}
	return nil
}

// Statistics holds the observations of one requester.
type Statistics struct {
	Completions int           // valid responses
	Misses      int           // of these, CmpSwaps that did not match
	Min, Max    time.Duration // response time, from sending the request to receiving the response
	Mean        time.Duration
}

// Report is the result of a run.
type Report struct {
	Requesters  []Statistics
	Completions int           // of all requesters
	Elapsed     time.Duration // simulated, until the last response
}

// PerMicrosecond returns the throughput in Atomic Operations per microsecond.
func (r Report) PerMicrosecond() float64 {
	return float64(r.Completions) / (float64(r.Elapsed) / float64(time.Microsecond))
}

// Run simulates the complete load. The error names an invalid Config field, or a response that violates RFC 7306.
func Run(c Config) (Report, error) {
	if err := c.check(); err != nil {
		return Report{}, err
	}
	engine := sim.NewSerialEngine()
	responder, err := newResponder(engine, c)
	if err != nil {
		return Report{}, err
	}
	requesters := make([]*requester, c.Requesters)
	for i := range requesters {
		requesters[i] = newRequester(engine, c, i, responder.ports[i])
		connect(engine, c, requesters[i].port, responder.ports[i])
		requesters[i].wake()
	}
	if err := engine.Run(); err != nil {
		return Report{}, fmt.Errorf("system: %w", err)
	}
	return report(requesters, responder)
}

func report(requesters []*requester, responder *responder) (Report, error) {
	if responder.err != nil {
		return Report{}, responder.err
	}
	var r Report
	for _, q := range requesters {
		if q.err != nil {
			return Report{}, q.err
		}
		r.Requesters = append(r.Requesters, q.statistics())
		r.Completions += q.completions
		r.Elapsed = max(r.Elapsed, q.last)
	}
	return r, checkCounters(requesters, responder)
}
