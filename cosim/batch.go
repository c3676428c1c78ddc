package cosim

import "github.com/rnicgen/rnicgen/gen"

// batch is a stretch of stimulus, and what the hardware gave back while it ran. Batches are recycled.
type batch struct {
	// Stimulus, in the packed beats of the streams and in the form that the model takes.
	rx       []uint64
	host     []uint64
	setup    []uint64
	octets   []byte
	segments []span
	accesses []access
	setups   []setup
	flush    bool // let the hardware finish after this batch
	unknown  bool // what the accesses find in memory is unknown: it is the first time that they are written

	out [lanes]output // what came out of each stream
}

// The streams that come out.
const (
	laneRetire = iota // first: the cause before its consequences
	laneAnswer
	laneTx
	laneRecord
	lanePayload
	lanes
)

// output is the beats that came out of a stream, in a buffer that the engine filled, and a buffer to give it in exchange.
type output struct{ beats, spare []uint64 }

// span is a segment in octets.
type span struct {
	stream     uint32
	start, end int
}

type access struct {
	write bool
	index int
	data  uint64
}

type setup struct{ stream, msn uint32 }

func (b *batch) reset() {
	out := b.out
	for i := range out {
		out[i].beats = nil
	}
	*b = batch{rx: b.rx[:0], host: b.host[:0], setup: b.setup[:0], octets: b.octets[:0], segments: b.segments[:0],
		accesses: b.accesses[:0], setups: b.setups[:0], out: out}
}

// producer fills batches with random traffic.
type producer struct {
	stimulus *stimulus
	ports    *ports
	config   gen.Config
	left     uint64 // messages
	next     int    // word that the host initialises next, then reads back next
	revive   bool   // open the streams that had an error
	phase    phase
}

// phase is what the producer makes.
type phase int

const (
	initialise phase = iota // every word of the window gets a random value
	traffic                 // segments, and accesses of the host between them
	readBack                // every word of the window is read
	finished
)

// A batch is long, since each call into the simulation and back waits for a place among the threads of Go, but all that go
// round fit into a processor's cache.
const (
	batchBeats    = 4096 // of segments
	batchAccesses = 1024
	bufferBeats   = 8192 // of each stream in the engine: what a batch leads to, with room for what was under way before
)

// fill makes the next batch; false when there is none.
func (p *producer) fill(b *batch) bool {
	b.reset()
	if b.rx == nil { // twice what a batch holds: the engine rounds up to a power of two
		b.rx = make([]uint64, 0, 2*batchBeats*p.ports.rxBeats.words)
	}
	switch p.phase {
	case initialise:
		b.unknown = true
		p.sweep(b, true)
		if p.next == p.config.WindowWords {
			p.phase, p.next, b.flush = traffic, 0, true
		}
	case traffic:
		p.traffic(b)
		if p.left == 0 {
			p.phase, b.flush = readBack, true
		}
	case readBack:
		p.sweep(b, false)
		if p.next == p.config.WindowWords {
			p.phase, b.flush = finished, true
		}
	default:
		return false
	}
	return true
}

// sweep writes or reads the next words of the window.
func (p *producer) sweep(b *batch, write bool) {
	for range min(batchAccesses, p.config.WindowWords-p.next) {
		a := access{write: write, index: p.next}
		if write {
			a.data = p.stimulus.rng.Uint64()
		}
		p.access(b, a)
		p.next++
	}
}

func (p *producer) access(b *batch, a access) {
	b.accesses = append(b.accesses, a)
	b.host = p.ports.appendAccess(b.host, a)
}

func (p *producer) traffic(b *batch) {
	s := p.stimulus
	if p.revive {
		p.revive = false
		s.revive(func(stream, msn uint32) {
			b.setups = append(b.setups, setup{stream, msn})
			b.setup = p.ports.appendSetup(b.setup, stream, msn)
		})
	}
	dead := func() bool { return s.deaths > p.config.Streams/2 }
	for ; p.left > 0 && !dead() && len(b.rx) < batchBeats*p.ports.rxBeats.words; p.left-- {
		start := len(b.octets)
		var stream uint32
		stream, b.octets = s.next(b.octets)
		b.segments = append(b.segments, span{stream, start, len(b.octets)})
		b.rx = p.ports.rxBeats.append(b.rx, stream, b.octets[start:])
		if p.ports.retire >= 0 && s.rng.IntN(16) == 0 {
			p.access(b, access{write: s.rng.IntN(2) == 0, index: s.rng.IntN(2), data: s.rng.Uint64()})
		}
	}
	if dead() {
		p.revive, b.flush = true, true
	}
}
