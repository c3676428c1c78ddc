package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every rule of responses, in both error modes (I-106, I-118).
func TestResponses(t *testing.T) {
	shown := map[spec.Rule]bool{}
	for _, tt := range []struct {
		rule   spec.Rule
		name   string
		kind   spec.Kind
		change func(p *packet.Packet)
		status falcon.Status
		octets func(b []byte) []byte
	}{
		{rule: spec.NotOutstanding, kind: spec.Read, change: func(p *packet.Packet) { p.SN = 1 }},
		{rule: spec.ResponseShort, kind: spec.Read, octets: func(b []byte) []byte { return b[:11] }, status: falcon.BadResponse},
		{rule: spec.ResponseShort, name: "headers", kind: spec.Read, octets: func(b []byte) []byte { return b[:23] }, status: falcon.BadResponse},
		{rule: spec.ResponseWrong, name: "version", kind: spec.Read, change: func(p *packet.Packet) { p.Version = 0 }, status: falcon.BadResponse},
		{rule: spec.ResponseWrong, name: "QP", kind: spec.Read, change: func(p *packet.Packet) { p.DestinationQP = 1 }, status: falcon.BadResponse},
		{rule: spec.ResponseWrong, name: "SN", kind: spec.Read, change: func(p *packet.Packet) { p.SN++ }, status: falcon.BadResponse},
		{rule: spec.ResponseWrong, name: "opcode", kind: spec.Read, change: func(p *packet.Packet) { p.Opcode = 0x12 }, status: falcon.BadResponse},
		{rule: spec.ResponseWrong, name: "request", kind: spec.FetchAdd, change: func(p *packet.Packet) { p.Opcode = 0x14 }, status: falcon.BadResponse},
		{rule: spec.ResponseWrong, name: "service", kind: spec.Read, change: func(p *packet.Packet) { p.Opcode = 0xB0 }, status: falcon.BadResponse},
		{rule: spec.ResponseCE, kind: spec.Read, change: func(p *packet.Packet) { p.CE, p.Payload = true, nil }, status: falcon.RemoteError},
		{rule: spec.ResponseCE, name: "of any response", kind: spec.FetchAdd, change: func(p *packet.Packet) { p.CE, p.Opcode, p.SinkKey = true, 0x10, 0 }, status: falcon.RemoteError},
		{rule: spec.ResponseSink, name: "VA", kind: spec.Read, change: func(p *packet.Packet) { p.SinkVA++ }, status: falcon.BadResponse},
		{rule: spec.ResponseSink, name: "L-Key", kind: spec.FetchAdd, change: func(p *packet.Packet) { p.SinkKey++ }, status: falcon.BadResponse},
		{rule: spec.ResponseLength, name: "short", kind: spec.Read, change: func(p *packet.Packet) { p.Payload = p.Payload[1:] }, status: falcon.BadResponse},
		{rule: spec.ResponseLength, name: "long", kind: spec.Read, change: func(p *packet.Packet) { p.Payload = append(p.Payload, 1) }, status: falcon.BadResponse},
		{rule: spec.ResponseLength, name: "atomic", kind: spec.FetchAdd, octets: func(b []byte) []byte { return append(b, 0, 0, 0, 0) }, status: falcon.BadResponse},
		{rule: spec.SinkBuffer, kind: spec.Read, status: falcon.LocalProtection},
		{rule: spec.None, name: "First", kind: spec.Read, change: func(p *packet.Packet) { p.Opcode = 0x0D }},
		{rule: spec.None, name: "Middle", kind: spec.Read, change: func(p *packet.Packet) { p.Opcode = 0x0E }},
		{rule: spec.None, name: "Last", kind: spec.Read, change: func(p *packet.Packet) { p.Opcode = 0x0F }},
	} {
		for _, m := range []spec.ErrorMode{spec.Verbs, spec.CompleteInError} {
			shown[tt.rule] = true
			i := newInitiator(t, newSetup(spec.QPRC, spec.Weak, m))
			i.work(falcon.WorkRequest{ID: 1, Kind: tt.kind, Local: sink(0, 8), VA: 1, RKey: 1})
			i.work(falcon.WorkRequest{ID: 2, Kind: spec.Send})
			list := i.all()
			if tt.rule == spec.SinkBuffer {
				require.NoError(t, i.e.SetRegion(2, memory.Region{}))
			}
			s := list[0]
			var octets []byte
			p := packet.New(spec.Find(spec.RC, spec.PullData, tt.kind, spec.Only, spec.Plain))
			p.DestinationQP, p.SN, p.SinkVA, p.SinkKey, p.Original = i.qp[0], s.SN, s.SinkVA, s.SinkKey, 7
			if tt.kind == spec.Read {
				p.Payload = []byte{7, 0, 0, 0, 0, 0, 0, 0}
			}
			if tt.change != nil {
				tt.change(&p)
			}
			octets = p.Encode(nil, i.bits)
			if tt.octets != nil {
				octets = tt.octets(octets)
			}
			rsn := s.RSN
			if tt.rule == spec.NotOutstanding {
				rsn += 100
			}
			i.e.Answered(falcon.Response{CID: i.cid[0], RSN: rsn, Octets: octets})
			name := tt.rule.String() + " " + tt.name
			if tt.rule == spec.None || tt.rule.Row().Class == spec.Found {
				i.ack(list[1])
			}
			done, _ := i.completions(0)
			events := i.events(0)
			written := i.octets(0, sinkAt, 1)[0] == 7
			assert.Equal(t, tt.rule == spec.None, written, name)
			switch {
			case tt.rule == spec.None:
				require.Len(t, done, 2, name)
				assert.Equal(t, falcon.Success, done[0].Status)
			case tt.status == 0:
				assert.Empty(t, done, name)
				assert.Empty(t, events)
				assert.EqualValues(t, 1, i.e.Broken(tt.rule), name)
				i.respond(s, nil)
				done, _ = i.completions(0)
				require.Len(t, done, 1, name)
				assert.Equal(t, falcon.Success, done[0].Status, "the right response still counts")
			default:
				assert.EqualValues(t, 1, i.e.Broken(tt.rule), name)
				require.Len(t, done, 2, name)
				assert.Equal(t, tt.status, done[0].Status, name)
				assert.Equal(t, m == spec.Verbs, i.e.InError(i.qp[0]), name)
				if m == spec.Verbs {
					assert.Equal(t, []falcon.Event{{QP: i.qp[0], Rule: tt.rule}}, events)
					assert.Equal(t, falcon.Flushed, done[1].Status)
				} else {
					assert.Empty(t, events)
					assert.Equal(t, falcon.Success, done[1].Status)
				}
			}
		}
	}
	for r := spec.NotOutstanding; r <= spec.SinkBuffer; r++ {
		assert.True(t, shown[r], "%v", r)
	}
}

