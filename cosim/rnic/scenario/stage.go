package scenario

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl/sim"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// stage is a device with the model that follows it, and a peer that is a model. Both have the same rows in their STag tables, on
// memories of their own.
//
// The peer does what its host posts, and answers. A stream that is raw has no peer but for answers: the scenario sends what
// comes on it.
type stage struct {
	*rnic.Node
	peer    *rnic.Plain
	config  gen.Config
	rand    *rand.Rand
	inside  *sim.Sim // of scenarios that set state
	streams []uint32 // that scenarios use: all of them, or the first and the last ones of many

	out     rnic.Output // all that the device has put out, but segments
	left    map[uint32][]rnic.Segment
	stuck   error
	stirred bool // the peer has something to do
	raw     map[uint32]*rawStream
	used    [][]rnic.Range // octets that traffic has changed, by stream, and behind them those of all streams
	rows    int
	at      uint64 // where memory is free
	id      uint64
	ending  map[uint32]bool // streams that may end
	cut     map[uint32]bool // streams to which the peer's segments are lost
	spare   *uint32         // a stream that nothing uses, which the host opens and shuts all the time; nil: none
}

// rawStream counts what a scenario has sent on a stream by itself. Of one that is alone, the scenario answers requests too.
type rawStream struct {
	send, request uint32
	alone         bool
}

// domain is the protection domain of all streams and regions.
const domain = 9

// most is how many streams a scenario uses of a configuration that has more.
const most = 64

func openStage(c gen.Config, design *simulator.Design, o rnic.Options) (*stage, error) {
	device, err := rnic.OpenDesign(c, design, o)
	if err != nil {
		return nil, err
	}
	n, err := rnic.NewNode("device", c, device)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	mirrored := c // what one end may have outstanding, the other holds
	mirrored.IRD, mirrored.ORD, mirrored.ReceiveDepth, mirrored.SendDepth = c.ORD, c.IRD, 1<<16, 1<<16
	peer, err := rnic.NewPlain(mirrored, o.Seed)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	s := &stage{Node: n, peer: peer, config: c, rand: rand.New(rand.NewPCG(o.Seed, 3)), left: map[uint32][]rnic.Segment{},
		raw: map[uint32]*rawStream{}, used: make([][]rnic.Range, c.Streams+1), at: 0x5_0000_0000, ending: map[uint32]bool{}, cut: map[uint32]bool{}}
	for i := range min(most, c.Streams) {
		stream := i
		if c.Streams > most && i >= most/2 {
			stream = c.Streams - most + i
		}
		s.streams = append(s.streams, uint32(stream))
	}
	return s, nil
}

// area is a region of both ends.
type area struct {
	memory.Region
	index int
	free  uint64 // octets from here on are not used yet
}

func (a *area) stag() uint32 { return memory.STag(a.index, a.Key) }

// next is the TO of some octets that nothing has used, at an alignment.
func (a *area) next(octets, alignment int) uint64 {
	at := (a.free + uint64(alignment) - 1) &^ uint64(alignment-1)
	a.free = at + uint64(octets)
	return a.Base + at
}

// everything that a region can be for.
const everything = memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic

// region makes a region at both ends.
func (s *stage) region(octets uint64, rights memory.Rights) (*area, error) {
	a, err := s.regionAt(s.at, octets, rights)
	s.at += (octets + 0x1FFF) &^ 0xFFF
	return a, err
}

// regionAt makes a region somewhere in memory.
func (s *stage) regionAt(address, octets uint64, rights memory.Rights) (*area, error) {
	a := &area{index: s.rows, Region: memory.Region{Valid: true, Key: uint8(s.rand.Uint32()), Rights: rights, ByDomain: true, Owner: domain,
		Base: s.rand.Uint64() >> 8 &^ 0xFFF, Length: octets, Address: address}}
	s.rows++
	return a, errors.Join(s.SetRegion(a.index, a.Region), s.peer.SetRegion(a.index, a.Region))
}

// fill puts random octets into both ends' memory.
func (s *stage) fill(a *area, octets int) error {
	for at := 0; at < octets; at += 1 << 16 {
		if err := errors.Join(s.Write(a.Address+uint64(at), s.octets(min(1<<16, octets-at))), s.peer.Write(a.Address+uint64(at), s.octets(min(1<<16, octets-at)))); err != nil {
			return err
		}
	}
	return nil
}

