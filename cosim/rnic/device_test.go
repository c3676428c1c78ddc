package rnic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

func TestDeviceTakesAWrite(t *testing.T) {
	c := gen.Default()
	d, err := rnic.OpenDevice(c, rnic.Options{Engine: "go", Seed: 1})
	require.NoError(t, err)
	defer d.Close()
	id, err := d.ReadRegister("id")
	require.NoError(t, err)
	assert.Equal(t, uint32(0x524E4943), id)
	require.NoError(t, d.SetRegion(3, memory.Region{Valid: true, Key: 7, Rights: memory.RemoteWrite, Owner: 5, Base: 0x1000, Length: 0x100, Address: 0x777}))
	require.NoError(t, d.Open(5, 1))
	d.Send(5, wire.AppendWrite(nil, memory.STag(3, 7), 0x1010, true, []byte("hello, memory")))
	_, err = d.Run(2000, 300)
	require.NoError(t, err)
	got := make([]byte, 13)
	require.NoError(t, d.Memory().Read(0x787, got))
	assert.Equal(t, "hello, memory", string(got))
	n, err := d.ReadRegister("segments_received")
	require.NoError(t, err)
	assert.Equal(t, uint32(1), n)
}

// The status register reports ready once the largest table, whichever that is, has been swept at one row per cycle.
func TestReady(t *testing.T) {
	for _, size := range []struct{ stags, atomics, rows uint64 }{{16, 2048, 2048}, {2048, 16, 2048}, {16, 16, 16}} {
		c := gen.Default()
		c.Streams, c.STags, c.AtomicDepth = 2, int(size.stags), int(size.atomics)
		d, err := rnic.OpenDevice(c, rnic.Options{Engine: "go", Seed: 1})
		require.NoError(t, err)
		defer d.Close()
		ready := func() uint32 {
			status, err := d.ReadRegister("status")
			require.NoError(t, err)
			return status >> 2
		}
		for d.Engine().Cycle()+16 < size.rows {
			require.Zero(t, ready(), "%d STags, %d atomics, cycle %d", size.stags, size.atomics, d.Engine().Cycle())
		}
		_, err = d.Run(64, 64)
		require.NoError(t, err)
		assert.Equal(t, uint32(1), ready(), "%d STags, %d atomics", size.stags, size.atomics)
	}
}

// A stream is opened while the failure of another is queued after a message of more segments than the output buffer holds.
func TestOpeningBehindALongMessage(t *testing.T) {
	const octets = 1 << 16
	c := gen.Default()
	c.BusBytes, c.Streams, c.STags, c.MaxPayload = 8, 2, 16, 16384
	d, err := rnic.OpenDevice(c, rnic.Options{Engine: "go", Seed: 1})
	require.NoError(t, err)
	defer d.Close()
	require.NoError(t, d.SetRegion(3, memory.Region{Valid: true, Key: 7, Rights: memory.LocalRead, ByDomain: true, Owner: 1, Length: octets, Address: 0x1000}))
	require.NoError(t, d.Open(0, 1))
	for _, length := range []uint32{octets, octets + 1} {
		d.PostWork(rdmap.WorkRequest{Opcode: wire.OpWrite, Signaled: true, Length: length, Local: rdmap.Buffer{STag: memory.STag(3, 7)}})
	}
	_, err = d.Run(300, 0)
	require.NoError(t, err)
	for d.Engine().Cycle() < 2*octets/8 {
		require.NoError(t, d.Open(1, 1))
	}
	for range 4 { // a full buffer ends a run
		_, err = d.Run(50000, rnic.Silence(c))
		require.NoError(t, err)
	}
	out := d.Take()
	assert.Len(t, out.Completions, 2)
	assert.Len(t, out.Segments, octets/c.MaxPayload+1, "the first message, and a Terminate")
}
