package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/require"
)

// initiator is node 0 of a bench without its link: the test is Falcon.
type initiator struct {
	*bench
	t testing.TB
	e *falcon.Engine
}

func newInitiator(t testing.TB, s setup) *initiator {
	b := newBench(t, s, 2)
	return &initiator{bench: b, t: t, e: b.node[0]}
}

// sent is a request and its packet.
type sent struct {
	falcon.Request
	packet.Packet
}

// all takes the requests that the QP sends now.
func (i *initiator) all() (list []sent) {
	for r, some := i.e.Transmit(i.qp[0]); some; r, some = i.e.Transmit(i.qp[0]) {
		var p packet.Packet
		require.Equal(i.t, spec.None, p.Decode(r.Octets, i.bits))
		list = append(list, sent{r, p})
	}
	return list
}

func (i *initiator) work(r falcon.WorkRequest) { i.post(i.t, 0, r) }

func (i *initiator) ack(s sent) { i.complete(s, spec.CompletedAck, 0) }

func (i *initiator) complete(s sent, code spec.Completion, ulp spec.ULPCode) {
	i.e.Complete(falcon.Completed{CID: i.cid[0], RSN: s.RSN, Code: code, ULP: ulp})
}

// respond answers a pull with a packet that change may spoil.
func (i *initiator) respond(s sent, change func(p *packet.Packet)) {
	p := packet.New(spec.Find(s.Opcode.Service(), spec.PullData, i.kindOf(s), spec.Only, spec.Plain))
	p.DestinationQP, p.SN, p.SinkVA, p.SinkKey, p.Original = i.qp[0], s.SN, s.SinkVA, s.SinkKey, 0x0102030405060708
	if p.Opcode.Service() != spec.UD {
		row, _ := p.Opcode.Operation()
		if row.Carries() {
			p.Payload = make([]byte, s.Packet.Length)
			for n := range p.Payload {
				p.Payload[n] = byte(n) + 1
			}
		}
	}
	if change != nil {
		change(&p)
	}
	i.e.Answered(falcon.Response{CID: i.cid[0], RSN: s.RSN, Octets: p.Encode(nil, i.bits)})
}

func (i *initiator) kindOf(s sent) spec.Kind {
	row, _ := s.Opcode.Operation()
	return row.Kind
}
