package rnic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// What each request needs of its region, and in which order it is checked (I-20, I-53).
func TestCommitChecks(t *testing.T) {
	flush := func(flags wire.Disposition, row int, to uint64, octets uint32) []byte {
		return wire.AppendFlushRequest(nil, 1, 0, wire.FlushRequest{Sink: sinkIn(row, to, octets), Flags: flags})
	}
	verify := func(row int, to uint64, octets uint32, hash []byte) []byte {
		return wire.AppendVerifyRequest(nil, 1, 0, wire.VerifyRequest{Sink: sinkIn(row, to, octets), Hash: hash})
	}
	write := func(invalidate uint32, to uint64, octets uint32) []byte {
		return wire.AppendAtomicWriteRequest(nil, 1, invalidate, wire.AtomicWriteRequest{Sink: sinkIn(rowTail, to, octets)})
	}
	const noRow = 9
	sha, withRead, both := 5, 6, 7    // SHA-256; CRC32C that needs Remote Read; persistent only
	const ofStream, ofDomain = 10, 11 // may be invalidated, by others
	n := commitNode(t)
	for index, r := range map[int]memory.Region{
		sha:      {Rights: memory.Verifiable, Attributes: memory.Attributes{Type: memory.Flushable, Hash: memory.SHA256}},
		withRead: {Rights: memory.Verifiable, Attributes: memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C, Read: memory.ReadNeeded}},
		both:     {Rights: memory.FlushPersistent | memory.RemoteRead | memory.RemoteWrite, Attributes: memory.Attributes{Type: memory.Flushable}},
	} {
		r.Valid, r.Length, r.Address = true, rowOctets, rowAddress(index)
		require.NoError(t, n.SetRegion(index, r))
	}
	for index, r := range map[int]memory.Region{ofStream: {Owner: 1}, ofDomain: {Owner: 1 << 8, ByDomain: true}} {
		r.Valid, r.Rights, r.Length, r.Address = true, memory.Invalidate, rowOctets, rowAddress(index)
		require.NoError(t, n.SetRegion(index, r))
	}
	for _, row := range []struct {
		says         string
		request      []byte
		layerAndType byte
		code         byte // 0xAA: it is answered
	}{
		{"both flags, both rights", flush(3, rowLog, 5, 100), 0, 0xAA},
		{"both flags, one right", flush(3, both, 5, 100), 0x01, 0x02},
		{"the other flag", flush(2, both, 5, 100), 0x01, 0x02},
		{"one flag, its right", flush(1, both, 5, 100), 0, 0xAA},
		{"flags before the STag", flush(0, noRow, 5, 100), 0x02, 0x07},
		{"the top flag", flush(1<<31|1, rowLog, 5, 100), 0x02, 0x07},
		{"a Flush of no octets at the end", flush(1, rowLog, rowOctets, 0), 0, 0xAA},
		{"a Flush of no octets behind the end", flush(1, rowLog, rowOctets+1, 0), 0x01, 0x01},
		{"a Flush of no octets of no region", flush(1, noRow, 0, 0), 0x01, 0x00},
		{"a Flush of 2^32 - 1 octets", flush(1, rowLog, 0, 1<<32-1), 0x01, 0x01},
		{"a Flush up to 2^64", flush(1, rowLog, 1<<64-100, 100), 0x01, 0x01},
		{"a Flush beyond 2^64", flush(1, rowLog, 1<<64-100, 101), 0x01, 0x04},
		{"a Verify that needs Remote Read", verify(withRead, 0, 8, nil), 0x01, 0x02},
		{"a Verify of no octets", verify(rowLog, rowOctets, 0, []byte{0, 0, 0, 0}), 0, 0xAA},
		{"a Verify of no octets with a wrong hash", verify(rowLog, rowOctets, 0, []byte{0, 0, 0, 1}), 0x02, 0xFF},
		{"a hash of 132 octets", verify(rowLog, 7, 100, append(hashOf100(), make([]byte, 128)...)), 0x02, 0x07},
		{"a hash of 4 octets for SHA-256", verify(sha, 7, 100, hashOf100()), 0x02, 0x07},
		{"a hash that differs in the last octet of 32", verify(sha, 0, 0, sha256Of(31)), 0x02, 0xFF},
		{"a hash that differs in octet 8 of 32", verify(sha, 0, 0, sha256Of(8)), 0x02, 0xFF},
		{"a hash of 32 octets", verify(sha, 0, 0, sha256Of(-1)), 0, 0xAA},
		{"bounds before the length of a hash", verify(rowLog, rowOctets, 1, make([]byte, 5)), 0x01, 0x01},
		{"the length of a word before bounds", write(0, rowOctets, 9), 0x02, 0x07},
		{"bounds before alignment", write(0, rowOctets-4, 8), 0x01, 0x01},
		{"alignment before the Invalidate STag", write(noRow<<8, 12, 8), 0x02, 0x07},
		{"the Invalidate STag", write(noRow<<8, 16, 8), 0x01, 0x09},
		{"the Invalidate STag of another stream", write(ofStream<<8, 16, 8), 0x01, 0x09},
		{"the Invalidate STag of another domain", write(ofDomain<<8, 16, 8), 0x01, 0x09},
		{"a right before the Invalidate STag", wire.AppendFlushRequest(nil, 1, noRow<<8, wire.FlushRequest{Sink: sinkIn(rowTail, 0, 1), Flags: 1}), 0x01, 0x02},
	} {
		t.Run(row.says, func(t *testing.T) {
			require.NoError(t, n.Open(0, 0))
			got := answers(t, n, row.request)
			require.Len(t, got, 1)
			if row.code == 0xAA {
				assert.NotEqual(t, byte(0x47), got[0][1], "% X", got[0])
			} else {
				assert.Equal(t, terminated(row.layerAndType, row.code, row.request), got[0])
			}
			require.NoError(t, n.Settle())
		})
	}
}

// The length of an Atomic Write is 8, in all of its bits.
func TestCommitWordLength(t *testing.T) {
	n := commitNode(t)
	for bit := range 32 {
		require.NoError(t, n.Open(0, 0))
		request := wire.AppendAtomicWriteRequest(nil, 1, 0, wire.AtomicWriteRequest{Sink: sinkIn(rowTail, 16, 8^1<<bit)})
		assert.Equal(t, [][]byte{terminated(0x02, 0x07, request)}, answers(t, n, request))
	}
	require.NoError(t, n.Settle())
}

// sha256Of is the SHA-256 of no octets, with one octet changed unless at is negative.
func sha256Of(at int) []byte {
	hash := []byte{0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
		0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55}
	if at >= 0 {
		hash[at] ^= 1
	}
	return hash
}
