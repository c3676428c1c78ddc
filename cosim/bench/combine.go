package bench

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/wire"
)

// combine sends FetchAdds on one word back to back while memory takes one write in eight cycles, and counts the responses per cycle: the
// writes of the word have to combine.
func combine() ([]Figure, error) {
	const (
		n       = 4000
		streams = 64
		to      = 64
		held    = 13 // writes that memory holds at once, for eight cycles each
	)
	d, err := openRNIC(rnicConfig(128, streams, 16), memoryLatency)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	write := simulator.Latency{Least: 8*held - 1, Most: 8*held - 1}
	if err := errors.Join(d.Memory().SetOutstanding(held), d.Memory().SetLatency(simulator.Latency{Least: memoryLatency, Most: memoryLatency}, write)); err != nil {
		return nil, err
	}
	for i := range n {
		d.Send(uint32(i%streams), wire.AppendAtomicRequest(nil, uint32(i/streams+1), wire.NewFetchAdd(uint32(i), rnicSTag, to, 1, 0)))
	}
	before, err := d.Beats("m_axi_aw")
	if err != nil {
		return nil, err
	}
	output, err := settle(d)
	if err != nil {
		return nil, err
	}
	after, err := d.Beats("m_axi_aw")
	word := make([]byte, 8)
	if err := errors.Join(err, d.Memory().Read(to, word)); err != nil {
		return nil, err
	}
	stamps := d.TxCycles()
	if len(stamps) != n || len(output.Events) > 0 || binary.LittleEndian.Uint64(word) != n {
		return nil, fmt.Errorf("%d responses to %d requests, %d events, the word is %x", len(stamps), n, len(output.Events), word)
	}
	cycles := float64(stamps[n-1] - stamps[0])
	if writes := float64(after - before); writes > (cycles+2*memoryLatency)/8+held {
		return nil, fmt.Errorf("%v writes in %v cycles: memory takes more than one in eight cycles", writes, cycles)
	}
	return []Figure{AtLeast("FetchAdd on one address, 64 streams, memory takes a write in 8 cycles, 128-byte bus", "per cycle", steady(stamps), 1)}, nil
}
