package replay

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/wire"
)

// broken replays a capture after modifying its plan, and returns the number of mismatches.
func broken(t *testing.T, name string, harm func(p *plan) bool) (Report, bool) {
	t.Helper()
	var r Report
	p, err := newPlan(open(t, name), options.Config, &r)
	require.NoError(t, err)
	if !harm(p) {
		return r, false
	}
	require.NoError(t, onGo.run(p))
	return r, true
}

func caught(t *testing.T, what, name string, harm func(p *plan) bool) {
	t.Helper()
	if r, is := broken(t, name, harm); is {
		assert.NotZero(t, r.Mismatches, "%s, %s", name, what)
	}
}

// An unmodified plan has no mismatch.
func TestWholePlan(t *testing.T) {
	r, _ := broken(t, "p2p_read_rtr_crc", func(*plan) bool { return true })
	assert.Zero(t, r.Mismatches, "%v", r.First)
}

var samples = []string{"mtu600", "p2p_read_rtr_crc", "raw15_two_fpdus_one_segment"}

// Each captured segment individually: lost, or with one octet changed on its way to the engine.
func TestEverySegmentCounts(t *testing.T) {
	for _, name := range samples {
		var r Report
		p, err := newPlan(open(t, name), options.Config, &r)
		require.NoError(t, err)
		for i, s := range p.steps {
			what := fmt.Sprintf("segment %d, %s", i, s.opcode)
			caught(t, what+", is lost", name, func(p *plan) bool {
				p.steps[i].deliver = false
				return i < len(p.steps)-1 || s.opcode != wire.OpTerminate
			})
			caught(t, what+", has a changed octet", name, func(p *plan) bool {
				segment := p.steps[i].segment
				segment[len(segment)-1] ^= 0x40
				parts, _ := wire.Classify(segment)
				rtr := name == "p2p_read_rtr_crc" && i == 0 // a Read of no octets may use any STag
				return len(parts.Payload) > 0 && !rtr
			})
		}
	}
}

// Each kind of expectation, modified.
func TestEveryExpectationCounts(t *testing.T) {
	for _, tt := range []struct {
		what, name string
		harm       func(p *plan) bool
	}{
		{"an octet of memory written by a Write", "mpav1_crc_ops", func(p *plan) bool { return flip(p, 1, true) }},
		{"an octet of memory that nothing writes", "mpav1_crc_ops", func(p *plan) bool { return flip(p, 1, false) }},
		{"an octet of memory written by a Read", "p2p_read_rtr_crc", func(p *plan) bool { return flip(p, 0, true) }},
		{"an octet of a Send that is sent", "mpav1_crc_ops", func(p *plan) bool { return alter(p.ends[0].said.requests, wire.OpSend) }},
		{"an octet of a Write that is sent", "mpav1_crc_ops", func(p *plan) bool { return alter(p.ends[0].said.requests, wire.OpWrite) }},
		{"an octet of a Read Response", "p2p_read_rtr_crc", func(p *plan) bool { return alter(p.ends[1].said.responses, wire.OpReadResponse) }},
		{"the size of a Read", "p2p_read_rtr_crc", func(p *plan) bool {
			p.ends[0].said.asked[1].read.ReadMessageSize++
			return true
		}},
		{"the content of a source", "ib_read_bw_100", func(p *plan) bool {
			for _, g := range p.nodes[1].regions() {
				for _, page := range g.pages {
					for i := range page.initial {
						page.initial[i]++
						page.now[i]++
					}
				}
			}
			return true
		}},
		{"a host's store", "rping_S64", func(p *plan) bool {
			for _, s := range p.steps {
				s.stores = nil
			}
			return true
		}},
		{"a new registration", "crc_nvmeof", func(p *plan) bool {
			for _, s := range p.steps {
				s.register = nil
			}
			return true
		}},
		{"an invalidated STag", "crc_nvmeof", func(p *plan) bool {
			for _, r := range p.ends[0].receives {
				r.message.stag ^= 1
			}
			return true
		}},
		{"a receive request", "mpav1_crc_ops", func(p *plan) bool {
			p.ends[1].receives = p.ends[1].receives[:2]
			return true
		}},
		{"a receive that completes", "mpav1_crc_ops", func(p *plan) bool {
			p.ends[1].receives[2].complete = false
			return true
		}},
		{"a solicited event", "mpav1_crc_ops", func(p *plan) bool {
			p.ends[1].receives[1].message.opcode = wire.OpSend
			return true
		}},
		{"a Terminate", "crc_term01_wbadkey_64", func(p *plan) bool {
			p.ends[1].dies = false
			return true
		}},
		{"no Terminate", "mpav1_crc_ops", func(p *plan) bool {
			p.ends[1].dies = true
			return true
		}},
	} {
		caught(t, tt.what, tt.name, tt.harm)
	}
}

// flip changes the expected value of an octet of a node's memory.
func flip(p *plan, node int, brought bool) bool {
	for _, g := range p.nodes[node].regions() {
		for _, number := range g.numbers() {
			for i, is := range g.pages[number].brought {
				if is == brought {
					g.pages[number].now[i] ^= 1
					return true
				}
			}
		}
	}
	return false
}

// alter changes the last octet of the first nonempty message with an opcode.
func alter(list []*message, op wire.Opcode) bool {
	for _, m := range list {
		if m.opcode == op && len(m.octets) > 0 {
			m.octets[len(m.octets)-1] ^= 1
			return true
		}
	}
	return false
}
