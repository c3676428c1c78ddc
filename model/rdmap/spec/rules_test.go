package spec

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each rule has a unique number and name, a section, and a Terminate code named in the specifications.
func TestRules(t *testing.T) {
	names := map[string]bool{}
	for i, r := range Rules {
		assert.Equal(t, Rule(i), r.Rule, "Rules is indexed by number")
		assert.False(t, names[r.Name], "two rules are named %s", r.Name)
		names[r.Name] = true
		var back Rule
		text, err := r.Rule.MarshalText()
		require.NoError(t, err)
		require.NoError(t, back.UnmarshalText(text))
		assert.Equal(t, r.Rule, back)
		code, has := r.Rule.Terminate()
		assert.Equal(t, r.Rule != None && r.Rule != StreamNotOpen, has, r.Name)
		if _, named := code.Row(); has {
			assert.True(t, named, "%s: %v", r.Name, code)
		}
		if r.Rule != None {
			assert.Regexp(t, `^RFC (5040|5041|7306) \d`, r.Section, r.Name)
			assert.NotEmpty(t, r.Text)
			assert.Equal(t, r.Rule == ReservedOpcode, r.On == 0, r.Name)
		}
	}
	assert.LessOrEqual(t, bits.Len(uint(len(Rules)-1)), RuleBits)
	assert.Equal(t, "rule(63)", Rule(63).String())
	assert.Equal(t, "rule 63, rule(63)", Rule(63).Describe())
	assert.Equal(t, "rule 0, none", None.Describe())
	assert.Equal(t, "rule 11, msn_out_of_range (RFC 5041 7.1): MSN is not the next of the queue (I-37)", MSNOutOfRange.Describe())
	assert.Error(t, new(Rule).UnmarshalText([]byte("oops")))
}

// Each operation has one class, which is consistent with its other columns.
func TestOperations(t *testing.T) {
	for i, o := range Operations {
		assert.Equal(t, Opcode(i), o.Opcode, "Operations is indexed by opcode")
		assert.Equal(t, 1, bits.OnesCount16(uint16(o.Class)), o.Name)
		assert.Equal(t, o.Tagged, o.Class&Tagged != 0, o.Name)
		assert.Equal(t, o.Executor != "", o.Class&Requests != 0, o.Name)
		assert.Equal(t, o.Executor != "", o.Response != 0, o.Name)
		assert.Equal(t, !o.Tagged && o.Queue == QueueSend, o.Class&Receives != 0, o.Name)
		assert.Equal(t, o.InvalidateSTag, o.Class == SendInvalidate, o.Name)
		assert.Equal(t, o.ZeroMO, o.Class&Rules[MONotZero].On != 0, o.Name)
		assert.Equal(t, o.SingleSegment, o.Class&Rules[WrongLength].On != 0, o.Name)
		assert.Equal(t, o.FixedLength != 0, o.FixedLength == o.MinLength && o.MinLength > 0, o.Name)
		assert.Less(t, o.Opcode, Opcode(1<<OpcodeBits))
	}
	assert.Equal(t, []Opcode{OpSendInv, OpSendSEInv}, SendInvalidate.All())
	assert.True(t, OpSendSE.Is(Sends))
	assert.False(t, Opcode(0xF).Is(Segments))
}

func TestTerminateCodeNames(t *testing.T) {
	for _, tt := range []struct {
		code TerminateCode
		text string
	}{
		{TerminateCode{LayerRDMAP, 1, 0x04}, "0/1/0x04 (RDMAP, remote protection: TO wrap)"},
		{TerminateCode{LayerRDMAP, 2, 0x07}, "0/2/0x07 (RDMAP, remote operation: catastrophic error, localized to the RDMAP Stream)"},
		{TerminateCode{LayerDDP, 1, 0x03}, "1/1/0x03 (DDP, tagged buffer: TO wrap)"},
		{TerminateCode{LayerLLP, 0, 0x02}, "2/0/0x02 (LLP, MPA: CRC error)"},
		{TerminateCode{LayerDDP, 2, 0x77}, "1/2/0x77 (DDP, unnamed)"},
		{TerminateCode{3, 0, 0}, "3/0/0x00 (layer 3, unnamed)"},
	} {
		assert.Equal(t, tt.text, tt.code.String())
	}

	seen := map[TerminateCode]bool{}
	for _, r := range TerminateCodes {
		assert.False(t, seen[r.TerminateCode], "%v is listed twice", r.TerminateCode)
		seen[r.TerminateCode] = true
	}
	assert.Len(t, seen, 33)
}
