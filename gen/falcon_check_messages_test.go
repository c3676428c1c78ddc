package gen_test

import (
	"github.com/stretchr/testify/require"

	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// checkMessages makes messages of the arrivals of a QP, so that what they say of parts can be compared with the model's completions.
type checkMessages struct {
	q       model.QPConfig
	next    uint32 // SN, weakly ordered
	ahead   map[uint32]checkArrival
	refused bool // a packet since the latest Write began
	status  int
	failed  bool   // the QP is in Error: nothing completes any more
	octets  uint32 // of the open message, if each packet had one MTU
	ended   []model.Completion
	over    uint32          // messages with an RMSN, from the first one on
	later   map[uint32]bool // behind it
	told    uint32
}

func newCheckMessages(q model.QPConfig) *checkMessages {
	return &checkMessages{q: q, next: 1, ahead: map[uint32]checkArrival{}, later: map[uint32]bool{}}
}

func (o *checkMessages) arrive(a checkArrival) {
	class := spec.Rule(a.Rule).Row().Class
	o.failed = o.failed || o.q.Type.Connected() && class.Consequence(o.q.Errors).Error || class == spec.Ended
	switch {
	case !a.Counts, o.failed:
	case !a.Weak:
		o.add(a)
	default:
		o.ahead[a.SN] = a
		for next, has := o.ahead[o.next]; has; next, has = o.ahead[o.next] {
			delete(o.ahead, o.next)
			o.next++
			o.add(next)
		}
	}
}

// add adds a packet to its message.
func (o *checkMessages) add(a checkArrival) {
	p := a.Part
	if p.Refused || p.Write && p.Starts {
		o.refused = p.Refused
	}
	if !p.Receives {
		return
	}
	switch {
	case o.status != 0:
	case p.Status != 0:
		o.status = p.Status
	case p.Write && o.refused:
		o.status = int(model.PeerError)
	case p.Send && o.q.Type.Connected() && p.Offset != o.octets:
		o.status = int(model.LengthError)
	}
	o.octets += uint32(o.q.MTU)
	if !p.Ends {
		return
	}
	for o.later[p.RMSN] = true; o.later[o.over+1]; o.over++ {
		delete(o.later, o.over+1)
	}
	c := model.Completion{QP: o.q.Number, ID: p.ID, Receive: true, Status: model.Status(o.status)}
	if row, known := spec.Opcode(a.Opcode).Operation(); o.status == 0 && known {
		c.Kind, c.Suffix, c.Solicited = row.Kind, row.Suffix, a.Received.Solicited
		switch row.Suffix {
		case spec.Immediate:
			c.Immediate = a.Received.Word
		case spec.Invalidate:
			c.Invalidated = a.Received.Word
		}
		if row.Kind == spec.Send {
			c.Length = a.Length
		}
		if !o.q.Type.Connected() {
			c.SourceQP = a.Received.SourceQP
		}
	}
	if p.Provided {
		o.ended = append(o.ended, c)
	}
	o.octets, o.status = 0, 0
}

// compareMessages compares the completions of receives with the model's. A QP that has gone to Error completes more of them there.
func (r *checkRound) compareMessages() {
	list := map[uint32][]model.Completion{}
	for _, c := range r.over {
		list[c.QP] = append(list[c.QP], c)
	}
	r.over = nil
	for n, o := range r.messages {
		if r.lost[n] {
			continue
		}
		want := list[uint32(n)]
		if r.model.InError(uint32(n)) {
			want = want[:min(len(want), len(o.ended))]
		}
		require.Len(r.t, o.ended, len(want), "%+v", o.q)
		for i := range want { // which of several errors counts is open
			if o.q.Ordering == spec.Weak && want[i].Status != model.Success && o.ended[i].Status != model.Success {
				want[i].Status = o.ended[i].Status
			}
		}
		if len(want) > 0 {
			require.Equal(r.t, want, o.ended, "%+v", o.q)
		}
		o.ended = nil
	}
}
