package rdmap

import (
	"fmt"
	"testing"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// committer is node with the extension Commit, lines of 8 octets, and these regions:
//
//	STag 08A8  stream 1, all remote rights, CRC32C, persistent, TO 0..FF at 60000
//	STag 09A9  stream 1, Flush to Global Visibility and Verify with SHA-256, the same memory
//	STag 0AAA  domain 7, Verify with CRC-64/NVME and Remote Read, the same memory
//	STag 0BAB  stream 1, Remote Write, TO 3..FF at 61003
//	STag 0CAC  stream 1, all remote rights, CRC32C, persistent, the last 16 TOs, at 62000
//	STag 0DAD  stream 1, may be invalidated, no other right
//	STag 0EAE  stream 1, Verifiable with CRC32C, without Remote Read
func committer(t testing.TB, change ...func(*EngineConfig)) *Engine {
	t.Helper()
	e := node(t, append([]func(*EngineConfig){func(c *EngineConfig) {
		c.Extensions, c.Commit.Platform.Line, c.IRD, c.ORD = spec.Commit, 8, 4, 4
	}}, change...)...)
	const remote = memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic | memory.FlushPersistent | memory.FlushVisible | memory.Verifiable | memory.Invalidate
	crc := memory.Attributes{Hash: memory.CRC32C, Type: memory.Flushable}
	for index, r := range map[int]memory.Region{
		8:  {Rights: remote, Owner: 1, Length: 0x100, Address: 0x60000, Attributes: crc},
		9:  {Rights: memory.FlushVisible | memory.Verifiable, Owner: 1, Length: 0x100, Address: 0x60000, Attributes: memory.Attributes{Hash: memory.SHA256}},
		10: {Rights: memory.RemoteRead | memory.Verifiable, Owner: 7, ByDomain: true, Length: 0x100, Address: 0x60000, Attributes: memory.Attributes{Hash: memory.CRC64NVMe}},
		11: {Rights: memory.RemoteWrite, Owner: 1, Base: 3, Length: 0xFD, Address: 0x61003},
		12: {Rights: remote, Owner: 1, Base: 1<<64 - 16, Length: 16, Address: 0x62000, Attributes: crc},
		13: {Rights: memory.Invalidate, Owner: 1, Length: 8},
		14: {Rights: memory.Verifiable, Owner: 1, Length: 8, Attributes: memory.Attributes{Hash: memory.CRC32C}},
	} {
		r.Valid, r.Key = true, uint8(0xA0+index)
		require.NoError(t, e.SetRegion(index, r))
	}
	return e
}

// Requests in the format of the figures: opcode, Invalidate STag, MSN, then what they name.
func flush(invalidate, msn, stag, length uint32, to uint64, flags uint32) string {
	return fmt.Sprintf("41 4C %08X 00000001 %08X 00000000 %08X %08X %016X %08X", invalidate, msn, stag, length, to, flags)
}

func verify(invalidate, msn, stag, length uint32, to uint64, hash string) string {
	return fmt.Sprintf("41 4E %08X 00000001 %08X 00000000 %08X %08X %016X %s", invalidate, msn, stag, length, to, hash)
}

func atomicWrite(invalidate, msn, stag, length uint32, to uint64, data string) string {
	return fmt.Sprintf("41 50 %08X 00000001 %08X 00000000 %08X %08X %016X %s", invalidate, msn, stag, length, to, data)
}

// Responses: opcode and MSN on queue 3.
func response(opcode string, msn uint32, payload string) string {
	return fmt.Sprintf("41 %s 00000000 00000003 %08X 00000000 %s", opcode, msn, payload)
}

const digits = "313233343536373839" // 123456789

func TestFlush(t *testing.T) {
	e := committer(t)
	p := e.Platform()
	take(t, e, writeTo+"000008A8 0000000000000010 "+digits)
	take(t, e, flush(0, 1, 0x8A8, 1, 0x12, 1))
	assert.Len(t, p.Dirty(memory.Stored), 2, "a Flush acts when it is executed")
	segments, x := execute(t, e)
	assert.Equal(t, hexes(t, "41 4D 00000000 00000003 00000001 00000000"), segments)
	assert.Equal(t, Executed{Stream: 1, Request: wire.OpFlushRequest, RequestMSN: 1, Address: 0x60012, ResponseMSN: 1}, x)
	assert.Equal(t, []uint64{0x60018}, p.Dirty(memory.Stored))
	assert.Len(t, p.Dirty(memory.Visible), 2, "P does not imply G")

	take(t, e, flush(0, 2, 0x8A8, 9, 0x10, 2))
	segments, _ = execute(t, e)
	assert.Equal(t, hexes(t, response("4D", 2, "")), segments)
	assert.Empty(t, p.Dirty(memory.Visible))
	assert.Len(t, p.Dirty(memory.Stored), 1, "nor G P")

	take(t, e, flush(0, 3, 0x8A8, 0x100, 0, 3), flush(0, 4, 0x8A8, 0, 0x100, 1), flush(0, 5, 0x9A9, 4, 0, 2))
	e.FlushError = func(_ uint32, _, octets uint64, _ wire.Disposition) bool { return octets == 0 } // which nobody asks for
	for msn := uint32(3); msn <= 5; msn++ {
		segments, _ = execute(t, e)
		assert.Equal(t, hexes(t, response("4D", msn, "")), segments)
		assert.Empty(t, p.Dirty(memory.Stored))
	}
	idle(t, e)
	assert.Equal(t, Counters{SegmentsReceived: 6, OctetsPlaced: 9, SegmentsSent: 5, FlushesExecuted: 5}, e.Counters())
}

func TestVerify(t *testing.T) {
	const crc32, crc64 = "E3069283", "AE8B14860A799888"
	const sha = "15E2B0D3C33891EBB0F1EF609EC419420C20E320CE94C65FBC8C3312448EB225"
	e := committer(t)
	take(t, e, writeTo+"000008A8 0000000000000010 "+digits)
	e.Platform().Settle()
	for msn, tt := range []struct {
		stag   uint32
		length uint32
		to     uint64
		hash   string
		digest string
	}{
		{0x8A8, 9, 0x10, "", crc32}, {0x8A8, 9, 0x10, crc32, crc32},
		{0x9A9, 9, 0x10, "", sha}, {0x9A9, 9, 0x10, sha, sha},
		{0xAAA, 9, 0x10, "", crc64}, {0xAAA, 9, 0x10, crc64, crc64},
		{0x8A8, 0, 0x100, "", "00000000"}, // no octets, at the end of the region
	} {
		take(t, e, verify(0, uint32(msn+1), tt.stag, tt.length, tt.to, tt.hash))
		segments, x := execute(t, e)
		assert.Equal(t, hexes(t, response("4F", uint32(msn+1), tt.digest)), segments)
		assert.True(t, x.Is(spec.VerifyRequest))
	}
	assert.Equal(t, uint64(7), e.Counters().VerifiesExecuted)
	assert.True(t, e.IsOpen(1))
}

// A Verify reads storage, and what others see where the region cannot be flushed to storage, never a volatile copy
// (I-54).
func TestVerifyReadsBehindTheCaches(t *testing.T) {
	e := committer(t)
	take(t, e, writeTo+"000008A8 0000000000000000 01020304", verify(0, 1, 0x8A8, 4, 0, "48674BC7")) // CRC32C of 4 zeros, computed bit by bit
	segments, _ := execute(t, e)
	assert.Equal(t, hexes(t, response("4F", 1, "48674BC7")), segments)
	e.Platform().Flush(memory.Stored, 0x60000, 4)
	take(t, e, verify(0, 2, 0x8A8, 4, 0, "29308CF4")) // CRC32C of 01 02 03 04
	_, x := execute(t, e)
	assert.True(t, x.Is(spec.VerifyRequest))
	// SHA-256 of 4 zeros: other observers see none of it yet.
	take(t, e, verify(0, 3, 0x9A9, 4, 0, "DF3F619804A92FDB4057192DC43DD748EA778ADC52BC498CE80524C014B81119"))
	_, x = execute(t, e)
	assert.True(t, x.Is(spec.VerifyRequest))
}

func TestAtomicWrite(t *testing.T) {
	for _, host := range []bool{false, true} {
		e := committer(t, func(c *EngineConfig) { c.Commit.HostOrder = host })
		take(t, e, atomicWrite(0, 1, 0x8A8, 8, 8, "0000000000000001"),
			"41 4A 00000000 00000001 00000002 00000000 00000000 00000009 000008A8 0000000000000008"+operands)
		segments, x := execute(t, e)
		assert.Equal(t, hexes(t, "41 51 00000000 00000003 00000001 00000000"), segments)
		result := uint64(0x0100000000000000)
		if host {
			result = 1
		}
		assert.Equal(t, Executed{Stream: 1, Request: wire.OpAtomicWriteRequest, RequestMSN: 1, Address: 0x60008, Result: result, ResponseMSN: 1}, x)
		_, x = execute(t, e)
		if host {
			assert.Equal(t, uint64(1), x.Original)
		} else {
			assert.Equal(t, uint64(0x0100000000000000), x.Original, "the octets of the wire (I-19)")
		}
		assert.Len(t, e.Platform().Dirty(memory.Stored), 1, "an Atomic Write does not flush")

		// Any TO of which the address is aligned; Remote Write is enough.
		take(t, e, atomicWrite(0, 3, 0xBAB, 8, 8, "0102030405060708"))
		execute(t, e)
		assert.Equal(t, !host, e.Memory().Equal(0x61008, []byte{1, 2, 3, 4, 5, 6, 7, 8}))
		assert.Equal(t, uint64(2), e.Counters().AtomicWritesExecuted)
	}
}

// The Invalidate STag of a request is invalidated after success and not after a failure; 0 is none, and in other
// messages the word means nothing.
func TestInvalidateOfARequest(t *testing.T) {
	for i, request := range []string{
		flush(0xDAD, 1, 0x8A8, 8, 0, 1), verify(0xDAD, 1, 0x8A8, 8, 0, ""), atomicWrite(0xDAD, 1, 0x8A8, 8, 0, "0000000000000000"),
		flush(0x8A8, 1, 0x8A8, 8, 0, 1), // the STag that it names
	} {
		e := committer(t)
		index := 13
		if i == 3 {
			index = 8
		}
		take(t, e, request)
		r, _ := e.Region(index)
		assert.True(t, r.Valid)
		execute(t, e)
		r, _ = e.Region(index)
		assert.False(t, r.Valid)
		assert.Equal(t, uint64(1), e.Counters().Invalidations)
	}
	e := committer(t)
	take(t, e, verify(0xDAD, 1, 0x8A8, 8, 0, "00000001"))
	execute(t, e)
	r, _ := e.Region(13)
	assert.True(t, r.Valid, "the hash does not match")

	// The word of other requests is ignored, whatever it names, with the extension and without.
	for _, e := range []*Engine{committer(t), node(t)} {
		for msn, word := range []string{"00000DAD", "DEADBEEF"} {
			take(t, e, fmt.Sprintf("41 41 %s 00000001 %08X 00000000 %s 00000001 000001A1 0000000000001000", word, msn+1, sink))
			_, x := execute(t, e)
			assert.True(t, x.Is(spec.ReadRequest))
		}
		assert.Zero(t, e.Counters().Invalidations)
	}
}

// Write-through moves what is placed through the region to storage, whatever the message.
func TestWriteThrough(t *testing.T) {
	e := committer(t)
	r, _ := e.Region(8)
	r.Attributes.Mode = memory.WriteThrough
	require.NoError(t, e.SetRegion(8, r))
	take(t, e, writeTo+"000008A8 0000000000000000 01", atomicWrite(0, 1, 0x8A8, 8, 8, "0102030405060708"),
		"41 4A 00000000 00000001 00000002 00000000 00000000 00000009 000008A8 0000000000000010"+operands)
	execute(t, e)
	execute(t, e)
	assert.Empty(t, e.Platform().Dirty(memory.Stored))
	assert.Len(t, e.Platform().Dirty(memory.Visible), 3)
	take(t, e, writeTo+"000001A1 0000000000001000 01")
	assert.Len(t, e.Platform().Dirty(memory.Stored), 1)
}

// Without the extension nothing of it exists.
func TestWithoutCommit(t *testing.T) {
	e := node(t)
	assert.Nil(t, e.Platform())
	for segment, rule := range map[string]spec.Rule{
		flush(0, 1, 0x1A1, 8, 0x1000, 1):                          spec.ReservedOpcode,
		response("4D", 1, ""):                                     spec.ReservedOpcode,
		verify(0, 1, 0x1A1, 8, 0x1000, ""):                        spec.ReservedOpcode,
		response("4F", 1, ""):                                     spec.ReservedOpcode,
		atomicWrite(0, 1, 0x1A1, 8, 0x1000, "0000000000000000"):   spec.WrongTBit,  // bit 4 is ignored: an untagged RDMA Write
		response("51", 1, ""):                                     spec.WrongQueue, // a Read Request on queue 3
		"41 51 00000000 00000001 00000001 00000000" + sink + "00": spec.WrongLength,
	} {
		e := node(t)
		assert.Equal(t, rule, e.Receive(1, octets(t, segment)).Error, segment)
	}
	for _, op := range spec.Commit.All(spec.Committing) {
		assert.True(t, e.PostSend(WorkRequest{Stream: 1, Opcode: op, Commit: CommitOperands{Algorithm: memory.SHA256}}))
	}
	take(t, e, terminateFor("0100 C000", "41 4A 00000000 00000001 00000001 00000000"))
	assert.Equal(t, []Event{{Stream: 1, Kind: EventTerminated, Term: spec.TermSTag}}, events(e, 1))
	_, err := NewEngine(EngineConfig{Streams: 1, STags: 1, IRD: 1, ORD: 1, ReceiveDepth: 1, SendDepth: 1, MaxPayload: 1, Extensions: 0x80})
	assert.EqualError(t, err, "rdmap: Extensions is 0x80; allowed: a subset of 0x1")
}
