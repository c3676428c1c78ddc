// Package hardware runs tests of the profile falcon on its generated hardware.
package hardware

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/gen"
	golden "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/replay"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// Masks of the numbers that tests use: the rest is below the number of QPs and connections of the hardware.
const (
	QPMask  = 0xA000
	CIDMask = 0xB000
	SRQMask = 0x0050
)

// Config is the hardware on which tests of a configuration run.
func Config(c suite.Config) gen.Config {
	h := gen.DefaultOf(suite.Profile)
	h.BusBytes, h.BitOrder, h.MaxPayload, h.IRD, h.ORD, h.Window, h.BufferOctets = c.BusBytes, c.BitOrder, c.MTU, c.IRRQ, c.IRRQ, c.Window, c.BufferOctets
	h.Streams, h.STags, h.ReceiveDepth, h.SendDepth = 8, suite.Regions, 256, 256
	return h
}

// Fits reports whether tests of a configuration run on the hardware of h.
func Fits(h gen.Config) bool {
	c, err := suite.Of(h)
	least := Config(c)
	return err == nil && h.ORD == least.ORD && h.Streams >= least.Streams && h.STags >= least.STags && h.ReceiveDepth >= least.ReceiveDepth && h.SendDepth >= least.SendDepth
}

// Runner runs tests on a device.
type Runner struct {
	Config suite.Config
	Device *falcon.Device
	Begun  func() // called when a test is set up; may be nil
	Cycles uint64 // of each step, if the device is never quiet; 0: until it is
}

// Run returns the test with the outcomes of the hardware. What hardware does not tell is as expected: the rules that packets break, the cause
// of an error that is not a packet of the peer, and own receives of a QP in Error, which get no completion.
func (r Runner) Run(g *suite.Group, t *suite.Test) (*suite.Test, error) {
	var node *falcon.Node
	got, err := replay.Runner{Config: r.Config, Open: func(g *suite.Group) (replay.Node, error) {
		n, err := r.setUp(g)
		if node = n; err == nil && r.Begun != nil {
			r.Begun()
		}
		return n, err
	}}.Run(g, t)
	if err == nil {
		err = node.Err()
	}
	if err != nil {
		return nil, err
	}
	for i := range got.Steps {
		refuses(&got.Steps[i], &t.Steps[i])
		untold(g, &got.Steps[i], &t.Steps[i])
	}
	return got, nil
}

// Refusal is the status of a work request that hardware refuses.
var Refusal = golden.LocalProtection.String()

// refuses takes the completion in error of a work request that must be refused for its refusal: that is how hardware refuses.
func refuses(got, want *suite.Step) {
	if !Refuses(want) {
		return
	}
	for i, e := range got.Expect {
		if c := e.Completion; c != nil && !c.Recv && c.QP == want.Work.QP && c.ID == want.Work.ID && c.Status == Refusal {
			got.Expect[i] = suite.Expect{Refused: true}
		}
	}
}

// Counts reports whether a QP may have fewer work requests than the hardware, so that its host has to count them.
func Counts(c suite.Config, g *suite.Group) bool {
	most := Config(c).SendDepth
	return slices.ContainsFunc(g.QPs, func(q suite.QP) bool { return q.SendDepth < most })
}

// Refuses reports whether the work request of a step must be refused.
func Refuses(s *suite.Step) bool {
	return s.Work != nil && slices.ContainsFunc(s.Expect, func(e suite.Expect) bool { return e.Refused })
}

func untold(g *suite.Group, got, want *suite.Step) {
	got.Breaks = want.Breaks
	for _, w := range want.Expect {
		if w.Completion != nil && w.Completion.Recv && w.Completion.Status == "flushed" && !Shares(g, w.Completion.QP) {
			got.Expect = append(got.Expect, w)
		}
		for i, e := range got.Expect {
			if w.Event != nil && e.Event != nil && e.Event.Cause == suite.Local && e.Event.QP == w.Event.QP && !Tells(w.Event.Cause) {
				got.Expect[i].Event = w.Event
			}
		}
	}
}

