package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

const (
	isolationCycles  = 6000
	isolationSilence = 20_000
)

// isolationMeasurement measures aggressors; alone holds the results of victims without one, by engine and name of the mix.
type isolationMeasurement struct {
	seed    uint64
	cycles  uint64 // of a measurement; a third of that passes before it, and after it, so that late requests can be answered
	silence uint64 // cycles after the aggressor within which each victim must make progress
	alone   map[aloneKey]aloneResult
}

type aloneKey struct {
	commit  bool
	far     bool
	victims string
}

type aloneResult struct {
	busy  runResult
	paced runResult
}

// runResult is the result of the victims: requests per cycle and latencies in cycles, by kind.
type runResult struct {
	rates     map[string]float64
	latencies map[string][]uint64 // in ascending order
	acts      Activity            // of the aggressor
	stuck     []int               // victims without progress since the aggressor fell silent
}

// contest is an aggressor and its victims, on an engine of either profile.
type contest struct {
	name, resource, victims, exception string
	kinds                              []string // of the victims' requests
	shares                             bool     // the aggressor uses what limits the victims, so its fair 1/64 of that is not theirs
	alone                              aloneKey
	run                                func(ctx context.Context, attacked bool, rates map[string]float64) (runResult, error)
}

// contest is that of an aggressor of the profile rdmap.
func (m *isolationMeasurement) contest(a aggressor) contest {
	c := contest{name: a.name, resource: a.resource, victims: a.victims.name, exception: a.exception, shares: a.shares, alone: aloneKey{a.commit, a.far, a.victims.name}}
	for _, k := range a.victims.kinds {
		c.kinds = append(c.kinds, k.name)
	}
	c.run = func(ctx context.Context, attacked bool, rates map[string]float64) (runResult, error) {
		if !attacked {
			return m.run(ctx, aggressor{victims: a.victims, commit: a.commit, far: a.far, behave: func() behavior { return silent{} }}, rates)
		}
		return m.run(ctx, a, rates)
	}
	return c
}

// row measures one aggressor.
func (m *isolationMeasurement) row(ctx context.Context, c contest) (Isolation, error) {
	alone, is := m.alone[c.alone]
	if !is {
		var err error
		if alone, err = c.withoutAny(ctx); err != nil {
			return Isolation{}, err
		}
		m.alone[c.alone] = alone
	}
	busy, err := c.run(ctx, true, nil)
	if err != nil {
		return Isolation{}, err
	}
	paced, err := c.run(ctx, true, alone.busy.rates)
	if err != nil {
		return Isolation{}, err
	}
	row := Isolation{Aggressor: c.name, Resource: c.resource, Victims: c.victims, Acts: busy.acts.plus(paced.acts), Stuck: append(busy.stuck, paced.stuck...), Exception: c.exception}
	slices.Sort(row.Stuck)
	row.Stuck = slices.Compact(row.Stuck)
	for i, kind := range c.kinds {
		fair := alone.busy.rates[kind]
		if c.shares {
			fair *= float64(isolationStreams-1) / isolationStreams
		}
		t := Throughput{Kind: kind, Alone: round(alone.busy.rates[kind]), Fair: round(fair), With: round(busy.rates[kind]), Ratio: round(busy.rates[kind] / fair)}
		before, after := alone.paced.latencies[kind], paced.latencies[kind]
		l := Latencies{Kind: kind, AloneP50: percentile(before, 50), AloneP99: percentile(before, 99), P50: percentile(after, 50), P99: percentile(after, 99)}
		l.Ratio = round(float64(l.P99) / float64(l.AloneP99))
		row.Kinds = append(row.Kinds, KindRow{t, l})
		if i == 0 || t.Ratio < row.Rate.Ratio {
			row.Rate = t
		}
		if i == 0 || l.Ratio > row.Latency.Ratio {
			row.Latency = l
		}
	}
	row.Met = len(row.Stuck) == 0 && (row.Exception != "" || row.margin() >= 1)
	return row, nil
}

// withoutAny measures victims beside a silent stream.
func (c *contest) withoutAny(ctx context.Context) (out aloneResult, err error) {
	if out.busy, err = c.run(ctx, false, nil); err == nil {
		out.paced, err = c.run(ctx, false, out.busy.rates)
	}
	if err == nil && len(out.busy.stuck)+len(out.paced.stuck) > 0 {
		err = fmt.Errorf("%s: victims alone make no progress", c.victims)
	}
	return out, err
}

// run measures victims beside an aggressor: their maximum rates or, given these, latencies at half of them.
func (m *isolationMeasurement) run(ctx context.Context, a aggressor, rates map[string]float64) (out runResult, err error) {
	r, err := openRig(ctx, m.seed, a)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, r.device.Close()) }()
	w := newWatch(m.silence)
	victims := m.place(r, a, rates, w)
	if err := r.begin(); err != nil {
		return out, err
	}
	if err := w.measure(r, a.holds, m.cycles); err != nil {
		return out, err
	}
	for _, v := range victims {
		if v.err != nil {
			return out, v.err
		}
		for _, began := range v.unfinished(w.end) {
			w.add(v.kind.name, began, r.device.Engine().Cycle())
		}
	}
	out = w.result(m.cycles)
	out.acts = r.parties[0].acts
	return out, nil
}

// place gives each stream its part.
func (m *isolationMeasurement) place(r *rig, a aggressor, rates map[string]float64, w *watch) (victims []*victim) {
	r.parties[0].behavior = a.behave()
	kinds := a.victims.kinds
	for i, p := range r.parties[1:] {
		v := &victim{kind: kinds[i%len(kinds)], measure: w.finished}
		v.pace = m.pace(i, kinds[i%len(kinds)].name, len(kinds), rates, pacedWindow)
		p.behavior = v
		victims = append(victims, v)
	}
	return victims
}

// pace returns the pace of a victim: victims take the kinds of requests in turn. At half the rates of all victims of a kind, paced requests may be in progress.
func (m *isolationMeasurement) pace(victim int, kind string, kinds int, rates map[string]float64, paced uint64) pace {
	v := pace{window: victimWindow, began: map[uint64]uint64{}}
	if rates != nil {
		random := rand.New(rand.NewPCG(m.seed, uint64(victim+1)))
		streams := (isolationStreams - 1 - victim%kinds + kinds - 1) / kinds
		most := uint64(4 * float64(streams) / rates[kind]) // twice the mean gap
		v.gaps, v.window = func() uint64 { return random.Uint64N(most) }, paced
	}
	return v
}
