package falcon_test

import (
	"encoding/hex"
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// RoF 6.7, figure of the SEND: First, Middle, Middle, Last.
func TestSegmentedSend(t *testing.T) {
	i := newInitiator(t, newSetup(spec.QPRC, spec.Weak, spec.Verbs))
	i.work(falcon.WorkRequest{ID: 1, Kind: spec.Send, Local: source(0, 3*mtu+mtu/2+1), Suffix: spec.Immediate, Immediate: 77, Solicited: true})
	i.work(falcon.WorkRequest{ID: 2, Kind: spec.Send, Local: source(0, 0), Suffix: spec.Invalidate, Invalidate: 5})
	i.work(falcon.WorkRequest{ID: 3, Kind: spec.Write, Local: source(10, 2*mtu), Suffix: spec.Immediate, VA: 0x1000, RKey: 9})
	i.work(falcon.WorkRequest{ID: 4, Kind: spec.Write, Local: source(10, 1), VA: 0x2000, RKey: 9})
	list := i.all()
	var data []byte
	for n, want := range []struct {
		opcode         spec.Opcode
		payload        int
		offset, rmsn   uint32
		va             uint64
		immediate      uint32
		se             bool
		pad            uint8
		headers        int
		lengthOfOctets int
	}{
		{opcode: 0x00, payload: 64, offset: 0, rmsn: 1, headers: 20},
		{opcode: 0x01, payload: 64, offset: 64, rmsn: 1, headers: 20},
		{opcode: 0x01, payload: 64, offset: 128, rmsn: 1, headers: 20},
		{opcode: 0x03, payload: 33, offset: 192, rmsn: 1, immediate: 77, se: true, pad: 3, headers: 24},
		{opcode: 0x17, payload: 0, rmsn: 2, headers: 24},
		{opcode: 0x06, payload: 64, va: 0x1000, headers: 28},
		{opcode: 0x09, payload: 64, va: 0x1040, rmsn: 3, headers: 36},
		{opcode: 0x0A, payload: 1, va: 0x2000, pad: 3, headers: 28},
	} {
		s := list[n]
		assert.Equal(t, want.opcode, s.Opcode)
		assert.Len(t, s.Payload, want.payload)
		assert.Equal(t, want.offset, s.Offset)
		assert.Equal(t, want.rmsn, s.RMSN)
		assert.Equal(t, want.va, s.VA)
		assert.Equal(t, want.immediate, s.Immediate)
		assert.Equal(t, want.se, s.SE)
		assert.Equal(t, want.pad, s.Pad)
		assert.False(t, s.CE)
		assert.Equal(t, uint32(n+1), s.SN)
		assert.Equal(t, uint32(n+1), s.RSN)
		assert.Equal(t, i.cid[0], s.CID)
		assert.Equal(t, i.to[1], s.DestinationQP)
		assert.Equal(t, spec.PushRequest, s.Type)
		assert.Equal(t, want.headers+want.payload+int(want.pad), s.Request.Length, "I-75")
		assert.Len(t, s.Octets, s.Request.Length)
		data = append(data, s.Payload...)
	}
	assert.Len(t, list, 8)
	assert.EqualValues(t, 5, list[4].Invalidate)
	want := append(i.octets(0, sourceAt, 225), i.octets(0, sourceAt+10, 128)...)
	assert.Equal(t, append(want, i.octets(0, sourceAt+10, 1)...), data)
}

// The octets of a WRITE Only, from the first to the last, in both bit orders.
func TestTransmittedOctets(t *testing.T) {
	for order, want := range map[spec.BitOrder]string{
		spec.Drawn:    "1000080a 00010100 00000001 0000000000001234 00000099 00000002 aabb0000", // pad 2
		spec.Mirrored: "0a200001 00000101 00000001 0000000000001234 00000099 00000002 aabb0000",
	} {
		s := newSetup(spec.QPRC, spec.Strong, spec.Verbs)
		s.bits = order
		i := newInitiator(t, s)
		i.e.Memory().Write(sourceAt, []byte{0xAA, 0xBB})
		i.work(falcon.WorkRequest{Kind: spec.Write, Local: source(0, 2), VA: 0x1234, RKey: 0x99})
		list := i.all()
		require.Len(t, list, 1)
		text := ""
		for _, c := range want {
			if c != ' ' {
				text += string(c)
			}
		}
		assert.Equal(t, text, hex.EncodeToString(list[0].Octets))
	}
}

// RoF 6.7, figure of the READ: pulls end with the MTU and with the elements of the list.
func TestSegmentedRead(t *testing.T) {
	i := newInitiator(t, newSetup(spec.QPRC, spec.Unordered, spec.CompleteInError))
	list := append(sink(0, mtu+10), append(sink(0x1000, 20), append(sink(0x2000, 0), sink(0x3000, 2*mtu)...)...)...)
	i.work(falcon.WorkRequest{ID: 1, Kind: spec.Read, Local: list, VA: 0x5000, RKey: 8})
	i.work(falcon.WorkRequest{ID: 2, Kind: spec.Read, VA: 0x6000, RKey: 8})
	i.work(falcon.WorkRequest{ID: 3, Kind: spec.CmpSwap, Local: sink(0x4000, 8), VA: 0x7000, RKey: 8, Data: 3, Compare: 4})
	i.work(falcon.WorkRequest{ID: 4, Kind: spec.Send})
	sent := i.all()
	at := uint64(0x5000)
	for n, want := range []struct {
		octets uint32
		sink   uint64
	}{{mtu, 0}, {10, mtu}, {20, 0x1000}, {mtu, 0x3000}, {mtu, 0x3000 + mtu}} {
		s := sent[n]
		assert.Equal(t, spec.Opcode(0x0C), s.Opcode)
		assert.Equal(t, spec.PullRequest, s.Type)
		assert.Equal(t, want.octets, s.Packet.Length)
		assert.Equal(t, sinkAt+want.sink, s.SinkVA)
		assert.Equal(t, sinkKey, s.SinkKey)
		assert.Equal(t, at, s.VA)
		assert.Equal(t, uint32(n+1), s.RMSN)
		assert.Equal(t, 24+int(want.octets+3)&^3, s.Request.Length, "I-75")
		at += uint64(want.octets)
	}
	require.Len(t, sent, 8)
	assert.Zero(t, sent[5].Packet.Length)
	assert.Equal(t, spec.Opcode(0x13), sent[6].Opcode)
	assert.Equal(t, 32, sent[6].Request.Length)
	assert.EqualValues(t, 7, sent[6].RMSN)
	assert.EqualValues(t, 1, sent[7].RMSN, "counted apart")
	for _, n := range []int{4, 2, 0, 1} {
		i.respond(sent[n], nil)
	}
	done, _ := i.completions(0)
	assert.Empty(t, done, "a pull is missing")
	i.respond(sent[3], nil)
	i.respond(sent[6], nil)
	done, _ = i.completions(0)
	require.Len(t, done, 2)
	assert.EqualValues(t, 1, done[0].ID)
	assert.EqualValues(t, mtu+10+20+2*mtu, done[0].Length)
	assert.EqualValues(t, 0x0102030405060708, done[1].Original)
	assert.Equal(t, []byte{8, 7, 6, 5, 4, 3, 2, 1}, i.octets(0, sinkAt+0x4000, 8), "I-73")
}
