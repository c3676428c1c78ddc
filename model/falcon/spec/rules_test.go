package spec

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRules(t *testing.T) {
	names := map[string]bool{}
	for i, r := range Rules {
		assert.Equal(t, Rule(i), r.Rule, "Rules is indexed by number")
		assert.False(t, names[r.Name], r.Name)
		names[r.Name] = true
		assert.Equal(t, r.Name, r.Rule.String())
		if r.Rule == None {
			continue
		}
		assert.Regexp(t, `^(RoF|FTP) \d`, r.Section, r.Name)
		assert.NotEmpty(t, r.Text, r.Name)
		refuses := false
		for _, m := range []ErrorMode{Verbs, CompleteInError} {
			c := r.Class.Consequence(m)
			refuses = refuses || c.Push == CIE || c.Push == NRE
			assert.Equal(t, c.Error, c.Event, "the host is told when a QP ends: %s", r.Name)
		}
		assert.Equal(t, refuses, r.Code != NoCode, "%s: a code goes with CIE and NRE", r.Name)
		assert.True(t, !r.Message || r.Class == Refused, r.Name)
	}
	assert.LessOrEqual(t, len(Rules), 1<<RuleBits)
	assert.Equal(t, "rule(99)", Rule(99).String())
	assert.Equal(t, "rule 99, rule(99)", Rule(99).Describe())
	assert.Equal(t, "rule 0, none", None.Describe())
	assert.Equal(t, "rule 3, wrong_cid (RoF 6.9): the CID that Falcon reports is not that of the QP (I-30)", WrongCID.Describe())
}

// The answers of I-29, I-60 to I-67: by rule, what a push and a pull get, and whether the QP ends.
func TestConsequences(t *testing.T) {
	for _, tt := range []struct {
		rule       Rule
		mode       ErrorMode
		push, pull Reply
		ends       bool
		code       ULPCode
	}{
		{WrongCID, Verbs, CID, CID, false, 0},
		{UnknownQP, CompleteInError, CID, CID, false, 0},
		{WrongVersion, Verbs, NRE, CID, false, 0x61},
		{BadOpcode, Verbs, NRE, CEResponse, true, 0x61},
		{BadOpcode, CompleteInError, NRE, CEResponse, true, 0x61},
		{OutOfPlace, CompleteInError, NRE, CEResponse, true, 0x61},
		{BadPayload, CompleteInError, CIE, CEResponse, false, 0x61},
		{RKeyRight, Verbs, NRE, CEResponse, true, 0x62},
		{RKeyRight, CompleteInError, CIE, CEResponse, false, 0x62},
		{Misaligned, CompleteInError, CIE, CEResponse, false, 0x61},
		{SNGap, Verbs, NRE, CEResponse, true, 0x63},
		{SNGap, CompleteInError, NRE, CEResponse, true, 0x63},
		{SNRepeated, CompleteInError, NRE, CEResponse, true, 0x63},
		{NoReceive, Verbs, RNR, RNR, false, 0},
		{BehindRNR, CompleteInError, RNR, RNR, false, 0},
	} {
		c := tt.rule.Row().Class.Consequence(tt.mode)
		assert.Equal(t, tt.push, c.Reply(PushRequest, QPRC), "%v %v", tt.rule, tt.mode)
		assert.Equal(t, tt.pull, c.Reply(PullRequest, QPXRCTarget), "%v %v", tt.rule, tt.mode)
		assert.Equal(t, tt.ends, c.Error, "%v %v", tt.rule, tt.mode)
		assert.Equal(t, tt.code, tt.rule.Row().Code, "%v", tt.rule)
	}
	for r := WrongVersion; r < Incomplete; r++ {
		c := r.Row().Class.Consequence(CompleteInError)
		assert.Equal(t, Ack, c.Reply(PushRequest, QPUD), "a datagram is dropped: %v", r)
		assert.Equal(t, CID, c.Reply(PullRequest, QPUD), "a pull for UD: %v", r)
	}
}

func TestReplies(t *testing.T) {
	for r, want := range map[Reply]NACK{RNR: 2, CIE: 6, NRE: 7, CID: 8} {
		code, is := r.NACK()
		assert.True(t, is)
		assert.Equal(t, want, code)
	}
	for _, r := range []Reply{NoReply, Ack, CEResponse} {
		_, is := r.NACK()
		assert.False(t, is)
	}
	for r, uses := range map[Reply]bool{NoReply: false, Ack: true, RNR: false, CIE: true, NRE: true, CID: false, CEResponse: true} { // I-61
		for c := Harmless; c < classes; c++ {
			assert.Equal(t, uses && c != Foreign, c.UsesSN(r), "%v of class %d", r, c)
		}
	}
	assert.Equal(t, "none ce_response reply(7)", NoReply.String()+" "+CEResponse.String()+" "+Reply(7).String())
}
