package bench

import (
	"fmt"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/model/wire"
)

// sharing measures how streams share the responder: responses per cycle of the streams that the row is about, on a 128-byte bus.
func sharing() ([]Figure, error) {
	var out []Figure
	for _, t := range []struct {
		name    string
		streams int
		reads   func(stream, n int, r *rand.Rand) bool // request n of a stream is a Read of 8 octets, not a FetchAdd
		random  bool                                   // streams ask in random order, not in turn
		others  bool                                   // count all but stream 0
		bar     float64
	}{
		{"64 streams in turn, all FetchAdd", 64, func(int, int, *rand.Rand) bool { return false }, false, false, 1},
		{"stream 0 alternates FetchAdd and Reads, 63 others FetchAdd: the others", 64, func(s, n int, _ *rand.Rand) bool { return s == 0 && n%2 == 1 }, false, true, 0.97 * 63 / 64},
		{"stream 0 sends Reads only, 63 others FetchAdd: the others", 64, func(s, _ int, _ *rand.Rand) bool { return s == 0 }, false, true, 0.97 * 63 / 64},
		{"256 streams in random order, half FetchAdd, half Reads", 256, func(_, _ int, r *rand.Rand) bool { return r.IntN(2) == 0 }, true, false, 0.95},
		{"1,024 streams in random order, half FetchAdd, half Reads", 1024, func(_, _ int, r *rand.Rand) bool { return r.IntN(2) == 0 }, true, false, 0.95},
	} {
		rate, err := share(t.streams, t.reads, t.random, t.others)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		out = append(out, AtLeast(t.name+", memory latency 100, 128-byte bus", "per cycle", rate, t.bar))
	}
	return out, nil
}

// share sends requests at line rate and measures how many responses leave per cycle.
func share(streams int, reads func(stream, n int, r *rand.Rand) bool, random, others bool) (float64, error) {
	const messages = 8192
	d, err := openRNIC(rnicConfig(128, streams, 256), memoryLatency)
	if err != nil {
		return 0, err
	}
	defer d.Close()
	r := rand.New(rand.NewPCG(1, 0))
	sent, atomics := make([]int, streams), make([]uint32, streams)
	for i := range messages {
		s := i % streams
		if random {
			s = r.IntN(streams)
		}
		n := sent[s]
		sent[s]++
		if reads(s, n, r) {
			d.Send(uint32(s), wire.AppendReadRequest(nil, uint32(n+1), wire.ReadRequest{DataSinkSTag: 1, ReadMessageSize: 8, DataSourceSTag: rnicSTag, DataSourceTO: uint64(s) * 8}))
			continue
		}
		atomics[s]++
		d.Send(uint32(s), wire.AppendAtomicRequest(nil, uint32(n+1), wire.NewFetchAdd(uint32(n), rnicSTag, uint64(s)*8, 1, 0)))
	}
	output, err := settle(d)
	if err != nil {
		return 0, err
	}
	stamps := d.TxCycles()
	if len(output.Segments) != messages || len(stamps) != messages || len(output.Events) > 0 {
		return 0, fmt.Errorf("%d responses in %d beats to %d requests, %d events", len(output.Segments), len(stamps), messages, len(output.Events))
	}
	var clocks []uint64
	for i, s := range output.Segments {
		if !others || s.Stream != 0 {
			clocks = append(clocks, stamps[i])
		}
	}
	return steady(clocks), nil
}

// steady is the rate of events in the middle half of a run, by the cycle of each.
func steady(cycles []uint64) float64 {
	n := len(cycles)
	return float64(3*n/4-n/4) / float64(cycles[3*n/4]-cycles[n/4])
}
