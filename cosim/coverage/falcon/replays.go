package falcon

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/coverage"
	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	golden "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	rdmap "github.com/rnicgen/rnicgen/vectors"
	vectors "github.com/rnicgen/rnicgen/vectors/falcon"
	"github.com/rnicgen/rnicgen/vectors/falcon/hardware"
	"github.com/rnicgen/rnicgen/vectors/falcon/replay"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// vectors runs the vectors that the hardware has all for.
func (c *collector) vectors() error {
	s, err := vectors.New(c.suite, rdmap.DefaultSeed)
	if err != nil {
		return err
	}
	return c.onDevice(func(r hardware.Runner) (err error) {
		s.Each(func(g *suite.Group, t *suite.Test) {
			if err == nil && hardware.Lacks(c.suite, g, t) == "" {
				err = c.compare(r, g, t)
			}
		})
		return err
	})
}

// onDevice runs tests on a device.
func (c *collector) onDevice(do func(hardware.Runner) error) error {
	d, err := c.open(falcon.Options{Seed: 1, Latency: rdmap.MemoryLatency})
	if err != nil {
		return err
	}
	return errors.Join(do(hardware.Runner{Config: c.suite, Device: d}), d.Close())
}

// compare runs a test, and counts its packets.
func (c *collector) compare(r hardware.Runner, g *suite.Group, t *suite.Test) error {
	if c.context != nil && c.context.Err() != nil {
		return c.context.Err()
	}
	got, err := r.Run(g, t)
	if err != nil {
		return err
	}
	if d := suite.Compare(g, t, got); d != nil {
		return &coverage.MismatchError{Run: fmt.Sprintf("test %d", t.TcID), Text: fmt.Sprintf("%s: %v", t.Comment, d)}
	}
	c.bins.Take(g, t)
	return nil
}

// silent is the model while memory returns nothing.
type silent struct{ replay.Node }

func (silent) Respond() (golden.Response, bool) { return golden.Response{}, false }

// always is the chance of a stall that never ends.
const always = 256

// isHeld reports whether the bin needs pulls whose responses are held back. On a weakly ordered QP Atomics wait for a missing SN instead.
func isHeld(p Packet) bool { return p.Error == spec.NoIRRQ && p.Ordering != spec.Weak.String() }

// mostVisits limits the QPs of a walk.
const mostVisits = 12

// walkBins visits each bin that is still empty.
func (c *collector) walkBins() error {
	return c.onDevice(func(r hardware.Runner) error { return c.visitAll(r, replay.Runner{Config: c.suite}, false) })
}

// walkHeld does the same while memory returns nothing.
func (c *collector) walkHeld() error {
	return c.onDevice(func(r hardware.Runner) error {
		r.Cycles = 2000 // it is never quiet
		never, soon := simulator.Latency{Least: 1 << 20, Most: 1 << 20}, simulator.Latency{Least: 1, Most: 1}
		wrap := func(n replay.Node) replay.Node { return silent{n} }
		return errors.Join(r.Device.Memory().SetLatency(never, soon), c.visitAll(r, replay.Runner{Config: c.suite, Wrap: wrap}, true))
	})
}

func (c *collector) visitAll(r hardware.Runner, model replay.Runner, held bool) error {
	possible, _ := Bins()
	left := slices.DeleteFunc(possible, func(p Packet) bool { return c.bins.count[p] > 0 || isHeld(p) != held })
	for _, list := range groups(left, min(mostVisits, (c.config.Streams-1)/2)) {
		if err := c.visit(r, model, list); err != nil {
			return err
		}
	}
	return nil
}

// visit runs a walk; the outcomes are those of the model.
func (c *collector) visit(r hardware.Runner, model replay.Runner, list []Packet) error {
	g, t, err := walkOf(c.suite, c.rand, list)
	if err != nil {
		return err
	}
	want, err := model.Run(g, t)
	if err != nil {
		return fmt.Errorf("coverage: walk of %v: %w", list, err)
	}
	return c.compare(r, g, want)
}
