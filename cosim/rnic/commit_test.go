package rnic_test

import (
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// commitConfig is a small engine with Flush, Verify and Atomic Write.
func commitConfig() gen.Config {
	c := gen.Default()
	c.Extensions = []string{"commit"}
	c.BusBytes, c.Streams, c.STags, c.IRD, c.ORD, c.AtomicDepth = 8, 2, 16, 4, 4, 4
	return c
}

// Random traffic of all operations, without errors and with many.
func TestCommitTraffic(t *testing.T) {
	for _, p := range []rnic.Plan{
		{Messages: 300, Seed: 1, Peer: "rtl"},
		{Messages: 300, Seed: 2, Peer: "model", Stall: simulator.Stall{Mode: simulator.StallRandom, Chance: 128}},
		{Messages: 200, Seed: 3, Peer: "model", ErrorRate: 0.2},
		{Messages: 1000, Seed: 4, Peer: "rtl", ErrorRate: 0.03},
		{Messages: 400, Seed: 5, Peer: "model"},
		{Messages: 600, Seed: 6, Peer: "rtl", ErrorRate: 0.08},
	} {
		p.Config, p.Engine, p.Ordering = commitConfig(), "go", p.ErrorRate == 0
		p.Config.STags = 64
		switch p.Seed {
		case 5: // segments of one beat follow each other without a pause
			p.Config.BusBytes, p.Config.Streams, p.Config.STags = 64, 4, 128
		case 6:
			p.Config.BusBytes, p.Config.Streams, p.Config.STags = 128, 16, 512
		case 3, 4:
			p.Config.AtomicWriteOrder = "host"
		}
		_, err := rnic.Run(p)
		require.NoError(t, err)
	}
}

// The same with flush_adapter in front of memory, which flushes by reading.
func TestCommitTrafficOnMemory(t *testing.T) {
	for _, p := range []rnic.Plan{
		{Messages: 300, Seed: 4, Peer: "rtl", Latency: simulator.Latency{Least: 1, Most: 60}},
		{Messages: 300, Seed: 6, Peer: "model", ErrorRate: 0.1},
	} {
		p.Config, p.Engine = commitConfig(), "go"
		p.Config.STags = 64
		var err error
		p.Design, err = rnic.DesignOnMemory(p.Config)
		require.NoError(t, err)
		_, err = rnic.Run(p)
		require.NoError(t, err)
	}
}

// The adapter reports what memory cannot read; one that does not is found out.
func TestCommitOnMemoryThatFails(t *testing.T) {
	for _, broken := range []bool{false, true} {
		d, err := gen.CompileOnMemory(commitConfig())
		require.NoError(t, err)
		if broken {
			hdltest.Force(t, d, "flush_adapter_8", "fails", 0)
		}
		n := commitNodeOf(t, rnic.DesignOf(commitConfig(), d))
		first := rowAddress(rowVictim)
		require.NoError(t, n.SetFaulty(simulator.Range{First: first, Last: first + rowOctets - 1, Reads: true}))
		request := flushOf(1, 0, rowVictim)
		if !broken {
			assert.Equal(t, [][]byte{terminated(0x02, 0x07, request)}, answers(t, n, request))
			continue
		}
		n.Send(0, request)
		_, err = n.Run(20000, 500)
		assert.True(t, rnic.IsMismatch(err), "%v", err)
	}
}

// Rows of the STag table in commitNode, and their address in memory. The tagged offset of each begins at 0.
const (
	rowLog     = 1 // written and verified: CRC32C
	rowTail    = 2 // words
	rowVictim  = 3 // may be invalidated
	rowRefuses = 4 // memory refuses writes

	rowOctets = 4096
)

func rowAddress(row int) uint64 { return 1<<20 + uint64(row)*rowOctets }

// commitNode is an engine with stream 0 open; the log holds 0, 1, 2, ... as octets.
func commitNode(t *testing.T) *rnic.Node {
	d, err := rnic.Design(commitConfig())
	require.NoError(t, err)
	return commitNodeOf(t, d)
}

func commitNodeOf(t *testing.T, d *simulator.Design) *rnic.Node {
	return commitNodeWith(t, commitConfig(), d)
}

func commitNodeWith(t *testing.T, c gen.Config, d *simulator.Design) *rnic.Node {
	device, err := rnic.OpenDesign(c, d, rnic.Options{Engine: "go", Seed: 1})
	require.NoError(t, err)
	n, err := rnic.NewNode("first", c, device)
	require.NoError(t, err)
	t.Cleanup(func() { _ = n.Close() })
	attributes := memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C}
	for row, rights := range map[int]memory.Rights{
		rowLog:     memory.RemoteWrite | memory.RemoteRead | memory.FlushPersistent | memory.FlushVisible | memory.Verifiable,
		rowTail:    memory.RemoteWrite | memory.RemoteAtomic,
		rowVictim:  memory.RemoteRead | memory.RemoteWrite | memory.Invalidate | memory.FlushPersistent | memory.Verifiable,
		rowRefuses: memory.RemoteWrite,
	} {
		require.NoError(t, n.SetRegion(row, memory.Region{Valid: true, Rights: rights, Length: rowOctets, Address: rowAddress(row), Attributes: attributes}))
	}
	require.NoError(t, n.SetFaulty(simulator.Range{First: rowAddress(rowRefuses), Last: rowAddress(rowRefuses) + rowOctets - 1, Writes: true}))
	octets := make([]byte, rowOctets)
	for i := range octets {
		octets[i] = byte(i)
	}
	require.NoError(t, n.Write(rowAddress(rowLog), octets))
	require.NoError(t, n.Open(0, 0))
	return n
}

