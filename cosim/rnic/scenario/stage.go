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

// stage is a device with the model that follows it, and a peer that is a model. Both have the same rows in their STag tables, on
// memories of their own.
//
// The peer does what its host posts, and answers. A stream that is raw has no peer but for answers: the scenario sends what
// comes on it.
type stage struct {
	*rnic.Node
	peer    *rnic.ModelEndpoint
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
