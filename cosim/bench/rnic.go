package bench

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// memoryLatency is the engine's memory latency in the figures, in cycles.
const memoryLatency = 100

// openRNIC starts an engine with all streams open and one region of 1 MiB with STag 0x100 and all rights.
func openRNIC(c gen.Config, latency uint64) (*rnic.Device, error) {
	d, err := rnic.OpenDevice(c, rnic.Options{Engine: "go", Seed: 1, Latency: simulator.Latency{Least: latency, Most: latency}, Stamps: true, Buffer: 1 << 16})
	if err != nil {
		return nil, err
	}
	rights := memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic | memory.LocalWrite
	err = d.SetRegion(1, memory.Region{Valid: true, Rights: rights, ByDomain: true, Length: 1 << 20})
	for s := 0; s < c.Streams && err == nil; s++ {
		err = d.Open(uint32(s), 0)
	}
	if err == nil {
		_, err = d.RxCycles()
	}
	return d, err
}

const rnicSTag = 1 << 8

func rnicConfig(bus, streams, ird int) gen.Config {
	c := gen.Default()
	c.BusBytes, c.Streams, c.STags, c.IRD = bus, streams, 16, ird
	return c
}

// settle runs a device until it is idle.
func settle(d *rnic.Device) (rnic.Output, error) {
	for {
		r, err := d.Run(1<<16, 2*memoryLatency)
		if err != nil || r.Why == simulator.Quiet {
			return d.Take(), err
		}
	}
}

// writes sends RDMA Writes whose segments fill the bus, and counts the beats of payload that reach memory per cycle.
func writes() ([]Figure, error) {
	d, err := openRNIC(rnicConfig(64, 2, 8), memoryLatency)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	const n, octets = 200, 64*17 - 14
	for i := range n {
		d.Send(uint32(i%2), wire.AppendWrite(nil, rnicSTag, uint64(i%64)*2048, true, make([]byte, octets)))
	}
	before, err := d.Beats("m_axi_w")
	if err != nil {
		return nil, err
	}
	if _, err := settle(d); err != nil {
		return nil, err
	}
	after, err1 := d.Beats("m_axi_w")
	in, err2 := d.RxCycles()
	if err1 != nil || err2 != nil || len(in) != 17*n {
		return nil, fmt.Errorf("%d beats were taken of %d: %v, %v", len(in), 17*n, err1, err2)
	}
	return []Figure{AtLeast(fmt.Sprintf("Writes of %d octets, 64-byte bus: beats of payload in memory", octets), "per cycle",
		float64(after-before)/float64(in[len(in)-1]-in[0]+1), 0.99)}, nil
}

// receives sends messages of one segment and one beat, and counts those completed per cycle.
func receives() ([]Figure, error) {
	var out []Figure
	for _, t := range []struct {
		name    string
		streams int
		segment func(msn uint32) []byte
	}{
		{"Sends of 16 octets in, 64 streams", 64, send16},
		{"Sends of 16 octets in, one stream", 1, send16},
		{"Immediate Data in, 64 streams", 64, func(msn uint32) []byte { return wire.AppendImmediate(nil, false, msn, uint64(msn)) }},
	} {
		c := rnicConfig(64, max(2, t.streams), 8)
		c.ReceiveDepth = 1024 / t.streams
		d, err := openRNIC(c, memoryLatency)
		if err != nil {
			return nil, err
		}
		const n = 1024
		for i := range n {
			d.PostReceive(rdmap.ReceiveRequest{Stream: uint32(i % t.streams), ID: uint64(i), Buffer: rdmap.Buffer{STag: rnicSTag, TO: uint64(i) * 16}, Length: 16})
		}
		if _, err := settle(d); err != nil {
			return nil, err
		}
		for i := range n {
			d.Send(uint32(i%t.streams), t.segment(uint32(i/t.streams+1)))
		}
		output, err := settle(d)
		if err != nil {
			return nil, err
		}
		in, err := d.RxCycles()
		if err := errors.Join(err, d.Close()); err != nil {
			return nil, err
		}
		if len(output.Completions) != n || len(output.Events) > 0 || len(in) != n {
			return nil, fmt.Errorf("%s: %d completions of %d messages in %d beats, %d events", t.name, len(output.Completions), n, len(in), len(output.Events))
		}
		out = append(out, AtLeast(t.name+", memory latency 100, 64-byte bus", "per cycle", float64(n-1)/float64(in[n-1]-in[0]), 1))
	}
	return out, nil
}

func send16(msn uint32) []byte {
	return wire.AppendSend(nil, spec.Send.Opcode(), 0, msn, 0, true, make([]byte, 16))
}

