package rdmap

import (
	"encoding/binary"
	"testing"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/require"
)

// FuzzEngine feeds arbitrary octets, split into segments by 16-bit lengths. Every segment has a verdict; a stream sends
// at most one Terminate, as its last segment; only memory under STags is written.
func FuzzEngine(f *testing.F) {
	pack := func(segments ...string) (all []byte) {
		for _, s := range segments {
			b := octets(f, s)
			all = append(binary.BigEndian.AppendUint16(all, uint16(len(b))), b...)
		}
		return all
	}
	f.Add(pack(writeTo+"000001A1 0000000000001000 0102", read(9, 0x1A1, 0x1000), fetch(0, 0x1A1, 0x1008)))
	f.Add(pack(sendFirst+"0102", "41 44 000002A2 00000000 00000002 00000000"))
	f.Add(pack(fetch(2, 0x1A1, 0x1008), "41 47 00000000 00000002 00000001 00000000 0102 0304"))
	f.Add(pack("C1 42 000001A1 0000000000001040 01020304", "41 4B 00000000 00000003 00000001 00000000 00000002 0102030405060708"))
	f.Add(pack("41 48 00000000 00000000 00000001 00000000 0102030405060708", ""))
	f.Fuzz(func(t *testing.T, input []byte) {
		e := node(t)
		receives(t, e)
		started(WorkRequest{Opcode: wire.OpReadRequest, Local: Buffer{0x1A1, 0x1040}, Length: 4},
			WorkRequest{Opcode: wire.OpAtomicRequest, Local: Buffer{0x1A1, 0x1050}})(t, e)
		terminates := 0
		executeAll := func() {
			for {
				segments, x := e.Execute(1)
				if x == nil {
					return
				}
				require.Zero(t, terminates, "a segment after the Terminate")
				for _, s := range segments {
					parts, kind := wire.Classify(s)
					require.Equal(t, spec.None, kind)
					if parts.Header.Opcode == wire.OpTerminate {
						terminates++
					}
				}
			}
		}
		for len(input) >= 2 {
			n := min(int(binary.BigEndian.Uint16(input)), len(input)-2)
			segment := input[2 : 2+n]
			input = input[2+n:]
			open := e.IsOpen(1)
			v := e.Receive(1, segment)
			require.Equal(t, !open, v.Error == spec.StreamNotOpen)
			if v.Error != spec.None {
				require.False(t, e.IsOpen(1))
				require.Zero(t, v.Octets)
			}
			if n%2 == 0 {
				executeAll()
			}
		}
		executeAll()
		c := e.Counters()
		require.Equal(t, c.TerminatesSent, uint64(terminates))
		require.LessOrEqual(t, c.TerminatesSent+c.TerminatesReceived, uint64(1))
		require.Equal(t, e.IsOpen(1), c.TerminatesSent+c.TerminatesReceived == 0)
		for _, outside := range []uint64{0x1FFF8, 0x20100, 0x2FFF8, 0x30100, 0x3FFF8, 0x40010, 0x50100, 0} {
			require.Zero(t, e.Memory().Word(outside))
		}
	})
}