func sinkIn(row int, to uint64, octets uint32) wire.Sink {
	return wire.Sink{STag: uint32(row) << 8, Length: octets, TO: to}
}

func flushOf(msn, invalidate uint32, row int) []byte {
	return wire.AppendFlushRequest(nil, msn, invalidate, wire.FlushRequest{Sink: sinkIn(row, 5, 100), Flags: wire.Persistence})
}

func atomicWriteOf(msn, invalidate uint32, row int) []byte {
	return wire.AppendAtomicWriteRequest(nil, msn, invalidate, wire.AtomicWriteRequest{Sink: sinkIn(row, 16, 8), Data: 0x0123456789ABCDEF})
}

// hashOf100 is the CRC32C of the 100 octets of the log from octet 7 on.
func hashOf100() []byte {
	octets := make([]byte, 100)
	for i := range octets {
		octets[i] = byte(7 + i)
	}
	return binary.BigEndian.AppendUint32(nil, crc32.Checksum(octets, crc32.MakeTable(crc32.Castagnoli)))
}

func verifyOf(msn uint32, hash []byte) []byte {
	return wire.AppendVerifyRequest(nil, msn, 0, wire.VerifyRequest{Sink: sinkIn(rowLog, 7, 100), Hash: hash})
}

// answers sends segments on stream 0, runs until the engine is quiet, and returns what it has sent.
func answers(t *testing.T, n *rnic.Node, segments ...[]byte) (octets [][]byte) {
	for _, s := range segments {
		n.Send(0, s)
	}
	for quiet := 0; quiet < 3; quiet++ {
		out, err := n.Run(20000, 500)
		require.NoError(t, err)
		for _, s := range out.Segments {
			octets = append(octets, s.Octets)
		}
		if out.Busy || len(out.Segments) > 0 {
			quiet = 0
		}
	}
	return octets
}

// tail is the word that atomicWriteOf writes, as its octets lie in memory.
func tail(t *testing.T, n *rnic.Node, row int) []byte {
	octets := make([]byte, 8)
	require.NoError(t, n.Device.Memory().Read(rowAddress(row)+16, octets))
	return octets
}

func empty(op wire.Opcode, msn uint32) []byte {
	return []byte{0x41, 0x40 | byte(op), 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, byte(msn), 0, 0, 0, 0}
}

// terminated is the Terminate that returns the length and DDP header of a request (I-55), by hand.
func terminated(layerAndType, code byte, request []byte) []byte {
	return append([]byte{0x41, 0x47, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, layerAndType, code, 0xC0, 0, 0, byte(len(request))}, request[:18]...)
}

