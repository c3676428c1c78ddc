package gen

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine/flush"
	"github.com/rnicgen/rnicgen/hdl"
)

const onMemoryDoc = `rnic_on_memory is rnic with flush_adapter between it and memory: an engine with RDMA Flush for AXI4 memory that
keeps what reaches it. Its ports are those of rnic without those of flushes; identifiers have 3 bits at memory.`

// RNICOnMemory is the engine of a configuration with the extension commit, with flush_adapter as its platform.
func RNICOnMemory(c Config) hdl.Block[RNICPorts] {
	rnic, adapter := RNIC(c), flush.FlushAdapter(c.BusBytes)
	ports := rnic.Ports
	ports.Read, ports.Write = adapter.Ports.Memory.Read, adapter.Ports.Memory.Write
	ports.Flush, ports.FlushDone = nil, nil
	return hdl.Block[RNICPorts]{Kind: Top + "_on_memory", Params: rnic.Params, Options: rnic.Options, Doc: onMemoryDoc, Ports: ports,
		Build: func(m *hdl.Module, p RNICPorts) {
			ar, r := hdl.NewStream(m, "rnic_axi", adapter.Ports.Read.AR.Data), hdl.NewStream(m, "rnic_axi", rnic.Ports.Read.R.Data)
			aw, w, b := hdl.NewStream(m, "rnic_axi", adapter.Ports.Write.AW.Data), hdl.NewStream(m, "rnic_axi", adapter.Ports.Write.W.Data), hdl.NewStream(m, "rnic_axi", rnic.Ports.Write.B.Data)
			flushes, done := hdl.NewStream(m, "flush", flush.FlushBeatOf()), hdl.NewStream(m, "flush_done", flush.FlushedBeatOf())
			hdl.Instance(m, "adapter", adapter, flush.AdapterPorts{Read: block.AXIReaderPort{AR: ar.Sink(), R: r.Source()}, Write: block.AXIWriterPort{AW: aw.Sink(), W: w.Sink(), B: b.Source()},
				Flush: flushes.Sink(), Done: done.Source(), Memory: flush.MemoryPort{Read: p.Read, Write: p.Write}})
			inner, flushSource, doneSink := p, flushes.Source(), done.Sink()
			inner.Read, inner.Write = block.AXIReader{AR: ar.Source(), R: r.Sink()}, block.AXIWriter{AW: aw.Source(), W: w.Source(), B: b.Sink()}
			inner.Flush, inner.FlushDone = &flushSource, &doneSink
			hdl.Instance(m, "rnic", rnic, inner)
		}}
}
