package cosim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/engines"
	"github.com/rnicgen/rnicgen/hdl"
)

// The channels of AXI4-Lite.
type (
	liteAW struct {
		Addr hdl.Value `hdl:"awaddr"`
		Prot hdl.Value `hdl:"awprot"`
	}
	liteW struct {
		Data hdl.Value `hdl:"wdata"`
		Strb hdl.Value `hdl:"wstrb"`
	}
	liteB struct {
		Resp hdl.Value `hdl:"bresp"`
	}
	liteAR struct {
		Addr hdl.Value `hdl:"araddr"`
		Prot hdl.Value `hdl:"arprot"`
	}
	liteR struct {
		Data hdl.Value `hdl:"rdata"`
		Resp hdl.Value `hdl:"rresp"`
	}
)

func (liteAW) StreamNames() (valid, ready string) { return "awvalid", "awready" }
func (liteW) StreamNames() (valid, ready string)  { return "wvalid", "wready" }
func (liteB) StreamNames() (valid, ready string)  { return "bvalid", "bready" }
func (liteAR) StreamNames() (valid, ready string) { return "arvalid", "arready" }
func (liteR) StreamNames() (valid, ready string)  { return "rvalid", "rready" }

type lite struct {
	AW hdl.Sink[liteAW]  `hdl:"-"`
	W  hdl.Sink[liteW]   `hdl:"-"`
	B  hdl.Source[liteB] `hdl:"-"`
	AR hdl.Sink[liteAR]  `hdl:"-"`
	R  hdl.Source[liteR] `hdl:"-"`
}

type registerFile struct {
	Lite lite `hdl:"s_axil"`
}

// registers has four words and 8 address bits; address 0xE0 never responds, all others respond SLVERR.
func registers(width int) hdl.Block[registerFile] {
	return hdl.Block[registerFile]{
		Kind: "registers", Doc: "registers holds four words.",
		Ports: registerFile{lite{hdl.NewSink(liteAW{hdl.Bits(8), hdl.Bits(3)}), hdl.NewSink(liteW{hdl.Bits(width), hdl.Bits(width / 8)}),
			hdl.NewSource(liteB{hdl.Bits(2)}), hdl.NewSink(liteAR{hdl.Bits(8), hdl.Bits(3)}), hdl.NewSource(liteR{hdl.Bits(width), hdl.Bits(2)})}},
		Build: func(m *hdl.Module, p registerFile) {
			lite := p.Lite
			written := m.Reg("written_q", 1, hdl.ResetTo(0))
			writeFailed := m.Reg("write_failed_q", 1, hdl.NoReset)
			read := m.Reg("read_q", 1, hdl.ResetTo(0))
			readFailed := m.Reg("read_failed_q", 1, hdl.NoReset)
			inside := func(addr hdl.Value) hdl.Value { return addr.Slice(7, 5).IsZero() }
			m.Unused("of no use here", hdl.Cat(lite.AW.Data.Prot, lite.AR.Data.Prot, lite.AW.Data.Addr.Slice(2, 0), lite.AR.Data.Addr.Slice(2, 0)))
			write := m.Let("write", hdl.AllOf(lite.AW.Valid, lite.W.Valid, written.Not()))
			ask := m.Let("ask", hdl.AllOf(lite.AR.Valid, read.Not(), lite.AR.Data.Addr.Ne(hdl.Hex(8, 0xE0))))
			lite.AW.Accept(m, write)
			lite.W.Accept(m, write)
			lite.AR.Accept(m, ask)
			words := m.Memory("words", width, 4)
			words.Write(hdl.AllOf(write, inside(lite.AW.Data.Addr), lite.W.Data.Strb.All()), lite.AW.Data.Addr.Slice(4, 3), lite.W.Data.Data)
			word := words.Read("word_q", ask, lite.AR.Data.Addr.Slice(4, 3), hdl.ReadOld)
			m.OnClock(
				hdl.If(write, written.Set(hdl.Ones(1)), writeFailed.Set(inside(lite.AW.Data.Addr).Not())).ElseIf(lite.B.Ready, written.Set(hdl.Zero(1))),
				hdl.If(ask, read.Set(hdl.Ones(1)), readFailed.Set(inside(lite.AR.Data.Addr).Not())).ElseIf(lite.R.Ready, read.Set(hdl.Zero(1))))
			lite.B.Drive(m, written.Value, liteB{hdl.Cat(writeFailed.Value, hdl.Zero(1))})
			lite.R.Drive(m, read.Value, liteR{word, hdl.Cat(readFailed.Value, hdl.Zero(1))})
		},
	}
}

