package rdmap

import (
	"encoding/binary"
	"testing"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/require"
)

// FuzzCommit feeds arbitrary octets, split into segments by 16-bit lengths, to an engine with the extension and with a
// request of each kind outstanding. Every error is among the faults of its segment; there is at most one Terminate, and
// nothing after it; what storage and other observers have, the node has had.
func FuzzCommit(f *testing.F) {
	pack := func(segments ...string) (all []byte) {
		for _, s := range segments {
			b := octets(f, s)
			all = append(binary.BigEndian.AppendUint16(all, uint16(len(b))), b...)
		}
		return all
	}
	f.Add(pack(writeTo+"000008A8 0000000000000010 "+digits, flush(0, 1, 0x8A8, 9, 0x10, 1), verify(0, 2, 0x8A8, 9, 0x10, "E3069283"), atomicWrite(0, 3, 0x8A8, 8, 8, eight)))
	f.Add(pack(flush(0xDAD, 1, 0x8A8, 0, 0, 3), verify(0xDAD, 2, 0x9A9, 0, 0, "")))
	f.Add(pack(response("4D", 1, ""), response("4F", 2, "01020304"), response("51", 3, ""), response("51", 4, "")))
	f.Add(pack(verify(0, 1, 0xAAA, 8, 0, eight), "41 52 00000000 00000001 00000002 00000000"))
	f.Fuzz(func(t *testing.T, input []byte) {
		e := committer(t)
		receives(t, e)
		started(WorkRequest{Opcode: wire.OpFlushRequest, Commit: CommitOperands{Flags: wire.Persistence}},
			WorkRequest{Opcode: wire.OpVerifyRequest, Local: Buffer{0x1A1, 0x1040}, Commit: CommitOperands{Algorithm: memory.CRC32C}},
			WorkRequest{Opcode: wire.OpAtomicWriteRequest})(t, e)
		terminates := 0
		executeAll := func() {
			for segments, x := e.Execute(1); x != nil; segments, x = e.Execute(1) {
				require.Zero(t, terminates, "a segment after the Terminate")
				for _, s := range segments {
					parts, rule := wire.ClassifyWith(spec.Commit, s)
					require.Equal(t, spec.None, rule)
					if parts.Header.Opcode.Is(spec.Terminate) {
						terminates++
					}
				}
			}
		}
		for len(input) >= 2 {
			n := min(int(binary.BigEndian.Uint16(input)), len(input)-2)
			segment := input[2 : 2+n]
			input = input[2+n:]
			open, faults := e.IsOpen(1), e.Faults(1, segment)
			v := e.Receive(1, segment)
			if open && v.Error != spec.None {
				require.Contains(t, faults, v.Error)
				require.False(t, e.IsOpen(1))
			}
			if n%2 == 0 {
				executeAll()
			}
		}
		executeAll()
		e.Platform().Flush(memory.Stored, 0, ^uint64(0))
		require.Empty(t, e.Platform().Dirty(memory.Stored))
		for _, outside := range []uint64{0x1FFF8, 0x20100, 0x5FFF8, 0x60100, 0x61100, 0x62010, 0} {
			require.Zero(t, e.Memory().Word(outside))
			require.Zero(t, e.Platform().At(memory.Visible).Word(outside))
		}
	})
}
