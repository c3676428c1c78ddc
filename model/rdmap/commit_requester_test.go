package rdmap

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hashOf is the expected hash of a work request.
func hashOf(t testing.TB, text string) (hash [memory.MostDigest]byte) {
	copy(hash[:], octets(t, text))
	return hash
}

// Work requests of the extension: the request, the response, and the completion; octets by hand.
func TestCommitRequester(t *testing.T) {
	remote, local := Buffer{0x11223344, 0x5566778899AABBCC}, Buffer{0x1A1, 0x1040}
	const named = "11223344 00000009 5566778899AABBCC "
	for _, tt := range []struct {
		name     string
		w        WorkRequest
		request  string
		response string
		want     Completion
	}{
		{"Flush", WorkRequest{Opcode: wire.OpFlushRequest, Remote: remote, Length: 9, Commit: CommitOperands{Flags: wire.Persistence | wire.GlobalVisibility}},
			"41 4C 00000000 00000001 00000001 00000000 " + named + "00000003", response("4D", 1, ""), Completion{Length: 9}},
		{"Flush with an Invalidate STag", WorkRequest{Opcode: wire.OpFlushRequest, Remote: remote, Length: 9, Commit: CommitOperands{Flags: wire.Persistence, Invalidate: 0xDEADBEEF}},
			"41 4C DEADBEEF 00000001 00000001 00000000 " + named + "00000001", "7D 6D FFFFFFFF 00000003 00000001 00000000", Completion{Length: 9}}, // reserved bits and the ULP word
		{"Verify without a hash", WorkRequest{Opcode: wire.OpVerifyRequest, Local: local, Remote: remote, Length: 9, Commit: CommitOperands{Algorithm: memory.CRC64NVMe, Hash: hashOf(t, eight)}},
			"41 4E 00000000 00000001 00000001 00000000 " + named, response("4F", 1, "AE8B14860A799888"), Completion{Length: 8}},
		{"Verify", WorkRequest{Opcode: wire.OpVerifyRequest, Local: local, Remote: remote, Length: 9,
			Commit: CommitOperands{Algorithm: memory.CRC32C, Compare: true, Hash: hashOf(t, "E306928399"), Invalidate: 0x102}},
			"41 4E 00000102 00000001 00000001 00000000 " + named + "E3069283", response("4F", 1, "E3069283"), Completion{Length: 4}},
		{"Verify, and the response differs", WorkRequest{Opcode: wire.OpVerifyRequest, Local: local, Remote: remote, Length: 9,
			Commit: CommitOperands{Algorithm: memory.CRC32C, Compare: true, Hash: hashOf(t, "E3069283")}},
			"41 4E 00000000 00000001 00000001 00000000 " + named + "E3069283", response("4F", 1, "E3069282"), Completion{Length: 4, Status: StatusMismatch}},
		{"Atomic Write", WorkRequest{Opcode: wire.OpAtomicWriteRequest, Remote: remote, Length: 77, Commit: CommitOperands{Data: 0x0102030405060708}},
			"41 50 00000000 00000001 00000001 00000000 11223344 00000008 5566778899AABBCC " + eight, response("51", 1, ""), Completion{Length: 8}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := committer(t)
			post(t, e, tt.w)
			assert.Equal(t, hexes(t, tt.request), transmit(t, e, Transmitted))
			assert.Empty(t, sent(e, 1))
			answer := octets(t, tt.response)
			v := e.Receive(1, answer)
			require.Equal(t, spec.None, v.Error)
			assert.True(t, v.Last)
			assert.True(t, e.Memory().Equal(0x20040, answer[18:]), "the digest is in the local buffer, also after a mismatch")
			assert.True(t, e.Memory().Equal(0x20040+uint64(len(answer)-18), []byte{0}))
			tt.want.Stream, tt.want.ID, tt.want.Opcode = 1, 1, tt.w.Opcode
			assert.Equal(t, []Completion{tt.want}, sent(e, 1))
			assert.True(t, e.IsOpen(1), "a mismatch at the requester ends nothing")
			done := uint64(1)
			if tt.want.Status == StatusMismatch {
				done = 0
			}
			assert.Equal(t, done, e.Counters().RequestsCompleted)
		})
	}
}

