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

// isolationMeasurement measures aggressors; alone is what victims have without one, by the engine and the name of the mix.
type isolationMeasurement struct {
	seed    uint64
	cycles  uint64 // of a measurement; a third of that passes before it, and after it, so that late requests can be answered
	silence uint64 // cycles after the aggressor in which something must finish for each victim
	alone   map[aloneKey]aloneResult
}

type aloneKey struct {
	commit  bool
	victims string
}

type aloneResult struct {
	busy  runResult
	paced runResult
}

// runResult is what victims had: requests per cycle and latencies in cycles, by kind.
type runResult struct {
	rates     map[string]float64
	latencies map[string][]uint64 // in ascending order
	acts      Activity            // of the aggressor
	stuck     []int               // victims for which nothing has finished since the aggressor was silent
}

// row measures one aggressor.
func (m *isolationMeasurement) row(ctx context.Context, a aggressor) (Isolation, error) {
	key := aloneKey{a.commit, a.victims.name}
	alone, is := m.alone[key]
	if !is {
		var err error
		if alone, err = m.withoutAny(ctx, a); err != nil {
			return Isolation{}, err
		}
		m.alone[key] = alone
	}
	busy, err := m.run(ctx, a, nil)
	if err != nil {
		return Isolation{}, err
	}
	paced, err := m.run(ctx, a, alone.busy.rates)
	if err != nil {
		return Isolation{}, err
	}
	row := Isolation{Aggressor: a.name, Resource: a.resource, Victims: a.victims.name, Acts: busy.acts.plus(paced.acts),
		Stuck: append(busy.stuck, paced.stuck...), Exception: a.exception}
	slices.Sort(row.Stuck)
	row.Stuck = slices.Compact(row.Stuck)
	for i, k := range a.victims.kinds {
		fair := alone.busy.rates[k.name]
		if a.shares {
			fair *= float64(isolationStreams-1) / isolationStreams
		}
		t := Throughput{Kind: k.name, Alone: round(alone.busy.rates[k.name]), Fair: round(fair), With: round(busy.rates[k.name]),
			Ratio: round(busy.rates[k.name] / fair)}
		before, after := alone.paced.latencies[k.name], paced.latencies[k.name]
		l := Latencies{Kind: k.name, AloneP50: percentile(before, 50), AloneP99: percentile(before, 99), P50: percentile(after, 50), P99: percentile(after, 99)}
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

// withoutAny measures victims beside a stream that is silent.
func (m *isolationMeasurement) withoutAny(ctx context.Context, a aggressor) (out aloneResult, err error) {
	nobody := aggressor{victims: a.victims, commit: a.commit, behave: func() behavior { return silent{} }}
	if out.busy, err = m.run(ctx, nobody, nil); err == nil {
		out.paced, err = m.run(ctx, nobody, out.busy.rates)
	}
	if err == nil && len(out.busy.stuck)+len(out.paced.stuck) > 0 {
		err = fmt.Errorf("%s: victims alone make no progress", a.victims.name)
	}
	return out, err
}

// run measures victims beside an aggressor: all that they can do, or, with the rates of that, latencies at half of them.
func (m *isolationMeasurement) run(ctx context.Context, a aggressor, rates map[string]float64) (out runResult, err error) {
	r, err := openRig(ctx, m.seed, a)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, r.device.Close()) }()
	w := &watch{silence: m.silence, start: ^uint64(0), counts: map[string]uint64{}, out: runResult{rates: map[string]float64{}, latencies: map[string][]uint64{}}}
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
	for name, list := range w.out.latencies {
		slices.Sort(list)
		w.out.rates[name] = float64(w.counts[name]) / float64(m.cycles)
	}
	w.out.acts = r.parties[0].acts
	return w.out, nil
}

// place gives each stream its part.
func (m *isolationMeasurement) place(r *rig, a aggressor, rates map[string]float64, w *watch) (victims []*victim) {
	r.parties[0].behavior = a.behave()
	kinds := a.victims.kinds
	for i, p := range r.parties[1:] {
		v := &victim{kind: kinds[i%len(kinds)], began: map[uint64]uint64{}, measure: w.finished}
		if rates != nil {
			random := rand.New(rand.NewPCG(m.seed, uint64(p.stream)))
			streams := (len(r.parties) - 1 - i%len(kinds) + len(kinds) - 1) / len(kinds)
			most := uint64(4 * float64(streams) / rates[v.kind.name]) // twice the mean gap
			v.gaps = func() uint64 { return random.Uint64N(most) }
		}
		p.behavior = v
		victims = append(victims, v)
	}
	return victims
}
