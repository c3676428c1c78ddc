package system

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// bench runs the hardware below a scope, with the golden model as its peer.
type bench struct {
	*scope
	h       *hardware
	config  gen.Config
	work    []rdmap.WorkRequest // not yet posted
	sending []rnic.Segment      // not yet passed to the hardware
	peer    *rnic.ModelEndpoint
	blocked bool // nothing may leave
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

func openBench(c gen.Config, o Options) (*bench, error) {
	h, err := openHardware(c, o)
	if err != nil {
		return nil, err
	}
	b := &bench{h: h, config: c, scope: newScope(h.port, o.Latency, max(256, rnic.Silence(c)), watched)}
	b.step = b.cycle
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
	return b, b.clear()
}

// cycle runs a cycle.
func (b *bench) cycle() error {
	b.before()
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
		b.peer.Send(s.Stream, s.Octets)
	}
	if err := b.answer(); err != nil {
		return err
	}
	return b.after()
}

// answer sends what the peer has for the hardware.
func (b *bench) answer() error {
	out, err := b.peer.Run(0, 0)
	b.sending = append(b.sending, out.Segments...)
	return err
}

// settle runs until nothing is in progress.
func (b *bench) settle() error {
	return b.scope.settle(func() int { return len(b.sending) + len(b.work) })
}
