package system

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// bench runs the hardware with ideal memory and records when beats pass its ports. Memory answers a read or a write of a line a fixed
// number of cycles after its beat; it takes one of each in every cycle.
type bench struct {
	h       *hardware
	config  gen.Config
	latency uint64
	memory  *memory.Space
	due     []answer // in order
	cycle   uint64
	passed  map[string]uint64   // beats, by stream
	log     map[string][]uint64 // cycles of beats, by stream
	work    []rdmap.WorkRequest // not yet posted
	sending []rnic.Segment      // not yet passed to the hardware
	peer    *rnic.ModelEndpoint
	blocked bool     // nothing may leave
	left    []uint32 // streams of the segments that have left since the log was empty
	read    []uint64 // IDs of the lines that have been asked for since then
}

// answer is of memory.
type answer struct {
	at    uint64
	read  *read
	write *write
}

// watched are the streams in the log.
var watched = []string{"wqe", "rqe", "s_axis_rx", "m_axis_tx", "cqe", "m_axi_ar", "m_axi_r", "m_axi_aw", "m_axi_w", "m_axi_b"}

const (
	benchRow     = 1
	benchOctets  = 1 << 20
	benchAddress = 1 << 24
)

// benchTag is the STag of all messages.
var benchTag = memory.STag(benchRow, 0)

// defaultLatency is that of a bench's memory, in cycles.
const defaultLatency = 40

func openBench(c gen.Config, o Options) (*bench, error) {
	h, err := openHardware(c, o)
	if err != nil {
		return nil, err
	}
	b := &bench{h: h, config: c, latency: o.Latency, memory: memory.NewSpace(), passed: map[string]uint64{}}
	if b.latency == 0 {
		b.latency = defaultLatency
	}
	if b.peer, err = rnic.NewModelEndpoint(c, 1); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	all := memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic
	region := memory.Region{Valid: true, Rights: all, ByDomain: true, Length: benchOctets, Address: benchAddress}
	if c.Protocol()&spec.Commit != 0 {
		region.Rights |= memory.FlushPersistent | memory.Verifiable
		region.Attributes = memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C, Read: memory.ReadNotNeeded}
	}
	errs := []error{h.SetRegion(benchRow, region), b.peer.SetRegion(benchRow, region)}
	for i := range c.Streams {
		errs = append(errs, h.Open(uint32(i), 0), b.peer.Open(uint32(i), 0))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	b.clear()
	return b, nil
}

// clear empties the log.
func (b *bench) clear() {
	b.log, b.left, b.read = map[string][]uint64{}, nil, nil
	for _, name := range watched {
		b.passed[name], _ = b.h.Beats(name)
	}
}

// step runs a cycle.
func (b *bench) step() error {
	for len(b.due) > 0 && b.due[0].at <= b.cycle {
		if a := b.due[0]; a.read != nil {
			a.read.octets = make([]byte, b.config.BusBytes)
			b.memory.Read(a.read.address, a.read.octets)
		} else {
			b.memory.Write(a.write.address, a.write.octets)
			b.h.writes.answer(a.write)
		}
		b.due = b.due[1:]
	}
	if len(b.work) > 0 && b.h.WorkWaiting() == 0 {
		b.h.PostWork(b.work[0])
		b.work = b.work[1:]
	}
	if len(b.sending) > 0 && b.h.SegmentsWaiting() == 0 {
		b.h.Send(b.sending[0].Stream, b.sending[0].Octets)
		b.sending = b.sending[1:]
	}
	if err := b.h.hold("m_axis_tx", b.blocked); err != nil {
		return err
	}
	if _, err := b.h.cycle(); err != nil {
		return err
	}
	for _, s := range b.h.Take().Segments {
		b.left = append(b.left, s.Stream)
		b.peer.Send(s.Stream, s.Octets)
	}
	if err := b.answer(); err != nil {
		return err
	}
	for _, name := range watched {
		beats, err := b.h.Beats(name)
		if err != nil {
			return err
		}
		if beats > b.passed[name] {
			b.log[name] = append(b.log[name], b.cycle)
		}
		b.passed[name] = beats
	}
	if r := b.h.reads.next(); r != nil {
		b.due = append(b.due, answer{at: b.cycle + b.latency, read: r})
		b.read = append(b.read, r.id)
		b.h.reads.sent()
	}
	if w := b.h.writes.next(); w != nil {
		b.due = append(b.due, answer{at: b.cycle + b.latency, write: w})
		b.h.writes.sent()
	}
	b.cycle++
	return nil
}

// answer sends what the peer has for the hardware.
func (b *bench) answer() error {
	out, err := b.peer.Run(0, 0)
	b.sending = append(b.sending, out.Segments...)
	return err
}

// run runs cycles.
func (b *bench) run(cycles uint64) error {
	for range cycles {
		if err := b.step(); err != nil {
			return err
		}
	}
	return nil
}

// until runs until a stream has passed a number of beats since the log is empty.
func (b *bench) until(stream string, beats int) error {
	for range patience {
		if len(b.log[stream]) >= beats {
			return nil
		}
		if err := b.step(); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s passes %d beats instead of %d", stream, len(b.log[stream]), beats)
}

// patience is the number of cycles that a beat may take.
const patience = 100_000

// settle runs until nothing is in progress.
func (b *bench) settle() error {
	for quiet := uint64(0); quiet < max(256, rnic.Silence(b.config)); quiet++ {
		before := b.beats()
		if err := b.step(); err != nil {
			return err
		}
		if before != b.beats() || len(b.due)+len(b.sending)+len(b.work) > 0 {
			quiet = 0
		}
	}
	return nil
}

func (b *bench) beats() (beats uint64) {
	for _, n := range b.passed {
		beats += n
	}
	return beats
}

// first and last return the cycle of a beat in the log, and -1 without one.
func (b *bench) first(stream string) int { return b.at(stream, 0) }

func (b *bench) last(stream string) int { return b.at(stream, len(b.log[stream])-1) }

func (b *bench) at(stream string, i int) int {
	if i < 0 || i >= len(b.log[stream]) {
		return -1
	}
	return int(b.log[stream][i])
}
