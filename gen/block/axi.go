package block

import "github.com/rnicgen/rnicgen/hdl"

// AXI4 identifiers. Transfers with the same identifier stay in order; those with different identifiers need not.
const (
	AXIPayload = 0 // payload placed or fetched
	AXIAtomic  = 1 // words of atomics
)

const AXIIDBits = 1

// AWBeat, ARBeat, WBeat, BBeat and RBeat are the channels of AXI4, with its signal names. A burst is incrementing, does not cross a
// 4 KiB boundary, and consists of aligned beats of full bus width; unwanted octets are masked by wstrb, or ignored on reads.
type (
	AWBeat struct {
		ID    hdl.Value `hdl:"awid" doc:"0 payload, 1 words of atomics; with far memory 2 payload and 3 words in it"`
		Addr  hdl.Value `hdl:"awaddr" doc:"address of the first beat in octets, a multiple of the bus width"`
		Len   hdl.Value `hdl:"awlen" doc:"beats - 1"`
		Size  hdl.Value `hdl:"awsize" doc:"log2 of the octets per beat: always the bus width"`
		Burst hdl.Value `hdl:"awburst" doc:"always 1: incrementing"`
	}
	ARBeat struct {
		ID    hdl.Value `hdl:"arid" doc:"0 payload, 1 words of atomics; with far memory 2 payload and 3 words in it"`
		Addr  hdl.Value `hdl:"araddr" doc:"address of the first beat in octets, a multiple of the bus width"`
		Len   hdl.Value `hdl:"arlen" doc:"beats - 1"`
		Size  hdl.Value `hdl:"arsize" doc:"log2 of the octets per beat: always the bus width"`
		Burst hdl.Value `hdl:"arburst" doc:"always 1: incrementing"`
	}
	WBeat struct {
		Data hdl.Value `hdl:"wdata" doc:"octets; the one at the lowest address in [7:0]"`
		Strb hdl.Value `hdl:"wstrb" doc:"octets to write; may be none"`
		Last hdl.Value `hdl:"wlast" doc:"last beat of the burst"`
	}
	BBeat struct {
		ID   hdl.Value `hdl:"bid" doc:"that of the burst"`
		Resp hdl.Value `hdl:"bresp" doc:"0 OKAY, 2 SLVERR, 3 DECERR"`
	}
	RBeat struct {
		ID   hdl.Value `hdl:"rid" doc:"that of the burst"`
		Data hdl.Value `hdl:"rdata" doc:"octets; the one at the lowest address in [7:0]"`
		Resp hdl.Value `hdl:"rresp" doc:"0 OKAY, 2 SLVERR, 3 DECERR"`
		Last hdl.Value `hdl:"rlast" doc:"last beat of the burst"`
	}
)

func (AWBeat) StreamNames() (valid, ready string) { return "awvalid", "awready" }
func (ARBeat) StreamNames() (valid, ready string) { return "arvalid", "arready" }
func (WBeat) StreamNames() (valid, ready string)  { return "wvalid", "wready" }
func (BBeat) StreamNames() (valid, ready string)  { return "bvalid", "bready" }
func (RBeat) StreamNames() (valid, ready string)  { return "rvalid", "rready" }

// AXIWriter is the write half of an AXI4 master, AXIReader the read half.
type (
	AXIWriter struct {
		AW hdl.Source[AWBeat] `hdl:"-"`
		W  hdl.Source[WBeat]  `hdl:"-"`
		B  hdl.Sink[BBeat]    `hdl:"-"`
	}
	AXIReader struct {
		AR hdl.Source[ARBeat] `hdl:"-"`
		R  hdl.Sink[RBeat]    `hdl:"-"`
	}
)

func AXIWriterOf(busBytes int) AXIWriter {
	return AXIWriter{AW: hdl.NewSource(AWBeatOf()), W: hdl.NewSource(WBeatOf(busBytes)), B: hdl.NewSink(BBeatOf())}
}

func AXIReaderOf(busBytes int) AXIReader {
	return AXIReader{AR: hdl.NewSource(ARBeatOf()), R: hdl.NewSink(RBeatOf(busBytes))}
}

func AWBeatOf() AWBeat {
	return AWBeat{ID: hdl.Bits(AXIIDBits), Addr: hdl.Bits(64), Len: hdl.Bits(8), Size: hdl.Bits(3), Burst: hdl.Bits(2)}
}

func ARBeatOf() ARBeat { return ARBeat(AWBeatOf()) }

func WBeatOf(busBytes int) WBeat {
	return WBeat{Data: hdl.Bits(8 * busBytes), Strb: hdl.Bits(busBytes), Last: hdl.Bits(1)}
}

func BBeatOf() BBeat { return BBeat{ID: hdl.Bits(AXIIDBits), Resp: hdl.Bits(2)} }

func RBeatOf(busBytes int) RBeat {
	return RBeat{ID: hdl.Bits(AXIIDBits), Data: hdl.Bits(8 * busBytes), Resp: hdl.Bits(2), Last: hdl.Bits(1)}
}