// A response for another QP, one of another connection or the XRC target that shares this one: nothing is placed, the pull ends in error
// and the other QP is not concerned. Without a pull that waits it is dropped (I-118).
func TestResponseForAnotherQP(t *testing.T) {
	for _, kind := range []spec.QPType{spec.QPRC, spec.QPXRCInitiator} {
		i := newInitiator(t, newSetup(kind, spec.Strong, spec.CompleteInError))
		other := i.to[0]
		rule := spec.NotOutstanding
		if kind == spec.QPRC {
			other, rule = 0x700, spec.WrongCID
			require.NoError(t, i.e.CreateConnection(falcon.ConnectionConfig{CID: otherCID, Ordered: true, RSN: 1, Window: 8}))
			require.NoError(t, i.e.CreateQP(falcon.QPConfig{Number: other, CID: otherCID, MTU: mtu, IRRQ: 1, ORD: 1, SendDepth: 1}))
		}
		i.work(falcon.WorkRequest{ID: 1, Kind: spec.Read, Local: sink(0, 8)})
		i.work(falcon.WorkRequest{ID: 2, Kind: spec.Read, Local: sink(8, 8)})
		list := i.all()
		i.respond(list[0], func(p *packet.Packet) { p.DestinationQP = other })
		assert.Equal(t, make([]byte, 8), i.octets(0, sinkAt, 8))
		i.respond(list[0], func(p *packet.Packet) { p.DestinationQP = other })
		assert.EqualValues(t, 1, i.e.Broken(rule))
		i.respond(list[1], nil)
		done, _ := i.completions(0)
		require.Len(t, done, 2)
		assert.Equal(t, falcon.BadResponse, done[0].Status)
		assert.Equal(t, falcon.Success, done[1].Status)
		assert.False(t, i.e.InError(i.qp[0]) || i.e.InError(other))
		assert.Empty(t, i.events(0))
	}
}
