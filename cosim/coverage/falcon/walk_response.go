package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// response gives the QP a response of the bin, to a pull that it posts.
func (v *visit) response() {
	if v.row == nil {
		v.row = spec.Find(v.service, spec.PullData, spec.Read, spec.Only, spec.Plain)
	}
	octets := v.octetsOf(v.p.Length)
	work := &suite.Work{QP: v.initiator(), ID: suite.Hex64(v.Uint64()), Kind: suite.Kinds[spec.Read], Remote: &suite.Remote{Key: suite.Hex32(v.Uint32()), VA: suite.Hex64(v.Uint64())},
		Local: []suite.Element{v.element(rowLocal, 0, octets)}}
	if v.row.Kind&spec.Atomic != 0 {
		work.Kind, work.Operands = suite.Kinds[spec.FetchAdd], &suite.Operands{Data: suite.Hex64(v.Uint64()), CompareData: suite.Hex64(v.Uint64())}
	}
	if v.service == spec.XRC {
		work.SRQ = new(v.Uint32N(1 << 24))
	}
	v.give(suite.Step{Work: work})
	x := packet.New(v.row)
	x.DestinationQP, x.SN, x.SinkVA, x.SinkKey, x.Original = v.initiator(), v.group.Number, v.slot(0), v.key(rowLocal), v.Uint64()
	if v.row.Carries() {
		x.Payload = v.octets(octets)
	}
	cid, rsn := v.cid(), v.first
	switch v.p.Error {
	case spec.UnknownQP:
		x.DestinationQP, rsn = v.strange(), rsn+1
	case spec.WrongCID:
		cid, rsn = noCID, rsn+1
	case spec.NotOutstanding:
		rsn++
	case spec.ResponseWrong:
		x.SN++
	case spec.ResponseCE:
		x.CE, x.Payload = true, nil
	case spec.ResponseSink:
		x.SinkVA += 8
	case spec.ResponseLength:
		x.Payload = v.octets(4)
	case spec.SinkBuffer:
		v.give(suite.Step{Region: v.local("local_read")})
	}
	raw := x.Encode(nil, v.order)
	switch {
	case v.p.Opcode == shortResponse:
		raw = raw[:8]
	case v.p.Error == spec.ResponseShort:
		raw = raw[:16]
	case v.p.Opcode == foreignResponse:
		x.Opcode |= 0x1F
		copy(raw, x.EncodeBase(nil, v.order))
	}
	v.give(suite.Step{Response: &suite.Response{CID: cid, RSN: rsn, Hex: raw}})
	if v.p.Error == spec.SinkBuffer {
		v.give(suite.Step{Region: v.local("local_read", "local_write")})
	}
}

// local is the row of the local region with other rights.
func (v *visit) local(rights ...string) *suite.Region {
	r := v.group.Regions[0]
	r.Rights = rights
	return &r
}