func openRegisters(t *testing.T, width int, o simulator.Options) (*Registers, simulator.Engine) {
	t.Helper()
	d, err := hdl.Compile(registers(width))
	require.NoError(t, err)
	e := Design(d)
	eng, err := engines.Open("go", e, o)
	require.NoError(t, err)
	for i := range e.Streams {
		require.NoError(t, eng.SetStall(i, simulator.Stall{Mode: simulator.StallRandom, Chance: 100}))
	}
	r, err := NewRegisters(e, eng, "s_axil")
	require.NoError(t, err)
	return r, eng
}

func TestRegisters(t *testing.T) {
	for _, width := range []int{32, 64} {
		r, eng := openRegisters(t, width, simulator.Options{Seed: 1, Buffer: 2, Stamps: width == 64})
		top := uint64(0xAB) << (width - 8)
		for i := range uint64(4) {
			require.NoError(t, r.Write(8*i, top|i))
		}
		for i := range uint64(4) {
			got, err := r.Read(8 * i)
			require.NoError(t, err)
			assert.Equal(t, top|i, got)
		}
		assert.Less(t, eng.Cycle(), uint64(200), "without unnecessary delay")
	}
}

// Several writes are issued without delay; a refused one does not stop the others.
func TestRegistersWriteAll(t *testing.T) {
	r, _ := openRegisters(t, 32, simulator.Options{Seed: 1, Stamps: true})
	err := r.WriteAll(Write{0, 10}, Write{0x40, 11}, Write{8, 12}, Write{0x48, 13}, Write{16, 14})
	assert.EqualError(t, err, "write 0xb to register 0x40: register access was refused: response 2")
	for i := range uint64(3) {
		got, err := r.Read(8 * i)
		require.NoError(t, err)
		assert.Equal(t, 10+2*i, got)
	}
}

// Started writes continue while the hardware runs; the responses report which were refused.
func TestRegistersStart(t *testing.T) {
	r, eng := openRegisters(t, 32, simulator.Options{Seed: 1, Stamps: true})
	require.NoError(t, r.Start(Write{0, 10}, Write{0x40, 11}))
	require.NoError(t, r.Start(Write{8, 12}))
	n, refused, err := r.Answered()
	require.NoError(t, err)
	assert.Zero(t, n+refused)
	_, err = eng.Run(200, 0)
	require.NoError(t, err)
	_, err = r.Read(0)
	require.NoError(t, err)
	assert.ErrorContains(t, r.Write(0, 5), "s_axil_b has 3 unsolicited responses")
	n, refused, err = r.Answered()
	require.NoError(t, err)
	assert.Equal(t, []int{3, 1}, []int{n, refused})
	got, err := r.Read(8)
	require.NoError(t, err)
	assert.Equal(t, uint64(12), got)
	assert.EqualError(t, r.Start(Write{0, 1 << 32}), "write 0x100000000 to register 0x0: 0x100000000 does not fit in the 32 bits of data")
}

func TestRegistersRefuse(t *testing.T) {
	r, eng := openRegisters(t, 32, simulator.Options{})
	err := r.Write(0x40, 5)
	assert.ErrorIs(t, err, ErrRegister)
	assert.EqualError(t, err, "write 0x5 to register 0x40: register access was refused: response 2")
	_, err = r.Read(0x28)
	assert.ErrorIs(t, err, ErrRegister)
	assert.EqualError(t, err, "read register 0x28: register access was refused: response 2")
	assert.EqualError(t, r.Write(0, 1<<32), "write 0x100000000 to register 0x0: 0x100000000 does not fit in the 32 bits of data")
	_, err = r.Read(0x100)
	assert.EqualError(t, err, "read register 0x100: 0x100 does not fit in the 8 bits of addr")
	_, err = r.Read(0xE0)
	assert.EqualError(t, err, "read register 0xe0: s_axil_r has no response after 10000 cycles")

	_, err = NewRegisters(r.design, eng, "s_axi")
	assert.EqualError(t, err, `registers has no stream "s_axi_aw"`)

	r, eng = openRegisters(t, 32, simulator.Options{})
	_, err = eng.Push(r.ar.stream, []uint64{0})
	require.NoError(t, err)
	_, err = eng.Run(20, 0)
	require.NoError(t, err)
	_, err = r.Read(0)
	assert.EqualError(t, err, "read register 0x0: s_axil_r has 1 unsolicited responses")
	require.NoError(t, eng.Close())
	assert.ErrorIs(t, r.Write(0, 0), simulator.ErrClosed)
}
