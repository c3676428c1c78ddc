package spec

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// FTP 11, both tables.
func TestCompletions(t *testing.T) {
	for code, name := range map[Completion]string{0x0: "kCmplAck", 0x1: "kCmplTargetNackCIE", 0x3: "kCmplTargetNackNRE",
		0x4: "kCmplTargetNackCID", 0x8: "kCmplLocalTO", 0x9: "kCmplOpErr", 0xA: "kCmplDeadConn", 0xB: "kCmplLocalRsrc",
		0xC: "kUlpCmplCdtErr", 0xD: "kCmplRemoteErr", 0xF: "kCmplLocalXlr"} {
		assert.Equal(t, name, code.Row().Name)
	}
	assert.Len(t, Completions, 11)
	for _, code := range []Completion{2, 5, 6, 7, 0xE} {
		assert.True(t, code.Row().Fatal)
		assert.Contains(t, code.Row().Name, "reserved")
	}
}

// FTP 8.2.3: the table of what each transaction costs.
func TestCost(t *testing.T) {
	for _, tt := range []struct {
		t            PacketType
		length, unit int
		want         Credits
	}{
		{PushRequest, 0, 64, Credits{1, 0, 1, 0, 0, 0}},
		{PushRequest, 64, 64, Credits{1, 1, 1, 0, 0, 0}},
		{PushRequest, 65, 64, Credits{1, 2, 1, 0, 0, 0}},
		{PullRequest, 1, 64, Credits{1, 1, 1, 1, 0, 0}},
		{PullRequest, 129, 64, Credits{1, 1, 1, 3, 0, 0}},
		{PullData, 128, 64, Credits{0, 0, 0, 0, 1, 2}},
	} {
		assert.Equal(t, tt.want, Cost(tt.t, tt.length, tt.unit))
	}
	a, b := Credits{1, 2, 3, 4, 5, 6}, Credits{1, 1, 1, 1, 1, 7}
	assert.Equal(t, Credits{0, 1, 2, 3, 4, -1}, a.Sub(b))
	assert.Equal(t, a, a.Sub(b).Add(b))
	assert.True(t, a.Sub(b).Negative())
	assert.False(t, a.Negative())
	assert.Equal(t, "pull_request pull_data push_request packet_type(1)",
		PullRequest.String()+" "+PullData.String()+" "+PushRequest.String()+" "+PacketType(1).String())
}

// FTP 7.8, in milliseconds.
func TestRNRTimeouts(t *testing.T) {
	for code, ms := range []float64{655.36, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.12, 0.16, 0.24, 0.32, 0.48, 0.64, 0.96, 1.28, 1.92,
		2.56, 3.84, 5.12, 7.68, 10.24, 15.36, 20.48, 30.72, 40.96, 61.44, 81.92, 122.88, 163.84, 245.76, 327.68, 491.52} {
		assert.InDelta(t, ms, float64(RNRTimeouts[code])/100, 1e-9, "code %d", code)
	}
}
