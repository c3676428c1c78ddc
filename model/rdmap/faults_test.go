package rdmap

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Faults lists every rule that a segment breaks; Receive reports the first.
func TestFaults(t *testing.T) {
	open := func() *Engine {
		e, err := NewEngine(EngineConfig{Streams: 2, STags: 4, IRD: 1, ORD: 1, ReceiveDepth: 4, SendDepth: 4, MaxPayload: 64})
		require.NoError(t, err)
		require.NoError(t, e.SetRegion(1, memory.Region{Valid: true, Key: 7, Rights: memory.RemoteWrite | memory.LocalWrite, Base: 0x100, Length: 32, Address: 0x1004}))
		e.Open(0, 0)
		return e
	}
	stag := memory.STag(1, 7)
	receive := func(e *Engine, octets uint32) {
		require.False(t, e.PostReceive(ReceiveRequest{Buffer: Buffer{stag, 0x100}, Length: octets}))
	}
	for _, tt := range []struct {
		name    string
		before  func(e *Engine)
		segment []byte
		want    []spec.Rule
	}{
		{"a valid segment", nil, wire.AppendWrite(nil, stag, 0x100, true, make([]byte, 8)), nil},
		{"an octet", nil, []byte{0x80}, []spec.Rule{spec.ShortHeader}},
		{"another key of a row, beyond its end", nil, wire.AppendWrite(nil, stag^1, 0x120, true, make([]byte, 8)), []spec.Rule{spec.TaggedSTag, spec.TaggedBounds}},
		{"no row, and the TO wraps", nil, wire.AppendWrite(nil, memory.STag(3, 0), ^uint64(0), true, make([]byte, 8)), []spec.Rule{spec.TaggedSTag, spec.TaggedTOWrap}},
		{"a Send without a buffer, MSN and MO wrong", nil, wire.AppendSend(nil, wire.OpSend, 0, 3, 9, true, nil), []spec.Rule{spec.MSNOutOfRange, spec.WrongMO, spec.NoReceiveBuffer}},
		{"a Send that is too long for its buffer and its region", func(e *Engine) { receive(e, 33) }, wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, make([]byte, 40)),
			[]spec.Rule{spec.MessageTooLong, spec.Local}},
		{"an Atomic without a right, misaligned, with an unassigned AOpCode", nil,
			wire.AppendAtomicRequest(nil, 1, wire.AtomicRequest{AOpCode: 5, RemoteSTag: stag, RemoteTO: 0x100}), []spec.Rule{spec.AOpCodeNotSupported, spec.RequestAccess, spec.Misaligned}},
		{"an unsolicited Atomic Response", nil, wire.AppendAtomicResponse(nil, 2, wire.AtomicResponse{}), []spec.Rule{spec.MSNOutOfRange, spec.NoAtomicOutstanding}},
		{"a Send that may not invalidate its STag", func(e *Engine) { receive(e, 8) }, wire.AppendSend(nil, wire.OpSendInv, stag, 1, 0, true, nil), []spec.Rule{spec.CannotInvalidate, spec.RequestAccess}},
		{"a Send inside an RDMA Write", func(e *Engine) {
			receive(e, 8)
			e.Receive(0, wire.AppendWrite(nil, stag, 0x100, false, nil))
		}, wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, nil), []spec.Rule{spec.Interleaved}},
	} {
		e := open()
		if tt.before != nil {
			tt.before(e)
		}
		faults := e.Faults(0, tt.segment)
		assert.ElementsMatch(t, tt.want, faults, tt.name)
		if kind := e.Receive(0, tt.segment).Error; len(tt.want) > 0 {
			assert.Contains(t, faults, kind, tt.name)
		} else {
			assert.Equal(t, spec.None, kind, tt.name)
		}
	}
}

// DDP may accept a Send with a buffer after the next message's, or a later segment of the next message.
func TestAhead(t *testing.T) {
	e, err := NewEngine(EngineConfig{Streams: 1, STags: 2, IRD: 3, ORD: 1, ReceiveDepth: 4, SendDepth: 4, MaxPayload: 64})
	require.NoError(t, err)
	require.NoError(t, e.SetRegion(1, memory.Region{Valid: true, Rights: memory.LocalWrite, Length: 64, Address: 0x1000}))
	e.Open(0, 0)
	for i := range uint64(2) {
		e.PostReceive(ReceiveRequest{Buffer: Buffer{memory.STag(1, 0), 20 * i}, Length: 20})
	}
	for _, tt := range []struct {
		name    string
		segment []byte
		address uint64
		ahead   bool
	}{
		{"the next", wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, make([]byte, 4)), 0, false},
		{"further on", wire.AppendSend(nil, wire.OpSend, 0, 1, 8, true, make([]byte, 4)), 0x1008, true},
		{"beyond the buffer", wire.AppendSend(nil, wire.OpSend, 0, 1, 17, true, make([]byte, 4)), 0, false},
		{"the next message", wire.AppendSend(nil, wire.OpSend, 0, 2, 0, true, make([]byte, 4)), 0x1014, true},
		{"a message without a buffer", wire.AppendSend(nil, wire.OpSend, 0, 3, 0, true, make([]byte, 4)), 0, false},
		{"the previous message", wire.AppendSend(nil, wire.OpSend, 0, 0, 0, true, make([]byte, 4)), 0, false},
		{"a request for which there is room", wire.AppendReadRequest(nil, 3, wire.ReadRequest{}), 0, true},
		{"a request without room", wire.AppendReadRequest(nil, 4, wire.ReadRequest{}), 0, false},
		{"a tagged segment", wire.AppendWrite(nil, 0, 0, true, nil), 0, false},
	} {
		address, octets, ahead := e.Ahead(0, tt.segment)
		assert.Equal(t, tt.ahead, ahead, tt.name)
		assert.Equal(t, tt.address, address, tt.name)
		assert.Equal(t, tt.address != 0, octets == 4, tt.name)
	}
}
