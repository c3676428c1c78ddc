package gen_test

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readBurst and readBeat are the read channels of AXI4.
type readBurst struct {
	ArID    int
	ArAddr  uint64
	ArLen   int
	ArSize  int
	ArBurst int
}

type readBeat struct {
	RID   int
	RData []byte
	RResp int
	RLast bool
}

// readMemory is the memory that a block reads: octets have address-dependent values, and some beats have errors.
type readMemory struct {
	busBytes int
	latency  [2]int            // minimum and maximum cycles from the address to the first beat
	bad      map[uint64]int    // responses other than OKAY, by address / bus octets
	bursts   []readBurst       // requested
	reads    map[uint64]uint64 // number of reads per beat
}

// octet returns the octet at an address.
func (readMemory) octet(address uint64) byte {
	x := address * 0x9E3779B97F4A7C15
	return byte(x>>56 ^ x>>29)
}

func (m readMemory) octets(address uint64, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = m.octet(address + uint64(i))
	}
	return out
}

// failed reports whether any beat with some of the octets has an error.
func (m readMemory) failed(address uint64, n int) bool {
	for a := address / uint64(m.busBytes); a <= (address+uint64(n)-1)/uint64(m.busBytes); a++ {
		if m.bad[a]&2 != 0 {
			return true
		}
	}
	return false
}

// attachMemory connects a memory to m_axi_ar and m_axi_r.
func attachMemory(r *rig, m *readMemory) { attachMemoryAt(r, "m_axi", m) }

// attachMemoryAt connects a memory to the read channels of a port.
func attachMemoryAt(r *rig, port string, m *readMemory) {
	m.reads = map[uint64]uint64{}
	due := 0
	size := 0
	for 1<<size < m.busBytes {
		size++
	}
	onBeat(r, port+"_ar", func(b readBurst) {
		m.bursts = append(m.bursts, b)
		n := uint64((b.ArLen + 1) * m.busBytes)
		require.Equal(r.t, readBurst{ArAddr: b.ArAddr, ArLen: b.ArLen, ArSize: size, ArBurst: 1}, b)
		require.Zero(r.t, b.ArAddr%uint64(m.busBytes))
		require.Equal(r.t, b.ArAddr/4096, (b.ArAddr+n-1)/4096, "a burst crosses a boundary of 4 KiB: %+v", b)
		due = max(due, r.cycle+1+m.latency[0]+r.rand.IntN(m.latency[1]-m.latency[0]+1))
		for i := range b.ArLen + 1 {
			a := b.ArAddr + uint64(i*m.busBytes)
			m.reads[a]++
			sendAt(r, port+"_r", due, readBeat{RData: m.octets(a, m.busBytes), RResp: m.bad[a/uint64(m.busBytes)], RLast: i == b.ArLen})
			due++
		}
	})
}

// once checks that every beat of the octets was read exactly once.
func (m readMemory) once(r *rig, address uint64, n int) {
	for a := address / uint64(m.busBytes); a <= (address+uint64(n)-1)/uint64(m.busBytes); a++ {
		assert.EqualValues(r.t, 1, m.reads[a*uint64(m.busBytes)])
	}
}