// A log record is written, flushed, verified, and its tail is set: four messages, three responses.
func TestCommitLog(t *testing.T) {
	n := commitNode(t)
	got := answers(t, n, wire.AppendWrite(nil, rowLog<<8, 8, true, []byte{8, 9, 10, 11}), flushOf(1, 0, rowLog), verifyOf(2, nil), verifyOf(3, hashOf100()), atomicWriteOf(4, 0, rowTail))
	digest := append(empty(wire.OpVerifyResponse, 2), hashOf100()...)
	digestAgain := append(empty(wire.OpVerifyResponse, 3), hashOf100()...)
	assert.Equal(t, [][]byte{empty(wire.OpFlushResponse, 1), digest, digestAgain, empty(wire.OpAtomicWriteResponse, 4)}, got)
	assert.Equal(t, []byte{0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF}, tail(t, n, rowTail))
	require.NoError(t, n.Settle())
}

// What fails when it is executed ends the stream, and nothing after it takes effect.
func TestCommitFailures(t *testing.T) {
	wrong := hashOf100()
	wrong[3] ^= 1
	for _, row := range []struct {
		says         string
		request      []byte
		layerAndType byte
		code         byte
	}{
		{"a Verify of other octets", verifyOf(1, wrong), 0x02, 0xFF},
		{"a Flush that the platform cannot do", flushOf(1, 0, rowVictim), 0x02, 0x07},
		{"an Atomic Write that memory refuses", atomicWriteOf(1, 0, rowRefuses), 0x02, 0x07},
	} {
		t.Run(row.says, func(t *testing.T) {
			n := commitNode(t)
			n.Device.FailFlushes(simulator.Range{First: rowAddress(rowVictim), Last: rowAddress(rowVictim) + rowOctets - 1})
			got := answers(t, n, row.request, flushOf(2, 0, rowLog), verifyOf(3, nil), atomicWriteOf(4, 0, rowTail))
			assert.Equal(t, [][]byte{terminated(row.layerAndType, row.code, row.request)}, got)
			assert.Equal(t, make([]byte, 8), tail(t, n, rowTail))
			require.NoError(t, n.Settle())
		})
	}
}

// The Invalidate STag is invalidated after success, before the response. A later request that names it is refused, whether it is on its
// way or not.
func TestCommitInvalidates(t *testing.T) {
	const victim = rowVictim << 8
	read := wire.AppendReadRequest(nil, 2, wire.ReadRequest{DataSinkSTag: 1, ReadMessageSize: 4, DataSourceSTag: victim})
	for _, row := range []struct {
		says         string
		request      []byte
		layerAndType byte
		code         byte
		header       bool // also of a request that waits: it is not a Read
	}{
		{"an RDMA Read of its region", read, 0x01, 0x00, false},
		{"a Flush of its region", flushOf(2, 0, rowVictim), 0x01, 0x00, true},
		{"an Atomic Write in its region", atomicWriteOf(2, 0, rowVictim), 0x01, 0x00, true},
		{"an Atomic Write that invalidates it again", atomicWriteOf(2, victim, rowTail), 0x01, 0x09, true},
		{"a Flush that invalidates it again", flushOf(2, victim, rowLog), 0x01, 0x09, true},
	} {
		t.Run(row.says, func(t *testing.T) {
			n := commitNode(t)
			assert.Equal(t, [][]byte{empty(wire.OpFlushResponse, 1)}, answers(t, n, flushOf(1, victim, rowLog)))
			got := answers(t, n, row.request)
			want := terminated(row.layerAndType, row.code, row.request)
			if !row.header { // of a Read Request, all of it
				want = append(want, row.request[18:]...)
				want[20] = 0xE0
			}
			assert.Equal(t, [][]byte{want}, got)
			require.NoError(t, n.Settle())
		})
	}
	t.Run("while the other waits", func(t *testing.T) {
		n := commitNode(t)
		waits := atomicWriteOf(2, victim, rowTail)
		got := answers(t, n, flushOf(1, victim, rowLog), waits, atomicWriteOf(3, 0, rowTail))
		assert.Equal(t, [][]byte{empty(wire.OpFlushResponse, 1), terminated(0x01, 0x09, waits)}, got)
		assert.Equal(t, make([]byte, 8), tail(t, n, rowTail))
		require.NoError(t, n.Settle())
	})
}
