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
	node   int // 0 for hosts first seen as clients, 1 for the others
	stream uint32
	host   netip.Addr
	peer   *end
	x      spec.Extensions

	segments [][]byte // sent by it and delivered to DDP
	packets  []int    // that completed them
	said     *speech
	fatal    int // number of the first segment that its peer refuses; many if there is none
	broken   int // packet of the first FPDU with a bad CRC

	// State while planning.
	taken  int  // segments planned
	silent bool // it posts nothing more

	// Actions of the engine in its place.
	work     []*work
	asking   []*work // of these, those with a response
	receives []*receive
	source   *region // source of Writes and Sends
	buffers  *region // for receives and results of Atomics
	dies     bool    // it refuses a segment
}

// work is a message posted by a side.
type work struct {
	message  *message
	to       uint64 // of its octets in source, or of an Atomic's result in buffers
	answered bool   // the complete response arrives
}

// receive is a receive request and the message that uses it.
type receive struct {
	message  *message
	to       uint64 // in buffers
	length   uint32
	complete bool
}

// step is a captured segment and the actions for it.
type step struct {
	from, to *end
	segment  []byte
	opcode   wire.Opcode

	register []placed // regions that replace others before it
	stores   []store  // octets changed by a host before it
	work     *work    // to be posted by the sender

	deliver   bool
	places    bool // it places octets
	alone     bool // it ends the receiver's stream
	receives  int  // receive requests that must be posted
	requested int  // number of requests that the receiver must have sent
}

// placed is a region of a node.
type placed struct {
	node   int
	region *region
}

// store is a change of memory by the host.
type store struct {
	placed
	to     uint64
	octets []byte
}

// plan is the replay inferred from a capture.
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

// ResourceError reports that a capture needs more than the configuration has.
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
	roce := translated(c.RoCE, config.Protocol(), report)
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
		e.said.rename(listen(config.Protocol(), renamed))
	}
	return p, nil
}

// rename copies the STags from the same speech with other STags.
func (s *speech) rename(other *speech) {
	for i, m := range s.of {
		if m == nil || m.first != i || i >= len(other.of) || other.of[i] == nil {
			continue
		}
		o := other.of[i]
		m.stag, m.read, m.atomic, m.flush, m.store = o.stag, o.read, o.atomic, o.flush, o.store
	}
}

// connection creates the two ends of a connection that has DDP segments.
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
	for _, e := range []*end{client, server} {
		for i, m := range e.said.of {
			if m != nil && is(m.opcode, spec.VerifyRequest) {
				return fmt.Errorf("packet %d: an RDMA Verify: replay cannot infer from it what memory holds; without the extension commit, its connection is replayed up to there", e.packets[i])
			}
		}
	}
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
	e := &end{name: a.String(), node: node, stream: p.streams[node], host: host, x: p.config.Protocol(), fatal: many}
	if p.streams[node]++; int(p.streams[node]) > p.config.Streams {
		return nil, &ResourceError{"streams", p.config.Streams}
	}
	p.ends = append(p.ends, e)
	return e, nil
}

// fill collects the segments delivered to DDP. An FPDU with a bad CRC was not, nor any after it; one of no octets belongs to
// MPA (RFC 6581).
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
	e.said = listen(e.x, e.segments)
}

// judge finds the segment that the peer refuses. A Terminate not caused by a segment ends what the peer accepts.
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
	e.said = listen(e.x, e.segments)
	e.fatal = e.said.wrong
}

// next returns the end whose segment is next in the capture: in packet order, but no response before its request.
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

// early reports whether the next segment answers a request that has not been received.
func (e *end) early() bool {
	m := e.said.of[e.taken]
	if m == nil {
		return false
	}
	if !is(m.opcode, spec.Responses) {
		return false
	}
	asked := e.peer.said.asked
	return m.number < len(asked) && asked[m.number].first >= e.peer.taken
}
