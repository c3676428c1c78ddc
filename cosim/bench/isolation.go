package bench

import (
	"context"
	"fmt"
	"slices"
)

// The bars of isolation: what victims keep of their fair share, and how many times their p99 latency may grow.
const (
	isolationThroughput = 0.95
	isolationLatency    = 4
)

// Isolation is the effect of an aggressor on 63 other streams.
//
// Throughput is measured while the victims issue as many requests as they can, latency while they issue half as many. Each request is of one
// kind, and the row shows the kind with the worst result.
//
// Alone is the throughput of the victims while the aggressor's stream is open and silent. Their fair share is 63/64 of it if the aggressor also
// uses the resource that limits them, since it is entitled to 1/64; otherwise it is all of it, as the aggressor is entitled to nothing that
// they use. The line to the engine itself is fair: it serves peers in turn, beat by beat.
//
// Latency is the number of cycles from the issue of a request by a peer or host to its response or completion.
type Isolation struct {
	Aggressor string     `json:"aggressor"`
	Resource  string     `json:"resource"`
	Victims   string     `json:"victims"`
	Rate      Throughput `json:"throughput"`
	Latency   Latencies  `json:"latency"`
	Kinds     []KindRow  `json:"kinds"`
	Acts      Activity   `json:"aggressor_activity"`
	Stuck     []int      `json:"deadlocked_streams"`  // that make no more progress, even without the aggressor
	Exception string     `json:"exception,omitempty"` // why the row may miss its bars
	Met       bool       `json:"met"`
}

// Throughput is in requests per cycle, of all victims of one kind.
type Throughput struct {
	Kind  string  `json:"kind"`
	Alone float64 `json:"alone"`
	Fair  float64 `json:"fair_share"`
	With  float64 `json:"with"`
	Ratio float64 `json:"ratio"` // With to Fair
}

// Latencies are in cycles, of all requests of one kind.
type Latencies struct {
	Kind     string  `json:"kind"`
	AloneP50 uint64  `json:"alone_p50"`
	AloneP99 uint64  `json:"alone_p99"`
	P50      uint64  `json:"p50"`
	P99      uint64  `json:"p99"`
	Ratio    float64 `json:"p99_ratio"`
}

// KindRow is the result of one kind of request.
type KindRow struct {
	Rate    Throughput `json:"throughput"`
	Latency Latencies  `json:"latency"`
}

// margin is how far a row is above its bars; below 1 it misses one.
func (r *Isolation) margin() float64 {
	if len(r.Stuck) > 0 {
		return 0
	}
	return min(r.Rate.Ratio/isolationThroughput, isolationLatency/r.Latency.Ratio)
}

// Isolate measures the aggressors whose names are given, or all, and returns them with the worst last. If the context ends, the rows
// measured so far are returned.
func Isolate(ctx context.Context, seed uint64, names []string, say func(aggressor string)) ([]Isolation, error) {
	m := isolationMeasurement{seed: seed, cycles: isolationCycles, silence: isolationSilence, alone: map[aloneKey]aloneResult{}}
	var rows []Isolation
	for _, c := range m.contests() {
		if ctx.Err() != nil {
			return sortIsolation(rows), context.Cause(ctx)
		}
		if len(names) > 0 && !slices.Contains(names, c.name) {
			continue
		}
		say(c.name)
		row, err := m.row(ctx, c)
		if ctx.Err() != nil {
			return sortIsolation(rows), context.Cause(ctx)
		}
		if err != nil {
			return nil, fmt.Errorf("bench, isolation from %q: %w", c.name, err)
		}
		rows = append(rows, row)
	}
	return sortIsolation(rows), nil
}

// contests are all rows of the table, of both profiles.
func (m *isolationMeasurement) contests() (list []contest) {
	for _, a := range aggressors() {
		list = append(list, m.contest(a))
	}
	for _, a := range falconAggressors() {
		list = append(list, m.falconContest(a))
	}
	return list
}

// Aggressors are the names of all aggressors.
func Aggressors() (names []string) {
	for _, c := range (&isolationMeasurement{}).contests() {
		names = append(names, c.name)
	}
	return names
}

func sortIsolation(rows []Isolation) []Isolation {
	slices.SortStableFunc(rows, func(a, b Isolation) int {
		switch x, y := a.margin(), b.margin(); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return rows
}
