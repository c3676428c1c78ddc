package system_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sarchlab/akita/v3/mem/dram"
	"github.com/sarchlab/akita/v3/mem/idealmemcontroller"
	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	hardware "github.com/rnicgen/rnicgen/cosim/system"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/system"
)

const (
	freq    = 250 * sim.MHz
	row     = 3
	key     = 7
	octets  = 1 << 16 // of the region at each end
	address = 0x20000 // of the region of the hardware
	far     = 0x4000  // of the region of the peer
	never   = ^system.Cycle(0)
)

var stag = memory.STag(row, key)

// small is a configuration that is simulated quickly.
func small(bus int) gen.Config {
	c := gen.Default()
	c.BusBytes, c.Streams, c.STags, c.MaxPayload, c.AtomicDepth, c.ReceiveDepth, c.SendDepth = bus, 4, 16, 512, 16, 16, 16
	return c
}

// setting is what the surroundings of the hardware are like.
type setting struct {
	config  gen.Config
	engine  string
	design  *simulator.Design // of the configuration; nil compiles it
	seed    uint64
	latency int  // of ideal memory in cycles
	dram    bool // instead of ideal memory
	depth   int  // of the connections on their sides
	slow    int  // cycles between messages that host and peer take, and between those that the peer sends

	mute bool         // memory never answers
	deaf string       // which of host and peer takes nothing
	from system.Cycle // until this cycle
}

// rig is the hardware with a host, memory and a peer.
type rig struct {
	t       *testing.T
	engine  sim.Engine
	nic     system.NIC
	storage *mem.Storage
	host    *host
	peer    *peer
}

// connected is what NewRTL returns: it is told the ports at the other ends.
type connected interface {
	Connect(host, memory, network sim.Port)
}

func newRig(t *testing.T, s setting) *rig {
	if s.depth == 0 {
		s.depth = 64
	}
	if s.engine == "" {
		s.engine = "go"
	}
	r := &rig{t: t, engine: sim.NewSerialEngine(), storage: mem.NewStorage(1 << 30)}
	var err error
	peers := make([]system.Peer, s.config.Streams)
	for i := range peers {
		peers[i] = system.Peer{Node: 1, Stream: uint32(len(peers) - 1 - i)}
	}
	r.nic, err = hardware.NewRTL(system.Site{Name: "RNIC", Engine: r.engine, Freq: freq, Peers: peers}, s.config, hardware.Options{Engine: s.engine, Design: s.design, Seed: s.seed, Quick: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.nic.Close()) })
	var controller sim.Component
	if s.mute {
		m := system.NewClocked("Memory", r.engine, freq, func(system.Cycle) system.Cycle { return never })
		m.AddPort("Top", sim.NewLimitNumMsgPort(m, s.depth, "Memory.Top"))
		controller = m
	} else if s.dram {
		controller = dram.MakeBuilder().WithEngine(r.engine).WithGlobalStorage(r.storage).WithTransactionQueueSize(s.depth + 4).Build("Memory")
	} else {
		controller = idealmemcontroller.MakeBuilder().WithEngine(r.engine).WithFreq(2 * freq).WithLatency(2 * s.latency).WithTopBufSize(s.depth).
			WithStorage(r.storage).Build("Memory")
	}
	r.host = newHost(r.engine, s)
	r.peer = newPeer(t, r.engine, s)
	host, memoryPort, network := r.nic.GetPortByName("Host"), r.nic.GetPortByName("Memory"), r.nic.GetPortByName("Network")
	top := controller.GetPortByName("Top")
	r.nic.(connected).Connect(r.host.port, top, r.peer.port)
	r.host.to, r.peer.to = host, network
	for _, pair := range [][2]sim.Port{{host, r.host.port}, {memoryPort, top}, {network, r.peer.port}} {
		c := sim.NewDirectConnection(pair[0].Name()+".Connection", r.engine, freq)
		c.PlugIn(pair[0], s.depth)
		c.PlugIn(pair[1], s.depth)
	}
	all := memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic
	region := memory.Region{Valid: true, Key: key, Rights: all, ByDomain: true, Length: octets}
	region.Address = address
	require.NoError(t, r.nic.SetRegion(row, region))
	region.Address = far
	require.NoError(t, r.peer.model.SetRegion(row, region))
	for i := range s.config.Streams {
		require.NoError(t, r.nic.Open(uint32(i)))
		require.NoError(t, r.peer.model.Open(uint32(i), 0))
	}
	return r
}

// run runs until nothing happens any more.
func (r *rig) run() {
	r.host.Wake(0)
	r.peer.Wake(0)
	require.NoError(r.t, r.engine.Run())
	require.NoError(r.t, r.nic.Err())
	require.Empty(r.t, r.host.todo, "requests that the hardware has not taken")
	require.Empty(r.t, r.peer.out, "segments that the hardware has not taken")
}

// fill stores random octets at both ends, and returns them.
func (r *rig) fill(random *rand.Rand) (here, there []byte) {
	here, there = make([]byte, octets), make([]byte, octets)
	for i := range here {
		here[i], there[i] = byte(random.Uint32()), byte(random.Uint32())
	}
	require.NoError(r.t, r.storage.Write(address, here))
	require.NoError(r.t, r.peer.model.Write(far, there))
	return here, there
}

