package falcon

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
	cases "github.com/rnicgen/rnicgen/vectors/cases/falcon"
	"github.com/rnicgen/rnicgen/vectors/falcon/replay"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
	"github.com/stretchr/testify/assert"
)

// faulty is a node with a fault: each hook, if there is one, changes an input or an output.
type faulty struct {
	replay.Node
	request  func(r *falcon.Request)
	answer   func(a *falcon.Answer)
	response func(r *falcon.Response)
	answered func(r *falcon.Response)
	sent     func(r *falcon.Request)
	post     func(w *falcon.WorkRequest)
	complete func(c *falcon.Completed)
	reported func(c *falcon.Completion)
	xoff     func(xoff bool) bool
	respond  func() bool // may a response leave
	region   func(r *memory.Region)
	stopped  bool
}

func (f *faulty) Receive(r falcon.Request) falcon.Answer {
	apply(f.request, &r)
	a := f.Node.Receive(r)
	apply(f.answer, &a)
	return a
}

func apply[V any](hook func(*V), v *V) {
	if hook != nil {
		hook(v)
	}
}

func (f *faulty) Post(w falcon.WorkRequest) error { apply(f.post, &w); return f.Node.Post(w) }
func (f *faulty) Answered(r falcon.Response)      { apply(f.answered, &r); f.Node.Answered(r) }
func (f *faulty) Complete(c falcon.Completed)     { apply(f.complete, &c); f.Node.Complete(c) }

func (f *faulty) SetRegion(index int, r memory.Region) error {
	apply(f.region, &r)
	return f.Node.SetRegion(index, r)
}

func (f *faulty) SetXoff(xoff bool) {
	if f.xoff != nil {
		xoff = f.xoff(xoff)
	}
	f.Node.SetXoff(xoff)
}

func (f *faulty) Respond() (falcon.Response, bool) {
	if f.respond != nil && !f.respond() {
		return falcon.Response{}, false
	}
	r, some := f.Node.Respond()
	if some {
		apply(f.response, &r)
	}
	return r, some
}

func (f *faulty) Transmit(qp uint32) (falcon.Request, bool) {
	r, some := f.Node.Transmit(qp)
	if some {
		apply(f.sent, &r)
	}
	return r, some
}

func (f *faulty) NextCompletion() (falcon.Completion, bool) {
	c, some := f.Node.NextCompletion()
	if some {
		apply(f.reported, &c)
	}
	return c, some
}

// repack changes a packet's fields. One that cannot be read stays.
func repack(octets []byte, change func(p *packet.Packet)) []byte {
	p := packet.Packet{}
	if p.Decode(octets, spec.Drawn) != spec.None {
		return octets
	}
	change(&p)
	return p.Encode(nil, spec.Drawn)
}

