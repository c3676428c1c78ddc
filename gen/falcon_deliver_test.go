package gen_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/order"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// falconDelivery is an engine.Delivery with its tag.
type falconDelivery struct {
	Kind     oneHot
	Place    int
	ID       uint64
	Opcode   spec.Opcode
	Length   uint32
	Rule     spec.Rule
	Queue    struct{ Waits, First, Releases bool }
	Request  falconInbound
	Answer   falconAnswer
	Push     bool
	Received struct {
		Status    model.Status
		SourceQP  uint32
		Word      uint32
		Solicited bool
	}
}

// falconInbound is an engine.InboundRequest with its tag.
type falconInbound struct {
	Stream, Kind          int
	Number                uint32
	STag                  uint32
	Address               uint64
	CID, RSN, SN, Remote  uint32
	XRC, Verbs, Atomic    bool
	Adds                  bool
	Length                uint32
	Data, Compare, SinkVA uint64
	LKey                  uint32
}

type falconAnswer struct {
	CID, RSN uint32
	Reply    spec.Reply
	Code     spec.ULPCode
	Timeout  uint32
}

type falconCompletion struct {
	Stream   int
	ID       uint64
	Status   int
	Opcode   spec.Opcode
	Recv     bool
	Length   uint32
	Data     uint64
	STag     uint32
	Outcome  model.Status
	SourceQP uint32
}

type falconResponse struct {
	answeredBeat
	CID, RSN uint32
	Status   model.Status
}

type falconEvent struct {
	Stream, Kind int
	Shared       bool
	Rule         spec.Rule
}

// falconDelivered is what delivery_gate reports, by kind of report.
type falconDelivered struct {
	completions []falconCompletion
	events      []falconEvent
	answered    []falconResponse
	requests    []falconPull
	answers     []falconAnswer
}

// add is the reference: what an item reports if payload before it is lost or not.
func (w *falconDelivered) add(c engine.Config, d falconDelivery, lost bool) {
	row, _ := d.Opcode.Operation()
	r := d.Request
	if a := d.Answer; a.Reply != spec.NoReply {
		if lost && a.Reply == spec.Ack && d.Push {
			a.Reply, a.Code = spec.NRE, spec.OperationError
		}
		w.answers = append(w.answers, a)
	}
	switch int(d.Kind) {
	case engine.DeliverReceive:
		x := falconCompletion{Stream: r.Stream, ID: d.ID, Opcode: d.Opcode, Recv: true, Length: d.Length, Outcome: d.Received.Status}
		if row.Opcode.Service() == spec.UD {
			x.SourceQP = d.Received.SourceQP
		}
		if lost {
			x.Status = engine.StatusMemory
			if x.Outcome == model.Success {
				x.Outcome = model.LocalProtection
			}
		}
		if x.Outcome == model.Success {
			switch row.Suffix {
			case spec.Immediate:
				x.Data = uint64(d.Received.Word)
			case spec.Invalidate:
				x.STag = d.Received.Word
			}
			if d.Received.Solicited {
				w.events = append(w.events, falconEvent{Stream: r.Stream, Kind: engine.EventSolicited})
			}
		}
		w.completions = append(w.completions, x)
	case engine.DeliverResponse:
		if !lost {
			x := falconResponse{answeredBeat{r.Stream, 0}, r.CID, r.RSN, d.Received.Status}
			if r.Atomic {
				x.Data = r.Data
			}
			w.answered = append(w.answered, x)
		}
	case engine.DeliverRequest:
		if lost {
			r.Kind = int(c.Kinds().Request("refusal"))
		}
		w.requests = append(w.requests, falconPull{d.Queue, r})
	case engine.DeliverEnd:
		w.events = append(w.events, falconEvent{Stream: r.Stream, Kind: engine.EventEnded, Rule: d.Rule})
		w.requests = append(w.requests, falconPull{d.Queue, r})
	}
}

func randomFalconDelivery(r *rand.Rand, c engine.Config) falconDelivery {
	row := &spec.Operations[r.IntN(len(spec.Operations))]
	d := falconDelivery{ID: r.Uint64(), Opcode: row.Opcode, Length: r.Uint32(), Rule: spec.Rule(r.IntN(1 << spec.RuleBits)),
		Answer: falconAnswer{r.Uint32N(falconConnections), r.Uint32(), spec.Reply(r.IntN(7)), spec.ULPCode(r.IntN(256)), r.Uint32N(32)},
		Request: falconInbound{Stream: r.IntN(c.Streams), Number: r.Uint32N(requestNumbers), STag: r.Uint32(), Address: r.Uint64(), CID: r.Uint32N(falconConnections), RSN: r.Uint32(),
			SN: r.Uint32(), Remote: r.Uint32() >> 8, XRC: r.IntN(2) == 0, Atomic: r.IntN(2) == 0, Adds: r.IntN(2) == 0, Length: r.Uint32N(1 << 16), Data: r.Uint64(), Compare: r.Uint64(),
			SinkVA: r.Uint64(), LKey: r.Uint32()}}
	d.Push = r.IntN(2) == 0
	if r.IntN(2) == 0 {
		d.Answer.Reply = spec.Ack
	}
	d.Kind = oneHot([]int{engine.DeliverReceive, engine.DeliverReceive, engine.DeliverResponse, engine.DeliverRequest, engine.DeliverRequest, engine.DeliverEnd}[r.IntN(6)])
	switch int(d.Kind) {
	case engine.DeliverRequest:
		d.Request.Kind = int(c.Kinds().Request([]string{"read", "atomic", "refusal"}[r.IntN(3)]))
	case engine.DeliverEnd:
		d.Request.Kind = kindEnd
	}
	if r.IntN(2) == 0 {
		d.Received.Status = model.Status(r.IntN(11))
	}
	d.Received.SourceQP, d.Received.Word, d.Received.Solicited = r.Uint32()>>8, r.Uint32(), r.IntN(2) == 0
	return d
}

// Items of QPs whose payload is in memory, and of QPs of which some was lost, under all stalls.
func TestFalconDelivered(t *testing.T) {
	c := falconConfig(spec.Drawn, 64)
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, order.DeliveryGate(c), 1)
		for _, name := range []string{"issued", "placed"} {
			b.inputs[name].Set(0)
		}
		for _, stream := range []int{1, 5} {
			send(b, "failed", failureBeat{Stream: stream})
		}
		b.rest(30)
		b.stall(idle, pressure)
		var want falconDelivered
		for range 400 {
			d := randomFalconDelivery(b.rand, c)
			send(b, "deliver", d)
			want.add(c, d, d.Request.Stream == 1 || d.Request.Stream == 5)
		}
		b.rest(100)
		same(t, want.completions, received[falconCompletion](b, "completion"))
		same(t, want.events, received[falconEvent](b, "event"))
		same(t, want.answered, received[falconResponse](b, "answered"))
		same(t, want.requests, received[falconPull](b, "request"))
		same(t, want.answers, received[falconAnswer](b, "answer"))
		assert.NotEmpty(t, want.answers)
	})
}
