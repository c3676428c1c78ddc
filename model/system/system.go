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
	Parallel bool                              // run the events of a cycle on all cores
	RTL      func(Site) (NIC, error)           // makes the RNICs that are hardware; nil: there are none
	Prepared func(sim.Engine, []sim.Component) // called before the start; may be nil
	Context  context.Context                   // ends a run early; may be nil
}

// System is a network of nodes, ready to run.
type System struct {
	workload Workload
	options  Options
	engine   sim.Engine
	freq     sim.Freq
	nodes    []*node
	lanes    []*lane
	all      []sim.Component // and connections
	stopped  atomic.Bool     // no transaction begins any more
}

type node struct {
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
		s.engine = sim.NewParallelEngine()
	} else {
		s.engine = sim.NewSerialEngine()
	}
	connections, local, objects := w.connections()
	peers := make([][]Peer, w.Nodes)
	for _, c := range connections {
		peers[c.from.node] = append(peers[c.from.node], Peer{c.to.node, c.to.stream})
		peers[c.to.node] = append(peers[c.to.node], Peer{c.from.node, c.from.stream})
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

// newNode makes a node and opens its streams.
func (s *System) newNode(i int, rtl bool, peers []Peer, local, objects uint64) (*node, error) {
	name := fmt.Sprintf("Node[%d]", i)
	n := &node{objects: objects, record: &record{rows: map[rowKey]*row{}, adds: map[word64]*sum{}}}
	n.host = newHost(name+".Host", s.engine, s.freq, n.record, &s.stopped)
	site := Site{Name: name + ".RNIC", Node: i, Engine: s.engine, Freq: s.freq, Config: s.options.Config, Timing: s.options.Timing, Seed: s.workload.Seed + uint64(i), Peers: peers}
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
	controller, port, storage := newMemory(name+".Memory", s.engine, s.freq, s.workload.Memory)
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
	toHost := joined(name+".Doorbell", s.engine, s.freq, n.host.port, hostSide)
	toMemory := joined(name+".Bus", s.engine, memoryClock*s.freq, memorySide, port)
	s.all = append(s.all, n.host, nic, controller, toHost, toMemory)
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
	link := func(name string, a, b sim.Port, buffer int) {
		l := newLink(name, s.engine, s.freq, s.workload.Network, nicBuffer, buffer)
		l.PlugIn(a, 0)
		l.PlugIn(b, 0)
		s.lanes = append(s.lanes, l.lanes...)
	}
	connect := func(n *node, network sim.Port) {
		n.nic.Connect(n.host.port, n.memory, network)
	}
	if len(s.nodes) == 2 {
		a, b := s.nodes[0], s.nodes[1]
		pa, pb := a.nic.GetPortByName("Network"), b.nic.GetPortByName("Network")
		link("Link[0]", pa, pb, nicBuffer)
		connect(a, pb)
		connect(b, pa)
		return
	}
	sw := newSwitch(s.engine, s.freq, len(s.nodes), s.workload.Network.SwitchLatency.cycles(s.freq))
	s.all = append(s.all, sw)
	for i, n := range s.nodes {
		p := n.nic.GetPortByName("Network")
		link(fmt.Sprintf("Link[%d]", i), p, sw.ports[i], s.workload.Network.BufferOctets)
		sw.peers = append(sw.peers, p)
		connect(n, sw.ports[i])
	}
}
