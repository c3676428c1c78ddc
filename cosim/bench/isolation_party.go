package bench

import (
	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/model/rdmap"
)

// party is both ends of one stream: the peer, which sends segments, and the host's program, which posts requests.
type party struct {
	stream   uint32
	segments [][]byte
	work     []rdmap.WorkRequest
	receives []rdmap.ReceiveRequest
	commands []cosim.Write
	acts     Activity
	behavior
}

// Activity counts what a stream has done in both measurements.
type Activity struct {
	In       uint64 `json:"segments_in"`
	Out      uint64 `json:"segments_out"`
	Posted   uint64 `json:"work_requests"`
	Receives uint64 `json:"receive_requests"`
	Commands uint64 `json:"register_writes"`
}

func (a Activity) plus(b Activity) Activity {
	return Activity{a.In + b.In, a.Out + b.Out, a.Posted + b.Posted, a.Receives + b.Receives, a.Commands + b.Commands}
}

// behavior decides what a party does. Begin posts receive requests, which the engine takes before anything is sent; step is called once
// per cycle and queues the next items; the others are called when an item has arrived.
type behavior interface {
	begin(p *party)
	step(p *party, now uint64)
	sent(p *party, now uint64, segment []byte) // the engine has sent a segment
	completed(p *party, now uint64, c rnic.Completion)
	reported(p *party, now uint64, e rnic.Event)
	answered(p *party, writes int) // registers were written
}

// silent is a behavior that does nothing.
type silent struct{}

func (silent) begin(*party)                              {}
func (silent) step(*party, uint64)                       {}
func (silent) sent(*party, uint64, []byte)               {}
func (silent) completed(*party, uint64, rnic.Completion) {}
func (silent) reported(*party, uint64, rnic.Event)       {}
func (silent) answered(*party, int)                      {}