// Shares reports whether the receives of a QP are those of shared queues, of which it flushes what it has taken.
func Shares(g *suite.Group, qp uint32) bool {
	return slices.ContainsFunc(g.QPs, func(q suite.QP) bool { return q.QP == qp && (q.SRQ != nil || q.Type == "xrc_target") })
}

// Tells reports whether the hardware tells the cause of an event: it is a rule for requests.
func Tells(cause string) bool { return RuleOf(cause) != spec.None }

// RuleOf is the rule for requests that is the cause of an event; none if another thing is.
func RuleOf(cause string) spec.Rule {
	for _, row := range spec.Rules {
		if row.Name == cause && row.Rule < spec.NotOutstanding {
			return row.Rule
		}
	}
	return spec.None
}

func (r Runner) setUp(g *suite.Group) (*falcon.Node, error) {
	d := r.Device
	if err := d.Reset(); err != nil {
		return nil, err
	}
	order, err := r.Config.Order()
	n := &falcon.Node{Device: d, Order: order, QPMask: QPMask, CIDMask: CIDMask, SRQMask: SRQMask, Cycles: r.Cycles, Types: map[uint32]spec.QPType{}, Depth: map[uint32]int{}}
	if err != nil {
		return n, err
	}
	for _, m := range g.Memory {
		n.Ranges = append(n.Ranges, falcon.Range{Address: uint64(m.Address), Octets: m.Octets})
		if err := d.Memory().Write(uint64(m.Address), m.Fill()); err != nil {
			return n, err
		}
	}
	for i := range g.Regions {
		if err := n.SetRegion(g.Regions[i].Row()); err != nil {
			return n, err
		}
	}
	for _, number := range g.SharedQueues {
		at := slices.IndexFunc(g.XRCDomains, func(x suite.XRCDomain) bool { return x.SRQ == number })
		var domain uint16
		if at >= 0 {
			domain = g.XRCDomains[at].Domain
		}
		if err := d.SetQueue(number^SRQMask, domain); err != nil {
			return n, err
		}
	}
	for _, q := range g.QPs {
		if err := r.open(n, g, q); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (r Runner) open(n *falcon.Node, g *suite.Group, q suite.QP) error {
	c, err := q.Config()
	if err != nil {
		return err
	}
	n.Types[c.Number], n.Depth[c.Number] = c.Type, c.SendDepth
	x := falcon.QP{Number: c.Number ^ QPMask, Type: c.Type, Ordering: c.Ordering, Errors: c.Errors, Domain: c.Domain, CID: c.CID ^ CIDMask, Remote: c.Remote,
		Before: g.Number - 1, QKey: c.QKey, ORD: c.ORD, RNRTimeout: c.RNRTimeout, Shares: c.SharedReceive, Queue: c.SRQ ^ SRQMask, XRCDomain: c.XRCDomain}
	cid := c.CID
	if c.Type == spec.QPUD {
		cid = unnamed(g)
		x.CID = cid ^ CIDMask
	}
	for _, l := range g.Connections {
		if l.CID == cid {
			x.RSN, x.Credits = l.RSN, creditsOf(l.Credits.Counters())
		}
	}
	if err := n.Device.SetUp(x); err != nil {
		return fmt.Errorf("set-up of QP %d: %w", c.Number, err)
	}
	return n.Device.OpenQP(x)
}

// unnamed is a connection that is that of no QP: of datagrams.
func unnamed(g *suite.Group) uint32 {
	for _, l := range g.Connections {
		if !slices.ContainsFunc(g.QPs, func(q suite.QP) bool { return q.CID != nil && *q.CID == l.CID }) {
			return l.CID
		}
	}
	return CIDMask
}

// mostCredits is the largest count of hardware.
const mostCredits = 1<<15 - 1

func creditsOf(c spec.Credits) spec.Credits {
	for _, n := range []*int{&c.RequestTxPackets, &c.RequestTxBuffers, &c.RequestRxPackets, &c.RequestRxBuffers, &c.DataTxPackets, &c.DataTxBuffers} {
		*n = min(*n, mostCredits)
	}
	return c
}
