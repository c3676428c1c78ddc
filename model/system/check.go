package system

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Limits of a workload.
const (
	MostNodes    = 256
	MostDuration = Duration(time.Second)
	MostTarget   = 1 << 28 // octets of objects in the memory of a node
)

// A FieldError is an invalid value in a workload: where it is, and what is allowed.
type FieldError struct {
	Field   string
	Value   any
	Allowed string
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("workload: %s is %v; allowed: %s", e.Field, e.Value, e.Allowed)
}

// Rates of a flow, in a microsecond: one in a second, and more than any RNIC has.
const (
	leastRate = 1e-6
	mostRate  = 1e6
)

type checks struct {
	workload *Workload
	engine   Engine
	errs     []error
}

// Check returns everything in a workload that cannot work with an RNIC of a configuration, joined.
func (w *Workload) Check(e Engine) error {
	c := &checks{workload: w, engine: e}
	if c.between("nodes", w.Nodes, 2, MostNodes); c.errs != nil {
		return errors.Join(c.errs...) // others name nodes
	}
	c.nodes("rtl", w.RTL)
	if !(w.ClockMHz >= 1 && w.ClockMHz <= 10000) {
		c.refuse("clock_mhz", w.ClockMHz, "1 to 10000")
	}
	c.duration("network.link_latency", w.Network.LinkLatency)
	c.duration("network.switch_latency", w.Network.SwitchLatency)
	c.duration("network.reorder", w.Network.Reorder)
	c.profile()
	if !(w.Network.LinkGbps >= 0.001 && w.Network.LinkGbps <= 1e6) {
		c.refuse("network.link_gbps", w.Network.LinkGbps, "0.001 to 1000000")
	}
	c.between("network.buffer_octets", w.Network.BufferOctets, 0, 1<<30)
	if k := w.Memory.Kind; k != Ideal && k != DRAM {
		c.refuse("memory.kind", fmt.Sprintf("%q", k), "ideal, dram")
	}
	c.duration("memory.latency", w.Memory.Latency)
	if len(w.Flows) == 0 {
		c.refuse("flows", "empty", "at least one flow")
	}
	names := map[string]bool{}
	for i := range w.Flows {
		f := &w.Flows[i]
		if names[f.Name] {
			c.refuse(fmt.Sprintf("flows[%d].name", i), fmt.Sprintf("%q twice", f.Name), "each once")
		}
		names[f.Name] = true
		c.flow(fmt.Sprintf("flows[%d]", i), f)
	}
	if c.errs == nil {
		c.streams()
	}
	return errors.Join(c.errs...)
}

// names lists values for a message.
func names[T ~string](list []T) string {
	var all []string
	for _, n := range list {
		all = append(all, string(n))
	}
	return strings.Join(all, ", ")
}

func (c *checks) refuse(field string, value any, allowed string) {
	c.errs = append(c.errs, &FieldError{field, value, allowed})
}

func (c *checks) between(field string, n, least, most int) {
	if n < least || n > most {
		c.refuse(field, n, fmt.Sprintf("%d to %d", least, most))
	}
}

func (c *checks) duration(field string, d Duration) {
	if d < 0 || d > MostDuration {
		c.refuse(field, time.Duration(d), fmt.Sprintf("0s to %v", time.Duration(MostDuration)))
	}
}

func (c *checks) nodes(field string, n Nodes) {
	for _, r := range n.ranges {
		c.between(field, r.first, 0, c.workload.Nodes-1)
		if r.last >= 0 && r.last != r.first {
			c.between(field, r.last, 0, c.workload.Nodes-1)
		}
	}
}

func (c *checks) flow(at string, f *Flow) {
	c.nodes(at+".from", f.From)
	c.nodes(at+".to", f.To)
	for _, s := range []struct {
		field string
		nodes Nodes
	}{{".from", f.From}, {".to", f.To}} {
		if len(s.nodes.of(c.workload.Nodes)) == 0 {
			c.refuse(at+s.field, "empty", "all, or a list of nodes")
		}
	}
	c.between(at+".neighbors", f.Neighbors, 0, MostNodes-1)
	c.between(at+".streams", f.Streams, 1, c.engine.Streams)
	c.between(at+".transactions", f.Transactions, 0, 1<<30)
	c.duration(at+".for", f.For)
	c.duration(at+".think", f.Think)
	if (f.Transactions == 0) == (f.For == 0) {
		c.refuse(at+".transactions", f.Transactions, "a number, or 0 and a duration in for")
	}
	c.between(at+".outstanding", f.Outstanding, 1, c.engine.SendDepth)
	if f.Rate != 0 && !(f.Rate >= leastRate && f.Rate <= mostRate) {
		c.refuse(at+".rate", f.Rate, fmt.Sprintf("0, or %v to %v in a microsecond", leastRate, float64(mostRate)))
	}
	if f.Rate > 0 && f.Think > 0 {
		c.refuse(at+".think", time.Duration(f.Think), "0s with a rate")
	}
	c.objects(at+".objects", f)
	if len(f.Mix) == 0 {
		c.refuse(at+".mix", "empty", "at least one transaction")
	}
	names := map[string]bool{}
	for i := range f.Mix {
		if name := f.Mix[i].Name; names[name] {
			c.refuse(fmt.Sprintf("%s.mix[%d].name", at, i), fmt.Sprintf("%q twice", name), "each once; without a name it is that of the first operation")
		}
		names[f.Mix[i].Name] = true
		c.mix(fmt.Sprintf("%s.mix[%d]", at, i), f, &f.Mix[i])
	}
}

