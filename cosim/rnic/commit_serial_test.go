package rnic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

func register(t *testing.T, n *rnic.Node, name string) uint32 {
	v, err := n.Device.ReadRegister(name)
	require.NoError(t, err)
	return v
}

// Nothing after a request that fails takes effect, also if it is of the same kind (I-97).
func TestCommitSameKind(t *testing.T) {
	wrong := hashOf100()
	wrong[3] ^= 1
	for _, row := range []struct {
		says            string
		request, behind []byte
		code            byte
	}{
		{"Atomic Writes", atomicWriteOf(1, 0, rowRefuses), atomicWriteOf(2, victimSTag, rowTail), 0x07},
		{"Verifies", verifyOf(1, wrong), wire.AppendVerifyRequest(nil, 2, victimSTag, wire.VerifyRequest{Sink: sinkIn(rowLog, 7, 100)}), 0xFF},
		{"Flushes", flushOf(1, 0, rowLog), flushOf(2, victimSTag, rowVictim), 0x07},
	} {
		t.Run(row.says, func(t *testing.T) {
			n := commitNode(t)
			n.Device.FailFlushes(rangeOf(rowLog))
			assert.Equal(t, [][]byte{terminated(0x02, row.code, row.request)}, unfollowed(t, n, row.request, row.behind))
			assert.Equal(t, make([]byte, 8), tail(t, n, rowTail), "the word behind")
			assert.Zero(t, invalidations(t, n), "invalidations")
		})
	}
}

// The Terminate returns the header of the first request that fails (I-55).
func TestCommitFirstFailure(t *testing.T) {
	n := commitNode(t)
	n.Device.FailFlushes(rangeOf(rowLog))
	fails := flushOf(2, 0, rowLog)
	got := unfollowed(t, n, atomicWriteOf(1, victimSTag, rowTail), fails, flushOf(3, 0, rowVictim))
	assert.Equal(t, [][]byte{empty(wire.OpAtomicWriteResponse, 1), terminated(0x02, 0x07, fails)}, got)
}

// A hash that does not match is no error of memory.
func TestCommitMemoryErrors(t *testing.T) {
	n := commitNode(t)
	unfollowed(t, n, verifyOf(1, []byte{1, 2, 3, 4}))
	assert.Zero(t, register(t, n, "memory_errors"))
}

// A Verify without an algorithm is refused, as by the model (I-91).
func TestCommitNoAlgorithm(t *testing.T) {
	n := commitNode(t)
	require.NoError(t, n.SetRegion(5, memory.Region{Valid: true, Rights: memory.LocalWrite, Length: rowOctets, Address: rowAddress(5)}))
	n.Device.PostWork(rdmap.WorkRequest{ID: 77, Opcode: wire.OpVerifyRequest, Signaled: true, Local: rdmap.Buffer{STag: memory.STag(5, 0)},
		Remote: rdmap.Buffer{STag: victimSTag, TO: 7}, Length: 100})
	got := unfollowed(t, n)
	assert.NotEqual(t, byte(0x4E), append(got, []byte{0, 0})[0][1], "it is sent")
}

// A request does not start before one of its own kind, which is ahead of it and invalidates its STag, is done (I-52, I-56, I-92).
func TestCommitSameKindInvalidates(t *testing.T) {
	verify := func(msn, invalidate uint32, row int, octets uint32) []byte {
		return wire.AppendVerifyRequest(nil, msn, invalidate, wire.VerifyRequest{Sink: sinkIn(row, 0, octets)})
	}
	for _, row := range []struct {
		says          string
		first, second []byte
		code          byte
		op            wire.Opcode
	}{
		{"Flushes: the same Invalidate STag", flushOf(1, victimSTag, rowLog), flushOf(2, victimSTag, rowLog), 0x09, wire.OpFlushResponse},
		{"Flushes: its region", flushOf(1, victimSTag, rowLog), flushOf(2, 0, rowVictim), 0x00, wire.OpFlushResponse},
		{"Atomic Writes: the same Invalidate STag", atomicWriteOf(1, victimSTag, rowTail), atomicWriteOf(2, victimSTag, rowTail), 0x09, wire.OpAtomicWriteResponse},
		{"Atomic Writes: its region", atomicWriteOf(1, victimSTag, rowTail), atomicWriteOf(2, 0, rowVictim), 0x00, wire.OpAtomicWriteResponse},
		{"Verifies: the same Invalidate STag", verify(1, victimSTag, rowLog, 0), verify(2, victimSTag, rowLog, 0), 0x09, wire.OpVerifyResponse},
	} {
		t.Run(row.says, func(t *testing.T) {
			n := commitNode(t)
			got := unfollowed(t, n, row.first, row.second)
			if assert.Len(t, got, 2) {
				assert.Equal(t, terminated(0x01, row.code, row.second), got[1], "% X", got[1])
			}
			assert.EqualValues(t, 1, invalidations(t, n))
		})
	}
}
