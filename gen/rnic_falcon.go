package gen

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
)

// FalconPorts are the ports of the engine of RDMA over Falcon. Falcon is at the first six.
type FalconPorts struct {
	Rx         hdl.Sink[falcon.Beat]           `hdl:"s_axis_rx" doc:"packets that Falcon delivers, each once; an empty one is a last beat with tkeep 0"`
	Tx         hdl.Source[falcon.TxBeat]       `hdl:"m_axis_tx" doc:"packets for Falcon"`
	Answer     hdl.Source[any]                 `hdl:"answer" doc:"ACKs and NACKs of requests that Falcon has delivered, once their payload is in memory"`
	Completed  hdl.Sink[falcon.Completed]      `hdl:"completed" doc:"requests of this node that are complete, but for pulls with a response"`
	Credits    hdl.Sink[falcon.Returned]       `hdl:"credit" doc:"credits that come back to a connection"`
	Xoff       hdl.In                          `hdl:"xoff" doc:"1: no requests are sent; responses are (I-76)"`
	Work       hdl.Sink[engine.WorkRequest]    `hdl:"wqe" doc:"work requests, a beat for each element; one beyond send_depth incomplete ones of its QP may stall all later ones"`
	Receive    hdl.Sink[falcon.ReceiveRequest] `hdl:"rqe" doc:"receive requests"`
	Completion hdl.Source[engine.Completion]   `hdl:"cqe" doc:"completions of work and receive requests"`
	Event      hdl.Source[engine.Event]        `hdl:"event" doc:"events reported to the host besides completions"`
	Read       block.AXIReader                 `hdl:"m_axi"`
	Write      block.AXIWriter                 `hdl:"m_axi"`
	Registers  block.AXILite                   `hdl:"s_axil"`
}

const falconDoc = `rnic is an engine of RDMA over Falcon on external memory, initiator and target: Sends, Writes, Reads and Atomics of RC and XRC,
Sends of UD, in three ordering modes and two error modes, with receive queues of each QP and shared ones.

Packets of many connections come on s_axis_rx, in any order that their connection allows, and leave on m_axis_tx; answer and
completed carry what Falcon and the engine tell each other of them. The host posts work on wqe and buffers on rqe, and takes
completions and events. Memory is behind m_axi. QPs and keys are set up through s_axil. QP n is stream n.`

// Falcon is the engine of a configuration with the profile.
func Falcon(config Config) hdl.Block[FalconPorts] {
	c := config.Engine()
	p := c.Profile.(falcon.Profile)
	return hdl.Block[FalconPorts]{Kind: Top, Params: append(c.Numbers(), hdl.Param{Name: "window", Value: p.Window}, hdl.Param{Name: "buffer_octets", Value: p.BufferOctets}),
		Options: []string{config.Profile, config.BitOrder}, Doc: falconDoc,
		Ports: FalconPorts{
			Rx: hdl.NewSink(falcon.BeatOf(c.BusBytes, p.Connections)), Tx: hdl.NewSource(falcon.TxBeatOf(c)), Answer: hdl.NewSource(p.AnswerTag()),
			Completed: hdl.NewSink(falcon.CompletedOf(c)), Credits: hdl.NewSink(falcon.ReturnedOf(c)), Xoff: hdl.NewIn(1),
			Work: hdl.NewSink(engine.WorkRequestOf(c)), Receive: hdl.NewSink(falcon.ReceiveRequestOf(c)),
			Completion: hdl.NewSource(engine.CompletionOf(c)), Event: hdl.NewSource(engine.EventOf(c)),
			Read: block.AXIReaderOf(c.BusBytes), Write: block.AXIWriterOf(c.BusBytes), Registers: block.AXILiteOf(engine.RegisterAddressBits),
		},
		Build: func(m *hdl.Module, p FalconPorts) { buildFalcon(m, p, c) }}
}
