package rdmap

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Requests that fail when they are executed: the Terminate has their DDP header (I-55), and the Atomic Write after them
// is not executed. That is the transaction of section 2.3.
func TestFailuresOfExecution(t *testing.T) {
	fails := func(uint32, uint64, int) bool { return true }
	removed := func(index int) func(*testing.T, *Engine) {
		return func(t *testing.T, e *Engine) { require.NoError(t, e.SetRegion(index, memory.Region{})) }
	}
	for _, tt := range []struct {
		name    string
		request string
		then    func(*testing.T, *Engine)
		rule    spec.Rule
		term    string
	}{
		{"the platform cannot flush", flush(0xDAD, 1, 0x8A8, 8, 0x10, 3), func(t *testing.T, e *Engine) {
			e.FlushError = func(stream uint32, address, octets uint64, flags wire.Disposition) bool {
				assert.Equal(t, []any{uint32(1), uint64(0x60010), uint64(8), wire.Persistence | wire.GlobalVisibility}, []any{stream, address, octets, flags})
				return true
			}
		}, spec.ExecutionFailed, "0207 C000"},
		{"storage cannot be read", verify(0xDAD, 1, 0x8A8, 8, 0x10, ""), func(_ *testing.T, e *Engine) { e.ReadError = fails }, spec.ExecutionFailed, "0207 C000"},
		{"memory cannot be written", atomicWrite(0xDAD, 1, 0x8A8, 8, 0x10, eight), func(_ *testing.T, e *Engine) { e.WriteError = fails }, spec.ExecutionFailed, "0207 C000"},
		{"the hash is another one", verify(0xDAD, 1, 0x8A8, 9, 0x10, "E3069283"), nil, spec.HashMismatch, "02FF C000"},
		{"the hash differs in its last bit", verify(0, 1, 0x8A8, 4, 0x10, "48674BC6"), nil, spec.HashMismatch, "02FF C000"},
		{"a Flush whose STag is gone", flush(0xDAD, 1, 0x8A8, 8, 0x10, 1), removed(8), spec.RequestSTag, "0100 C000"},
		{"a Flush of no octets whose STag is gone", flush(0, 1, 0x8A8, 0, 0x10, 1), removed(8), spec.RequestSTag, "0100 C000"},
		{"a Verify whose STag is gone", verify(0, 1, 0x8A8, 8, 0x10, ""), removed(8), spec.RequestSTag, "0100 C000"},
		{"an Atomic Write whose STag is gone", atomicWrite(0, 1, 0x8A8, 8, 0x10, eight), removed(8), spec.RequestSTag, "0100 C000"},
		{"the Invalidate STag is gone", flush(0xDAD, 1, 0x8A8, 8, 0x10, 1), removed(13), spec.CannotInvalidate, "0109 C000"},
		{"both are gone", flush(0xDAD, 1, 0x8A8, 8, 0x10, 1), func(t *testing.T, e *Engine) {
			removed(8)(t, e)
			removed(13)(t, e)
		}, spec.RequestSTag, "0100 C000"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := committer(t)
			e.Memory().SetWord(0x60010, 0)
			take(t, e, tt.request, atomicWrite(0, 2, 0xBAB, 8, 8, eight), writeTo+"000008A8 0000000000000080 05")
			if tt.then != nil {
				tt.then(t, e)
			}
			segments, x := execute(t, e)
			assert.Equal(t, hexes(t, terminateFor(tt.term, tt.request)), segments)
			assert.Equal(t, ExecutedTerminate, x.Kind)
			assert.Equal(t, tt.rule, x.Error)
			assert.Equal(t, uint32(1), x.RequestMSN)
			idle(t, e)
			assert.False(t, e.IsOpen(1))
			assert.Zero(t, e.Memory().Word(0x60010))
			assert.Zero(t, e.Memory().Word(0x61008), "the Atomic Write behind it")
			assert.True(t, e.Memory().Equal(0x60080, []byte{5}), "a Write is not held (I-59)")
			assert.Zero(t, e.Counters().Invalidations)

			mismatch := []Event(nil)
			if tt.rule == spec.HashMismatch {
				v := verifyOf(octets(t, tt.request)[18:])
				mismatch = []Event{{Stream: 1, Kind: EventMismatch, Named: v.Sink}}
			}
			assert.Equal(t, mismatch, events(e, 1), "the responder's ULP learns of a mismatch (I-96)")
		})
	}
}

