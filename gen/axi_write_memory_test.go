package gen_test

import (
	"math/bits"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type (
	writeAddress struct {
		ID          uint8
		Addr        uint64
		Len         int
		Size, Burst uint8
	}
	writeData struct {
		Data, Strb []byte
		Last       bool
	}
	writeResponse struct{ ID, Resp uint8 }
)

// writtenBurst is a burst that memory has accepted completely.
type writtenBurst struct {
	writeAddress
	data []writeData
}

// writeMemory is the memory at the write channels of an AXI4 port, and checks that the master obeys the rules. It responds
// when serve is called.
type writeMemory struct {
	b         *bench
	port      string
	busBytes  int
	octets    map[uint64]byte // octets written
	bursts    []writtenBurst
	respond   func(n int) (resp uint8) // to burst n
	addresses []writeAddress
	data      []writeData
}

func newWriteMemory(b *bench, port string, busBytes int) *writeMemory {
	return &writeMemory{b: b, port: port, busBytes: busBytes, octets: map[uint64]byte{}, respond: func(int) uint8 { return 0 }}
}

// serve accepts the arrived beats and responds to complete bursts.
func (w *writeMemory) serve() {
	first := len(w.bursts)
	for i, burst := range w.take() {
		push(w.b, w.port+"_b", writeResponse{burst.ID, w.respond(first + i)})
	}
}

// take accepts the arrived beats and returns the bursts that they complete.
func (w *writeMemory) take() (complete []writtenBurst) {
	w.addresses = append(w.addresses, take[writeAddress](w.b, w.port+"_aw")...)
	w.data = append(w.data, take[writeData](w.b, w.port+"_w")...)
	for len(w.addresses) > 0 && len(w.data) > w.addresses[0].Len {
		n := w.addresses[0].Len + 1
		burst := writtenBurst{w.addresses[0], w.data[:n]}
		w.addresses, w.data = w.addresses[1:], w.data[n:]
		w.bursts = append(w.bursts, burst)
		w.write(burst)
		complete = append(complete, burst)
	}
	return complete
}

func (w *writeMemory) write(burst writtenBurst) {
	t, octets := w.b.t, uint64(len(burst.data)*w.busBytes)
	require.Equal(t, uint8(bits.TrailingZeros(uint(w.busBytes))), burst.Size)
	require.Equal(t, uint8(1), burst.Burst)
	require.Zero(t, burst.Addr%uint64(w.busBytes), "address %#x is not aligned", burst.Addr)
	require.LessOrEqual(t, burst.Addr%4096+octets, uint64(4096), "a burst of %d octets at %#x crosses 4 KiB", octets, burst.Addr)
	require.LessOrEqual(t, len(burst.data), 256)
	for i, beat := range burst.data {
		require.Equal(t, i == burst.Len, beat.Last, "beat %d of %d", i, len(burst.data))
		for j, octet := range beat.Data {
			if beat.Strb[j/8]>>(j%8)&1 == 1 {
				w.octets[burst.Addr+uint64(i*w.busBytes+j)] = octet
			} else if octet != 0 {
				require.Zero(t, octet, "a masked octet")
			}
		}
	}
}

// dataFollowAddresses returns a check for every cycle: no beat of a burst is offered before its address.
func (w *writeMemory) dataFollowAddresses() func(pin func(string) uint64) {
	var taken, begun uint64 // addresses accepted, bursts whose data are complete
	return func(pin func(string) uint64) {
		if pin(w.port+"_wvalid") == 1 && begun >= taken+pin(w.port+"_awvalid") {
			assert.Fail(w.b.t, "data are offered before their address")
		}
		taken += pin(w.port+"_awvalid") & pin(w.port+"_awready")
		begun += pin(w.port+"_wvalid") & pin(w.port+"_wready") & pin(w.port+"_wlast")
	}
}
