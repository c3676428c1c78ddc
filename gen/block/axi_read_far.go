package block

import "github.com/rnicgen/rnicgen/hdl"

// AXIReadFarPorts are the readers of memory that is not far, the reader of far memory, and memory, whose identifiers have one more bit.
type AXIReadFarPorts struct {
	Near   AXIReaderPort
	Far    AXIReaderPort
	Memory AXIReader `hdl:"m_axi"`
}

const axiReadFarDoc = `axi_read_far adds the reader of far memory to an AXI4 read channel. When both wait they take turns, one burst per cycle;
neither waits for an idle one. The top bit of an identifier is 1 for far memory, so that its data need not be in the order of
others, and routes the data back, as long as the other readers have room for a beat: the reader of far memory always has. Only the turn is
registered; the paths are combinational.`

// AXIReadFar is fair: a waiting side is passed over at most once.
func AXIReadFar(busBytes int) hdl.Block[AXIReadFarPorts] {
	return hdl.Block[AXIReadFarPorts]{
		Kind: "axi_read_far", Params: []hdl.Param{{Name: "bus_bytes", Value: busBytes}}, Doc: axiReadFarDoc,
		Ports: AXIReadFarPorts{Near: AXIReaderPortOf(busBytes), Far: AXIReaderPortOf(busBytes), Memory: WideAXIReaderOf(busBytes)},
		Build: func(m *hdl.Module, p AXIReadFarPorts) {
			m.Section("Addresses")
			far, valid := readTurns(m, "far_side", p.Near.AR, p.Far.AR, p.Memory.AR.Ready)
			burst := hdl.Unpack(p.Near.AR.Data, m.Let("chosen_burst", hdl.Mux(far, hdl.Pack(p.Far.AR.Data), hdl.Pack(p.Near.AR.Data))))
			burst.ID = hdl.Cat(far, burst.ID)
			p.Memory.AR.Drive(m, valid, burst)
			readData(m, "far_side", p.Near.R, p.Far.R, p.Memory.R, func(r RBeat) (hdl.Value, RBeat) {
				far := r.ID.Bit(AXIIDBits)
				r.ID = r.ID.Truncate(AXIIDBits)
				return far, r
			})
		},
	}
}
