package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/wire"
)

// With an output blocked, rx_check accepts segments as long as their results have room. What has filled the buffers leaves them in order, heads and
// bodies of deliveries together.
func TestRxCheckRoomOfCommit(t *testing.T) {
	for stalled, most := range map[string]int{"place": 32, "deliver": 128} {
		c := commitEngine(4, 16)
		c.IRD = 256
		b := openRig(t, rxCheckWithTables(c), 13)
		from := rxRow(1).beat(1).Entry
		row := rowWrite{Index: 1}
		row.Entry.Valid, row.Entry.Key, row.Entry.Owner, row.Entry.ByDomain = 1, uint64(from.Key), uint64(from.Owner), from.ByDomain
		row.Entry.Base, row.Entry.Length, row.Entry.Address, row.Entry.Rights.RemoteWrite = from.Base, from.Length, from.Address, true
		send(b, "row", row)
		send(b, "ring_opening", openingBeat{1, true, rxDomain})
		send(b, "opening", openingBeat{1, true, rxDomain})
		b.rest(40)
		var places []placementBeat
		onBeat(b, "place", func(p placementBeat) { places = append(places, p) })
		b.look = func() { b.inputs["placed"].Set(uint64(len(places) % 512)) }
		b.stream(stalled).chance = 256
		const segments = 200
		var want [][]byte
		for i := range segments {
			segment := wire.AppendReadRequest(nil, uint32(i+1), wire.ReadRequest{DataSinkSTag: uint32(i), DataSinkTO: b.rand.Uint64()})
			want = append(want, segment[18:])
			if stalled == "place" {
				segment = wire.AppendWrite(nil, rxSTag(1), rxRow(1).Base+uint64(i%8), true, []byte{1})
			}
			send(b, "record", recordBeatOf(1, segment))
		}
		for range 600 {
			b.step()
		}
		assert.InDelta(t, most, len(b.stream("record").at), 2, stalled)
		b.stream(stalled).chance = 0
		b.rest(300)
		if stalled == "place" {
			require.Len(t, places, segments)
			for i, p := range places {
				require.Equal(t, placementBeat{Stream: 1, Address: rxRow(1).Address + uint64(i%8), Length: 1}, p.meaning())
			}
			continue
		}
		deliveries := received[rxDelivery](b, "deliver")
		require.Len(t, deliveries, segments)
		for i, d := range deliveries {
			require.Equal(t, want[i], d.Request.Body[:28], "delivery %d", i)
			require.Equal(t, uint32(i+1), d.Request.Msn)
		}
	}
}
