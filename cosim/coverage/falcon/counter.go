package falcon

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/coverage"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// Counter counts the packets of tests in bins.
type Counter struct {
	config suite.Config
	count  map[Packet]int
}

// NewCounter makes a counter for tests of a configuration.
func NewCounter(c suite.Config) *Counter { return &Counter{c, map[Packet]int{}} }

// Take counts the packets of a test.
func (c *Counter) Take(g *suite.Group, t *suite.Test) {
	for i := range t.Steps {
		switch s := &t.Steps[i]; {
		case s.Request != nil:
			for _, p := range c.request(g, s) {
				c.count[p]++
			}
		case s.Response != nil:
			c.count[c.response(g, s)]++
		}
	}
}

// request returns the bin of a request, and those of errors that are found later.
func (c *Counter) request(g *suite.Group, s *suite.Step) (list []Packet) {
	var x packet.Packet
	order, _ := c.config.Order()
	_ = x.Decode(s.Request.Hex, order)
	row, known := x.Opcode.Operation()
	q := &suite.QP{Ordering: none, Errors: none}
	if i := slices.IndexFunc(g.QPs, func(q suite.QP) bool { return q.QP == x.DestinationQP }); i >= 0 {
		q = &g.QPs[i]
	}
	own := spec.None
	var rest []spec.Rule
	for _, r := range rulesOf(s) {
		if own == spec.None && refused(q, row, s, r) {
			own = r
		} else {
			rest = append(rest, r)
		}
	}
	p := Packet{Opcode: foreignRequest, Error: own, Ordering: q.Ordering, Errors: q.Errors, Length: none}
	if isNameless(own) {
		p.Ordering, p.Errors = none, none
	}
	switch {
	case len(s.Request.Hex) < spec.RBTH.Octets():
		p.Opcode = shortRequest
	case known && row.Packet.String() == s.Request.Type && (isNameless(own) || row.Opcode.Service() == serviceOf(q)):
		p.Opcode = nameOf(row)
		p.Length = c.length(p, &x, s.Request.Hex)
	}
	list = append(list, p)
	for _, r := range rest {
		list = append(list, Packet{found, r, q.Ordering, q.Errors, none})
	}
	return list
}

// refused reports whether the request itself breaks the rule, and is refused for it: other errors are found when it is accepted.
func refused(q *suite.QP, row *spec.Operation, s *suite.Step, r spec.Rule) bool {
	if q.Ordering == spec.Weak.String() && (r == spec.OutOfPlace || r == spec.Incomplete) {
		return false
	}
	if s.Request.Type == spec.PullRequest.String() {
		return row == nil || r <= spec.BadOpcode || canBreak(row, r)
	}
	return q.Type == spec.QPUD.String() || slices.ContainsFunc(s.Expect, func(e suite.Expect) bool { return e.Reply != nil && e.Reply.Reply != spec.Ack.String() })
}

// response returns the bin of a response. Its QP is that of its pull.
func (c *Counter) response(g *suite.Group, s *suite.Step) Packet {
	var x packet.Packet
	order, _ := c.config.Order()
	_ = x.Decode(s.Response.Hex, order)
	row, known := x.Opcode.Operation()
	p := Packet{Opcode: foreignResponse, Ordering: none, Errors: none, Length: none}
	if list := rulesOf(s); len(list) > 0 {
		p.Error = list[0]
	}
	service := spec.RC
	if i := slices.IndexFunc(g.QPs, func(q suite.QP) bool {
		return q.CID != nil && *q.CID == s.Response.CID && q.Type != spec.QPXRCTarget.String()
	}); i >= 0 && !isNameless(p.Error) {
		p.Ordering, p.Errors, service = g.QPs[i].Ordering, g.QPs[i].Errors, serviceOf(&g.QPs[i])
	}
	switch {
	case len(s.Response.Hex) < spec.RBTH.Octets():
		p.Opcode = shortResponse
	case known && row.Packet == spec.PullData && (isNameless(p.Error) || row.Opcode.Service() == service):
		p.Opcode = nameOf(row)
		p.Length = c.length(p, &x, s.Response.Hex)
	}
	return p
}

func rulesOf(s *suite.Step) (list []spec.Rule) {
	for _, name := range strings.Fields(s.Breaks) {
		list = append(list, spec.Rule(slices.IndexFunc(spec.Rules[:], func(r spec.RuleRow) bool { return r.Name == name })))
	}
	return list
}

func serviceOf(q *suite.QP) spec.Service {
	c, _ := q.Config()
	return c.Type.Service()
}

// length is the class of a packet.
func (c *Counter) length(p Packet, x *packet.Packet, octets []byte) string {
	if !measured(p) {
		return none
	}
	row := p.row()
	n := len(x.Payload)
	switch {
	case p.Error == spec.None && x.CE && row.Packet == spec.PushRequest && row.Position&spec.Ends != 0:
		return inBand
	case p.Error == spec.BadPayload: // the pad may be wrong
		n = len(octets) - row.HeaderOctets()
	case row.Packet == spec.PullRequest:
		n = int(x.Length)
	}
	switch {
	case n == 0:
		return empty
	case n < c.config.MTU:
		return below
	case n == c.config.MTU:
		return full
	}
	return above
}

// BinCount is a possible bin and the number of packets in it.
type BinCount struct {
	Packet
	Count int `json:"count"`
}

// counted lists the bins. A packet in an excluded bin disproves a rule.
func (c *Counter) counted() (*coverage.Counted, error) {
	possible, excluded := Bins()
	left, out := maps.Clone(c.count), &coverage.Counted{}
	for _, p := range possible {
		n := left[p]
		delete(left, p)
		out.List = append(out.List, BinCount{p, n})
		out.Items = append(out.Items, coverage.Item{Kind: coverage.Bin, Block: p.Opcode, Module: "packet", Name: p.String(), Where: "bins", Covered: n > 0})
	}
	for p, n := range left {
		return nil, fmt.Errorf("coverage: %d packets in bin %v, which the rules exclude", n, p)
	}
	for i, n := range excluded {
		out.Excluded = append(out.Excluded, coverage.Exclusion{Why: Rules[i].Why, Count: n})
	}
	return out, nil
}
