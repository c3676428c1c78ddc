package gen

import "github.com/rnicgen/rnicgen/hdl"

// RNICAtomicsPorts is the responder of RFC 7306 atomics on an on-chip memory window.
type RNICAtomicsPorts struct {
	Rx         hdl.Sink[Beat]        `hdl:"s_axis_rx" doc:"DDP segments (ULPDUs) in, one a packet; an empty one is a last beat with tkeep 0"`
	Setup      hdl.Sink[StreamSetup] `hdl:"s_setup" doc:"opens a stream: forgets its error and sets the MSN of its next response; takes effect before the segments that are not yet checked"`
	Host       hdl.Sink[HostAccess]  `hdl:"s_host" doc:"reads and writes of the host, atomic with all requests"`
	WindowSTag hdl.In                `hdl:"window_stag" doc:"STag of the window; constant while requests are in flight"`
	WindowBase hdl.In                `hdl:"window_base" doc:"TO of the first octet of the window; base + 8 * words is at most 2^64; constant while requests are in flight"`

	Tx      hdl.Source[Beat]       `hdl:"m_axis_tx" doc:"Atomic Responses out, one segment of 30 octets a packet"`
	Record  hdl.Source[Record]     `hdl:"m_record" doc:"one record for each segment that is not an executed Atomic Request, in order of arrival"`
	Payload hdl.Source[Beat]       `hdl:"m_axis_payload" doc:"what follows the DDP header of Writes, Read Responses, Sends and Terminates, moved to octet 0; a packet leaves before or with its record"`
	Answer  hdl.Source[HostAnswer] `hdl:"m_host" doc:"one answer for each access of the host, in order"`
	Retire  *Retire                `hdl:"retire" doc:"reports every executed access, in the order in which they take effect; option retire_port"`
}

const rnicAtomicsDoc = `rnic_atomics takes DDP segments and executes their Atomic Requests (RFC 7306 section 5) on a memory window of
its own: one a clock, also on one address. Each segment has exactly one outcome, in order of arrival: an Atomic
Response on m_axis_tx, or a record on m_record with its payload on m_axis_payload.

The window's first octet has the tagged offset window_base; its STag is window_stag. Both are constant while
requests are in flight, and window_base + the window's size is at most 2^64. The host reads and writes words
of the window through s_host and m_host, atomically with all requests. s_setup opens a stream again.`

// RNICAtomics is the top of this slice. Segments of one stream that follow its first error are reported with
// the error stream_terminated and have no other effect.
func RNICAtomics(c Config) hdl.Block[RNICAtomicsPorts] {
	ports := RNICAtomicsPorts{
		Rx:    hdl.NewSink(beat(c.BusBytes, c.Streams)),
		Setup: hdl.NewSink(streamSetup(c.Streams)), Host: hdl.NewSink(hostAccess(c.WindowWords)),
		WindowSTag: hdl.NewIn(32), WindowBase: hdl.NewIn(64),
		Tx: hdl.NewSource(beat(c.BusBytes, c.Streams)), Record: hdl.NewSource(record(c.Streams)),
		Payload: hdl.NewSource(beat(c.BusBytes, c.Streams)), Answer: hdl.NewSource(hostAnswer()),
	}
	if c.RetirePort {
		ports.Retire = retire(c.Streams, c.WindowWords)
	}
	return hdl.Block[RNICAtomicsPorts]{
		Name: "rnic_atomics", Doc: rnicAtomicsDoc, Ports: ports,
		Build: func(m *hdl.Module, p RNICAtomicsPorts) {
			records := hdl.NewStream(m, "parsed", record(c.Streams))
			checked := hdl.NewStream(m, "checked", atomicAccess(c.Streams, c.WindowWords))
			access := hdl.NewStream(m, "access", atomicAccess(c.Streams, c.WindowWords))
			reply := hdl.NewStream(m, "reply", atomicReply(c.Streams))
			hdl.Instance(m, "parser", DDPParser(c.BusBytes, c.Streams),
				DDPParserPorts{Rx: p.Rx, Record: records.Source(), Payload: p.Payload})
			hdl.Instance(m, "check", AtomicCheck(c), AtomicCheckPorts{Record: records.Sink(), Setup: p.Setup,
				WindowSTag: p.WindowSTag, WindowBase: p.WindowBase, Access: checked.Source(), Other: p.Record})
			hdl.Instance(m, "arbiter", AccessArbiter(c.Streams, c.WindowWords),
				AccessArbiterPorts{Atomic: checked.Sink(), Host: p.Host, Access: access.Source()})
			hdl.Instance(m, "window", AtomicWindow(c),
				AtomicWindowPorts{Req: access.Sink(), Reply: reply.Source(), Host: p.Answer, Retire: p.Retire})
			hdl.Instance(m, "builder", AtomicResponseBuilder(c.BusBytes, c.Streams),
				AtomicResponseBuilderPorts{Reply: reply.Sink(), Tx: p.Tx})
		},
	}
}
