package system

import (
	"errors"
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/system"
)

// rtl is the hardware as an RNIC of a node. In each cycle it takes messages from its ports, runs the hardware for one cycle, and sends
// messages.
type rtl struct {
	*system.Clocked
	site                  system.Site
	host, memory, network sim.Port // of this component
	toHost, toMemory      sim.Port // at the other ends
	toNetwork             sim.Port
	device                device
	port                  *port
	quiet                 system.Cycle // without activity, after which the clock stops
	active                system.Cycle // the last cycle with activity
	traffic               system.Traffic
	err                   error
	closed                bool

	reading map[string]*read // by the ID of the message to memory
	writing map[string]*write

	// Waiting for room at a port; meanwhile the stream that they come from is stalled.
	completions []rdmap.Completion
	ended       []uint32
}

// leastQuiet is the least number of cycles without activity after which the clock stops.
const leastQuiet = 1024

// never is a cycle that does not come.
const never = ^system.Cycle(0)

// NewRTL returns the hardware of a configuration as the RNIC of a site.
func NewRTL(site system.Site, c gen.Config, o Options) (system.NIC, error) {
	n := &rtl{site: site, quiet: leastQuiet, reading: map[string]*read{}, writing: map[string]*write{}}
	n.Clocked = system.NewClocked(site.Name, site.Engine, site.Freq, n.act)
	n.host, n.memory, n.network = system.NewPorts(n)
	if c.Profile == gen.ProfileFalcon {
		h, err := openFalconHardware(c, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", site.Name, err)
		}
		n.device, n.port = newOverFalcon(n, h), h.port
		return n, nil
	}
	h, err := openHardware(c, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", site.Name, err)
	}
	n.device, n.port, n.quiet = &iwarp{hardware: h, n: n}, h.port, max(n.quiet, rnic.Silence(c))
	return n, nil
}

// Connect sets the ports at the other ends: of the host, of the memory, and of the network.
func (n *rtl) Connect(host, memory, network sim.Port) {
	n.toHost, n.toMemory, n.toNetwork = host, memory, network
}

// SetRegion stores a row of the STag table.
func (n *rtl) SetRegion(index int, r memory.Region) error { return n.device.setRegion(index, r) }

// Open opens a stream.
func (n *rtl) Open(stream uint32) error { return n.device.open(stream) }

// Write does nothing: the hardware holds no copy of memory.
func (n *rtl) Write(uint64, []byte) {}

// Traffic counts what has passed the ports.
func (n *rtl) Traffic() system.Traffic { return n.traffic }

// Err is the first error; after it, nothing is done.
func (n *rtl) Err() error { return n.err }

// Close frees the simulator.
func (n *rtl) Close() error {
	n.closed = true
	return n.device.close()
}

// act runs a cycle.
func (n *rtl) act(now system.Cycle) (next system.Cycle) {
	if n.err != nil || n.closed {
		return never
	}
	active, err := n.cycle(sim.VTimeInSec(float64(now) / float64(n.Freq)))
	if err != nil {
		n.err = fmt.Errorf("%s: cycle %d: %w", n.Name(), now, err)
		return never
	}
	if active {
		n.active = now
	}
	if now-n.active >= n.quiet && n.idle() {
		return n.device.next()
	}
	return now + 1
}

// cycle takes messages, runs the hardware, and sends messages. It reports whether anything has happened.
func (n *rtl) cycle(now sim.VTimeInSec) (active bool, err error) {
	took, err := n.take(now)
	if err != nil {
		return false, err
	}
	if err := errors.Join(n.port.hold("cqe", len(n.completions) > 0), n.port.hold("event", len(n.ended) > 0)); err != nil {
		return false, err
	}
	moved, err := n.port.around(n.device.run)
	if err != nil {
		return false, err
	}
	collected, err := n.collect(now)
	if err != nil {
		return false, err
	}
	return took || moved || collected, n.send(now)
}

// idle reports whether nothing is queued and no access of memory is outstanding.
func (n *rtl) idle() bool {
	p := n.port
	return p.queued() == 0 && p.reads.idle() && p.writes.idle() && n.device.idle() && len(n.completions)+len(n.ended) == 0
}
