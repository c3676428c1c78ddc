package bench

import (
	"fmt"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/model/wire"
)

// parserThroughput sends back-to-back segments of random kinds and lengths, valid and invalid, to closed streams, and counts the
// beats that the parser accepts of those offered.
func parserThroughput() ([]Figure, error) {
	var out []Figure
	for _, width := range block.BusWidths {
		d, err := openRNIC(rnicConfig(width, 2, 8), memoryLatency)
		if err != nil {
			return nil, err
		}
		for s := range uint32(2) {
			if err := d.Shut(s); err != nil {
				return nil, err
			}
		}
		for i, segment := range mixedSegments(5000) {
			d.Send(uint32(i%2), segment)
		}
		if _, err := settle(d); err != nil {
			return nil, err
		}
		stats, err := d.Stats("s_axis_rx")
		if err != nil {
			return nil, err
		}
		out = append(out, AtLeast(fmt.Sprintf("parser, %d-byte bus: beats accepted / offered", width), "%",
			100*float64(stats.Beats)/float64(stats.Offered), 100))
		if err := d.Close(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// mixedSegments draws segments with all opcodes, lengths and header faults, reproducibly.
func mixedSegments(n int) (list [][]byte) {
	r := rand.New(rand.NewPCG(1, 0))
	for range n {
		op := wire.Opcode(r.IntN(16))
		segment := make([]byte, r.IntN(300))
		for i := range segment {
			segment[i] = byte(r.Uint32())
		}
		m, known := op.Operation()
		if known && r.IntN(8) > 0 { // a valid segment
			h := wire.DDPHeader{Tagged: m.Tagged, Last: true, DV: wire.DDPVersion, RV: wire.RDMAPVersion, Opcode: op, QueueNumber: m.Queue, MSN: 1}
			payload := segment
			if m.FixedLength > 0 {
				payload = make([]byte, m.FixedLength)
			}
			segment = wire.AppendSegment(nil, h, payload)
		}
		list = append(list, segment)
	}
	return list
}
