package capture_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture/roce"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// TestMirroredHeadersInCaptures: in the bit order mirrored, the headers of RDMA over Falcon that the specification gives
// InfiniBand's format decode what the kernel's RoCE driver sent; in the order drawn they do not (I-24).
func TestMirroredHeadersInCaptures(t *testing.T) {
	seen, mistaken := map[spec.Header]int{}, 0
	for _, c := range rxeCaptures {
		for _, octets := range roceOctets(t, filepath.Join("testdata", "rxe", c.file+".pcap")) {
			p, err := roce.Decode(octets)
			require.NoError(t, err)
			field := func(h spec.Header, at int, name string) uint64 {
				v, whole := h.Table(spec.Mirrored).MustField(name).Get(octets[at:])
				require.True(t, whole)
				return v
			}
			base := func(name string) uint64 { return field(spec.RBTH, 0, name) }
			assert.EqualValues(t, p.Opcode, base("opcode"))
			assert.EqualValues(t, p.DestQP, base("destination_qp"))
			assert.EqualValues(t, p.PSN, base("sn")&0xFFFFFF, "the lower 24 bits")
			assert.Equal(t, p.SE, base("se") == 1)
			seen[spec.RBTH]++
			if drawn, _ := spec.RBTH.Table(spec.Drawn).MustField("opcode").Get(octets); drawn != uint64(p.Opcode) {
				mistaken++
			}

			at := spec.RBTH.Octets()
			check := func(h spec.Header, values map[string]uint64) {
				for name, v := range values {
					assert.Equal(t, v, field(h, at, name), "%v.%s", h, name)
				}
				at += h.Octets()
				seen[h]++
			}
			switch {
			case p.FETH != nil || p.AETH != nil: // which RDMA over Falcon does not have
				continue
			case p.DETH != nil:
				check(spec.DETH, map[string]uint64{"queue_key": uint64(p.DETH.QKey), "source_qp": uint64(p.DETH.SourceQP)})
			case p.RETH != nil:
				check(spec.RETH, map[string]uint64{"va": p.RETH.VA, "r_key": uint64(p.RETH.RKey), "length": uint64(p.RETH.Length)})
			case p.Atomic != nil:
				check(spec.AtomicETH, map[string]uint64{"va": p.Atomic.VA, "r_key": uint64(p.Atomic.RKey), "swap_add_data": p.Atomic.SwapOrAdd, "compare_data": p.Atomic.Compare})
			}
			if p.Immediate != nil {
				check(spec.ImmDt, map[string]uint64{"immediate_data": uint64(*p.Immediate)})
			}
			if p.InvRKey != nil {
				check(spec.IETH, map[string]uint64{"r_key": uint64(*p.InvRKey)})
			}
			if row, known := spec.Opcode(p.Opcode).Operation(); known && row.Carries() {
				assert.Len(t, p.Payload, len(octets)-4-at-int(base("pad")), "%v: pad", row.Title) // 4: the invariant CRC
			}
		}
	}
	for _, h := range []spec.Header{spec.RBTH, spec.DETH, spec.RETH, spec.AtomicETH, spec.ImmDt, spec.IETH} {
		assert.NotZero(t, seen[h], "%v", h)
	}
	assert.Greater(t, mistaken, seen[spec.RBTH]/2)
}

// roceOctets returns the UDP payloads of a capture of RoCE.
func roceOctets(t *testing.T, file string) (list [][]byte) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	r, err := pcapgo.NewReader(f)
	require.NoError(t, err)
	for p := range gopacket.NewPacketSource(r, r.LinkType()).Packets() {
		if udp, is := p.Layer(layers.LayerTypeUDP).(*layers.UDP); is && udp.DstPort == roce.Port {
			list = append(list, udp.Payload)
		}
	}
	return list
}