// octets are random.
func (s *stage) octets(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(s.rand.Uint32())
	}
	return b
}

// open opens streams at both ends.
func (s *stage) open(streams ...uint32) error {
	for _, stream := range streams {
		if err := errors.Join(s.Open(stream, domain), s.peer.Open(stream, domain)); err != nil {
			return err
		}
	}
	return nil
}

// openRaw opens streams whose segments the scenario sends.
func (s *stage) openRaw(streams ...uint32) error {
	for _, stream := range streams {
		s.raw[stream] = &rawStream{send: 1, request: 1}
	}
	return s.open(streams...)
}

// may lets a stream end: else its end is a failure.
func (s *stage) may(streams ...uint32) {
	for _, stream := range streams {
		s.ending[stream] = true
	}
}

// touches notes that octets of a region will change.
func (s *stage) touches(stream uint32, a *area, to uint64, octets int) {
	s.used[stream] = append(s.used[stream], rnic.Range{Address: a.Address + (to - a.Base), Octets: octets})
}

func (s *stage) nextID() uint64 {
	s.id++
	return s.id
}

// post posts work at the device; postPeer at the peer.
func (s *stage) post(w rdmap.WorkRequest) error {
	w.ID = s.nextID()
	return s.PostWork(w)
}

func (s *stage) postPeer(w rdmap.WorkRequest) error {
	w.ID, s.stirred = s.nextID(), true
	return s.peer.PostWork(w)
}

// receive posts a buffer of new octets of a region at the device.
func (s *stage) receive(stream uint32, a *area, octets int) error {
	to := a.next(octets, 1)
	s.touches(stream, a, to, octets)
	return s.PostReceive(rdmap.ReceiveRequest{Stream: stream, ID: s.nextID(), Buffer: rdmap.Buffer{STag: a.stag(), TO: to}, Length: uint32(octets)})
}

// receivePeer posts a buffer at the peer.
func (s *stage) receivePeer(stream uint32, a *area, octets int) error {
	return s.peer.PostReceive(rdmap.ReceiveRequest{Stream: stream, ID: s.nextID(), Buffer: rdmap.Buffer{STag: a.stag(), TO: a.next(octets, 1)}, Length: uint32(octets)})
}

// Segments that a scenario sends by itself.

func (s *stage) write(stream uint32, a *area, octets []byte) {
	to := a.next(len(octets), 1)
	s.touches(stream, a, to, len(octets))
	s.Send(stream, wire.AppendWrite(nil, a.stag(), to, true, octets))
}

func (s *stage) send(stream uint32, octets []byte) {
	r := s.raw[stream]
	s.Send(stream, wire.AppendSend(nil, spec.Send.Opcode(), 0, r.send, 0, true, octets))
	r.send++
}

func (s *stage) immediate(stream uint32) {
	r := s.raw[stream]
	s.Send(stream, wire.AppendImmediate(nil, false, r.send, s.rand.Uint64()))
	r.send++
}

func (s *stage) read(stream uint32, a *area, to uint64, octets uint32) {
	r := s.raw[stream]
	s.Send(stream, wire.AppendReadRequest(nil, r.request, wire.ReadRequest{DataSinkSTag: s.rand.Uint32(), DataSinkTO: s.rand.Uint64() >> 8,
		ReadMessageSize: octets, DataSourceSTag: a.stag(), DataSourceTO: to}))
	r.request++
}

func (s *stage) fetchAdd(stream uint32, a *area, to uint64) {
	r := s.raw[stream]
	s.touches(stream, a, to, memory.WordOctets)
	s.Send(stream, wire.AppendAtomicRequest(nil, r.request, wire.NewFetchAdd(s.rand.Uint32(), a.stag(), to, s.rand.Uint64(), s.rand.Uint64())))
	r.request++
}

// wrong sends a segment that ends its stream.
func (s *stage) wrong(stream uint32) {
	s.may(stream)
	s.Send(stream, []byte{0})
}

// hold holds ports back altogether until they are released.
func (s *stage) hold(ports ...string) error { return s.stall(256, ports) }

func (s *stage) release(ports ...string) error { return s.stall(0, ports) }

