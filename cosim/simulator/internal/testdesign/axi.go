package testdesign

import (
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/gosim"
	"github.com/rnicgen/rnicgen/hdl"
)

// The channels of AXI4.
type (
	awBeat struct {
		ID    hdl.Value `hdl:"awid"`
		Addr  hdl.Value `hdl:"awaddr"`
		Len   hdl.Value `hdl:"awlen"`
		Size  hdl.Value `hdl:"awsize"`
		Burst hdl.Value `hdl:"awburst"`
	}
	arBeat struct {
		ID    hdl.Value `hdl:"arid"`
		Addr  hdl.Value `hdl:"araddr"`
		Len   hdl.Value `hdl:"arlen"`
		Size  hdl.Value `hdl:"arsize"`
		Burst hdl.Value `hdl:"arburst"`
	}
	wBeat struct {
		Data hdl.Value `hdl:"wdata"`
		Strb hdl.Value `hdl:"wstrb"`
		Last hdl.Value `hdl:"wlast"`
	}
	bBeat struct {
		ID   hdl.Value `hdl:"bid"`
		Resp hdl.Value `hdl:"bresp"`
	}
	rBeat struct {
		ID   hdl.Value `hdl:"rid"`
		Data hdl.Value `hdl:"rdata"`
		Resp hdl.Value `hdl:"rresp"`
		Last hdl.Value `hdl:"rlast"`
	}
)

func (awBeat) StreamNames() (valid, ready string) { return "awvalid", "awready" }
func (arBeat) StreamNames() (valid, ready string) { return "arvalid", "arready" }
func (wBeat) StreamNames() (valid, ready string)  { return "wvalid", "wready" }
func (bBeat) StreamNames() (valid, ready string)  { return "bvalid", "bready" }
func (rBeat) StreamNames() (valid, ready string)  { return "rvalid", "rready" }

type axiMaster struct {
	AW hdl.Source[awBeat] `hdl:"-"`
	W  hdl.Source[wBeat]  `hdl:"-"`
	B  hdl.Sink[bBeat]    `hdl:"-"`
	AR hdl.Source[arBeat] `hdl:"-"`
	R  hdl.Sink[rBeat]    `hdl:"-"`
}

// axiSlave is the counterpart of an axiMaster.
type axiSlave struct {
	AW hdl.Sink[awBeat]  `hdl:"-"`
	W  hdl.Sink[wBeat]   `hdl:"-"`
	B  hdl.Source[bBeat] `hdl:"-"`
	AR hdl.Sink[arBeat]  `hdl:"-"`
	R  hdl.Source[rBeat] `hdl:"-"`
}

func awProto(ids int) awBeat {
	return awBeat{ID: hdl.Bits(ids), Addr: hdl.Bits(64), Len: hdl.Bits(8), Size: hdl.Bits(3), Burst: hdl.Bits(2)}
}
func arProto(ids int) arBeat { return arBeat(awProto(ids)) }
func wProto(bytes int) wBeat {
	return wBeat{Data: hdl.Bits(8 * bytes), Strb: hdl.Bits(bytes), Last: hdl.Bits(1)}
}
func bProto(ids int) bBeat { return bBeat{ID: hdl.Bits(ids), Resp: hdl.Bits(2)} }
func rProto(ids, bytes int) rBeat {
	return rBeat{ID: hdl.Bits(ids), Data: hdl.Bits(8 * bytes), Resp: hdl.Bits(2), Last: hdl.Bits(1)}
}

func newMaster(ids, bytes int) axiMaster {
	return axiMaster{hdl.NewSource(awProto(ids)), hdl.NewSource(wProto(bytes)), hdl.NewSink(bProto(ids)),
		hdl.NewSource(arProto(ids)), hdl.NewSink(rProto(ids, bytes))}
}

// compiled makes a design of a block, with a memory on its port m_axi. AXI4 channels are named after their valid.
func compiled[P any](bytes int, block hdl.Block[P]) *simulator.Design {
	d, err := hdl.Compile(block)
	if err != nil {
		panic(err) // the block is part of this program
	}
	e := &simulator.Design{Top: d.Top(), Clock: "clk", Reset: "rst", Ports: []simulator.Port{in("clk", 1), in("rst", 1)},
		Memories: []simulator.MemoryPort{{Name: "memory", Prefix: "m_axi", Bytes: bytes}},
		Simulate: func(o simulator.Options) (simulator.Model, error) { return gosim.Simulate(d, o) }}
	for _, f := range d.Files() {
		e.Files = append(e.Files, simulator.File{Name: f.Name, Text: f.Text})
	}
	inStream := map[string]bool{}
	for _, s := range d.Streams() {
		stream := simulator.Stream{Name: s.Name, Dir: simulator.Source, Valid: s.Valid, Ready: s.Ready, Fields: s.Fields}
		if s.Sink {
			stream.Dir = simulator.Sink
		}
		if s.Valid != s.Name+"_valid" {
			stream.Name = s.Valid[:len(s.Valid)-len("valid")]
		}
		e.Streams = append(e.Streams, stream)
		for _, name := range append([]string{s.Valid, s.Ready}, s.Fields...) {
			inStream[name] = true
		}
	}
	for _, p := range d.Ports() {
		port := in(p.Name, p.Width)
		if p.Out {
			port.Dir = simulator.Out
		} else if !inStream[p.Name] {
			e.Statics = append(e.Statics, p.Name)
		}
		e.Ports = append(e.Ports, port)
	}
	return e
}
