package bench

import (
	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// ahead is the number of segments or requests that an aggressor has ready for its turn.
const ahead = 2

// requester is a peer with as many Reads and Atomics in progress as the engine permits.
type requester struct {
	silent
	next           func(n uint64) []byte
	asked, answers uint64
}

func (a *requester) step(p *party, _ uint64) {
	for a.asked-a.answers < isolationIRD {
		p.segments = append(p.segments, a.next(a.asked))
		a.asked++
	}
}

func (a *requester) sent(_ *party, _ uint64, segment []byte) {
	var h wire.DDPHeader
	if h.Decode(segment) == nil && h.Last {
		a.answers++
	}
}

// flooder is a peer that always has a segment to send. If a message, of perMessage segments, needs a receive request, it has as many messages
// in progress as its host has posted receive requests, less a few that may not be stored yet.
type flooder struct {
	silent
	next       func(n uint64) []byte
	perMessage uint64 // segments of a message that needs a receive request; 0: it needs none
	sentUp     uint64
	received   uint64
}

const (
	floodReceive = 16 << 10
	floodSpare   = isolationReceives / 4
)

func (a *flooder) begin(p *party) {
	for id := range uint64(isolationReceives) {
		if a.perMessage > 0 {
			p.postReceive(id, aggressorSTag, 0, floodReceive)
		}
	}
}

func (a *flooder) step(p *party, _ uint64) {
	for len(p.segments) < ahead {
		if a.perMessage > 0 && a.sentUp/a.perMessage >= a.received+isolationReceives-floodSpare {
			return
		}
		p.segments = append(p.segments, a.next(a.sentUp))
		a.sentUp++
	}
}

func (a *flooder) completed(p *party, _ uint64, c rnic.Completion) {
	p.postReceive(c.ID+isolationReceives, aggressorSTag, 0, floodReceive)
	a.received++
}

// poster is a host that keeps as many work requests incomplete as it may. Its peer sends no responses.
type poster struct {
	silent
	opcode       wire.Opcode
	length       uint32
	posted, done uint64
}

func (a *poster) step(p *party, _ uint64) {
	for a.posted-a.done < isolationSends {
		buffer := rdmap.Buffer{STag: aggressorSTag}
		p.work = append(p.work, rdmap.WorkRequest{Stream: p.stream, ID: a.posted, Opcode: a.opcode, Signaled: true, Local: buffer, Remote: buffer, Length: a.length})
		a.posted++
	}
}

func (a *poster) completed(*party, uint64, rnic.Completion) { a.done++ }

// receiver is a host that posts receive requests that no message uses: the ring refuses them.
type receiver struct{ silent }

func (receiver) step(p *party, _ uint64) {
	for len(p.receives) < ahead {
		p.postReceive(0, aggressorSTag, 0, floodReceive)
	}
}

// commander is a host that continuously opens and closes its stream, or stores and invalidates a row of the STag table.
type commander struct {
	silent
	stream bool
	asked  int
	n      uint64
}

func (a *commander) step(p *party, _ uint64) {
	write := func(name string, value uint32) {
		p.commands = append(p.commands, registerWrite(name, value))
		a.asked++
	}
	command, values := "stag_command", [2]uint32{1, 2}
	if a.stream {
		command, values = "stream_command", [2]uint32{2, 1}
	}
	if a.n == 0 {
		write("stream_number", p.stream)
		write("stag_index", commandRow)
	}
	for ; a.asked < 2*ahead; a.n++ {
		write(command, values[a.n%2])
	}
}

func (a *commander) answered(_ *party, n int) { a.asked -= n }

// registerWrite panics if there is no such register: all names are constants of this program.
func registerWrite(name string, value uint32) cosim.Write {
	for _, r := range gen.Registers {
		if r.Name == name {
			return cosim.Write{Addr: uint64(r.Offset), Value: uint64(value)}
		}
	}
	panic("there is no register " + name)
}
