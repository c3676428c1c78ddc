package falcon

import (
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// registers is the register map. Offsets of what the profile has in common with others are the same.
var registers = []engine.Register{
	{Name: "id", Offset: 0x000, Width: 32, Doc: "0x524E4943, \"RNIC\""},
	{Name: "version", Offset: 0x004, Width: 24, Doc: "version of the generator", Fields: []engine.RegisterField{
		{Name: "patch", Low: 0, Width: 8, Doc: "third number"},
		{Name: "minor", Low: 8, Width: 8, Doc: "second number"},
		{Name: "major", Low: 16, Width: 8, Doc: "first number"},
	}},
	{Name: "scratch", Offset: 0x008, Width: 32, Access: engine.ReadWrite, Doc: "for use by the host; no effect"},
	{Name: "status", Offset: 0x00C, Width: 3, Doc: "what is in progress", Fields: []engine.RegisterField{
		{Name: "stag_busy", Low: 0, Width: 1, Doc: "1: the last `stag_command` has not taken effect yet"},
		{Name: "stream_busy", Low: 1, Width: 1, Doc: "1: the last `stream_command` has not taken effect yet"},
		{Name: "ready", Low: 2, Width: 1, Doc: "1: all tables are initialized; 0 for some time after reset"},
	}},

	{Name: "bus_bytes", Offset: 0x010, Width: 8, Doc: "octets per beat of the packet streams and of memory"},
	{Name: "streams", Offset: 0x014, Width: 16, Doc: "number of QPs; QP n is stream n"},
	{Name: "stags", Offset: 0x018, Width: 24, Doc: "rows of the table of regions"},
	{Name: "ird", Offset: 0x01C, Width: 16, Doc: "entries of a QP's IRRQ: pulls of the peer that it holds"},
	{Name: "ord", Offset: 0x020, Width: 16, Doc: "ORD: pulls that a QP can have outstanding"},
	{Name: "receive_depth", Offset: 0x024, Width: 16, Doc: "receive requests per QP"},
	{Name: "send_depth", Offset: 0x028, Width: 16, Doc: "incomplete work requests per QP that never hold up other QPs"},
	{Name: "max_payload", Offset: 0x02C, Width: 16, Doc: "MTU of all QPs, in octets"},
	{Name: "features", Offset: 0x030, Width: 3, Doc: "options of the hardware", Fields: []engine.RegisterField{
		{Name: "atomic_scope", Low: 1, Width: 2, Doc: "1: Atomics are atomic with the Atomics of all QPs of this RNIC, not with other accesses to memory"},
	}},

	{Name: "stag_index", Offset: 0x040, Width: 24, Access: engine.ReadWrite, Doc: "row that `stag_command` changes: upper 24 bits of the key"},
	{Name: "stag_access", Offset: 0x044, Width: 14, Access: engine.ReadWrite, Doc: "low octet of the key, and access rights of the region", Fields: []engine.RegisterField{
		{Name: "key", Low: 0, Width: 8, Doc: "low octet of the L-Key, which is the R-Key too"},
		{Name: "local_read", Low: 8, Width: 1, Doc: "source of Sends and Writes of this node"},
		{Name: "local_write", Low: 9, Width: 1, Doc: "buffer for Sends to this node and for results of its Reads and Atomics"},
		{Name: "remote_read", Low: 10, Width: 1, Doc: "source of Reads of the peer"},
		{Name: "remote_write", Low: 11, Width: 1, Doc: "target of Writes of the peer"},
		{Name: "remote_atomic", Low: 12, Width: 1, Doc: "target of Atomics of the peer"},
		{Name: "invalidate", Low: 13, Width: 1, Doc: "the peer may invalidate it by Send with Invalidate"},
	}},
	{Name: "stag_owner", Offset: 0x048, Width: engine.DomainBits + 1, Access: engine.ReadWrite, Doc: "owner of the region", Fields: []engine.RegisterField{
		{Name: "owner", Low: 0, Width: engine.DomainBits, Doc: "number of the QP or protection domain that the region is associated with"},
		{Name: "by_domain", Low: engine.DomainBits, Width: 1, Doc: "1: owner is a protection domain, 0: owner is a QP"},
	}},
	{Name: "stag_base_low", Offset: 0x050, Width: 32, Access: engine.ReadWrite, Doc: "virtual address of the region's first octet, bits 31..0"},
	{Name: "stag_base_high", Offset: 0x054, Width: 32, Access: engine.ReadWrite, Doc: "the same, bits 63..32"},
	{Name: "stag_length_low", Offset: 0x058, Width: 32, Access: engine.ReadWrite, Doc: "octets of the region, bits 31..0; base + length is at most 2^64"},
	{Name: "stag_length_high", Offset: 0x05C, Width: 32, Access: engine.ReadWrite, Doc: "the same, bits 63..32"},
	{Name: "stag_address_low", Offset: 0x060, Width: 32, Access: engine.ReadWrite, Doc: "address of the region's first octet in memory, bits 31..0"},
	{Name: "stag_address_high", Offset: 0x064, Width: 32, Access: engine.ReadWrite, Doc: "the same, bits 63..32"},
	{Name: "stag_command", Offset: 0x068, Width: 32, Access: engine.WriteOnly, Doc: "1 stores the region in the row, 2 makes the row invalid, 0 does nothing"},

	{Name: "stream_number", Offset: 0x070, Width: 16, Access: engine.ReadWrite, Doc: "QP of `stream_command`"},
	{Name: "stream_domain", Offset: 0x074, Width: engine.DomainBits, Access: engine.ReadWrite, Doc: "its protection domain"},
	{Name: "stream_command", Offset: 0x078, Width: 32, Access: engine.WriteOnly, Doc: "1 opens the QP, 2 closes it, 3 gives it its weight, 4 gives it its set-up while it is closed, 5 moves it to Error, 0 does nothing"},
	{Name: "stream_weight", Offset: 0x07C, Width: engine.WeightBits, Access: engine.ReadWrite, Doc: "its weight: octets that it sends relative to those of other QPs with something to send; 0 counts as 1"},

	{Name: "segments_received", Offset: 0x080, Width: 32, Doc: "packets that have arrived"},
	{Name: "segments_discarded", Offset: 0x084, Width: 32, Doc: "of these: for no QP that is open"},
	{Name: "segments_in_error", Offset: 0x088, Width: 32, Doc: "of these: they broke a rule"},
	{Name: "messages_sent", Offset: 0x08C, Width: 32, Doc: "requests sent"},
	{Name: "segments_sent", Offset: 0x090, Width: 32, Doc: "packets sent"},
	{Name: "segments_dropped", Offset: 0x094, Width: 32, Doc: "packets not sent: none"},
	{Name: "completions", Offset: 0x098, Width: 32, Doc: "completions given to the host"},
	{Name: "qps_failed", Offset: 0x09C, Width: 32, Doc: "QPs that went to Error"},
	{Name: "qps_ended", Offset: 0x0A0, Width: 32, Doc: "QPs that the peer ended: none"},
	{Name: "memory_errors", Offset: 0x0A4, Width: 32, Doc: "errors reported by memory"},
	{Name: "receives_refused", Offset: 0x0A8, Width: 32, Doc: "receive requests refused because the ring was full"},
	{Name: "invalidations", Offset: 0x0AC, Width: 32, Doc: "R-Keys that the peer invalidated"},

	{Name: "errors_lost", Offset: 0x0C0, Width: 32, Doc: "errors lost unread because the log was full"},
	{Name: "error_log", Offset: 0x0C4, Width: 32, Access: engine.ReadRemoves, Doc: "the oldest of the last 16 errors of QPs; 0 when there is none", Fields: []engine.RegisterField{
		{Name: "rule", Low: 0, Width: spec.RuleBits, Doc: "number of the rule that a packet broke; 0: none"},
		{Name: "stream", Low: spec.RuleBits + 1, Width: 29 - spec.RuleBits, Doc: "number of the QP"},
		{Name: "valid", Low: 31, Width: 1, Doc: "1: the rest is an error"},
	}},

	{Name: "connections", Offset: 0x100, Width: 24, Doc: "number of connections: CIDs from 0 on"},
	{Name: "window", Offset: 0x104, Width: 16, Doc: "Sequence Numbers from the oldest unanswered request of a connection to the next one"},
	{Name: "stream_mode", Offset: 0x110, Width: 12, Access: engine.ReadWrite, Doc: "what `stream_command` 4 gives the QP", Fields: []engine.RegisterField{
		{Name: "type", Low: 0, Width: 2, Doc: "QP type: 0 RC, 1 UD, 2 XRC INI, 3 XRC TGT"},
		{Name: "ordering", Low: 2, Width: 2, Doc: "ordering mode: 0 strong, 1 weak, 2 unordered"},
		{Name: "errors", Low: 4, Width: 1, Doc: "error mode: 0 Verbs compatible, 1 complete in error"},
		{Name: "rnr_timeout", Low: 5, Width: 5, Doc: "code of the RNR NACK timeout, FTP 7.8"},
		{Name: "shares", Low: 10, Width: 1, Doc: "1: an RC or UD QP takes its receives from the shared receive queue `stream_queue`; an XRC target takes them from those that its peer names"},
		{Name: "queue", Low: 11, Width: 1, Doc: "1: no QP is set up, but the shared receive queue `stream_number` is emptied and has the XRC domain `stream_xrc_domain`"},
	}},
	{Name: "stream_cid", Offset: 0x114, Width: 24, Access: engine.ReadWrite, Doc: "the same: CID of its connection; of a UD QP, of the only one that its datagrams use"},
	{Name: "stream_remote", Offset: 0x118, Width: 24, Access: engine.ReadWrite, Doc: "the same: number of the QP at the peer, of a connected QP"},
	{Name: "stream_q_key", Offset: 0x11C, Width: 32, Access: engine.ReadWrite, Doc: "the same: Queue Key of a UD QP"},
	{Name: "stream_rsn", Offset: 0x120, Width: 32, Access: engine.ReadWrite, Doc: "the same: Request Sequence Number of the first request that the QP sends"},
	{Name: "stream_packets", Offset: 0x124, Width: 32, Access: engine.ReadWrite, Doc: "the same: credits of its connection in packets, each below 2^15", Fields: []engine.RegisterField{
		{Name: "tx", Low: 0, Width: creditBits, Doc: "Request Tx packets"},
		{Name: "rx", Low: creditBits, Width: creditBits, Doc: "Request Rx packets"},
	}},
	{Name: "stream_buffers", Offset: 0x128, Width: 32, Access: engine.ReadWrite, Doc: "the same: credits of its connection in buffers, each below 2^15", Fields: []engine.RegisterField{
		{Name: "tx", Low: 0, Width: creditBits, Doc: "Request Tx buffers"},
		{Name: "rx", Low: creditBits, Width: creditBits, Doc: "Request Rx buffers"},
	}},
	{Name: "stream_queue", Offset: 0x12C, Width: 24, Access: engine.ReadWrite, Doc: "the same: number of the shared receive queue"},
	{Name: "stream_xrc_domain", Offset: 0x130, Width: xrcDomainBits, Access: engine.ReadWrite, Doc: "the same: XRC domain of an XRC target, or of a shared receive queue (I-119)"},
	{Name: "stream_before", Offset: 0x134, Width: sequenceBits, Access: engine.ReadWrite, Doc: "the same: number before the first SN and RMSN of the QP, in both directions: 0 if they begin with 1"},
	{Name: "stream_data", Offset: 0x138, Width: 32, Access: engine.ReadWrite, Doc: "the same: credits of its connection for responses, each below 2^15", Fields: []engine.RegisterField{
		{Name: "packets", Low: 0, Width: creditBits, Doc: "Data Tx packets"},
		{Name: "buffers", Low: creditBits, Width: creditBits, Doc: "Data Tx buffers"},
	}},
	{Name: "stream_ord", Offset: 0x13C, Width: ordBits, Access: engine.ReadWrite, Doc: "the same: RMSNs from the oldest pull of this node without a response to the next one (I-115); 0, or `ord` and more: `ord`"},
}

// Registers have a log of the errors of QPs. No peer ends a QP.
func (p Profile) Registers() engine.RegisterMap {
	return engine.RegisterMap{Registers: registers, Log: "error_log", Lost: "errors_lost", Ended: "qps_failed", Closed: "qps_ended",
		Constants: map[string]uint64{"connections": uint64(p.Connections), "window": uint64(p.Window)}}
}

// SetupTag is a [HostSetup].
func (Profile) SetupTag(c engine.Config) any {
	s := HostSetupOf(c)
	return &s
}

// Setup is what stream_command 4 gives a QP.
func (p Profile) Setup(stream hdl.Value, field func(register, name string) hdl.Value) any {
	mode := func(name string) hdl.Value { return field("stream_mode", name) }
	return &HostSetup{Target: Setup{Stream: stream, Before: field("stream_before", ""), QP: QPSetup{Type: mode("type"), Ordering: mode("ordering"), Errors: mode("errors"),
		CID: field("stream_cid", "").Truncate(p.cid().Width()), Remote: field("stream_remote", ""), QKey: field("stream_q_key", ""), RNRTimeout: mode("rnr_timeout"),
		Shares: mode("shares"), Queue: field("stream_queue", "").Truncate(stream.Width()), XRCDomain: field("stream_xrc_domain", "")}},
		IsQueue: mode("queue"), RSN: field("stream_rsn", ""), Credits: CreditCount{TxPackets: field("stream_packets", "tx"), TxBuffers: field("stream_buffers", "tx"),
			RxPackets: field("stream_packets", "rx"), RxBuffers: field("stream_buffers", "rx")},
		Data: DataCount{Packets: field("stream_data", "packets"), Buffers: field("stream_data", "buffers")}, ORD: field("stream_ord", "")}
}
