package system

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// rnic is the golden model with the timing of the hardware. The model does the work: it checks segments, executes requests and makes
// segments, at the moment when the hardware would. The rest of this component decides those moments: when beats, lines, turns and
// completions come, each at most once in a cycle.
type rnic struct {
	*Clocked
	site    Site
	timing  Timing
	speaks  protocol
	works   rhythm                   // of work requests of a stream
	dones   rhythm                   // of their completions
	regions map[uint32]memory.Region // by index of the STag

	host, net       sim.Port // of this component
	toHost, toOther sim.Port // at the other ends

	agenda     agenda
	accesses   *accesses
	free       Cycle // when the receive bus is free
	streams    []stream
	deliveries []*delivery // that have not taken effect, in order of arrival
	atomics    atomics
	sender     sender
	done       []sim.Msg // completions for the host, one in a cycle
	traffic    Traffic
	err        error
}

// stream is what an RNIC keeps of a stream beside the model.
type stream struct {
	starts     visits // for work requests
	ends       visits // for their completions
	placements placements
	requests   []*request // of the peer, in order, not started
	started    int        // requests that are started and not over
	access     Cycle      // when the next of these accesses memory at the earliest
	latest     spec.Class // of the latest that was started
	reported   Cycle      // when the latest completion of a work request is ready
	messages   []*message // that wait for turns, in order
	held       []*message // that will be among them
	passes     Cycle      // until when what comes does not go straight on
	listed     bool       // among the streams that may have a turn
	credit     int        // octets that it may send in its turn
}

// NewRNIC returns the RNIC of a site.
func NewRNIC(site Site) (NIC, error) {
	n := &rnic{site: site, timing: site.Timing, regions: map[uint32]memory.Region{}, streams: make([]stream, site.Config.Streams), atomics: atomics{words: map[uint64]*word{}}}
	n.Clocked = NewClocked(site.Name, site.Engine, site.Freq, n.act)
	host, memory, net := NewPorts(n)
	n.host, n.net = host, net
	n.accesses = &accesses{port: memory, freq: site.Freq, line: uint64(site.Config.BusBytes), most: mostBurst, waiting: map[string]*access{}, agenda: &n.agenda, written: map[uint64]bool{}, traffic: &n.traffic}
	var err error
	if site.Config.Falcon != nil {
		n.speaks, err = newOverFalcon(n)
	} else {
		n.speaks, err = newIWARP(n)
	}
	return n, err
}

// SetRegion stores a row of the STag table.
func (n *rnic) SetRegion(index int, r memory.Region) error {
	n.regions[uint32(index)] = r
	return n.speaks.setRegion(index, r)
}

// Open opens a stream.
func (n *rnic) Open(stream uint32) error { return n.speaks.open(stream) }

// Connect sets the ports at the other ends.
func (n *rnic) Connect(host, memory, network sim.Port) {
	n.toHost, n.accesses.memory, n.toOther = host, memory, network
}

// Write stores octets in the copy of memory that the model works on.
func (n *rnic) Write(address uint64, octets []byte) { n.speaks.memory().Write(address, octets) }

// Traffic counts what the RNIC has done.
func (n *rnic) Traffic() Traffic { return n.traffic }

// Err returns the first error.
func (n *rnic) Err() error { return n.err }

// Close does nothing.
func (n *rnic) Close() error { return nil }

// act is a cycle.
func (n *rnic) act(now Cycle) (next Cycle) {
	if n.err != nil {
		return never
	}
	if err := n.accesses.collect(now); err != nil {
		n.fail("%v", err)
		return never
	}
	next = min(n.post(now), n.take(now))
	n.agenda.run(now)
	next = min(next, n.turn(now), n.leave(now), n.complete(now), n.accesses.issue(now), n.agenda.next())
	return min(next, n.speaks.flush(now))
}

// later does something after a number of cycles.
func (n *rnic) later(now Cycle, cycles int, do func(now Cycle)) {
	n.agenda.enter(Cycle(int64(now)+int64(cycles)), do)
}

// check notes an error.
func (n *rnic) check(err error) {
	if err != nil {
		n.fail("%v", err)
	}
}

func (n *rnic) fail(format string, args ...any) {
	if n.err == nil {
		n.err = fmt.Errorf("%s: %s", n.Name(), fmt.Sprintf(format, args...))
	}
}

// address returns where in memory a tagged buffer begins.
func (n *rnic) address(b rdmap.Buffer) uint64 {
	r := n.regions[b.STag>>8]
	return r.Address + b.TO - r.Base
}

// Differs compares the copy of memory that the model works on with memory, where the RNIC has written.
func (n *rnic) Differs(read func(address uint64, octets int) []byte) (address uint64, differs bool) {
	for _, page := range slices.Sorted(maps.Keys(n.accesses.written)) {
		if !n.speaks.memory().Equal(page, read(page, pageOctets)) {
			return page, true
		}
	}
	return 0, false
}