// A mismatch at every octet of every hash ends the stream; the octets themselves match.
func TestEveryOctetOfAHashCounts(t *testing.T) {
	for stag, a := range map[uint32]memory.Algorithm{0x8A8: memory.CRC32C, 0x9A9: memory.SHA256, 0xAAA: memory.CRC64NVMe} {
		good := memory.NewSpace().Digest(nil, a, 0, 8)
		for i := -1; i < len(good); i++ {
			hash := append([]byte(nil), good...)
			if i >= 0 {
				hash[i] ^= 0x80
			}
			e := committer(t)
			require.Equal(t, spec.None, e.Receive(1, wire.AppendVerifyRequest(nil, 1, 0, wire.VerifyRequest{Sink: wire.Sink{STag: stag, Length: 8}, Hash: hash})).Error)
			_, x := execute(t, e)
			assert.Equal(t, i < 0, x.Is(spec.VerifyRequest), "%v, octet %d", a, i)
		}
	}
}

// WRITE, FLUSH, VERIFY, ATOMIC WRITE in one go, without a round trip (section 2.3), with a Read and an Atomic between
// them: executed and answered in order, with one sequence of MSNs on queue 3.
func TestPipeline(t *testing.T) {
	e := committer(t, func(c *EngineConfig) { c.IRD = 6 })
	take(t, e, writeTo+"000008A8 0000000000000010 "+digits, flush(0, 1, 0x8A8, 9, 0x10, 1), verify(0, 2, 0x8A8, 9, 0x10, "E3069283"),
		"41 41 00000000 00000001 00000003 00000000"+sink+"00000001 000008A8 0000000000000010",
		atomicWrite(0, 4, 0x8A8, 8, 0x80, eight),
		"41 4A 00000000 00000001 00000005 00000000 00000000 00000009 000008A8 0000000000000080"+operands)
	for _, want := range []string{response("4D", 1, ""), response("4F", 2, "E3069283"), "C1 42 " + sink + "31", response("51", 3, ""),
		response("4B", 4, "00000009 0807060504030201")} {
		segments, x := execute(t, e)
		assert.Equal(t, hexes(t, want), segments)
		assert.Equal(t, ExecutedRequest, x.Kind)
	}
	idle(t, e)
}

// A request inside an incomplete message waits for it (I-77), and is not executed if the stream ends first.
func TestCommitWaitsForDelivery(t *testing.T) {
	for _, request := range []string{flush(0, 1, 0x8A8, 8, 0, 1), verify(0, 1, 0x8A8, 8, 0, ""), atomicWrite(0, 1, 0x8A8, 8, 0, eight)} {
		e := committer(t)
		take(t, e, "81 40 000008A8 0000000000000010 31", request)
		idle(t, e)
		take(t, e, "C1 40 000008A8 0000000000000011 32")
		_, x := execute(t, e)
		assert.Equal(t, ExecutedRequest, x.Kind)

		e = committer(t)
		take(t, e, "81 40 000008A8 0000000000000010 31", request)
		e.Receive(1, nil)
		_, x = execute(t, e)
		assert.Equal(t, ExecutedTerminate, x.Kind)
		idle(t, e)
	}
}

// With Strict a Flush holds later Writes, Sends and Immediate Data, but neither requests nor responses (I-59).
func TestStrict(t *testing.T) {
	passing := []string{read(1, 0x8A8, 0), verify(0, 2, 0x8A8, 8, 0, ""), response("4D", 1, ""), readData + "000001A1 0000000000001040 01", ""}
	held := []string{writeTo + "000008A8 0000000000000010 31", sendFirst, "41 48 00000000 00000000 00000001 00000000" + eight}
	for _, strict := range []bool{false, true} {
		e := committer(t, func(c *EngineConfig) { c.Commit.Strict = strict })
		all := func(want bool) {
			for _, s := range held {
				assert.Equal(t, want, e.Held(1, octets(t, s)), s)
			}
			for _, s := range passing {
				assert.False(t, e.Held(1, octets(t, s)), s)
			}
		}
		all(false)
		take(t, e, flush(0, 1, 0x8A8, 8, 0, 1))
		all(strict)
		execute(t, e)
		take(t, e, verify(0, 2, 0x8A8, 8, 0, ""), "81 40 000008A8 0000000000000010 31", flush(0, 3, 0x8A8, 8, 0, 1))
		all(false) // only a Verify, and a Flush that waits for the rest of the Write
		take(t, e, "C1 40 000008A8 0000000000000011 31")
		all(strict)
	}
}

