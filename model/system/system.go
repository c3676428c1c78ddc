package system

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Options say how a workload is run.
type Options struct {
	Config   Engine // of all RNICs
	Timing   Timing
	Parallel bool                     // run nodes on all cores
	RTL      func(Site) (NIC, error)  // makes the RNICs that are hardware; nil: there are none
	Prepared func(sim.Engine, []Part) // called before the start; may be nil
	Context  context.Context          // ends a run early; may be nil
}

// System is a network of nodes, ready to run.
type System struct {
	workload Workload
	options  Options
	engine   sim.Engine
	freq     sim.Freq
	nodes    []*node
	lanes    []*lane
	parts    []Part
	stopped  atomic.Bool // no transaction begins any more
}

// Part is the components, and the connections of akita, that act on each other without latency: those of a node, or the switch.
type Part struct {
	Engine     sim.Engine // whose time is that of these components
	Components []sim.Component
}

type node struct {
	engine  sim.Engine
	host    *host
	nic     NIC
	memory  sim.Port
	storage *mem.Storage
	objects uint64 // octets of them
	record  *record
}

// New builds the system of a workload.
func New(w Workload, o Options) (*System, error) {
	if err := w.Check(o.Config); err != nil {
		return nil, err
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	s := &System{workload: w, options: o, freq: sim.Freq(w.ClockMHz) * sim.MHz}
	if o.Parallel {
		s.engine = newParallelEngine(s.freq, w.Network.lookahead(s.freq))
	} else {
		s.engine = sim.NewSerialEngine()
	}
	connections, local, objects := w.connections()
	peers := make([][]Peer, w.Nodes)
	for _, c := range connections {
		peers[c.from.node] = append(peers[c.from.node], Peer{c.to.node, c.to.stream, c.flow.Ordering})
		peers[c.to.node] = append(peers[c.to.node], Peer{c.from.node, c.from.stream, c.flow.Ordering})
	}
	rtl := map[int]bool{}
	for _, i := range w.RTL.of(w.Nodes) {
		rtl[i] = true
	}
	for i := range w.Nodes {
		n, err := s.newNode(i, rtl[i], peers[i], local[i], objects[i])
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.nodes = append(s.nodes, n)
	}
	s.join()
	s.assign(connections)
	return s, nil
}

// engineOfPart returns the engine of the components of another part.
func (s *System) engineOfPart() sim.Engine {
	if e, is := s.engine.(*parallelEngine); is {
		return e.process()
	}
	return s.engine
}

// newNode makes a node and opens its streams.
func (s *System) newNode(i int, rtl bool, peers []Peer, local, objects uint64) (*node, error) {
	name, engine := fmt.Sprintf("Node[%d]", i), s.engineOfPart()
	n := &node{engine: engine, objects: objects, record: &record{rows: map[rowKey]*row{}, adds: map[word64]*sum{}}}
	n.host = newHost(name+".Host", engine, s.freq, n.record, &s.stopped)
	site := Site{Name: name + ".RNIC", Node: i, Engine: engine, Freq: s.freq, Config: s.options.Config, Timing: s.options.Timing, Seed: s.workload.Seed + uint64(i), Reorder: s.workload.Network.Reorder.cycles(s.freq), Peers: peers}
	making := NewRNIC
	if rtl {
		if making = s.options.RTL; making == nil {
			return nil, fmt.Errorf("workload: rtl names node %d; allowed: none without hardware", i)
		}
	}
	nic, err := making(site)
	if err != nil {
		return nil, fmt.Errorf("node %d: %w", i, err)
	}
	n.nic = nic
	controller, port, storage := newMemory(name+".Memory", engine, s.freq, s.workload.Memory)
	n.memory, n.storage = port, storage
	all := memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic
	region := func(row int, r memory.Rights, address, octets uint64) error {
		g := memory.Region{Valid: true, Key: stagKey, Rights: r, ByDomain: true, Length: max(octets, 8), Address: address}
		if row == targetRow && s.options.Config.Extensions&spec.Commit != 0 {
			g.Rights |= memory.FlushPersistent | memory.FlushVisible | memory.Verifiable
			g.Attributes = memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C, Read: memory.ReadNotNeeded}
		}
		return nic.SetRegion(row, g)
	}
	err = errors.Join(region(targetRow, all, targetAddress, objects), region(localRow, memory.LocalRead|memory.LocalWrite, localAddress, local))
	for stream := range peers {
		err = errors.Join(err, nic.Open(uint32(stream)))
	}
	if err != nil {
		return nil, fmt.Errorf("node %d: %w", i, errors.Join(err, nic.Close()))
	}
	n.fill(local, uint64(i))
	hostSide, memorySide := nic.GetPortByName("Host"), nic.GetPortByName("Memory")
	n.host.nic = hostSide
	toHost := joined(name+".Doorbell", engine, s.freq, n.host.port, hostSide)
	toMemory := joined(name+".Bus", engine, memoryClock*s.freq, memorySide, port)
	s.parts = append(s.parts, Part{engine, []sim.Component{n.host, nic, controller, toHost, toMemory}})
	return n, nil
}

// fill gives the host's memory contents that depend on node and address.
func (n *node) fill(octets, seed uint64) {
	line := make([]byte, 128)
	for at := uint64(0); at < octets; at += uint64(len(line)) {
		for i := range line {
			line[i] = byte(seed*31 + (at+uint64(i))*7 + at>>8)
		}
		if err := n.storage.Write(localAddress+at, line); err != nil {
			panic(err) // within its capacity
		}
		n.nic.Write(localAddress+at, line)
	}
}

// join makes the network: a link between two nodes, else one between each node and a switch.
func (s *System) join() {
	nic := func(n *node, to sim.Port) plug {
		n.nic.Connect(n.host.port, n.memory, to)
		return plug{n.engine, n.nic.GetPortByName("Network"), nicBuffer}
	}
	link := func(name string, a, b plug) {
		s.lanes = append(s.lanes, newLink(name, s.freq, s.workload.Network, a, b).lanes[:]...)
	}
	if len(s.nodes) == 2 {
		a, b := s.nodes[0], s.nodes[1]
		link("Link[0]", nic(a, b.nic.GetPortByName("Network")), nic(b, a.nic.GetPortByName("Network")))
		return
	}
	engine := s.engineOfPart()
	sw := newSwitch(engine, s.freq, len(s.nodes), s.workload.Network)
	s.parts = append(s.parts, Part{engine, []sim.Component{sw}})
	for i, n := range s.nodes {
		end := nic(n, sw.ports[i])
		link(fmt.Sprintf("Link[%d]", i), end, plug{engine, sw.ports[i], s.workload.Network.BufferOctets})
		sw.peers = append(sw.peers, end.port)
	}
}