// readResponses requests long RDMA Reads and counts the cycles in which m_axis_tx is busy, from its first beat to its last.
func readResponses() ([]Figure, error) {
	var out []Figure
	for _, at := range []uint64{0, 13} {
		d, err := openRNIC(rnicConfig(64, 2, 8), memoryLatency)
		if err != nil {
			return nil, err
		}
		for i := range 8 {
			d.Send(uint32(i%2), wire.AppendReadRequest(nil, uint32(i/2+1), wire.ReadRequest{DataSinkSTag: 1, ReadMessageSize: 32 << 10, DataSourceSTag: rnicSTag, DataSourceTO: at}))
		}
		if _, err := settle(d); err != nil {
			return nil, err
		}
		stamps := d.TxCycles()
		if err := d.Close(); err != nil {
			return nil, err
		}
		if want := 8 * 32 * 17; len(stamps) != want {
			return nil, fmt.Errorf("%d beats of Read Responses; expected %d", len(stamps), want)
		}
		out = append(out, AtLeast(fmt.Sprintf("Read Responses of 1 KiB from address %d, 64-byte bus: m_axis_tx busy", at), "of the cycles",
			float64(len(stamps))/float64(stamps[len(stamps)-1]-stamps[0]+1), 0.99))
	}
	return out, nil
}

// fetchAdds sends FetchAdds back to back and counts the responses per cycle.
func fetchAdds() ([]Figure, error) {
	var out []Figure
	for _, t := range []struct {
		name         string
		streams, ird int
		to           func(i int) uint64
	}{
		{"FetchAdd on one address, one stream", 1, 512, func(int) uint64 { return 64 }},
		{"FetchAdd on one address, 64 streams", 64, 16, func(int) uint64 { return 64 }},
		{"FetchAdd on one address per stream, 64 streams", 64, 16, func(i int) uint64 { return uint64(i%64) * 8 }},
		{"FetchAdd on addresses 4 KiB apart, 64 streams", 64, 16, func(i int) uint64 { return uint64(i%64) * 4096 }},
	} {
		d, err := openRNIC(rnicConfig(128, max(2, t.streams), t.ird), memoryLatency)
		if err != nil {
			return nil, err
		}
		const n = 2000
		for i := range n {
			d.Send(uint32(i%t.streams), wire.AppendAtomicRequest(nil, uint32(i/t.streams+1), wire.NewFetchAdd(uint32(i), rnicSTag, t.to(i), 1, 0)))
		}
		output, err := settle(d)
		if err != nil {
			return nil, err
		}
		stamps := d.TxCycles()
		if err := d.Close(); err != nil {
			return nil, err
		}
		if len(stamps) != n || len(output.Events) > 0 {
			return nil, fmt.Errorf("%s: %d responses to %d requests, %d events", t.name, len(stamps), n, len(output.Events))
		}
		out = append(out, AtLeast(t.name+", memory latency 100, 128-byte bus", "per cycle", steady(stamps), 1))
	}
	return out, nil
}

// atomicLatency sends single requests, each after a Read, into idle hardware, and measures the longest time from the request's last beat to the
// response's first beat, minus the memory latency.
func atomicLatency() ([]Figure, error) {
	d, err := openRNIC(rnicConfig(64, 8, 8), memoryLatency)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var worst uint64
	for i := range 40 {
		stream, msn := uint32(i%4), uint32(i/4+1)
		d.Send(4+stream, wire.AppendReadRequest(nil, msn, wire.ReadRequest{DataSinkSTag: 1, ReadMessageSize: 8, DataSourceSTag: rnicSTag}))
		if _, err := settle(d); err != nil {
			return nil, err
		}
		d.TxCycles()
		if _, err := d.RxCycles(); err != nil {
			return nil, err
		}
		d.Send(stream, wire.AppendAtomicRequest(nil, msn, wire.NewFetchAdd(uint32(i), rnicSTag, uint64(i)*8, 1, 0)))
		if _, err := settle(d); err != nil {
			return nil, err
		}
		out := d.TxCycles()
		in, err := d.RxCycles()
		if err != nil || len(in) != 2 || len(out) != 1 {
			return nil, fmt.Errorf("request %d: %d beats in, %d out: %v", i, len(in), len(out), err)
		}
		worst = max(worst, out[0]-in[len(in)-1])
	}
	return []Figure{AtMost("Atomic Request in to response out, 64-byte bus, beyond the latency of memory", "cycles", float64(worst-memoryLatency), 25)}, nil
}