// All five kinds of requests share ORD and queue 1, and complete in the order of posting; an unsignaled mismatch is
// reported all the same.
func TestCommitSharesORD(t *testing.T) {
	e := committer(t, func(c *EngineConfig) { c.ORD, c.SendDepth = 4, 6 })
	local := Buffer{0x1A1, 0x1040}
	post(t, e, WorkRequest{Opcode: wire.OpReadRequest, Local: local, Length: 1}, WorkRequest{Opcode: wire.OpAtomicRequest, Local: local},
		WorkRequest{Opcode: wire.OpFlushRequest, Commit: CommitOperands{Flags: 1}})
	require.False(t, e.PostSend(WorkRequest{Stream: 1, ID: 4, Opcode: wire.OpVerifyRequest, Local: local, Commit: CommitOperands{Algorithm: memory.CRC32C, Compare: true}}))
	post(t, e, WorkRequest{ID: 5, Opcode: wire.OpAtomicWriteRequest}, WorkRequest{ID: 6, Opcode: wire.OpSend})
	for msn := byte(1); msn <= 4; msn++ {
		segments, progress := e.Transmit(1)
		require.Equal(t, Transmitted, progress)
		assert.Equal(t, msn, segments[0][13])
	}
	transmit(t, e, Idle)
	take(t, e, readData+"000001A1 0000000000001040 01")
	assert.Equal(t, hexes(t, atomicWrite(0, 5, 0, 8, 0, "0000000000000000")), transmit(t, e, Transmitted))
	transmit(t, e, Transmitted)
	take(t, e, response("4B", 1, "00000002 0000000000000000"), response("4D", 2, ""), response("4F", 3, "00000001"), response("51", 4, ""))
	assert.True(t, e.Left(1))
	all := sent(e, 1)
	require.Len(t, all, 6)
	for i, c := range all {
		assert.Equal(t, uint64(i+1), c.ID)
		assert.Equal(t, c.ID == 4, c.Status == StatusMismatch)
	}
}

// What a requester refuses itself.
func TestCommitRequestsThatCannotBeSent(t *testing.T) {
	e := committer(t)
	for _, a := range []memory.Algorithm{memory.NoAlgorithm, 99} {
		assert.True(t, e.PostSend(WorkRequest{Stream: 1, Opcode: wire.OpVerifyRequest, Commit: CommitOperands{Algorithm: a}}), "an algorithm is needed (I-91)")
	}
	for _, op := range spec.Commit.All(spec.Replies) {
		assert.True(t, e.PostSend(WorkRequest{Stream: 1, Opcode: op}))
	}

	// A local buffer with room for a shorter digest: a Terminate in place of the request, without headers (section 5.1).
	post(t, e, WorkRequest{Opcode: wire.OpFlushRequest, Local: Buffer{0x7A7, 0}, Commit: CommitOperands{Flags: 1}})
	transmit(t, e, Transmitted) // a Flush needs no buffer
	post(t, e, WorkRequest{ID: 2, Opcode: wire.OpVerifyRequest, Local: Buffer{0x1A1, 0x10F0}, Commit: CommitOperands{Algorithm: memory.SHA256}})
	transmit(t, e, Failed)
	assert.True(t, e.Fail(1, spec.Local))
	segments, _ := execute(t, e)
	assert.Equal(t, hexes(t, toNoOne+"0000 0000"), segments)
	all := sent(e, 1)
	require.Len(t, all, 2)
	assert.Equal(t, []Status{StatusFlushed, StatusProtection}, []Status{all[0].Status, all[1].Status})
}

// A Terminate of the peer, as for a hash that does not match: the event names the request to recover from, and nothing
// outstanding completes with success.
func TestRequesterLearnsOfAFailure(t *testing.T) {
	e := committer(t)
	post(t, e, WorkRequest{Opcode: wire.OpFlushRequest, Commit: CommitOperands{Flags: 1}}, WorkRequest{Opcode: wire.OpVerifyRequest, Local: Buffer{0x1A1, 0x1000}, Commit: CommitOperands{Algorithm: memory.CRC32C, Compare: true}},
		WorkRequest{Opcode: wire.OpAtomicWriteRequest})
	for range 3 {
		transmit(t, e, Transmitted)
	}
	take(t, e, response("4D", 1, ""), terminateFor("02FF C000", verify(0, 2, 0, 0, 0, "00000000")))
	assert.Equal(t, []Event{{Stream: 1, Kind: EventTerminated, Term: spec.TermOperation, OfRequest: true, MSN: 2}}, events(e, 1))
	_, x := execute(t, e)
	assert.Equal(t, ExecutedShut, x.Kind)
	all := sent(e, 1)
	require.Len(t, all, 3)
	assert.Equal(t, []Status{StatusSuccess, StatusFlushed, StatusFlushed}, []Status{all[0].Status, all[1].Status, all[2].Status})
}
