package replay

import (
	"context"
	"errors"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
)

// Options select what captures are replayed on.
type Options struct {
	Config  gen.Config
	Engine  string // one of engines.Names
	Trace   string // waveform file; each node has one, named -client and -server
	Stall   simulator.Stall
	Seed    uint64
	Context context.Context // cancels the replay; may be nil
	Grow    bool            // switch to a configuration with more streams and STags if a capture needs them
}

// Replayer replays captures with one configuration. It compiles the design when the first capture needs it.
type Replayer struct {
	options Options
	design  *simulator.Design
}

// New returns a Replayer; nothing is opened yet.
func New(o Options) *Replayer { return &Replayer{options: o} }

// Replay runs the iWARP connections and the RoCE atomics of a capture. Mismatches are in the report; the error reports what cannot be run.
func (r *Replayer) Replay(c *capture.Capture) (report Report, err error) {
	for {
		report = Report{}
		p, err := newPlan(c, r.options.Config, &report)
		var short *ResourceError
		if errors.As(err, &short) && r.options.Grow && r.grow(short) {
			continue
		}
		if err != nil || len(p.steps) == 0 {
			return report, err
		}
		return report, r.run(p)
	}
}

// grow doubles the field that a capture needs more of, within its limit.
func (r *Replayer) grow(short *ResourceError) bool {
	c := r.options.Config
	if short.Field == "streams" {
		c.Streams *= 2
	} else {
		c.STags *= 2
	}
	if c.Check() != nil {
		return false
	}
	r.options.Config, r.design = c, nil
	return true
}
