package system

import "github.com/sarchlab/akita/v3/sim"

// Network describes the links, one between each node and a switch, or one between two nodes.
type Network struct {
	LinkLatency   Duration `yaml:"link_latency" json:"link_latency"`     // of a link, from the last bit sent to the last bit received
	LinkGbps      float64  `yaml:"link_gbps" json:"link_gbps"`           // rate of a link in each direction, Ethernet, IPv4, and TCP or UDP included
	SwitchLatency Duration `yaml:"switch_latency" json:"switch_latency"` // from the arrival of a segment to when it waits for its link
	BufferOctets  int      `yaml:"buffer_octets" json:"buffer_octets"`   // that wait in the switch for a link
	Reorder       Duration `yaml:"reorder" json:"reorder,omitempty"`     // by which a packet may arrive later than without it, so that others overtake it; 0 with RDMAP
}

// Memory describes the memory of each node.
type Memory struct {
	Kind    MemoryKind `yaml:"kind" json:"kind"`
	Latency Duration   `yaml:"latency" json:"latency"` // of ideal memory
}

// MemoryKind selects a memory controller of akita.
type MemoryKind string

const (
	Ideal MemoryKind = "ideal" // takes a read and a write of a line in every cycle, and answers after its latency
	DRAM  MemoryKind = "dram"  // DDR3-1600, 64 bits, 2 ranks of 8 banks
)

func (m Memory) latency(f sim.Freq) Cycle { return m.Latency.cycles(f) }

func (n Network) latency(f sim.Freq) Cycle { return n.LinkLatency.cycles(f) }

// lookahead is the least number of cycles after which what leaves one end of a link takes effect at the other.
func (n Network) lookahead(f sim.Freq) Cycle { return max(1, n.latency(f)) }

// rate returns the octets that a link carries in a cycle.
func (n Network) rate(f sim.Freq) float64 { return n.LinkGbps * 1e9 / 8 / float64(f) }
