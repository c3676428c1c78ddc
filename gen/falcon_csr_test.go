package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// falconSetup is a falcon.Setup.
type falconSetup struct {
	Stream int
	Before uint32
	QP     struct {
		Type       spec.QPType
		Ordering   spec.Ordering
		Errors     spec.ErrorMode
		CID        uint32
		Remote     uint32
		QKey       uint32
		RNRTimeout uint32
		Shares     bool
		Queue      uint32
		XRCDomain  uint32
	}
	IsQueue bool
	RSN     uint32
	Credits creditCountBeat
	Data    dataCount
	ORD     int
}

// falconCSR is csr with the registers of the profile, by name.
type falconCSR struct {
	*rig
	registers engine.RegisterMap
}

func openFalconCSR(t *testing.T) falconCSR {
	c := falconConfig(spec.Drawn, 64)
	b := falconCSR{openRig(t, host.CSR(c), 1), c.Profile.Registers()}
	for _, in := range b.inputs {
		in.Set(0)
	}
	return b
}

func (b falconCSR) write(name string, value uint32) {
	send(b.rig, "s_axil_aw", struct {
		AwAddr uint32
		AwProt int
	}{uint32(b.registers.Register(name).Offset), 0})
	send(b.rig, "s_axil_w", struct {
		WData uint32
		WStrb uint32
	}{value, 15})
	b.pass(8)
}

func (b falconCSR) pass(cycles int) {
	for range cycles {
		b.step()
	}
}

func (b falconCSR) read(name string) uint32 {
	send(b.rig, "s_axil_ar", struct {
		ArAddr uint32
		ArProt int
	}{uint32(b.registers.Register(name).Offset), 0})
	b.pass(8)
	got := received[struct {
		RData uint32
		RResp int
	}](b.rig, "s_axil_r")
	require.Len(b.t, got, 1)
	require.Zero(b.t, got[0].RResp, name)
	return got[0].RData
}

// No two registers share an address or a bit, and every one that can be read is there.
func TestFalconRegisters(t *testing.T) {
	b := openFalconCSR(t)
	at := map[int]string{}
	for _, r := range b.registers.Registers {
		require.Empty(t, at[r.Offset], r.Name)
		at[r.Offset] = r.Name
		require.Zero(t, r.Offset%4)
		bits := 0
		for _, f := range r.Fields {
			require.LessOrEqual(t, bits, f.Low, "%s.%s", r.Name, f.Name)
			bits = f.Low + f.Width
		}
		require.LessOrEqual(t, bits, r.Width, r.Name)
		if r.Access != engine.WriteOnly {
			b.read(r.Name)
		}
	}
	for name, want := range map[string]uint32{"id": 0x524E4943, "streams": 8, "ird": 4, "max_payload": 256, "connections": falconConnections, "window": 64, "features": 2} {
		assert.Equal(t, want, b.read(name), name)
	}
}

// stream_command 4 gives a QP its set-up; 1 and 2 open and close it, 3 gives it its weight, 5 moves it to Error, 6 is refused. While the command waits, its registers stay.
func TestFalconSetUp(t *testing.T) {
	b := openFalconCSR(t)
	for name, value := range map[string]uint32{"stream_number": 6, "stream_domain": 0xBEEF, "stream_mode": 2 | 1<<2 | 1<<4 | 21<<5 | 1<<10 | 1<<11, "stream_queue": 0xABCDE3, "stream_xrc_domain": 0xF00D, "stream_cid": 0xABCDE5, "stream_remote": 0x123456,
		"stream_q_key": 0x89ABCDEF, "stream_weight": 7, "stream_rsn": 0x13579BDF, "stream_before": 0x2468ACE0, "stream_packets": 3<<16 | 4, "stream_buffers": 5<<16 | 6, "stream_data": 7<<16 | 8, "stream_ord": 0x1A5} {
		b.write(name, value)
	}
	b.stream("setup").chance = 256
	b.write("stream_command", 4)
	b.write("stream_cid", 3)
	assert.EqualValues(t, 2, b.read("status"))
	b.stream("setup").chance = 0
	b.pass(20)
	var want falconSetup
	want.Stream, want.QP.Type, want.QP.Ordering, want.QP.Errors, want.QP.CID, want.QP.Remote, want.QP.QKey, want.QP.RNRTimeout =
		6, spec.QPXRCInitiator, spec.Weak, spec.CompleteInError, 5, 0x123456, 0x89ABCDEF, 21
	want.QP.Shares, want.QP.Queue, want.QP.XRCDomain, want.IsQueue = true, 3, 0xF00D, true
	want.Before, want.RSN, want.Credits = 0x2468ACE0, 0x13579BDF, creditCountBeat{TxPackets: 4, TxBuffers: 6, RxPackets: 3, RxBuffers: 5}
	want.Data, want.ORD = dataCount{Packets: 8, Buffers: 7}, 0x1A5
	assert.Equal(t, []falconSetup{want}, received[falconSetup](b.rig, "setup"))
	assert.EqualValues(t, 0, b.read("status"))
	assert.EqualValues(t, 3, b.read("stream_cid"))
	received[struct{ BResp int }](b.rig, "s_axil_b")
	for command, resp := range []int{0, 0, 0, 0, 0, 0, 2} {
		b.write("stream_command", uint32(command))
		b.pass(20)
		assert.Equal(t, []struct{ BResp int }{{resp}}, received[struct{ BResp int }](b.rig, "s_axil_b"), "command %d", command)
	}
	assert.Equal(t, []openingBeat{{6, true, 0xBEEF}, {6, false, 0xBEEF}}, received[openingBeat](b.rig, "opening"))
	assert.Equal(t, []weightBeat{{6, 7}}, received[weightBeat](b.rig, "weight"))
	assert.Len(t, received[falconSetup](b.rig, "setup"), 1)
	assert.Equal(t, []failureBeat{{Stream: 6}}, received[failureBeat](b.rig, "fail"))
}
