package cosim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// What is packed is unpacked the same, at every width and with every number of streams: the fields move with both.
func TestPacking(t *testing.T) {
	r := newRandom(1)
	for _, width := range gen.BusWidths {
		for streams := 2; streams <= 16384; streams *= 2 {
			c := gen.DefaultAtomics()
			c.BusBytes, c.Streams, c.WindowWords = width, streams, 1<<(1+r.IntN(18))
			d, err := RNICAtomics(c)
			require.NoError(t, err)
			p, err := findPorts(d)
			require.NoError(t, err)
			for range 20 {
				record := rdmap.Record{Stream: uint32(r.IntN(streams)), Error: wire.ErrorKind(r.IntN(16)),
					Term:          wire.TerminateCode{Layer: wire.Layer(r.IntN(16)), EType: uint8(r.IntN(16)), Code: uint8(r.IntN(256))},
					SegmentLength: r.IntN(65536), PayloadLength: r.IntN(65536)}
				for i := range record.Header {
					record.Header[i] = byte(r.Uint32())
				}
				assert.Equal(t, record, p.recordPack.record(p.recordPack.append(nil, &record)))

				retired := rdmap.Retired{Host: r.IntN(2) == 0, Stream: uint32(r.IntN(streams)), Opcode: uint8(r.IntN(16)),
					Index: r.IntN(c.WindowWords), Original: r.Uint64(), Result: r.Uint64()}
				packed := p.retirePack.append(nil, retired)
				assert.Equal(t, retired, p.retirePack.unpack(packed))
				assert.Equal(t, retired.Host, p.retirePack.isHost(packed))

				segment := make([]byte, r.IntN(4*width))
				for i := range segment {
					segment[i] = byte(r.Uint32())
				}
				c := collector{beats: p.rxBeats}
				beats := p.rxBeats.append(nil, record.Stream, segment)
				for ; len(beats) > 0; beats = beats[p.rxBeats.words:] {
					require.NoError(t, c.add(beats[:p.rxBeats.words]))
				}
				got := c.take()
				require.Len(t, got, 1)
				assert.Equal(t, record.Stream, got[0].Stream)
				assert.Equal(t, string(segment), string(got[0].Octets))
			}
		}
	}
}