func (c *checks) objects(at string, f *Flow) {
	o := f.Objects
	switch o.Pick {
	case First, Own, Uniform, Hot, Next:
	default:
		c.refuse(at+".pick", fmt.Sprintf("%q", o.Pick), names([]Pick{First, Own, Uniform, Hot, Next}))
	}
	c.between(at+".count", o.Count, 1, 1<<24)
	if o.Octets < 8 || o.Octets%8 != 0 || o.Octets > MostTarget {
		c.refuse(at+".octets", o.Octets, fmt.Sprintf("a multiple of 8, 8 to %d", MostTarget))
	} else if o.Base%8 != 0 {
		c.refuse(at+".base", o.Base, "a multiple of 8")
	} else if o.Base > MostTarget || o.Base+o.Octets*uint64(max(o.Count, 1)) > MostTarget {
		c.refuse(at, fmt.Sprintf("%d octets, %d times %d", o.Base, o.Count, o.Octets), fmt.Sprintf("%d octets in all", MostTarget))
	}
	if !(o.Share >= 0 && o.Share <= 1) {
		c.refuse(at+".share", o.Share, "0 to 1")
	}
}

func (c *checks) mix(at string, f *Flow, m *Mix) {
	c.between(at+".weight", m.Weight, 1, 1000)
	if len(m.Steps) == 0 {
		c.refuse(at+".steps", "empty", "at least one step")
	}
	if n := len(m.Steps) * f.Outstanding; m.BackToBack && n > c.engine.SendDepth {
		c.refuse(at+".steps", fmt.Sprintf("%d back to back, of %d transactions", len(m.Steps), f.Outstanding), fmt.Sprintf("send_depth of the configuration in all, %d", c.engine.SendDepth))
	}
	for i := range m.Steps {
		c.step(fmt.Sprintf("%s.steps[%d]", at, i), f, m, &m.Steps[i])
	}
}

func (c *checks) step(at string, f *Flow, m *Mix, s *Step) {
	switch s.Operation {
	case Write, Read, FetchAdd, CmpSwap:
	case Flush, Verify, AtomicWrite:
		if c.engine.Falcon != nil {
			c.refuse(at+".operation", s.Operation, names(falconOperations)+" with profile falcon")
		} else if c.engine.Extensions&spec.Commit == 0 {
			c.refuse(at+".operation", s.Operation, "with the extension commit of the configuration")
		}
	case Send:
		if !s.Reply {
			c.refuse(at+".reply", s.Reply, "true: the initiator knows from the reply that the target has a receive request again")
		}
		if f.Outstanding > c.engine.ReceiveDepth {
			c.refuse(at, fmt.Sprintf("a send, of %d transactions", f.Outstanding), fmt.Sprintf("as many as receive_depth of the configuration, %d", c.engine.ReceiveDepth))
		}
		if f.Ordering == Unordered && int(s.Octets) > c.engine.MaxPayload {
			c.refuse(at+".octets", s.Octets, fmt.Sprintf("max_payload of the configuration, %d, on an unordered QP", c.engine.MaxPayload))
		}
		if m.BackToBack && len(m.Steps) > 1 {
			c.refuse(at, "a send back to back with others", "a send alone")
		}
	default:
		c.refuse(at+".operation", fmt.Sprintf("%q", s.Operation), names(operations))
	}
	if slices.Contains(words, s.Operation) {
		if s.At%8 != 0 {
			c.refuse(at+".at", s.At, "a multiple of 8")
		}
		if s.Octets != 8 {
			c.refuse(at+".octets", s.Octets, "8, or left out")
		}
	}
	if s.Octets == 0 || s.Octets > 1<<24 {
		c.refuse(at+".octets", s.Octets, fmt.Sprintf("1 to %d", 1<<24))
	} else if s.Operation != Send && (s.At > f.Objects.Octets || uint64(s.Octets) > f.Objects.Octets-s.At) {
		c.refuse(at, fmt.Sprintf("%d octets at %d", s.Octets, s.At), fmt.Sprintf("within the %d octets of an object", f.Objects.Octets))
	}
	if s.Until != "" && (s.Until != "swapped" || s.Operation != CmpSwap || m.BackToBack) {
		c.refuse(at+".until", fmt.Sprintf("%q", s.Until), "swapped, of a cmp_swap that is not back to back")
	}
}

// streams finds nodes that need more streams than an RNIC has.
func (c *checks) streams() {
	used := make([]int, c.workload.Nodes)
	pairs := 0
	for i := range c.workload.Flows {
		f := &c.workload.Flows[i]
		for from, to := range f.pairs(c.workload.Nodes) {
			used[from] += f.Streams
			used[to] += f.Streams
			pairs++
		}
	}
	if pairs == 0 {
		c.refuse("flows", "without a pair of different nodes", "an initiator and another node")
	}
	for node, n := range used {
		if n > c.engine.Streams {
			c.refuse("flows", fmt.Sprintf("%d streams at node %d", n, node), fmt.Sprintf("streams of the configuration, %d", c.engine.Streams))
			return
		}
	}
}

// pairs calls yield for every initiator and target.
func (f *Flow) pairs(nodes int) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		for _, from := range f.From.of(nodes) {
			for _, to := range f.To.of(nodes) {
				if near := f.Neighbors == 0 || (to-from+nodes)%nodes <= f.Neighbors; from != to && near && !yield(from, to) {
					return
				}
			}
		}
	}
}
