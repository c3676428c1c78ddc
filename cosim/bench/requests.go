package bench

import (
	"context"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// requestsOut posts work requests of one segment and counts those that leave a cycle, and, of those that the peer does not answer,
// those that complete.
func requestsOut() ([]Figure, error) {
	var out []Figure
	for _, t := range []struct {
		name    string
		opcode  wire.Opcode
		length  uint32
		asks    bool
		streams []int
	}{
		{"Writes of 32 octets out", spec.Write.Opcode(), 32, false, []int{64, 8, 1}},
		{"Sends of 32 octets out", spec.Send.Opcode(), 32, false, []int{64, 8, 1}},
		{"Immediate Data out", spec.Immediate.Opcode(), 8, false, []int{64, 8, 1}},
		{"FetchAdd out", spec.AtomicRequest.Opcode(), 8, true, []int{64, 8, 1}},
		{"Reads of 8 octets out", spec.ReadRequest.Opcode(), 8, true, []int{64, 8, 1}},
	} {
		for _, streams := range t.streams {
			run := requestRun{streams: streams, opcode: t.opcode, length: t.length, asks: t.asks}
			sent, completed, err := run.rates()
			if err != nil {
				return nil, fmt.Errorf("%s, %d streams: %w", t.name, streams, err)
			}
			name, bar := fmt.Sprintf("%s, %d streams, 128-byte bus", t.name, streams), 1.0
			if streams == 1 {
				name, bar = fmt.Sprintf("%s, one stream, 128-byte bus", t.name), 0.5
			}
			out = append(out, AtLeast(name, "per cycle", sent, bar))
			if !t.asks {
				out = append(out, AtLeast(name+": completions", "per cycle", completed, bar))
			}
		}
	}
	answered, err := answeredOut()
	return append(out, answered...), err
}

// answeredOut posts Reads and FetchAdds that the peer answers at once, and counts those that complete a cycle: one whose response is missing
// uses ORD, and what queues take at first does not last.
func answeredOut() (out []Figure, err error) {
	m := &isolationMeasurement{seed: 1, cycles: isolationCycles}
	for _, k := range []kind{fetchAddOut, readOut} {
		r, err := m.run(context.Background(), aggressor{victims: mix{k.name, []kind{k}}, behave: func() behavior { return silent{} }}, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.name, err)
		}
		out = append(out, AtLeast(fmt.Sprintf("%s and answered, %d streams, memory latency %d, 128-byte bus: completions", k.name, isolationStreams-1, memoryLatency), "per cycle", r.rates[k.name], 0.99))
	}
	return out, nil
}

// requestRun is work requests of one kind, of streams in turn.
type requestRun struct {
	streams int
	opcode  wire.Opcode
	length  uint32
	asks    bool
}

// rates are the segments that leave a cycle, without the first and the last eighth, and the completions of a cycle in steady state.
func (r requestRun) rates() (sent, completed float64, err error) {
	c := rnicConfig(128, max(2, r.streams), 8)
	c.SendDepth, c.ORD = 1024, 1024
	if r.streams > 8 {
		c.SendDepth, c.ORD = 128, 128
	}
	d, err := openRNIC(c, memoryLatency)
	if err != nil {
		return 0, 0, err
	}
	rights := memory.LocalRead | memory.LocalWrite
	if err := d.SetRegion(1, memory.Region{Valid: true, Rights: rights, ByDomain: true, Length: 1 << 20}); err != nil {
		return 0, 0, err
	}
	const n = 1024
	for i := range n {
		d.PostWork(rdmap.WorkRequest{Stream: uint32(i % r.streams), ID: uint64(i), Signaled: true, Opcode: r.opcode, Length: r.length,
			Local: rdmap.Buffer{STag: rnicSTag, TO: uint64(i) * 64}, Remote: rdmap.Buffer{STag: rnicSTag, TO: uint64(i) * 8}})
	}
	var done []uint64 // completions after each cycle
	for range 16 * n {
		if _, err := d.Run(1, 0); err != nil {
			return 0, 0, err
		}
		beats, err := d.Beats("cqe")
		if err != nil {
			return 0, 0, err
		}
		done = append(done, beats)
	}
	stamps, output := d.TxCycles(), d.Take()
	if err := d.Close(); err != nil {
		return 0, 0, err
	}
	if len(stamps) != n || len(output.Events) > 0 || !r.asks && len(output.Completions) != n {
		return 0, 0, fmt.Errorf("%d beats and %d completions of %d requests, %d events", len(stamps), len(output.Completions), n, len(output.Events))
	}
	return float64(n-n/4) / float64(stamps[n-n/8]-stamps[n/8]), completionRate(done, n), nil
}

// completionRate is the number of completions per cycle, without the first half, in which a backlog forms that keeps all turns busy, and
// without the last eighth.
func completionRate(done []uint64, n uint64) float64 {
	reaches := func(count uint64) int { return slices.IndexFunc(done, func(d uint64) bool { return d >= count }) }
	first, last := reaches(n/2), reaches(n-n/8)
	if first < 0 || last <= first {
		return 0
	}
	return float64(done[last]-done[first]) / float64(last-first)
}