func (s *stage) stall(chance int, ports []string) error {
	for _, p := range ports {
		if err := s.Device.Stall(p, simulator.Stall{Mode: simulator.StallRandom, Chance: chance}); err != nil {
			return err
		}
	}
	return nil
}

// exchange lets both ends work and carries what they send to the other.
func (s *stage) exchange(clocks, idle uint64) (moved bool, err error) {
	if s.spare != nil {
		if err := s.disturb(); err != nil {
			return false, err
		}
	}
	out, err := s.Run(clocks, idle)
	var stuck *simulator.StuckError
	if s.stuck = nil; errors.As(err, &stuck) {
		s.stuck, err = err, nil
	}
	if err != nil {
		return false, err
	}
	s.out.Completions = append(s.out.Completions, out.Completions...)
	s.out.Events = append(s.out.Events, out.Events...)
	s.out.Retired = append(s.out.Retired, out.Retired...)
	for _, e := range out.Events {
		if e.Kind != engine.EventSolicited && e.Kind != engine.EventReceiveRefused && !s.ending[e.Stream] {
			return false, fail("stream %d has ended: %+v", e.Stream, e)
		}
	}
	for _, segment := range out.Segments {
		s.left[segment.Stream] = append(s.left[segment.Stream], segment)
		view, _ := wire.Classify(segment.Octets)
		r, op := s.raw[segment.Stream], view.Header.Opcode
		if r == nil || !r.alone && (op.Is(spec.Requests)) {
			s.peer.Send(segment.Stream, segment.Octets)
			s.stirred = true
		}
	}
	var back rnic.Output
	if s.stirred { // else the peer has nothing to do
		back, err = s.peer.Run(0, 0)
	}
	s.stirred = false
	for _, segment := range back.Segments {
		if !s.cut[segment.Stream] {
			s.Send(segment.Stream, segment.Octets)
		}
	}
	return out.Busy || len(out.Completions)+len(out.Segments)+len(out.Events)+len(out.Retired)+len(back.Segments) > 0, err
}

// disturb lets a few clocks pass, and opens the spare stream or shuts it: of what is under way on other streams, that changes nothing.
func (s *stage) disturb() error {
	if _, err := s.Device.Run(uint64(1+s.rand.IntN(40)), 0); err != nil {
		return err
	}
	if s.rand.IntN(3) == 0 {
		return s.Device.Shut(*s.spare)
	}
	return s.Device.Open(*s.spare, domain)
}

// pass lets clocks pass.
func (s *stage) pass(clocks uint64) error {
	const step = 250
	for ; clocks > 0; clocks -= min(clocks, step) {
		if _, err := s.exchange(min(clocks, step), 0); err != nil {
			return err
		}
	}
	return nil
}

// restRounds is how long things may take to come to rest.
const restRounds = 20_000

// rest lets everything come to rest.
func (s *stage) rest() error {
	for quiet, rounds := 0, 0; quiet < 2; quiet++ {
		if rounds++; rounds > restRounds {
			return fail("does not come to rest")
		}
		idle := uint64(64)
		if quiet > 0 {
			idle = rnic.Silence(s.config)
		}
		moved, err := s.exchange(2000+idle, idle)
		if err != nil {
			return err
		}
		if moved {
			quiet = 0
		}
	}
	return nil
}

// done lets everything come to rest and compares all that is left.
func (s *stage) done() error {
	if err := s.rest(); err != nil {
		return err
	}
	if s.stuck != nil {
		return fail("no progress: %v", s.stuck)
	}
	if err := s.Settle(s.used...); err != nil {
		return err
	}
	return s.CompareRegisters()
}

// register compares a register.
func (s *stage) register(name string, want uint32) error {
	is, err := s.Device.ReadRegister(name)
	if err == nil && is != want {
		err = fail("register %s is 0x%X, not 0x%X", name, is, want)
	}
	return err
}

// completions counts those of a stream, or of all with a negative number.
func (s *stage) completions(stream int) (n int) {
	for _, c := range s.out.Completions {
		if stream < 0 || int(c.Stream) == stream {
			n++
		}
	}
	return n
}

// beats is the number of beats that have passed on a port.
func (s *stage) beats(port string) uint64 {
	n, err := s.Device.Beats(port)
	if err != nil {
		panic(fmt.Sprintf("port %s: %v", port, err)) // the names are the program's
	}
	return n
}
