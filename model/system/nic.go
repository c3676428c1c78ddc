package system

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
)

// NIC is the RNIC of a node: a component with the ports Host, Memory and Network of Site.
//
// At Host it receives Work and Receive, and sends Done and Ended, at most one of each in a cycle. At Memory it sends akita's ReadReq and
// WriteReq, each of octets within one line of the bus, at most one of each in a cycle. At Network it sends and receives Segments: a bus
// accepts or emits one beat in a cycle, so a segment takes as many cycles as it has beats.
// With RDMA over Falcon, acknowledgements are sent and received besides.
type NIC interface {
	sim.Component

	// SetRegion and Open prepare the RNIC before the start. What arrives on or is posted to an open stream is for Site.Peers[stream].
	SetRegion(index int, r memory.Region) error
	Open(stream uint32) error

	// Connect sets the ports at the other ends: of the host, of the memory, and of the network.
	Connect(host, memory, network sim.Port)

	// Write stores octets before the start, where the RNIC holds a copy of memory.
	Write(address uint64, octets []byte)

	// Traffic counts what it has done. Err is the first error that a simulation cannot go on from.
	Traffic() Traffic
	Err() error
	Close() error
}

// Engine is the configuration of an RNIC.
type Engine struct {
	rdmap.EngineConfig
	BusBytes    int // of its streams and of its memory port
	AtomicDepth int // Atomics in progress in memory

	Falcon *Falcon // of the profile falcon; nil: rdmap
}

// Falcon is what the configuration of an RNIC has for RDMA over Falcon only. A stream is a QP with a connection of its own.
type Falcon struct {
	BitOrder     spec.BitOrder
	Window       int // SNs from the oldest incomplete request of a connection to the next one
	BufferOctets int // of Falcon's smallest buffer, for credits
}

// Site is where an RNIC stands.
type Site struct {
	Name    string
	Node    int
	Engine  sim.Engine
	Freq    sim.Freq
	Config  Engine
	Timing  Timing
	Seed    uint64
	Reorder Cycle  // by which Falcon's packets may arrive later
	Peers   []Peer // by stream
}

// Peer is the other end of a stream.
type Peer struct {
	Node     int
	Stream   uint32
	Ordering Ordering
}

// Traffic counts what an RNIC has done.
type Traffic struct {
	SegmentsIn  uint64 `json:"segments_in"`
	SegmentsOut uint64 `json:"segments_out"`
	BeatsIn     uint64 `json:"beats_in"`
	BeatsOut    uint64 `json:"beats_out"`
	LinesRead   uint64 `json:"lines_read"`
	LinesWrote  uint64 `json:"lines_written"`
}

// portDepth is the number of messages that wait at a port of an RNIC or host.
const portDepth = 64

// NewPorts adds the three ports to an RNIC.
func NewPorts(c sim.Component) (host, memory, network sim.Port) {
	port := func(name string) sim.Port {
		p := sim.NewLimitNumMsgPort(c, portDepth, c.Name()+"."+name)
		c.AddPort(name, p)
		return p
	}
	return port("Host"), port("Memory"), port("Network")
}

// Beats returns the beats of a bus that a segment takes; an empty one takes one.
func Beats(octets, bus int) int { return max(1, (octets+bus-1)/bus) }