// A Read that fails suppresses the Atomic Write after it: all earlier operations must succeed (section 3.1.3.1).
func TestAtomicWriteBehindAFailedRead(t *testing.T) {
	e := committer(t)
	e.ReadError = func(uint32, uint64, int) bool { return true }
	take(t, e, read(1, 0x8A8, 0), atomicWrite(0, 2, 0x8A8, 8, 8, eight))
	segments, _ := execute(t, e)
	assert.Equal(t, hexes(t, toNoOne+"0000 0000"), segments)
	idle(t, e)
	assert.Zero(t, e.Memory().Word(0x60008))
}

// A Flush covers up to 2^32 - 1 octets (section 8), and octets that were placed through other STags.
func TestTheLongestFlush(t *testing.T) {
	e := committer(t)
	r, _ := e.Region(8)
	r.Length = 1 << 33
	require.NoError(t, e.SetRegion(8, r))
	take(t, e, writeTo+"000008A8 0000000000000010 31", writeTo+"000008A8 0000000100000010 31", writeTo+"00000BAB 0000000000000010 31",
		flush(0, 1, 0x8A8, 1<<32-1, 8, 1))
	execute(t, e)
	assert.Equal(t, []uint64{0x60010 + 1<<32}, e.Platform().Dirty(memory.Stored))
}

// Of two requests with one Invalidate STag the first invalidates it, and the second finds it gone (I-92). A Send with
// Invalidate does the same.
func TestInvalidatedTwice(t *testing.T) {
	second := verify(0xDAD, 2, 0x8A8, 8, 0, "")
	e := committer(t)
	take(t, e, flush(0xDAD, 1, 0x8A8, 8, 0, 1), second)
	_, x := execute(t, e)
	assert.True(t, x.Is(spec.FlushRequest))
	segments, x := execute(t, e)
	assert.Equal(t, hexes(t, terminateFor("0109 C000", second)), segments)
	assert.Equal(t, spec.CannotInvalidate, x.Error)

	e = committer(t)
	receives(t, e)
	request := flush(0, 1, 0x8A8, 8, 0, 1)
	take(t, e, request, "41 44 000008A8 00000000 00000001 00000000")
	segments, _ = execute(t, e)
	assert.Equal(t, hexes(t, terminateFor("0100 C000", request)), segments)
}

// The other ways to the same Terminate: the caller ends the stream, or a segment has ended it before.
func TestEndsOfCommitRequests(t *testing.T) {
	request := flush(0, 2, 0x8A8, 8, 0, 1)
	e := committer(t)
	take(t, e, read(1, 0x1A1, 0x1000), request)
	require.NoError(t, e.SetRegion(8, memory.Region{}))
	assert.True(t, e.Fail(1, spec.RequestSTag))
	execute(t, e)
	segments, _ := execute(t, e)
	assert.Equal(t, hexes(t, terminateFor("0100 C000", request)), segments)

	e = committer(t)
	take(t, e, read(1, 0x1A1, 0x1000), request)
	require.NoError(t, e.SetRegion(8, memory.Region{}))
	e.Receive(1, nil)
	execute(t, e)
	segments, x := execute(t, e)
	assert.Equal(t, hexes(t, toNoOne+"1000 0000"), segments)
	assert.Equal(t, octets(t, terminateFor("0100 C000", request)), x.Instead)

	// Reads and Atomics have no header, with the extension too (I-93).
	for _, request := range []string{read(1, 0x8A8, 0), fetch(0, 0x8A8, 0)} {
		e = committer(t)
		take(t, e, request)
		require.NoError(t, e.SetRegion(8, memory.Region{}))
		segments, _ = execute(t, e)
		assert.Equal(t, hexes(t, toNoOne+"0100 0000"), segments)
	}
}
