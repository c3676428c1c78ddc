package replay

import (
	"fmt"
	"net/netip"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// end is one end of a captured connection, a stream of a node.
type end struct {
	name   string
	node   int // 0 for hosts that were seen as clients first, 1 for the others
	stream uint32
	host   netip.Addr
	peer   *end

	segments [][]byte // that it sent and that reached DDP
	packets  []int    // in which they were complete
	said     *speech
	fatal    int // number of the first segment that its peer refuses; many when there is none
	broken   int // packet of the first FPDU with a bad CRC

	// While the plan is made.
	taken  int  // of its segments
	silent bool // it posts nothing any more

	// What an engine in its place does.
	work     []*work
	asking   []*work // of these, those with an answer
	receives []*receive
	source   *region // what Writes and Sends are sent from
	buffers  *region // receive buffers, and results of Atomics
	dies     bool    // it refuses a segment
}

// work is a message that a side had posted.
type work struct {
	message  *message
	to       uint64 // of its octets in source, or of an Atomic's result in buffers
	answered bool   // the whole answer comes
}

// receive is a receive request and the message that uses it.
type receive struct {
	message  *message
	to       uint64 // in buffers
	length   uint32
	complete bool
}

// step is a captured segment, and what happens with it.
type step struct {
	from, to *end
	segment  []byte
	opcode   wire.Opcode

	register []placed // regions that replace others before it
	stores   []store  // octets that a host had changed before it
	work     *work    // to be posted by the sender

	deliver   bool
	places    bool // it brings octets
	alone     bool // it ends the receiver's stream
	receives  int  // receive requests that must be there
	requested int  // requests that the receiver must have sent
}

// placed is a region of a node.
type placed struct {
	node   int
	region *region
}

// store is what a host does to its memory.
type store struct {
	placed
	to     uint64
	octets []byte
}

// plan is what a capture tells to do.
type plan struct {
	config  gen.Config
	hosts   map[netip.Addr]int // which node
	domains map[netip.Addr]uint16
	nodes   [2]*layout
	streams [2]uint32 // in use
	ends    []*end
	steps   []*step
	report  *Report
}

// ResourceError is a capture that needs more than a configuration has.
type ResourceError struct {
	Field string
	Value int
}

func (e *ResourceError) Error() string {
	return fmt.Sprintf("config: %s is %d; the capture needs more", e.Field, e.Value)
}

// newPlan infers what the hosts of a capture did.
func newPlan(c *capture.Capture, config gen.Config, report *Report) (*plan, error) {
	p := &plan{config: config, hosts: map[netip.Addr]int{}, domains: map[netip.Addr]uint16{}, nodes: [2]*layout{newLayout(), newLayout()}, report: report}
	roce, atomics := translated(c.RoCE)
	report.RoCEAtomics = atomics
	for _, s := range append(c.Streams[:len(c.Streams):len(c.Streams)], roce...) {
		if err := p.connection(s); err != nil {
			return nil, err
		}
	}
	for e := p.next(); e != nil; e = p.next() {
		p.take(e)
	}
	for i, l := range p.nodes {
		if !l.place(config.STags) {
			return nil, &ResourceError{"stags", config.STags}
		}
		report.STagsMapped += p.nodes[i].renamed
	}
	for _, s := range p.steps {
		p.rename(s)
	}
	for _, e := range p.ends {
		renamed := make([][]byte, 0, len(e.segments))
		for _, s := range p.steps {
			if s.from == e {
				renamed = append(renamed, s.segment)
			}
		}
		e.said.rename(listen(renamed))
	}
	return p, nil
}

// rename takes the STags over from the same speech with other STags.
func (s *speech) rename(other *speech) {
	for i, m := range s.of {
		if m == nil || m.first != i || i >= len(other.of) || other.of[i] == nil {
			continue
		}
		o := other.of[i]
		m.stag, m.read, m.atomic = o.stag, o.read, o.atomic
	}
}

// connection makes the two ends of a connection that has DDP segments.
func (p *plan) connection(s *capture.Stream) error {
	if len(s.ToServer.FPDUs)+len(s.ToClient.FPDUs) == 0 {
		p.report.ConnectionsEmpty++
		return nil
	}
	p.report.Connections++
	client, err := p.end(s.Client, 0)
	if err != nil {
		return err
	}
	server, err := p.end(s.Server, 1)
	if err != nil {
		return err
	}
	client.peer, server.peer = server, client
	client.fill(s.ToServer.FPDUs, p.report)
	server.fill(s.ToClient.FPDUs, p.report)
	client.judge(p.report)
	server.judge(p.report)
	return nil
}

func (p *plan) end(a netip.AddrPort, node int) (*end, error) {
	host := a.Addr()
	if known, is := p.hosts[host]; is {
		node = known
	} else {
		p.hosts[host] = node
		p.domains[host] = uint16(len(p.domains) + 1)
	}
	e := &end{name: a.String(), node: node, stream: p.streams[node], host: host, fatal: many}
	if p.streams[node]++; int(p.streams[node]) > p.config.Streams {
		return nil, &ResourceError{"streams", p.config.Streams}
	}
	p.ends = append(p.ends, e)
	return e, nil
}

// fill takes the segments that reached DDP. An FPDU with a bad CRC did not, nor did any behind it; one of no octets is MPA's
// (RFC 6581).
func (e *end) fill(fpdus []capture.FPDU, report *Report) {
	for i, f := range fpdus {
		if !f.CRCOK {
			e.broken = f.Packet
			report.SegmentsLeftOut += len(fpdus) - i
			break
		}
		if len(f.ULPDU) == 0 {
			report.SegmentsLeftOut++
			continue
		}
		e.segments = append(e.segments, f.ULPDU)
		e.packets = append(e.packets, f.Packet)
	}
	e.said = listen(e.segments)
}

// judge finds out which segment the peer refuses. A Terminate for something that is none of them ends what the peer takes.
func (e *end) judge(report *Report) {
	e.fatal = e.said.wrong
	said := e.peer.said
	if said.terminate == nil {
		return
	}
	when := e.peer.packets[said.ends]
	came := 0
	for came < len(e.packets) && e.packets[came] <= when {
		came++
	}
	if i := refused(said.terminate, e.segments[:came]); i >= 0 && (e.broken == 0 || e.broken > when) {
		e.fatal = min(e.fatal, i)
		return
	}
	report.SegmentsLeftOut += len(e.segments) - came
	e.segments, e.packets = e.segments[:came], e.packets[:came]
	e.said = listen(e.segments)
	e.fatal = e.said.wrong
}

// next is the end whose segment comes next in the capture: by packets, but no answer before its request.
func (p *plan) next() *end {
	var first, free *end
	for _, e := range p.ends {
		if e.taken == len(e.segments) {
			continue
		}
		if earlier(e, first) {
			first = e
		}
		if !e.early() && earlier(e, free) {
			free = e
		}
	}
	if free != nil {
		return free
	}
	return first
}

func earlier(e, than *end) bool {
	return than == nil || e.packets[e.taken] < than.packets[than.taken]
}

// early tells whether the next segment answers a request that has not been taken.
func (e *end) early() bool {
	m := e.said.of[e.taken]
	if m == nil {
		return false
	}
	if !m.opcode.Is(spec.Responses) {
		return false
	}
	asked := e.peer.said.asked
	return m.number < len(asked) && asked[m.number].first >= e.peer.taken
}
