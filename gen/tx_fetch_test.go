package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/engine/transmit"
)

type txFetchBeat struct {
	Address      uint64
	Length, Lead int
}

// A burst leaves only if the buffer has room for all beats of its segment, as aligned in the segment; every freed beat
// counts, even in the cycle in which a burst leaves.
func TestTxFetchRoom(t *testing.T) {
	b := openRig(t, transmit.TxFetcher(txConfig(64, 256), 16), 1)
	freed := func(n int) {
		for range n {
			b.inputs["freed"].Set(1)
			b.step()
		}
		b.inputs["freed"].Set(0)
		for range 10 {
			b.step()
		}
	}
	freed(0)
	bursts := func() int { return len(b.stream("m_axi_ar").at) }
	for range 5 {
		send(b, "fetch", txFetchBeat{Address: 0x1000, Length: 256, Lead: 14}) // 4 beats of memory, 5 of the segment
	}
	freed(0)
	assert.Equal(t, 3, bursts(), "15 of 16")
	freed(3)
	assert.Equal(t, 3, bursts(), "12 of 16")
	freed(1)
	assert.Equal(t, 4, bursts(), "11 + 5 of 16")
	freed(9)
	assert.Equal(t, 5, bursts(), "12 of 16")
	for range 100 {
		send(b, "fetch", txFetchBeat{Address: 0x1000, Length: 64, Lead: 0})
	}
	freed(0)
	assert.Equal(t, 9, bursts(), "16 of 16")
	freed(40)
	assert.Equal(t, 49, bursts(), "one burst per freed beat")
}

// The second burst of a segment does not reserve room again.
func TestTxFetchReservesRoomPerSegment(t *testing.T) {
	b := openRig(t, transmit.TxFetcher(txConfig(64, 256), 16), 1)
	b.inputs["freed"].Set(0)
	for range 4 {
		send(b, "fetch", txFetchBeat{Address: 0x1F80, Length: 256, Lead: 0})
	}
	b.rest(20)
	assert.Len(t, b.stream("m_axi_ar").at, 8)
	gapless(t, b.stream("m_axi_ar").at)
	assert.Len(t, received[txComingBeat](b, "coming"), 4)
}

// No burst leaves before its segment is announced, which needs room for the announcement.
func TestTxFetchAnnounces(t *testing.T) {
	b := openRig(t, transmit.TxFetcher(txConfig(64, 256), 16), 1)
	b.inputs["freed"].Set(0)
	b.stream("coming").chance = 256
	send(b, "fetch", txFetchBeat{Address: 0x1F8C, Length: 200, Lead: 14})
	for range 10 {
		b.step()
	}
	assert.Empty(t, b.stream("m_axi_ar").at)
	b.stream("coming").chance = 0
	b.rest(20)
	assert.Equal(t, []txComingBeat{{Behind: 3, Turn: 2, Lead: 14, Ends: 22}}, received[txComingBeat](b, "coming"))
	assert.Len(t, b.stream("m_axi_ar").at, 2)
}
