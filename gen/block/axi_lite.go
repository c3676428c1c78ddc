package block

import "github.com/rnicgen/rnicgen/hdl"

// LiteAWBeat, LiteWBeat, LiteBBeat, LiteARBeat and LiteRBeat are the channels of AXI4-Lite with its signal names.
type (
	LiteAWBeat struct {
		Addr hdl.Value `hdl:"awaddr" doc:"octet address of the register; its two low bits are ignored"`
		Prot hdl.Value `hdl:"awprot" doc:"ignored"`
	}
	LiteWBeat struct {
		Data hdl.Value `hdl:"wdata" doc:"value to write"`
		Strb hdl.Value `hdl:"wstrb" doc:"octets to write"`
	}
	LiteBBeat struct {
		Resp hdl.Value `hdl:"bresp" doc:"0 OKAY, 2 SLVERR: nothing was written"`
	}
	LiteARBeat struct {
		Addr hdl.Value `hdl:"araddr" doc:"octet address of the register; its two low bits are ignored"`
		Prot hdl.Value `hdl:"arprot" doc:"ignored"`
	}
	LiteRBeat struct {
		Data hdl.Value `hdl:"rdata" doc:"value of the register"`
		Resp hdl.Value `hdl:"rresp" doc:"0 OKAY, 2 SLVERR: nothing to read, the data is 0"`
	}
)

func (LiteAWBeat) StreamNames() (valid, ready string) { return "awvalid", "awready" }
func (LiteWBeat) StreamNames() (valid, ready string)  { return "wvalid", "wready" }
func (LiteBBeat) StreamNames() (valid, ready string)  { return "bvalid", "bready" }
func (LiteARBeat) StreamNames() (valid, ready string) { return "arvalid", "arready" }
func (LiteRBeat) StreamNames() (valid, ready string)  { return "rvalid", "rready" }

// AXILite is a 32-bit AXI4-Lite slave.
type AXILite struct {
	AW hdl.Sink[LiteAWBeat]  `hdl:"-"`
	W  hdl.Sink[LiteWBeat]   `hdl:"-"`
	B  hdl.Source[LiteBBeat] `hdl:"-"`
	AR hdl.Sink[LiteARBeat]  `hdl:"-"`
	R  hdl.Source[LiteRBeat] `hdl:"-"`
}

// AXI4-Lite responses.
const (
	liteOkay   = 0
	liteSlvErr = 2
)

func AXILiteOf(addressBits int) AXILite {
	return AXILite{
		AW: hdl.NewSink(LiteAWBeat{Addr: hdl.Bits(addressBits), Prot: hdl.Bits(3)}),
		W:  hdl.NewSink(LiteWBeat{Data: hdl.Bits(32), Strb: hdl.Bits(4)}),
		B:  hdl.NewSource(LiteBBeat{Resp: hdl.Bits(2)}),
		AR: hdl.NewSink(LiteARBeat{Addr: hdl.Bits(addressBits), Prot: hdl.Bits(3)}),
		R:  hdl.NewSource(LiteRBeat{Data: hdl.Bits(32), Resp: hdl.Bits(2)}),
	}
}

func LiteResponse(refused hdl.Value) hdl.Value {
	return hdl.Mux(refused, hdl.Const(2, liteSlvErr), hdl.Const(2, liteOkay))
}