// compare compares memory at both ends with what must be there.
func (r *rig) compare(here, there []byte) {
	const around = 4096
	got, err := r.storage.Read(address-around, octets+2*around)
	require.NoError(r.t, err)
	here = append(append(make([]byte, around), here...), make([]byte, around)...)
	require.Equal(r.t, -1, differs(here, got), "memory of the hardware")
	got = make([]byte, octets)
	r.peer.model.Model.Memory().Read(far, got)
	require.Equal(r.t, -1, differs(there, got), "memory of the peer")
}

func differs(want, got []byte) int {
	for i := range want {
		if want[i] != got[i] {
			return i
		}
	}
	return -1
}

// post is a request of a host.
type post struct {
	at      system.Cycle // at the earliest
	message sim.Msg
}

// host posts requests as soon as they are due and there is room.
type host struct {
	*system.Clocked
	port, to sim.Port
	todo     []post
	slow     system.Cycle
	took     system.Cycle // when it took the latest message
	done     []rdmap.Completion
	ended    []uint32
	times    []system.Cycle // of done
}

func newHost(engine sim.Engine, s setting) *host {
	h := &host{slow: system.Cycle(s.slow)}
	if s.deaf == "host" {
		h.took = s.from
	}
	h.Clocked = system.NewClocked("Host", engine, freq, h.act)
	h.port = sim.NewLimitNumMsgPort(h, s.depth, "Host.Port")
	return h
}

func (h *host) work(at system.Cycle, w rdmap.WorkRequest) {
	h.todo = append(h.todo, post{at, &system.Work{Request: w}})
}

func (h *host) receive(at system.Cycle, q rdmap.ReceiveRequest) {
	h.todo = append(h.todo, post{at, &system.Receive{Request: q}})
}

func (h *host) act(now system.Cycle) (next system.Cycle) {
	at := sim.VTimeInSec(float64(now) / float64(freq))
	next = never
	for h.port.Peek() != nil {
		if now < h.took+h.slow {
			next = h.took + h.slow
			break
		}
		h.took = now
		switch m := h.port.Retrieve(at).(type) {
		case *system.Done:
			h.done, h.times = append(h.done, m.Completion), append(h.times, now)
		case *system.Ended:
			h.ended = append(h.ended, m.Stream)
		}
	}
	for len(h.todo) > 0 {
		if h.todo[0].at > now {
			return min(next, h.todo[0].at)
		}
		if !h.port.CanSend() {
			return next
		}
		m := h.todo[0].message
		m.Meta().Src, m.Meta().Dst, m.Meta().SendTime = h.port, h.to, at
		h.port.Send(m)
		h.todo = h.todo[1:]
	}
	return next
}

// peer is the golden model at the other end of the network.
type peer struct {
	*system.Clocked
	t        *testing.T
	port, to sim.Port
	model    *rnic.ModelEndpoint
	streams  uint32
	posts    []system.Cycle // when it does posted, in order
	posted   []func()
	out      []rnic.Segment
	slow     system.Cycle
	took     system.Cycle // when it took the latest message
	sent     system.Cycle
	done     []rnic.Completion
	log      []system.Cycle // arrivals
}

func newPeer(t *testing.T, engine sim.Engine, s setting) *peer {
	p := &peer{t: t, streams: uint32(s.config.Streams), slow: system.Cycle(s.slow)}
	if s.deaf == "peer" {
		p.took = s.from
	}
	p.Clocked = system.NewClocked("Peer", engine, freq, p.act)
	p.port = sim.NewLimitNumMsgPort(p, s.depth, "Peer.Port")
	var err error
	p.model, err = rnic.NewModelEndpoint(s.config, s.seed)
	require.NoError(t, err)
	return p
}

// do does something at a cycle; cycles do not decrease.
func (p *peer) do(at system.Cycle, something func()) {
	p.posts, p.posted = append(p.posts, at), append(p.posted, something)
}

func (p *peer) act(now system.Cycle) (next system.Cycle) {
	at := sim.VTimeInSec(float64(now) / float64(freq))
	next = never
	for len(p.posts) > 0 && p.posts[0] <= now {
		p.posted[0]()
		p.posts, p.posted = p.posts[1:], p.posted[1:]
	}
	if len(p.posts) > 0 {
		next = p.posts[0]
	}
	for p.port.Peek() != nil {
		if now < p.took+p.slow {
			next = min(next, p.took+p.slow)
			break
		}
		p.took = now
		m := p.port.Retrieve(at).(*system.Segment)
		require.Equal(p.t, 1, m.To)
		p.log = append(p.log, now)
		p.model.Send(m.Stream, m.Octets)
	}
	out, err := p.model.Run(0, 0)
	require.NoError(p.t, err)
	p.out, p.done = append(p.out, out.Segments...), append(p.done, out.Completions...)
	for len(p.out) > 0 {
		if now < p.sent+p.slow {
			return min(next, p.sent+p.slow)
		}
		if !p.port.CanSend() {
			return next
		}
		s := p.out[0]
		m := &system.Segment{Stream: p.streams - 1 - s.Stream, Octets: s.Octets}
		m.Src, m.Dst, m.SendTime = p.port, p.to, at
		p.port.Send(m)
		p.out, p.sent = p.out[1:], now
	}
	return next
}
