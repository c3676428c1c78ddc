package system

import (
	"github.com/rnicgen/rnicgen/model/memory"
)

// Where the memory of a node holds what hosts use.
const (
	targetRow     = 1 // of the STag table: objects of flows
	targetAddress = 1 << 32
	localRow      = 2 // sources and sinks of the host's own requests
	localAddress  = 1 << 34
	stagKey       = 0x5A
)

var (
	targetSTag = memory.STag(targetRow, stagKey)
	localSTag  = memory.STag(localRow, stagKey)
)

// connection is a stream between an initiator and a target.
type connection struct {
	flow     *Flow
	number   int // among all
	index    int // among those of the flow to the target
	from, to end
	slots    int    // of local memory at each end, each for one operation
	octets   uint64 // of a slot
}

// end is one end of a connection.
type end struct {
	node   int
	stream uint32
	local  uint64 // TO of its slots
}

// connections gives every connection its streams and its local memory. It returns the octets of local memory and of objects of each node.
func (w *Workload) connections() (list []*connection, local, target []uint64) {
	local, target = make([]uint64, w.Nodes), make([]uint64, w.Nodes)
	streams := make([]uint32, w.Nodes)
	for i := range w.Flows {
		f := &w.Flows[i]
		index := make([]int, w.Nodes)
		slots, octets := f.slots()
		take := func(node int) end {
			e := end{node, streams[node], local[node]}
			streams[node]++
			local[node] += uint64(slots) * octets
			return e
		}
		for from, to := range f.pairs(w.Nodes) {
			target[to] = max(target[to], f.Objects.Base+f.Objects.Octets*uint64(f.Objects.Count))
			for range f.Streams {
				list = append(list, &connection{flow: f, number: len(list), index: index[to], from: take(from), to: take(to), slots: slots, octets: octets})
				index[to]++
			}
		}
	}
	return list, local, target
}

// slots returns how many operations of a flow use local memory at a time, and the octets of each, whole lines.
func (f *Flow) slots() (count int, octets uint64) {
	for _, m := range f.Mix {
		if m.BackToBack {
			count = max(count, len(m.Steps))
		}
		for _, s := range m.Steps {
			octets = max(octets, uint64(s.Octets))
		}
	}
	return f.Outstanding * max(1, count), (octets + 127) &^ 127
}

// sends reports whether a flow needs receive requests.
func (f *Flow) sends() bool {
	for _, m := range f.Mix {
		for _, s := range m.Steps {
			if s.Operation == Send {
				return true
			}
		}
	}
	return false
}

// word is the value of a CmpSwap for a connection.
func (c *connection) word(v Value) uint64 {
	if v.Mine {
		return uint64(c.number) + 1
	}
	return v.Number
}
