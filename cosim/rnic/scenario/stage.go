package scenario

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/sim"
	"github.com/rnicgen/rnicgen/model/rdmap"
)

// stage is a device with the model that follows it, and a model endpoint as peer. Both have the same rows in their STag tables,
// each with its own memory.
//
// The peer executes what its host posts, and responds. On a raw stream the peer only responds: the scenario sends the segments
// to the device.
type stage struct {
	*rnic.Node
	peer    *rnic.ModelEndpoint
	config  gen.Config
	rand    *rand.Rand
	inside  *sim.Sim // for scenarios that set state
	streams []uint32 // in use: all of them, or the first and last ones of many

	out     rnic.Output // all output of the device except segments
	left    map[uint32][]rnic.Segment
	stuck   error
	stirred bool // the peer has work to do
	raw     map[uint32]*rawStream
	used    [][]rnic.Range // octets changed by traffic, by stream, followed by those shared by all streams
	rows    int
	at      uint64 // next free address
	id      uint64
	ending  map[uint32]bool // streams allowed to end
	cut     map[uint32]bool // streams on which the peer's segments are lost
	spare   *uint32         // an unused stream that the host continuously opens and closes; nil: none
}

// rawStream counts what a scenario has sent directly on a stream. If it is alone, the scenario also responds to requests.
type rawStream struct {
	send, request uint32
	alone         bool
}

// domain is the protection domain of all streams and regions.
const domain = 9

// most is the maximum number of streams a scenario uses.
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
	mirrored := c // each end holds what the other may have outstanding
	mirrored.IRD, mirrored.ORD, mirrored.ReceiveDepth, mirrored.SendDepth = c.ORD, c.IRD, 1<<16, 1<<16
	peer, err := rnic.NewModelEndpoint(mirrored, o.Seed)
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

// octets returns random octets.
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

// openRaw opens streams on which the scenario sends the segments.
func (s *stage) openRaw(streams ...uint32) error {
	for _, stream := range streams {
		s.raw[stream] = &rawStream{send: 1, request: 1}
	}
	return s.open(streams...)
}

// may allows streams to end; otherwise their end is a failure.
func (s *stage) may(streams ...uint32) {
	for _, stream := range streams {
		s.ending[stream] = true
	}
}

func (s *stage) nextID() uint64 {
	s.id++
	return s.id
}

// post posts work at the device, postPeer at the peer.
func (s *stage) post(w rdmap.WorkRequest) error {
	w.ID = s.nextID()
	return s.PostWork(w)
}

func (s *stage) postPeer(w rdmap.WorkRequest) error {
	w.ID, s.stirred = s.nextID(), true
	return s.peer.PostWork(w)
}

// receive posts a buffer of unused octets of a region at the device.
func (s *stage) receive(stream uint32, a *area, octets int) error {
	to := a.next(octets, 1)
	s.touches(stream, a, to, octets)
	return s.PostReceive(rdmap.ReceiveRequest{Stream: stream, ID: s.nextID(), Buffer: rdmap.Buffer{STag: a.stag(), TO: to}, Length: uint32(octets)})
}

// receivePeer posts a buffer at the peer.
func (s *stage) receivePeer(stream uint32, a *area, octets int) error {
	return s.peer.PostReceive(rdmap.ReceiveRequest{Stream: stream, ID: s.nextID(), Buffer: rdmap.Buffer{STag: a.stag(), TO: a.next(octets, 1)}, Length: uint32(octets)})
}

// register compares a register.
func (s *stage) register(name string, want uint32) error {
	is, err := s.Device.ReadRegister(name)
	if err == nil && is != want {
		err = fail("register %s is 0x%X, not 0x%X", name, is, want)
	}
	return err
}

// completions counts the completions of a stream, or of all streams if negative.
func (s *stage) completions(stream int) (n int) {
	for _, c := range s.out.Completions {
		if stream < 0 || int(c.Stream) == stream {
			n++
		}
	}
	return n
}

// beats returns the number of beats transferred on a port.
func (s *stage) beats(port string) uint64 {
	n, err := s.Device.Beats(port)
	if err != nil {
		panic(fmt.Sprintf("port %s: %v", port, err)) // the names are constants
	}
	return n
}
