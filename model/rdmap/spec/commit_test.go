package spec

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// secondCommit: the tables and figures of draft-talpey-rdma-commit-01 sections 3.1 to 3.1.3 and 6, transcribed from the
// text. Lengths are octets after the DDP header; most is -1 where a hash makes them variable.
var secondCommit = []struct {
	code        Opcode
	title       string
	queue       uint32
	invalidates bool
	least, most int
	response    Opcode
	right       Right
}{
	{0b01100, "RDMA Flush Request", 1, true, 20, 20, 0b01101, RemoteFlush},
	{0b01101, "RDMA Flush Response", 3, false, 0, 0, 0, NoRight},
	{0b01110, "RDMA Verify Request", 1, true, 16, -1, 0b01111, RemoteVerify},
	{0b01111, "RDMA Verify Response", 3, false, 0, -1, 0, LocalWrite}, // the digest, no length of which is excluded
	{0b10000, "Atomic Write Request", 1, true, 24, 24, 0b10001, RemoteWrite},
	{0b10001, "Atomic Write Response", 3, false, 0, 0, 0, NoRight},
}

func TestCommitOperations(t *testing.T) {
	require.Len(t, CommitOperations, len(secondCommit))
	assert.Equal(t, 18, Commit.Count())
	names := map[string]bool{}
	for i, s := range secondCommit {
		o, known := Commit.Operation(s.code)
		require.True(t, known, s.title)
		assert.Equal(t, s.code, o.Opcode)
		assert.Equal(t, Opcode(len(Operations)+i), o.Opcode, "without a gap")
		assert.Equal(t, Commit, o.Extension)
		assert.Equal(t, s.title, o.Title)
		assert.False(t, o.Tagged)
		assert.Equal(t, s.queue, o.Queue, s.title)
		assert.Equal(t, s.invalidates, o.InvalidateSTag, s.title)
		assert.Equal(t, s.response, o.Response, s.title)
		assert.Equal(t, s.right, o.Right, s.title)
		assert.True(t, o.ZeroMO && o.SingleSegment, s.title)
		for n := range 100 {
			assert.Equal(t, n >= s.least && (s.most < 0 || n <= s.most), o.Fits(n), "%s of %d octets", s.title, n)
		}
		assert.Equal(t, 1, bits.OnesCount16(uint16(o.Class)), s.title)
		assert.Equal(t, o.Executor != "", o.Class&Requests != 0, s.title)
		assert.Equal(t, o.Executor == "", o.Class&Replies != 0, s.title)
		assert.NotZero(t, o.Class&Rules[MONotZero].On&Rules[WrongLength].On, s.title)
		assert.False(t, names[o.Name])
		names[o.Name] = true
		if r, is := o.Request(); is {
			assert.Equal(t, o.Opcode, r.Response)
			assert.True(t, r.GetsReply())
		}
	}
	_, known := Commit.Operation(0x12)
	assert.False(t, known)
	assert.Equal(t, []Opcode{OpReadRequest, OpAtomicRequest, OpFlushRequest, OpVerifyRequest, OpAtomicWriteRequest}, Commit.All(Requests))
	assert.Equal(t, 5, Commit.OpcodeBits())
}

// Without the extension its rows do not exist: the opcodes are reserved, no class has them, no table lists them.
func TestWithoutCommit(t *testing.T) {
	var none Extensions
	assert.Equal(t, 4, none.OpcodeBits())
	assert.Equal(t, len(Operations), none.Count())
	for o := Opcode(0xC); o < 0x20; o++ {
		_, known := o.Operation()
		assert.False(t, known)
		_, known = none.Operation(o)
		assert.False(t, known)
		assert.False(t, o.Is(Segments) || none.Is(o, Segments))
		assert.Contains(t, o.String(), "reserved opcode")
		assert.Equal(t, o.String(), none.Title(o))
	}
	assert.Equal(t, []Opcode{OpReadRequest, OpAtomicRequest}, Requests.All())
	assert.Equal(t, []Opcode{OpAtomicResponse}, Replies.All())
	assert.Empty(t, Committing.All())
	for _, r := range Rules {
		assert.NotContains(t, r.Text, "Flush")
		assert.NotContains(t, r.Text, "Verify")
	}
}

func TestCommitRules(t *testing.T) {
	names := map[string]bool{}
	for _, r := range Rules {
		names[r.Name] = true
	}
	for i, r := range CommitRules {
		assert.Equal(t, Rule(len(Rules)+i), r.Rule)
		assert.Same(t, &CommitRules[i], r.Rule.Row())
		assert.False(t, names[r.Name])
		names[r.Name] = true
		code, has := r.Rule.Terminate()
		require.True(t, has)
		_, named := code.Row()
		assert.True(t, named)
		assert.Equal(t, r.Name, r.Rule.String())
		var back Rule
		require.NoError(t, back.UnmarshalText([]byte(r.Name)))
		assert.Equal(t, r.Rule, back)
		for _, o := range AllExtensions.All(r.On) {
			row, _ := AllExtensions.Operation(o)
			assert.Equal(t, Commit, row.Extension, r.Name)
		}
	}
	// I-18: a mismatch is told from every other failure.
	assert.Equal(t, "0/2/0xFF (RDMAP, remote operation: unspecified)", HashMismatch.Row().Terminate.String())
	assert.Equal(t, "0/2/0x07 (RDMAP, remote operation: catastrophic error, localized to the RDMAP Stream)", ExecutionFailed.Row().Terminate.String())
	assert.LessOrEqual(t, bits.Len(uint(len(Rules)+len(CommitRules)-1)), RuleBits)
}

// A list by number has every rule once, and those of an extension only with it.
func TestNumberedRules(t *testing.T) {
	for x, count := range map[Extensions]int{0: len(Rules), Commit: len(Rules) + len(CommitRules)} {
		list := x.NumberedRules()
		require.Len(t, list, count)
		for i, r := range list {
			assert.Equal(t, Rule(i), r.Rule)
		}
		for _, r := range x.Rules() {
			assert.Contains(t, list, r)
		}
	}
}
