package bench

import (
	"context"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/falcon"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// falconArena runs an engine of the profile falcon and its parties cycle by cycle. The first party is the aggressor.
type falconArena struct {
	*falconRig
	context        context.Context
	parties        []*falconParty
	line           line
	work, receives turns
}

// falconParty is both ends of one QP: Falcon with the peer behind it, who sends packets, and the host's program, which posts requests.
type falconParty struct {
	arena    *falconArena
	qp       uint32
	packets  []falcon.Packet
	work     []falcon.Work
	receives []uint64 // their IDs
	commands []cosim.Write
	elements int  // of each receive; 0: one
	starved  bool // credits for responses are not returned
	acts     Activity
	falconBehavior
}

// falconBehavior decides what a party does. Begin posts receive requests, which the engine takes before anything is sent; step is called once
// per cycle and queues what is next; the others are called when something has arrived.
type falconBehavior interface {
	begin(p *falconParty)
	step(p *falconParty, now uint64)
	answered(p *falconParty, now uint64, a model.Answer)
	sent(p *falconParty, now uint64, packet falcon.Packet)
	completed(p *falconParty, now uint64, c falcon.Completion)
	reported(p *falconParty, e falcon.Event)
	written(p *falconParty, registers int)
}

// quiet is a behavior that does nothing by itself; Falcon completes what the engine sends.
type quiet struct{}

func (quiet) begin(*falconParty)                                {}
func (quiet) step(*falconParty, uint64)                         {}
func (quiet) answered(*falconParty, uint64, model.Answer)       {}
func (quiet) completed(*falconParty, uint64, falcon.Completion) {}
func (quiet) reported(*falconParty, falcon.Event)               {}
func (quiet) written(*falconParty, int)                         {}
func (quiet) sent(p *falconParty, _ uint64, packet falcon.Packet) {
	if packet.Type != spec.PullData {
		p.arena.finish(packet)
	}
}

func openFalconArena(ctx context.Context, first spec.Credits) (*falconArena, error) {
	f, err := openFalcon(128, isolationStreams, spec.Weak, first)
	if err != nil {
		return nil, err
	}
	a := &falconArena{falconRig: f, context: ctx}
	for qp := range uint32(isolationStreams) {
		a.parties = append(a.parties, &falconParty{arena: a, qp: qp, falconBehavior: quiet{}})
	}
	return a, nil
}

func (a *falconArena) now() uint64 { return a.Engine().Cycle() }

func (a *falconArena) hush() { a.parties[0].falconBehavior = quiet{} }

func (a *falconArena) hold(port string, _ bool) error {
	return fmt.Errorf("port %s is not held; allowed: no port with profile falcon", port)
}

// begin posts the receive requests of all parties.
func (a *falconArena) begin() error {
	waiting := 0
	for _, p := range a.parties {
		p.begin(p)
		waiting += len(p.receives)
	}
	for range waiting + settleCycles {
		if err := a.move(); err != nil {
			return err
		}
	}
	return nil
}

// cycle lets all parties act, and moves on by one cycle.
func (a *falconArena) cycle() error {
	now := a.now()
	for _, p := range a.parties {
		p.step(p, now)
	}
	return a.move()
}

// move runs one cycle and distributes its outputs.
func (a *falconArena) move() error {
	now := a.now()
	if now%1024 == 0 && a.context.Err() != nil {
		return context.Cause(a.context)
	}
	if err := errors.Join(a.give(), a.write()); err != nil {
		return err
	}
	if _, err := a.Run(1, 0); err != nil {
		return err
	}
	out := a.Take()
	for _, x := range out.Answers {
		p := a.parties[x.CID]
		p.answered(p, now, x)
	}
	for _, x := range out.Packets {
		p := a.parties[x.CID]
		p.acts.Out++
		if x.Type == spec.PullData && !p.starved {
			a.Return(x.CID, spec.Cost(x.Type, len(x.Octets), a.config.BufferOctets))
		}
		p.sent(p, now, x)
	}
	for _, x := range out.Completions {
		p := a.parties[x.QP]
		p.completed(p, now, x)
	}
	for _, x := range out.Events {
		p := a.parties[x.QP]
		p.reported(p, x)
	}
	return nil
}

// give offers the next beat of each port that has taken the previous one.
func (a *falconArena) give() error {
	rx, err := a.free("s_axis_rx")
	if err != nil {
		return err
	}
	if next := a.line.next(len(a.parties), a.nextBeats); rx && next >= 0 {
		p := a.parties[next]
		a.Deliver(p.packets[0])
		p.packets = p.packets[1:]
		p.acts.In++
	}
	work, err := a.free("wqe")
	if p := a.turnOf(&a.work, work, func(p *falconParty) bool { return len(p.work) > 0 }); p != nil {
		a.PostWork(p.work[0])
		p.work = p.work[1:]
		p.acts.Posted++
	}
	receives, failed := a.free("rqe")
	if p := a.turnOf(&a.receives, receives, func(p *falconParty) bool { return len(p.receives) > 0 }); p != nil {
		list := make([]model.Element, max(1, p.elements))
		for i := range list {
			length := 1024 / len(list)
			list[i] = model.Element{Key: falconKey, VA: uint64(p.qp)<<12 + uint64(2*i*length), Length: uint32(length)}
		}
		a.PostReceive(p.qp, p.receives[0], list...)
		p.receives = p.receives[1:]
		p.acts.Receives++
	}
	return errors.Join(err, failed)
}

// nextBeats are those of a party's next packet.
func (a *falconArena) nextBeats(party int) int {
	if p := a.parties[party]; len(p.packets) > 0 {
		return beatsOf(p.packets[0].Octets)
	}
	return 0
}

// free reports whether a port has taken what it was offered.
func (a *falconArena) free(port string) (bool, error) {
	stats, err := a.Stats(port)
	return stats.Queued == 0, err
}

func (a *falconArena) turnOf(t *turns, free bool, has func(*falconParty) bool) *falconParty {
	if !free {
		return nil
	}
	if i := t.next(len(a.parties), func(i int) bool { return has(a.parties[i]) }); i >= 0 {
		return a.parties[i]
	}
	return nil
}

// write passes on writes of registers, which only the aggressor's host makes, and their responses.
func (a *falconArena) write() error {
	p := a.parties[0]
	p.acts.Commands += uint64(len(p.commands))
	n, err := writeRegisters(a.Registers(), p.commands)
	p.commands = p.commands[:0]
	if n > 0 {
		p.written(p, n)
	}
	return err
}

var _ arena = &falconArena{}
