package falcon

import (
	"strings"
	"testing"

	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSchema: a file with a wrong member or value is refused, with its place.
func TestSchema(t *testing.T) {
	text, err := encode(some(t, 12))
	require.NoError(t, err)
	for _, d := range []struct{ old, new, want string }{
		{`"profile": "falcon"`, `"profile": "rdmap"`, "/profile"},
		{`"reply": "ack"`, `"reply": "nak"`, "/reply/reply"},
		{`"type": "push_request"`, `"type": "push"`, "/request/type"},
		{`"bit_order": "drawn"`, `"bit_order": "other"`, "/config/bit_order"},
		{`"numberOfTests": `, `"numberOfTests": 1`, ", the number of tests in groups"},
		{`"I-109"`, `"I-999"`, "is I-999; allowed: an id of docs/interpretations.md"},
		{`"ROF09-8.2-20"`, `"ROF09-8.2-99"`, "is ROF09-8.2-99; allowed: an id of the requirement catalogue"},
		{`"result": "valid"`, `"result": "error"`, "result is error; allowed: valid, which its steps imply"},
	} {
		last := strings.LastIndex(string(text), d.old)
		require.Positive(t, last, d.old)
		broken := string(text[:last]) + d.new + string(text[last+len(d.old):])
		_, err := decode([]byte(broken))
		assert.ErrorContains(t, err, d.want, d.old)
	}
	for want, damage := range map[string]func(s *suite.Step) bool{
		"work/qp is 1; allowed: a QP of the group": func(s *suite.Step) bool { return s.Work != nil && set(&s.Work.QP) },
		"request/cid is 1; allowed: a CID of the":  func(s *suite.Step) bool { return s.Request != nil && set(&s.Request.CID) },
		"complete/cid is 1; allowed: a CID of the": func(s *suite.Step) bool { return s.Complete != nil && set(&s.Complete.CID) },
		"fail is 1; allowed: a QP of the group":    func(s *suite.Step) bool { return s.Fail != nil && set(s.Fail) },
	} {
		x, done := some(t, 12), false
		x.Each(func(_ *suite.Group, x *suite.Test) {
			for i := range x.Steps {
				done = done || damage(&x.Steps[i])
			}
		})
		assert.ErrorContains(t, x.Check(), want)
	}
}

// TestXRCDomains: only queues of the group have an XRC domain.
func TestXRCDomains(t *testing.T) {
	x := some(t, 61)
	x.Groups[0].XRCDomains = []suite.XRCDomain{{SRQ: 1, Domain: 1}}
	assert.ErrorContains(t, x.Check(), "xrcDomains/0/srq is 1; allowed: a shared receive queue of the group")
}

func set(n *uint32) bool { *n = 1; return true }
