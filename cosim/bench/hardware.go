package bench

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
)

// parserThroughput sends back-to-back segments of a random mix of kinds and lengths, good and bad, and counts the beats
// that the parser accepts of those that it is offered.
func parserThroughput() ([]Figure, error) {
	var out []Figure
	for _, width := range gen.BusWidths {
		c := gen.DefaultAtomics()
		c.BusBytes = width
		design, err := cosim.DDPParser(c)
		if err != nil {
			return nil, err
		}
		dut, err := cosim.OpenDesign(c, design, "go", engine.Options{})
		if err != nil {
			return nil, err
		}
		traffic := cosim.NewTraffic(c, 1)
		for range 5000 {
			if err := dut.Send(traffic.Next()); err != nil {
				return nil, err
			}
		}
		if err := dut.Run(); err != nil {
			return nil, err
		}
		stats := dut.Stats("s_axis_rx")
		out = append(out, AtLeast(fmt.Sprintf("parser, %d-byte bus: beats accepted / offered", width), "%",
			100*float64(stats.Beats)/float64(stats.Offered), 100))
		if err := dut.Close(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

const windowSTag = 0x10001

func openAtomics(width int) (*cosim.DUT, error) {
	c := gen.DefaultAtomics()
	c.BusBytes = width
	dut, err := cosim.Open(c, "go", engine.Options{Stamps: true, Buffer: 4096})
	if err != nil {
		return nil, err
	}
	if err := dut.SetWindow(windowSTag, 0); err != nil {
		return nil, err
	}
	return dut, dut.Run() // the state of the streams is cleared after reset
}

func request(n int) []byte {
	return wire.AppendAtomicRequest(nil, uint32(n+1), wire.NewFetchAdd(uint32(n), windowSTag, 0, 1, 0))
}

// oneAddress sends FetchAdds on one word of memory back to back, one request a beat, and counts the clocks from the first
// response to the last.
func oneAddress() ([]Figure, error) {
	dut, err := openAtomics(128)
	if err != nil {
		return nil, err
	}
	defer dut.Close()
	const n = 1000
	for i := range n {
		if err := dut.Send(uint32(i%2), request(i)); err != nil {
			return nil, err
		}
	}
	if err := dut.Run(); err != nil {
		return nil, err
	}
	stamps := dut.ResponseStamps()
	if len(stamps) != n {
		return nil, fmt.Errorf("%d responses to %d requests", len(stamps), n)
	}
	clocks := stamps[n-1] - stamps[0]
	return []Figure{AtLeast("atomics on one address, 128-byte bus", "a clock", float64(n-1)/float64(clocks), 1)}, nil
}

// latency sends single requests, each into idle hardware, and takes the longest time from the clock of the request's last
// beat to that of the response's first.
func latency() ([]Figure, error) {
	dut, err := openAtomics(64)
	if err != nil {
		return nil, err
	}
	defer dut.Close()
	var worst uint64
	for i := range 50 {
		if err := dut.Send(uint32(i%8), request(i)); err != nil {
			return nil, err
		}
		if err := dut.Run(); err != nil {
			return nil, err
		}
		in, out := dut.RequestStamps(), dut.ResponseStamps()
		if len(in) == 0 || len(out) != 1 {
			return nil, fmt.Errorf("request %d: %d beats in, %d responses", i, len(in), len(out))
		}
		worst = max(worst, out[0]-in[len(in)-1])
	}
	return []Figure{AtMost("request's last beat in to response's first beat out, 64-byte bus", "clocks", float64(worst), 8)}, nil
}
