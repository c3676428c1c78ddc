package system

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/gen"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// falconBench runs the hardware of the profile falcon below a scope. Its peer is the golden model, and Falcon between them passes
// everything on in the same cycle: a push is complete when its answer comes.
type falconBench struct {
	*scope
	h       *falconHardware
	config  gen.Config
	work    []falcon.Work     // not yet posted
	sending []falcon.Packet   // not yet passed to the hardware
	over    []model.Completed // not yet passed to the hardware
	held    bool              // nothing is passed to the hardware but work, and allowed packets
	allowed int
	peer    *falcon.ModelEnd
	pushes  map[transaction]bool // of the peer
	sent    map[transaction]bool // the same of the hardware
	err     error
}

// transaction names a request on a connection.
type transaction struct{ cid, rsn uint32 }

// falconWatched are the streams in the log.
var falconWatched = append([]string{"answer", "completed"}, watched...)

// benchCredits do not run out.
var benchCredits = spec.Credits{RequestTxPackets: 30000, RequestTxBuffers: 30000, RequestRxPackets: 30000, RequestRxBuffers: 30000, DataTxPackets: 30000, DataTxBuffers: 30000}

func openFalconBench(c gen.Config, o Options, ordering spec.Ordering) (*falconBench, error) {
	h, err := openFalconHardware(c, o)
	if err != nil {
		return nil, err
	}
	b := &falconBench{h: h, config: c, pushes: map[transaction]bool{}, sent: map[transaction]bool{}, scope: newScope(h.port, o.Latency, falcon.QuietCycles+defaultLatency, falconWatched)}
	b.step = b.cycle
	if b.peer, err = falcon.NewModelEnd(c); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	region := memory.Region{Valid: true, Rights: memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic, ByDomain: true,
		Length: benchOctets, Address: benchAddress}
	errs := []error{h.SetRegion(benchRow, region), b.peer.SetRegion(benchRow, region)}
	for i := range uint32(c.Streams) {
		q := falcon.QP{Number: i, CID: i, Ordering: ordering, Errors: spec.CompleteInError, Remote: i, Credits: benchCredits}
		errs = append(errs, b.peer.Connect(q))
		q.Remote = b.peer.Number(i)
		errs = append(errs, h.Connect(q))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return b, b.clear()
}

// cycle runs a cycle.
func (b *falconBench) cycle() error {
	b.before()
	if len(b.work) > 0 && b.h.free("wqe") {
		b.h.PostWork(b.work[0])
		b.work = b.work[1:]
	}
	if len(b.sending) > 0 && (!b.held || b.allowed > 0) && b.h.free("s_axis_rx") {
		b.allowed = max(0, b.allowed-1)
		b.h.Deliver(b.sending[0])
		b.sending = b.sending[1:]
	}
	if len(b.over) > 0 && !b.held && b.h.free("completed") {
		b.h.Complete(b.over[0])
		b.over = b.over[1:]
	}
	if err := b.h.cycle(); err != nil {
		return err
	}
	out := b.h.Take()
	for _, p := range out.Packets {
		b.sent[transaction{p.CID, p.RSN}] = p.Type == spec.PushRequest
		b.peer.Deliver(p)
	}
	for _, a := range out.Answers {
		if a.Reply != spec.Ack {
			b.err = errors.Join(b.err, fmt.Errorf("CID %d, RSN %d is answered with %v; allowed: ack", a.CID, a.RSN, a.Reply))
		}
		if t := (transaction{a.CID, a.RSN}); b.pushes[t] {
			b.peer.Complete(model.Completed{CID: a.CID, RSN: a.RSN})
		}
	}
	for _, c := range out.Completions {
		if c.Status != model.Success {
			b.err = errors.Join(b.err, fmt.Errorf("QP %d: a completion with status %v; allowed: success", c.QP, c.Status))
		}
	}
	b.answer()
	return errors.Join(b.err, b.after())
}

// answer passes on what the peer has: its packets, and the completions of pushes that it acknowledges.
func (b *falconBench) answer() {
	out := b.peer.Take()
	for _, p := range out.Packets {
		if p.Type == spec.PushRequest {
			b.pushes[transaction{p.CID, p.RSN}] = true
		}
	}
	b.sending = append(b.sending, out.Packets...)
	for _, a := range out.Answers {
		if b.sent[transaction{a.CID, a.RSN}] {
			b.over = append(b.over, model.Completed{CID: a.CID, RSN: a.RSN})
		}
	}
}

// settle runs until nothing is in progress.
func (b *falconBench) settle() error {
	return b.scope.settle(func() int { return len(b.sending) + len(b.work) + len(b.over) })
}
