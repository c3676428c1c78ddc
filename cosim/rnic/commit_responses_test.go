package rnic_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// rowSink is a row of the STag table for what responses return.
const rowSink = 5

// asking is a work request that has a response.
type asking struct {
	says   string
	work   rdmap.WorkRequest
	octets int         // payload of its response
	answer wire.Opcode // of its response on queue 3; 0 for none
}

func allAsking() (list []asking) {
	local, remote := rdmap.Buffer{STag: memory.STag(rowSink, 0)}, rdmap.Buffer{STag: victimSTag}
	add := func(says string, w rdmap.WorkRequest, octets int, answer wire.Opcode) {
		w.ID, w.Signaled, w.Local, w.Remote = 7, true, local, remote
		list = append(list, asking{says, w, octets, answer})
	}
	add("a Read", rdmap.WorkRequest{Opcode: wire.OpReadRequest, Length: 8}, 0, 0)
	add("an Atomic", rdmap.WorkRequest{Opcode: wire.OpAtomicRequest, Operands: rdmap.Operands{AOpCode: wire.FetchAdd}}, 12, wire.OpAtomicResponse)
	add("a Flush", rdmap.WorkRequest{Opcode: wire.OpFlushRequest, Length: 8, Commit: rdmap.CommitOperands{Flags: wire.Persistence}}, 0, wire.OpFlushResponse)
	add("an Atomic Write", rdmap.WorkRequest{Opcode: wire.OpAtomicWriteRequest}, 0, wire.OpAtomicWriteResponse)
	for _, a := range []memory.Algorithm{memory.CRC32C, memory.CRC64NVMe, memory.SHA256} {
		add(fmt.Sprintf("a Verify for %d octets", a.Octets()), rdmap.WorkRequest{Opcode: wire.OpVerifyRequest, Length: 8, Commit: rdmap.CommitOperands{Algorithm: a}}, a.Octets(), wire.OpVerifyResponse)
	}
	return list
}

// responseTo posts a work request on stream 0 and gives the engine a response on queue 3; the result is what it sends in return.
func responseTo(t *testing.T, n *rnic.Node, w rdmap.WorkRequest, op wire.Opcode, payload int) (response []byte, returned [][]byte) {
	require.NoError(t, n.Open(0, 0))
	require.NoError(t, n.PostWork(w))
	out, err := n.Run(20000, 500)
	require.NoError(t, err)
	require.Len(t, out.Segments, 1)
	response = append(empty(op, 1), make([]byte, payload)...)
	if op == wire.OpAtomicResponse && payload >= 4 {
		response[21] = 1 // the Identifier of the first request
	}
	return response, answers(t, n, response)
}

func sinkNode(t *testing.T) *rnic.Node {
	n := commitNode(t)
	require.NoError(t, n.SetRegion(rowSink, memory.Region{Valid: true, Rights: memory.LocalWrite, Length: rowOctets, Address: rowAddress(rowSink)}))
	return n
}

// A response that is not that of the oldest request ends the stream, whichever of them waits (I-57).
func TestCommitResponseOfAnother(t *testing.T) {
	n := sinkNode(t)
	for _, a := range allAsking() {
		for _, r := range []struct {
			says   string
			op     wire.Opcode
			octets int
		}{{"an Atomic Response", wire.OpAtomicResponse, 12}, {"a Flush Response", wire.OpFlushResponse, 0},
			{"an Atomic Write Response", wire.OpAtomicWriteResponse, 0}, {"a Verify Response", wire.OpVerifyResponse, 4}} {
			t.Run(r.says+" for "+a.says, func(t *testing.T) {
				if r.op == a.answer {
					_, got := responseTo(t, n, a.work, r.op, a.octets)
					assert.Empty(t, got)
					return
				}
				response, got := responseTo(t, n, a.work, r.op, r.octets)
				assert.Equal(t, [][]byte{terminated(0x02, 0x06, response)}, got)
			})
		}
	}
	require.NoError(t, n.Settle())
}

// A response whose length differs in one bit from the one awaited ends the stream (I-57).
func TestCommitResponseLength(t *testing.T) {
	n := sinkNode(t)
	for _, a := range allAsking() {
		if a.answer == 0 || a.answer == wire.OpAtomicResponse {
			continue
		}
		for bit := range 10 {
			t.Run(fmt.Sprintf("%s, %d", a.says, a.octets^1<<bit), func(t *testing.T) {
				_, got := responseTo(t, n, a.work, a.answer, a.octets^1<<bit)
				require.Len(t, got, 1)
				assert.Equal(t, []byte{0x02, 0x07}, got[0][18:20])
			})
		}
	}
	require.NoError(t, n.Settle())
}

// The requester compares a Verify Response with all octets of the hash that it sent, and reports a mismatch even if the work request is
// not signaled (I-57).
func TestCommitCompares(t *testing.T) {
	n := commitNode(t)
	const sink = 5
	require.NoError(t, n.SetRegion(sink, memory.Region{Valid: true, Rights: memory.LocalWrite, Length: rowOctets, Address: rowAddress(sink)}))
	hash := sha256Of(-1)
	msn := uint32(0)
	for _, algorithm := range []memory.Algorithm{memory.CRC32C, memory.CRC64NVMe, memory.SHA256} {
		octets := algorithm.Octets()
		for at := -1; at < octets; at++ {
			for _, signaled := range []bool{false, true} {
				msn++
				w := rdmap.WorkRequest{ID: uint64(msn), Opcode: wire.OpVerifyRequest, Signaled: signaled, Local: rdmap.Buffer{STag: memory.STag(sink, 0), TO: uint64(64 * msn % 2048)},
					Remote: rdmap.Buffer{STag: victimSTag, TO: 7}, Length: 100, Commit: rdmap.CommitOperands{Algorithm: algorithm, Compare: true}}
				copy(w.Commit.Hash[:], hash[:octets])
				require.NoError(t, n.PostWork(w))
				out, err := n.Run(20000, 500)
				require.NoError(t, err)
				require.Len(t, out.Segments, 1)
				require.Equal(t, wire.AppendVerifyRequest(nil, msn, 0, wire.VerifyRequest{Sink: sinkIn(rowVictim, 7, 100), Hash: hash[:octets]}), out.Segments[0].Octets)
				digest := slices.Clone(hash[:octets])
				if at >= 0 {
					digest[at] ^= 1 << (at * 5 % 8)
				}
				n.Send(0, append(empty(wire.OpVerifyResponse, msn), digest...))
				out, err = n.Run(20000, 500)
				require.NoError(t, err)
				if at < 0 && !signaled {
					assert.Empty(t, out.Completions)
					continue
				}
				require.Len(t, out.Completions, 1, "octet %d of %d", at, octets)
				c := out.Completions[0]
				assert.Equal(t, at >= 0, c.Status == engine.StatusDiffers, "octet %d of %d", at, octets)
				assert.EqualValues(t, octets, c.Length)
				placed := make([]byte, octets)
				require.NoError(t, n.Device.Memory().Read(rowAddress(sink)+w.Local.TO, placed))
				assert.Equal(t, digest, placed)
			}
		}
	}
	require.NoError(t, n.Settle())
}
