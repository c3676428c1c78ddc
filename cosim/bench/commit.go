package bench

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// commits measures an engine with the extension commit, whose platform takes as long as memory.
func commits() ([]Figure, error) {
	var out []Figure
	for _, t := range []struct {
		name    string
		request func(n uint64, to uint64) []byte
		bar     float64 // a stream has one of them in progress; digest_multiply takes 10 cycles
	}{
		{"Flush", func(n, to uint64) []byte { return flushRequest(n, rnicSTag, to, 64) }, 0.4},
		{"Verify of 64 octets", func(n, to uint64) []byte { return verifyRequest(n, rnicSTag, to, 64) }, 0.09},
		{"Atomic Write", atomicWriteRequest, 0.2},
	} {
		const streams, each = 64, 12
		var list [][]byte
		for n := range uint64(each) {
			list = append(list, t.request(n, n*64))
		}
		stamps, _, err := answered(streams, memoryLatency, list)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		out = append(out, AtLeast(t.name+", 64 streams, latencies 100, 64-byte bus", "per cycle", steady(stamps), t.bar))
	}
	stamps, last, err := answered(1, 1, logRecord())
	if err != nil {
		return nil, fmt.Errorf("a record of a log: %w", err)
	}
	return append(out, AtMost("Write, Flush, Verify, Atomic Write back to back, latencies 1: last beat in to last response out", "cycles",
		float64(stamps[len(stamps)-1]-last), 170)), nil
}

// logRecord is a record of 64 octets that reaches storage, is verified, and is the tail then.
func logRecord() [][]byte {
	return [][]byte{wire.AppendWrite(nil, rnicSTag, 0, true, make([]byte, 64)), flushRequest(0, rnicSTag, 0, 64), verifyRequest(1, rnicSTag, 0, 64),
		atomicWriteRequest(2, 1<<12)}
}

// answered sends the same segments on each stream, back to back. It returns when the responses leave, and when the last beat arrives.
func answered(streams int, latency uint64, segments [][]byte) (stamps []uint64, last uint64, err error) {
	c := rnicConfig(64, max(2, streams), 32)
	c.Extensions = []string{"commit"}
	d, err := openRNIC(c, latency)
	if err != nil {
		return nil, 0, err
	}
	defer d.Close()
	if err := d.SetRegion(1, commitRegion()); err != nil {
		return nil, 0, err
	}
	platform := &flushes{device: d, takes: latency}
	d.OnFlush(platform.ask)
	requests := 0
	for _, segment := range segments {
		for s := range uint32(streams) {
			d.Send(s, segment)
		}
		if s, rule := wire.ClassifyWith(spec.Commit, segment); rule == spec.None && !s.Header.Tagged {
			requests += streams
		}
	}
	for cycle := 0; len(stamps) < requests && cycle < 100*(requests+100); cycle++ {
		if _, err := d.Run(1, 0); err != nil {
			return nil, 0, err
		}
		platform.answer(d.Engine().Cycle())
		stamps = append(stamps, d.TxCycles()...)
	}
	arrived, err := d.RxCycles()
	if err != nil {
		return nil, 0, err
	}
	if output := d.Take(); len(output.Events) > 0 || len(output.Segments) != requests {
		return nil, 0, fmt.Errorf("%d responses to %d requests, %d events", len(output.Segments), requests, len(output.Events))
	}
	return stamps, arrived[len(arrived)-1], nil
}