// faults are designs that err.
var faults = []struct {
	name  string
	plant func(f *faulty)
}{
	{"the CID of a request is not checked", func(f *faulty) {
		var real uint32
		f.request = func(r *falcon.Request) { real, r.CID = r.CID, 0xB001 }
		f.answer = func(a *falcon.Answer) { a.CID = real }
	}},
	{"the CID of a response is not checked", func(f *faulty) { f.answered = func(r *falcon.Response) { r.CID = 0xB001 } }},
	{"the version of a request is not checked", func(f *faulty) {
		f.request = func(r *falcon.Request) {
			r.Octets = repack(r.Octets, func(p *packet.Packet) { p.Version = spec.Version })
		}
	}},
	{"the Queue Key is not checked", func(f *faulty) {
		f.request = func(r *falcon.Request) {
			r.Octets = repack(r.Octets, func(p *packet.Packet) {
				if p.DestinationQP == 0xA001 {
					p.QKey = 0x1234_5678
				}
			})
		}
	}},
	{"CE in a request is ignored", func(f *faulty) {
		f.request = func(r *falcon.Request) { r.Octets = repack(r.Octets, func(p *packet.Packet) { p.CE = false }) }
	}},
	{"SE is ignored", func(f *faulty) { f.reported = func(c *falcon.Completion) { c.Solicited = false } }},
	{"SE is reported always", func(f *faulty) { f.reported = func(c *falcon.Completion) { c.Solicited = c.Receive } }},
	{"an access error has the code of an invalid request", func(f *faulty) {
		f.answer = func(a *falcon.Answer) {
			if a.Code == spec.AccessError {
				a.Code = spec.InvalidRequest
			}
		}
	}},
	{"CIE instead of NRE", func(f *faulty) {
		f.answer = func(a *falcon.Answer) {
			if a.Reply == spec.NRE {
				a.Reply = spec.CIE
			}
		}
	}},
	{"RNR without the QP's timeout", func(f *faulty) { f.answer = func(a *falcon.Answer) { a.Timeout = 0 } }},
	{"RNR for pulls is acknowledged", func(f *faulty) {
		pull := false
		f.request = func(r *falcon.Request) { pull = r.Type == spec.PullRequest }
		f.answer = func(a *falcon.Answer) {
			if pull && a.Reply == spec.RNR {
				a.Reply, a.Timeout = spec.Ack, 0
			}
		}
	}},
	{"a response has the next SN", func(f *faulty) {
		f.response = func(r *falcon.Response) { r.Octets = repack(r.Octets, func(p *packet.Packet) { p.SN++ }) }
	}},
	{"a response has a STETH of zeros", func(f *faulty) {
		f.response = func(r *falcon.Response) {
			r.Octets = repack(r.Octets, func(p *packet.Packet) { p.SinkVA, p.SinkKey = 0, 0 })
		}
	}},
	{"a failing pull is answered without CE", func(f *faulty) {
		f.response = func(r *falcon.Response) { r.Octets = repack(r.Octets, func(p *packet.Packet) { p.CE = false }) }
	}},
	{"a response goes back to the QP that it comes from", func(f *faulty) {
		f.response = func(r *falcon.Response) {
			r.Octets = repack(r.Octets, func(p *packet.Packet) { p.DestinationQP = 0xA001 })
		}
	}},
	{"the SN of a response is not checked", func(f *faulty) {
		f.answered = func(r *falcon.Response) {
			r.Octets = repack(r.Octets, func(p *packet.Packet) { p.SN = 1 })
		}
	}},
	{"Original Data in the other order of octets", func(f *faulty) {
		f.answered = func(r *falcon.Response) {
			r.Octets = repack(r.Octets, func(p *packet.Packet) {
				p.Original = p.Original>>32 | p.Original<<32
			})
		}
	}},
	{"Xoff is ignored", func(f *faulty) { f.xoff = func(bool) bool { return false } }},
	{"Xoff stops responses too", func(f *faulty) {
		f.xoff = func(xoff bool) bool { f.stopped = xoff; return xoff }
		f.respond = func() bool { return !f.stopped }
	}},
	{"a fence is ignored", func(f *faulty) { f.post = func(w *falcon.WorkRequest) { w.Fence = false } }},
	{"RMSN counts from 0", func(f *faulty) {
		f.sent = func(r *falcon.Request) { r.Octets = repack(r.Octets, func(p *packet.Packet) { p.RMSN-- }) }
	}},
	{"Message Offset is always 0", func(f *faulty) {
		f.sent = func(r *falcon.Request) { r.Octets = repack(r.Octets, func(p *packet.Packet) { p.Offset = 0 }) }
	}},
	{"the RETH Length of a packet is that of the message", func(f *faulty) {
		var total uint32
		f.post = func(w *falcon.WorkRequest) {
			total = 0
			for _, e := range w.Local {
				total += e.Length
			}
		}
		f.sent = func(r *falcon.Request) {
			r.Octets = repack(r.Octets, func(p *packet.Packet) {
				if p.Length != 0 {
					p.Length = total
				}
			})
		}
	}},
	{"the ULP code of a CIE is not looked at", func(f *faulty) { f.complete = func(c *falcon.Completed) { c.ULP = 0 } }},
	{"NRE counts as CIE", func(f *faulty) {
		f.complete = func(c *falcon.Completed) {
			if c.Code == spec.CompletedNRE {
				c.Code = spec.CompletedCIE
			}
		}
	}},
	{"the completion of a Write with Immediate has no immediate data", func(f *faulty) {
		f.reported = func(c *falcon.Completion) {
			if c.Kind == spec.Write {
				c.Immediate = 0
			}
		}
	}},
}

// enough is how many tests a fault must fail, so that no single test stands alone.
const enough = 5

// TestFaults: each fault is caught.
func TestFaults(t *testing.T) {
	c := suite.DefaultConfig()
	type ready struct {
		g suite.Group
		t suite.Test
	}
	var all []ready
	for i, one := range cases.All(c) {
		if i%2 == 0 {
			continue // half of them suffice
		}
		g, x := one.Run(c, 1)
		all = append(all, ready{g, x})
	}
	for _, fault := range faults {
		caught := 0
		for i := range all {
			got, err := replay.Runner{Config: c, Wrap: func(n replay.Node) replay.Node {
				f := &faulty{Node: n}
				fault.plant(f)
				return f
			}}.Run(&all[i].g, &all[i].t)
			if err != nil || suite.Compare(&all[i].g, &all[i].t, got) != nil {
				caught++
			}
			if caught == enough {
				break
			}
		}
		assert.Equal(t, enough, caught, fault.name)
	}
}
