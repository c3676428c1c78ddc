package system

import (
	"math"
	"math/rand/v2"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// initiator runs the transactions of a connection.
type initiator struct {
	*connection
	random  *rand.Rand
	weights int
	begun   int
	ended   int
	last    Cycle   // when the last one has ended
	free    []int   // slots
	perStep int     // slots of a transaction
	late    []Cycle // moments at which transactions should have begun, while none could
	object  int     // for Next
	replies []*operation
}

// transaction is one in progress.
type transaction struct {
	*initiator
	mix     *Mix
	object  uint64 // TO
	step    int    // the next one to post
	pending int    // operations in progress
	slot    int
	count   int // among those of the connection, from 1 on
	began   Cycle
	task    string // of akita's tracers
}

// operation is a work request in progress.
type operation struct {
	*transaction
	step   *Step
	number int
	posted Cycle
	task   string

	complete bool // its work request
	replied  bool // to a Send
}

func newInitiator(c *connection, seed uint64) *initiator {
	i := &initiator{connection: c, random: rand.New(rand.NewPCG(seed, uint64(c.number)))}
	i.perStep = c.slots / c.flow.Outstanding
	for s := range c.flow.Outstanding {
		i.free = append(i.free, s*i.perStep)
	}
	for _, m := range c.flow.Mix {
		i.weights += m.Weight
	}
	return i
}

// begin draws a transaction.
func (i *initiator) begin(now Cycle) *transaction {
	i.begun++
	t := &transaction{initiator: i, began: now, slot: i.free[0], count: i.begun}
	i.free = i.free[1:]
	draw := i.random.IntN(i.weights)
	for k := range i.flow.Mix {
		if m := &i.flow.Mix[k]; draw < m.Weight {
			t.mix = m
			break
		}
		draw -= i.flow.Mix[k].Weight
	}
	o := i.flow.Objects
	t.object = o.Base + o.Octets*uint64(i.pick(o))
	return t
}

// pick draws an object.
func (i *initiator) pick(o Objects) int {
	switch o.Pick {
	case Own:
		return i.index % o.Count
	case Uniform:
		return i.random.IntN(o.Count)
	case Hot:
		if i.random.Float64() < o.Share {
			return 0
		}
		return i.random.IntN(o.Count)
	case Next:
		i.object++
		return (i.object - 1) % o.Count
	}
	return 0
}

// pause draws the cycles from one moment at which a transaction begins to the next, for a rate: exponentially distributed.
func (i *initiator) pause(f sim.Freq) float64 {
	return -math.Log(1-i.random.Float64()) / i.flow.Rate * float64(f) / 1e6
}

// work returns the work request of an operation.
func (o *operation) work(id uint64) rdmap.WorkRequest {
	s := o.step
	w := rdmap.WorkRequest{Stream: o.from.stream, ID: id, Signaled: true, Length: s.Octets,
		Local:  rdmap.Buffer{STag: localSTag, TO: o.from.local + uint64(o.slot+o.number%o.perStep)*o.octets},
		Remote: rdmap.Buffer{STag: targetSTag, TO: o.object + s.At}}
	switch s.Operation {
	case Write:
		w.Opcode = spec.Write.Opcode()
	case Read:
		w.Opcode = spec.ReadRequest.Opcode()
	case Send:
		w.Opcode, w.Remote = spec.Send.Opcode(), rdmap.Buffer{}
	case FetchAdd:
		w.Opcode = spec.AtomicRequest.Opcode()
		w.Operands = rdmap.Operands{AOpCode: wire.FetchAdd, Data: s.Add}
	case CmpSwap:
		w.Opcode = spec.AtomicRequest.Opcode()
		w.Operands = rdmap.Operands{AOpCode: wire.CmpSwap, Data: o.connection.word(s.Swap), Mask: math.MaxUint64, CompareData: o.connection.word(s.Compare), CompareMask: math.MaxUint64}
	case Flush:
		w.Opcode = spec.Commit.Opcode(spec.FlushRequest)
		w.Commit.Flags = wire.Persistence
	case Verify:
		w.Opcode = spec.Commit.Opcode(spec.VerifyRequest)
		w.Commit.Algorithm = memory.CRC32C
	case AtomicWrite:
		w.Opcode = spec.Commit.Opcode(spec.AtomicWriteRequest)
		w.Commit.Data = uint64(o.count)
	}
	return w
}

// again reports whether an operation that is complete must be repeated.
func (o *operation) again(original uint64) bool {
	return o.step.Until != "" && original != o.connection.word(o.step.Compare)
}
