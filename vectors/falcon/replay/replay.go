// Package replay runs tests of the profile falcon on its golden model.
package replay

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// Node is what a test runs on: an engine of the model.
type Node interface {
	SetRegion(index int, r memory.Region) error
	PostReceive(qp uint32, r falcon.ReceiveRequest)
	PostShared(srq uint32, r falcon.ReceiveRequest)
	Post(r falcon.WorkRequest) error
	Fail(qp uint32)
	Receive(r falcon.Request) falcon.Answer
	Answered(r falcon.Response)
	Complete(c falcon.Completed)
	Return(cid uint32, c spec.Credits)
	SetXoff(xoff bool)

	Transmit(qp uint32) (falcon.Request, bool)
	Respond() (falcon.Response, bool)
	NextCompletion() (falcon.Completion, bool)
	NextEvent() (falcon.Event, bool)
	InError(qp uint32) bool
	Broken(r spec.Rule) uint64
	Memory() *memory.Space
}

// Runner runs tests. Wrap may replace the engine by one that behaves differently; with Backwards, what is free in the order
// of outputs is taken in another order.
type Runner struct {
	Config    suite.Config
	Open      func(g *suite.Group) (Node, error) // a node set up as the group says; nil: the model
	Wrap      func(Node) Node
	Backwards bool
}

// Run returns the test with the outcomes of a run.
func (r Runner) Run(g *suite.Group, t *suite.Test) (*suite.Test, error) {
	open := r.setUp
	if r.Open != nil {
		open = r.Open
	}
	n, err := open(g)
	if err != nil {
		return nil, err
	}
	if r.Wrap != nil {
		n = r.Wrap(n)
	}
	out := *t
	out.Steps = slices.Clone(t.Steps)
	before := counts(n)
	for i := range out.Steps {
		s := &out.Steps[i]
		s.Expect = []suite.Expect{}
		if err := apply(n, s); err != nil {
			return nil, fmt.Errorf("step %d: %w", i, err)
		}
		r.drain(n, g, s)
		now := counts(n)
		s.Breaks = broken(before, now)
		before = now
	}
	out.InError = []uint32{}
	for _, q := range g.QPs {
		if n.InError(q.QP) {
			out.InError = append(out.InError, q.QP)
		}
	}
	out.Memory, out.Digest = g.Changes(n.Memory())
	return &out, nil
}

func (r Runner) setUp(g *suite.Group) (Node, error) {
	c, err := r.Config.Engine()
	if err != nil {
		return nil, err
	}
	e, err := falcon.New(c)
	if err != nil {
		return nil, err
	}
	for i := range g.Regions {
		if err := e.SetRegion(g.Regions[i].Row()); err != nil {
			return nil, err
		}
	}
	for _, c := range g.Connections {
		if err := e.CreateConnection(c.Config()); err != nil {
			return nil, err
		}
	}
	for _, s := range g.SharedQueues {
		if err := e.CreateSRQ(s); err != nil {
			return nil, err
		}
	}
	for _, x := range g.XRCDomains {
		e.SetXRCDomain(x.SRQ, x.Domain)
	}
	for _, q := range g.QPs {
		c, err := q.Config()
		if err == nil {
			err = e.CreateQP(c)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, c := range g.Credits {
		if c.Function != nil {
			e.SetFunctionCredits(*c.Function, c.Counters())
		} else {
			e.SetHostCredits(c.Counters())
		}
	}
	for _, m := range g.Memory {
		e.Memory().Write(uint64(m.Address), m.Fill())
	}
	e.SetNumbers(g.Number)
	return e, nil
}

// apply gives a step to the node, with what it puts out at once.
func apply(n Node, s *suite.Step) error {
	switch {
	case s.Work != nil:
		w, err := s.Work.Request()
		if err != nil {
			return err
		}
		if n.Post(w) != nil {
			s.Expect = append(s.Expect, suite.Expect{Refused: true})
		}
	case s.Receive != nil && s.Receive.SRQ != nil:
		n.PostShared(*s.Receive.SRQ, s.Receive.Request())
	case s.Receive != nil:
		n.PostReceive(*s.Receive.QP, s.Receive.Request())
	case s.Region != nil:
		return n.SetRegion(s.Region.Row())
	case s.Fail != nil:
		n.Fail(*s.Fail)
	case s.Request != nil:
		p, err := s.Request.Packet()
		if err != nil {
			return err
		}
		s.Expect = append(s.Expect, suite.Expect{Reply: suite.ReplyOf(n.Receive(p))})
	case s.Response != nil:
		n.Answered(falcon.Response{CID: s.Response.CID, RSN: s.Response.RSN, Octets: s.Response.Hex})
	case s.Complete != nil:
		n.Complete(falcon.Completed{CID: s.Complete.CID, RSN: s.Complete.RSN, Code: spec.Completion(s.Complete.Code), ULP: spec.ULPCode(s.Complete.ULP)})
	case s.Return != nil:
		n.Return(s.Return.CID, s.Return.Credits.Counters())
	case s.Xoff != nil:
		n.SetXoff(*s.Xoff)
	}
	return nil
}

// drain takes all outputs.
func (r Runner) drain(n Node, g *suite.Group, s *suite.Step) {
	add := func(e suite.Expect) { s.Expect = append(s.Expect, e) }
	transmit := func() {
		qps := slices.Clone(g.QPs)
		if r.Backwards {
			slices.Reverse(qps)
		}
		for _, q := range qps {
			for p, some := n.Transmit(q.QP); some; p, some = n.Transmit(q.QP) {
				add(suite.Expect{Request: suite.RequestOf(p)})
			}
		}
	}
	respond := func() {
		for p, some := n.Respond(); some; p, some = n.Respond() {
			add(suite.Expect{Response: &suite.Response{CID: p.CID, RSN: p.RSN, Hex: p.Octets}})
		}
	}
	for _, take := range [][2]func(){{transmit, respond}, {respond, transmit}}[index(r.Backwards)] {
		take()
	}
	for c, some := n.NextCompletion(); some; c, some = n.NextCompletion() {
		e := suite.Expect{Completion: suite.CompletionOf(c)}
		if c.SourceQP != 0 {
			e.Completion.SourceQP = &c.SourceQP
		}
		add(e)
	}
	for v, some := n.NextEvent(); some; v, some = n.NextEvent() {
		add(suite.Expect{Event: suite.EventOf(v)})
	}
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

func counts(n Node) (list [len(spec.Rules)]uint64) {
	for i := range list {
		list[i] = n.Broken(spec.Rule(i))
	}
	return list
}

// broken names the rules that a step has broken.
func broken(before, now [len(spec.Rules)]uint64) (names string) {
	for i := range now {
		for range now[i] - before[i] {
			if names != "" {
				names += " "
			}
			names += spec.Rule(i).String()
		}
	}
	return names
}
